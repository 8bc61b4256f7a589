import Configuration
import Glibc
import KeeperCore
import LinuxIO

/// What makes an instance the only one on its directories; ends with the process.
final class Claim {
    private let locks: [HeldDescriptor]

    /// Claims both directories, then makes what is missing in them.
    ///
    /// Where another instance has one, nothing is made.
    init(_ instance: Instance) throws(StartRefusal) {
        let state = try Claim.lock(instance.stateDirectory, "state")
        // Not before: whoever had the lock may have been the first on this directory.
        try instance.checkNetwork()
        if (try? System.facts(of: instance.runtimeDirectory)) == nil {
            try instance.makeRuntimeDirectory()
        }
        locks = [state, try Claim.lock(instance.runtimeDirectory, "runtime")]
        try instance.makeStateDirectories()
    }

    /// The lock is on the directory itself, so that a second instance finds it taken without either
    /// having to make a file. The kernel lets go of it when the process ends, however it ends.
    private static func lock(_ path: String, _ what: String) throws(StartRefusal) -> HeldDescriptor
    {
        do throws(Errno) {
            let directory = HeldDescriptor(try System.open(path, O_RDONLY | O_DIRECTORY))
            if try System.lock(directory.number) { return directory }
        } catch {
            throw StartRefusal(.system, "the \(what) directory \(path) cannot be locked: \(error)")
        }
        throw StartRefusal(
            .busy,
            "another instance runs on the \(what) directory \(path); "
                + "stop it, or give this one its own: --\(what)-directory")
    }
}

extension Instance {
    fileprivate func makeRuntimeDirectory() throws(StartRefusal) {
        try making(runtimeDirectory) { () throws(Errno) in
            // The group needs to pass through to the sockets; an ordinary user keeps it to itself.
            try System.makeDirectory(runtimeDirectory, mode: 0o700)
            guard let socketGroup else { return }
            try System.setOwner(runtimeDirectory, uid: caller.account.uid, gid: socketGroup)
            try System.setMode(runtimeDirectory, 0o750)
        }
    }

    fileprivate func makeStateDirectories() throws(StartRefusal) {
        let marker = stateDirectory + "/" + Instance.developmentMarker
        if !settings.developmentSettings.isEmpty, (try? System.facts(of: marker)) == nil {
            try making(marker) { () throws(Errno) in try System.makeEmptyFile(marker) }
        }
        if try markedNetwork() == nil {
            let path = networkMarkerPath
            try making(path) { () throws(Errno) in
                try System.makeFile(
                    path, in: stateDirectory, text: settings.network.rawValue + "\n")
            }
        }
        for child in children {
            let path = stateDirectory(of: child)
            guard (try? System.facts(of: path, followingLink: false)) == nil else { continue }
            try making(path) { () throws(Errno) in
                try System.makeDirectory(path, mode: 0o700)
                guard let account = accounts[child] else { return }
                try System.setOwner(path, uid: account.uid, gid: account.gid)
            }
        }
    }

    private func making(
        _ path: String, _ body: () throws(Errno) -> Void
    ) throws(StartRefusal) {
        do throws(Errno) {
            try body()
        } catch {
            throw StartRefusal(.system, "\(path) cannot be made: \(error)")
        }
    }
}

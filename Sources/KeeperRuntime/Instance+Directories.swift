import CNamespaces
import Configuration
import Glibc
import LinuxIO

/// The checks of directories before the start.
extension Instance {
    static func findStateDirectory(
        _ settings: Settings, _ caller: Caller
    ) throws(StartRefusal) -> String {
        let base = caller.stateHome ?? caller.home.map { $0 + "/.local/state" }
        guard
            let path = settings.stateDirectory
                ?? (caller.isRoot ? "/var/lib/bulkhead" : base.map { $0 + "/bulkhead" })
        else {
            throw StartRefusal(
                .state, "there is no HOME to find the state directory in; give --state-directory")
        }
        let facts: System.FileFacts
        do throws(Errno) {
            facts = try System.facts(of: path)
        } catch {
            throw StartRefusal(
                .state,
                "the state directory \(path) cannot be opened: \(error); "
                    + "create it: install -d -m 0700 \(path)")
        }
        try checkPrivate(facts, path, "the state directory", owner: caller.account)
        return path
    }

    /// A private directory: its owner's alone, entered and read by nobody else.
    private static func checkPrivate(
        _ facts: System.FileFacts, _ path: String, _ what: String, owner: Account
    ) throws(StartRefusal) {
        guard facts.kind == .directory else {
            throw StartRefusal(.state, "\(what) \(path) is not a directory")
        }
        guard facts.uid == owner.uid else {
            throw StartRefusal(
                .state,
                "\(what) \(path) belongs to user \(facts.uid) and must belong to user \(owner.uid): "
                    + remedy("chown \(owner.uid) \(path)", path))
        }
        guard facts.mode & 0o077 == 0 else {
            throw StartRefusal(
                .state,
                "\(what) \(path) is open to others (mode 0\(String(facts.mode, radix: 8))): "
                    + remedy("chmod 0700 \(path)", path))
        }
    }

    /// The command that helps, or what helps where it cannot.
    private static func remedy(_ command: String, _ path: String) -> String {
        guard linux_keeps_owners(path) == 0 else { return command }
        return """
            its file system keeps no owners, as FAT does not, and chown and chmod change nothing there; \
            keep the state on ext4 or the like (--state-directory), and kits and backups here
            """
    }

    /// The children's own directories; missing ones are made later.
    func checkChildDirectories() throws(StartRefusal) {
        for child in children {
            let path = stateDirectory(of: child)
            guard let facts = try? System.facts(of: path, followingLink: false) else { continue }
            try Instance.checkPrivate(
                facts, path, "the directory of the \(child)",
                owner: accounts[child] ?? caller.account)
        }
    }

    /// The file that says which Bitcoin network the state is for; a state without one is new.
    var networkMarkerPath: String { stateDirectory + "/bitcoin-network" }

    /// The network that the state is for; nil if that is not written yet.
    func markedNetwork() throws(StartRefusal) -> NetworkChoice? {
        let path = networkMarkerPath
        let bytes: [UInt8]
        do throws(Errno) {
            bytes = try System.read(path, limit: 64)
        } catch {
            if error == .noSuchFile { return nil }
            throw StartRefusal(.state, "\(path) cannot be read: \(error)")
        }
        let marked = NetworkChoice.allCases.first { bytes == Array(($0.rawValue + "\n").utf8) }
        guard let marked else {
            let names = NetworkChoice.allCases.map(\.rawValue).joined(separator: ", ")
            throw StartRefusal(
                .state,
                "\(path) is damaged; write into it, as one line, the network that this state is for: "
                    + names)
        }
        return marked
    }

    /// A state is of one network for ever: the keys, addresses and headers of two must not mix.
    func checkNetwork() throws(StartRefusal) {
        guard let marked = try markedNetwork(), marked != settings.network else { return }
        throw StartRefusal(
            .state,
            "the state directory \(stateDirectory) is for \(marked), not \(settings.network); "
                + "start with --network \(marked), or give --state-directory another one")
    }

    static func findRuntimeDirectory(
        _ settings: Settings, _ caller: Caller, _ stateDirectory: String
    ) throws(StartRefusal) -> String {
        let derived =
            caller.isRoot
            ? "/run/bulkhead"
            : caller.runtimeHome.map { $0 + "/bulkhead" } ?? stateDirectory + "/run"
        let path = settings.runtimeDirectory ?? derived
        let parent = path.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/"
        // A missing one is made later, in a directory that must be there.
        guard let facts = try? System.facts(of: path) else {
            guard (try? System.facts(of: parent))?.kind == .directory, access(parent, W_OK) == 0
            else {
                throw StartRefusal(
                    .state,
                    "the runtime directory \(path) is missing and cannot be made there: "
                        + "install -d -m 0750 \(path)")
            }
            return path
        }
        guard facts.kind == .directory, facts.uid == caller.account.uid, facts.mode & 0o022 == 0
        else {
            throw StartRefusal(
                .state,
                "the runtime directory \(path) must be a directory of user \(caller.account.uid) "
                    + "that nobody else may write")
        }
        return path
    }

    /// What is in the place of a socket may only be the socket of an instance that has ended.
    func checkSocketPaths() throws(StartRefusal) {
        for child in children {
            let path = socketPath(of: child)
            guard path.utf8.count <= 107 else {
                throw StartRefusal(
                    .state,
                    "\(path) is longer than the 107 bytes of a socket's path; "
                        + "give a shorter --runtime-directory")
            }
            guard let facts = try? System.facts(of: path, followingLink: false) else { continue }
            guard facts.kind == .socket else {
                throw StartRefusal(.state, "\(path) is in the way: it is no socket; move it")
            }
        }
    }

    static func findProgramDirectory(_ settings: Settings) throws(StartRefusal) -> String {
        if let given = settings.programDirectory { return given }
        do throws(Errno) {
            let own = try System.target(ofLink: "/proc/self/exe")
            return own.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
        } catch {
            throw StartRefusal(
                .system, "bulkheadd cannot find itself: \(error); give --program-directory")
        }
    }
}

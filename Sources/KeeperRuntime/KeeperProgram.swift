import CLinux
import CNamespaces
public import Configuration
import Glibc
import LinuxIO

/// The program `bulkheadd`.
public enum KeeperProgram {
    static let defaultFile = "/etc/bulkhead/bulkhead.conf"

    /// Runs until the appliance has ended.
    ///
    /// - Parameter arguments: Without the program's name.
    public static func run(arguments: [String]) -> ExitCode {
        do throws(Errno) { try Kernel.holdStandardDescriptors() } catch {
            // There may be nowhere to say it.
            return .system
        }
        let log = Log()
        do throws(StartRefusal) {
            switch try usage({ () throws(UsageError) in try KeeperArguments(arguments) }) {
            case .help: show(Documents.keeperHelp)
            case .check(let flags): _ = try settings(from: flags)
            case .run(let flags): return try run(try settings(from: flags), log)
            }
            return .success
        } catch {
            log.write(error.description, level: .warning)
            return error.code
        }
    }

    private static func run(_ settings: Settings, _ log: Log) throws(StartRefusal) -> ExitCode {
        let instance = try Instance(settings: settings, caller: .current)
        // Before anything is made: one of these may be refused.
        let (null, memory) = (try openNull(), try openMemoryFigures())
        let credential = try Credential.open(instance.caller)
        let certificates = try HandedFiles.openCertificates(instance)
        let peerList = try HandedFiles.openPeerList(instance)
        let claim = try Claim(instance)
        let (groups, refusal) = ControlGroups.divide()
        let weaknesses =
            instance.weaknesses + (refusal.map { ["no limits by cgroup: \($0)"] } ?? [])
        for weakness in weaknesses { log.write("weaker: " + weakness) }

        let around = RunningChild.Surroundings(
            null: null, listeners: try Listeners(instance), groups: groups, credential: credential,
            memory: memory, certificates: certificates, peerList: peerList)
        let loop = try KeeperLoop(instance, around, weaknesses: weaknesses, log: log)
        try giveUpWhatRestartingDoesNotNeed(instance.caller)
        do throws(Errno) {
            let code = try loop.run()
            withExtendedLifetime(claim) {}
            return code
        } catch {
            throw StartRefusal(.system, "the keeper cannot wait for events: \(error)")
        }
    }

    /// The settings by file and flags.
    private static func settings(
        from flags: [Setting: String]
    ) throws(StartRefusal) -> Settings {
        // The flags come first, as one of them names the file, and last, as they win.
        var early = Settings()
        try usage { () throws(UsageError) in try early.take(flags: flags) }
        var settings = Settings()
        if let (path, bytes) = try read(early.configurationFile) {
            do throws(FileError) {
                try settings.read(file: path, bytes: bytes)
            } catch {
                throw StartRefusal(.configuration, error.description)
            }
        }
        try usage { () throws(UsageError) in try settings.take(flags: flags) }
        if let sentence = settings.contradiction {
            throw StartRefusal(.configuration, sentence)
        }
        return settings
    }

    private static func usage<Result>(
        _ body: () throws(UsageError) -> Result
    ) throws(StartRefusal) -> Result {
        do throws(UsageError) {
            return try body()
        } catch {
            throw StartRefusal(.usage, error.description)
        }
    }

    private static func read(_ named: String?) throws(StartRefusal) -> (String, [UInt8])? {
        let path = named ?? defaultFile
        do throws(InputFile.Problem) {
            let file = try InputFile.open(path)
            do throws(Errno) {
                return (path, try System.readAll(file.number, limit: Settings.largestFile))
            } catch {
                throw .unopened(error)
            }
        } catch {
            if named == nil, error == .unopened(.noSuchFile) { return nil }
            throw StartRefusal(
                .configuration, "the configuration file \(path) cannot be read: \(error)")
        }
    }

    private static func openNull() throws(StartRefusal) -> HeldDescriptor {
        do throws(Errno) {
            return HeldDescriptor(try System.open("/dev/null", O_RDWR))
        } catch {
            throw StartRefusal(.system, "/dev/null cannot be opened: \(error)")
        }
    }

    /// Numbers of the kernel, no more; the signer refuses a derivation that the machine cannot bear.
    private static func openMemoryFigures() throws(StartRefusal) -> HeldDescriptor {
        do throws(Errno) {
            return HeldDescriptor(try System.open("/proc/meminfo", O_RDONLY))
        } catch {
            throw StartRefusal(.system, "/proc/meminfo cannot be opened: \(error)")
        }
    }

    /// The keeper's own confinement: no dumps, no gain by exec, and as root only what starting a child takes.
    private static func giveUpWhatRestartingDoesNotNeed(_ caller: Caller) throws(StartRefusal) {
        do throws(Errno) {
            try System.checkNegative(linux_set_undumpable())
            try System.checkNegative(linux_set_limit(LINUX_RESOURCE_CORE, 0))
            try System.checkNegative(linux_set_no_new_privileges())
            guard caller.isRoot else { return }
            let kept = Capability.allCases.reduce(UInt64(0)) { $0 | 1 << $1.rawValue }
            try System.checkNegative(linux_keep_capabilities(kept))
        } catch {
            throw StartRefusal(.system, "the keeper cannot confine itself: \(error)")
        }
    }

    private static func show(_ text: String) {
        var text = text
        text.withUTF8 { bytes in _ = write(STDOUT_FILENO, bytes.baseAddress, bytes.count) }
    }
}

/// What a keeper that root started keeps, each for something that starting a child again takes.
private enum Capability: UInt64, CaseIterable {
    /// To bring programs into private roots from directories of other users.
    case readAnything = 2
    /// To kill children, which are other users; the kernel also asks for it when the keeper's own
    /// death is to kill them.
    case kill = 5
    /// To become a child's group and user.
    case setGroup = 6
    case setUser = 7
    /// To empty a child's bounding set.
    case setCapabilities = 8
    /// To make namespaces and mounts.
    case administer = 21
}

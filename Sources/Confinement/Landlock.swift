internal import CLinux
internal import Glibc
internal import LinuxIO

/// What Landlock can deny to a process, as the kernel numbers it.
enum LandlockAccess {
    static let execute: UInt64 = 1 << 0
    static let writeFile: UInt64 = 1 << 1
    static let readFile: UInt64 = 1 << 2
    static let readDirectory: UInt64 = 1 << 3
    static let removeDirectory: UInt64 = 1 << 4
    static let removeFile: UInt64 = 1 << 5
    static let makeDirectory: UInt64 = 1 << 7
    static let makeRegular: UInt64 = 1 << 8
    /// Moving a file from one directory to another (version 2).
    static let refer: UInt64 = 1 << 13
    /// (version 3)
    static let truncate: UInt64 = 1 << 14

    static let bindTCP: UInt64 = 1 << 0
    static let connectTCP: UInt64 = 1 << 1

    static let abstractSocketScope: UInt64 = 1 << 0
    static let signalScope: UInt64 = 1 << 1

    /// Every right over files that version `abi` can deny; the newest, over devices, came with 5.
    static func files(abi: Int32) -> UInt64 {
        let count: UInt64 = abi >= 5 ? 16 : abi >= 3 ? 15 : abi == 2 ? 14 : 13
        return (1 << count) - 1
    }
}

/// Which files and which TCP a process keeps; the rest of both is denied.
public struct LandlockRules: Sendable {
    /// What may be done beneath a path.
    public enum FileAccess: Sendable {
        /// Open for reading, list directories.
        case read
        /// As `read`, and create, write, rename and remove files and directories. No devices, no
        /// sockets, no symbolic links, no execution.
        case readWrite
    }

    /// TCP that a process keeps.
    public enum TCP: UInt8, Sendable {
        /// Neither listening nor connecting.
        case none
        /// Connecting to any port.
        case connect
        /// Not restricted.
        case any
    }

    /// Paths with what may be done beneath them.
    public var paths: [(path: String, access: FileAccess)]
    /// TCP that stays possible (the kernel judges it from version 4).
    public var tcp: TCP

    /// Denies every file and all TCP but these.
    public init(paths: [(path: String, access: FileAccess)] = [], tcp: TCP = .none) {
        self.paths = paths
        self.tcp = tcp
    }
}

/// What Landlock does for a process.
public enum LandlockState: Hashable, Sendable {
    /// The kernel was built without it, as Raspberry Pi OS's is.
    case notInKernel
    /// The kernel has it and was started with it off.
    case switchedOff
    /// Nothing was asked of it.
    case unused
    /// It holds, with the kernel's version: 1 files, 2 renames, 3 truncation, 4 TCP, 5 devices,
    /// 6 signals and abstract sockets.
    case held(version: Int32)

    /// What this kernel could do, asked now and changing nothing.
    public static var offered: LandlockState { LandlockState(linux_landlock_abi()) }

    init(_ answer: Int32) {
        if answer > 0 {
            self = .held(version: answer)
        } else {
            self = answer == -EOPNOTSUPP ? .switchedOff : .notInKernel
        }
    }
}

/// A ruleset that is ready to be entered: all paths are open, so entering is one system call.
struct LandlockRuleset: ~Copyable {
    /// nil if the kernel has no Landlock.
    private let ruleset: FileDescriptor?
    /// Its number for the probe child; -1 if there is none.
    let number: Int32
    let state: LandlockState

    init(_ rules: LandlockRules?) throws(ConfinementError) {
        guard let rules else {
            ruleset = nil
            number = -1
            state = .unused
            return
        }
        let abi = linux_landlock_abi()
        guard abi > 0 else {
            ruleset = nil
            number = -1
            state = LandlockState(abi)
            return
        }
        let created = try Self.create(rules, abi: abi)
        number = created.number
        ruleset = consume created
        state = .held(version: abi)
    }

    /// Enters the ruleset. `no_new_privs` must hold.
    func restrict() throws(ConfinementError) {
        guard number >= 0 else { return }
        try ConfinementError.check(linux_landlock_restrict(number), .landlock("enter"))
    }

    private static func create(
        _ rules: LandlockRules, abi: Int32
    ) throws(ConfinementError) -> FileDescriptor {
        let all = LandlockAccess.files(abi: abi)
        let tcp =
            switch rules.tcp {
            case .none: LandlockAccess.bindTCP | LandlockAccess.connectTCP
            case .connect: LandlockAccess.bindTCP
            case .any: UInt64(0)
            }
        let ruleset = FileDescriptor(
            owning: try ConfinementError.check(
                linux_landlock_create(
                    abi, all, tcp, LandlockAccess.abstractSocketScope | LandlockAccess.signalScope),
                .landlock("create")))
        for (path, access) in rules.paths {
            try ConfinementError.check(
                linux_landlock_allow(ruleset.number, path, rights(access) & all), .landlock(path))
        }
        return ruleset
    }

    private static func rights(_ access: LandlockRules.FileAccess) -> UInt64 {
        let read = LandlockAccess.readFile | LandlockAccess.readDirectory
        switch access {
        case .read: return read
        case .readWrite:
            return read | LandlockAccess.writeFile | LandlockAccess.truncate
                | LandlockAccess.makeRegular | LandlockAccess.removeFile
                | LandlockAccess.makeDirectory | LandlockAccess.removeDirectory
                | LandlockAccess.refer
        }
    }
}

internal import CLinux
public import Wire

/// What a process found to hold of its own confinement, asked of the kernel from inside.
public struct ConfinementReport: Hashable, Sendable {
    /// The seccomp policy that was loaded.
    public var policy: String
    /// 2 while a filter is in force.
    public var seccompMode: Int32
    /// Whether exec can no longer give privileges.
    public var noNewPrivileges: Bool
    /// Whether the process may be dumped, traced and read by others of its user.
    public var dumpable: Bool
    /// Whether the kernel refuses memory that is written and then executed; nil: older than 6.3.
    public var writeExecuteDenied: Bool?
    /// What Landlock does.
    public var landlock: LandlockState
    /// Capabilities of the process, one bit each; none are wanted.
    public var permittedCapabilities: UInt64
    /// Hard limits; `UInt64.max` is none.
    public var limits: [Resource: UInt64]

    /// Asks the kernel now. Every policy but a worker's permits the questions.
    ///
    /// - Parameters:
    ///   - policy: The name of the filter that this process loaded.
    ///   - landlock: What was found when it was entered; the kernel cannot be asked afterwards.
    public static func observed(policy: String, landlock: LandlockState) -> Self {
        var permitted = UInt64.max
        _ = linux_permitted_capabilities(&permitted)
        let denied = linux_write_execute_denied()
        return Self(
            policy: policy, seccompMode: linux_seccomp_mode(),
            noNewPrivileges: linux_no_new_privileges() == 1, dumpable: linux_dumpable() != 0,
            writeExecuteDenied: denied < 0 ? nil : denied == 1, landlock: landlock,
            permittedCapabilities: permitted,
            limits: Dictionary(
                uniqueKeysWithValues: Resource.allCases.map { ($0, ResourceLimits.current($0)) }))
    }
}

extension ConfinementReport {
    /// The longest policy name that is read back.
    private static let maximumNameLength = 64

    /// Appends the report in its fixed order, integers little-endian.
    public func encode(into writer: inout Writer) {
        writer.writeVarBytes(Array(policy.utf8))
        writer.write(seccompMode)
        writer.write(UInt8(noNewPrivileges ? 1 : 0))
        writer.write(UInt8(dumpable ? 1 : 0))
        writer.write(UInt8(writeExecuteDenied.map { $0 ? 1 : 0 } ?? 2))
        let (kind, version): (UInt8, Int32) =
            switch landlock {
            case .notInKernel: (0, 0)
            case .switchedOff: (1, 0)
            case .unused: (2, 0)
            case .held(let version): (3, version)
            }
        writer.write(kind)
        writer.write(version)
        writer.write(permittedCapabilities)
        for resource in Resource.allCases { writer.write(limits[resource] ?? .max) }
    }

    /// Reads what `encode` wrote.
    public init(from reader: inout Reader) throws(WireError) {
        let name = try reader.readVarBytes(limit: Self.maximumNameLength)
        policy = String(decoding: name, as: UTF8.self)
        seccompMode = try reader.readInt32()
        noNewPrivileges = try reader.readUInt8() == 1
        dumpable = try reader.readUInt8() != 0
        let denied = try reader.readUInt8()
        writeExecuteDenied = denied > 1 ? nil : denied == 1
        let kind = try reader.readUInt8()
        let version = try reader.readInt32()
        landlock =
            switch kind {
            case 0: .notInKernel
            case 1: .switchedOff
            case 2: .unused
            default: .held(version: version)
            }
        permittedCapabilities = try reader.readUInt64()
        limits = [:]
        for resource in Resource.allCases { limits[resource] = try reader.readUInt64() }
    }
}

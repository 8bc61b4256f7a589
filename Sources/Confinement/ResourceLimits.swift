internal import CLinux

/// A resource of a process that the kernel limits.
public enum Resource: UInt8, CaseIterable, Sendable {
    /// Bytes of a core dump.
    case core
    /// One more than the highest descriptor.
    case openFiles
    /// Processes of the same user.
    case processes
    /// Bytes of address space.
    case addressSpace
    /// Bytes of private writable memory.
    case data
    /// Bytes of a file that is written.
    case fileSize
    /// Bytes locked in memory.
    case lockedMemory
    /// Seconds of processor time, then SIGKILL.
    case processorTime

    /// A name for people.
    public var title: String {
        switch self {
        case .core: "core dump"
        case .openFiles: "open files"
        case .processes: "processes"
        case .addressSpace: "address space"
        case .data: "data"
        case .fileSize: "file size"
        case .lockedMemory: "locked memory"
        case .processorTime: "processor time"
        }
    }

    var kernel: linux_resource {
        switch self {
        case .core: LINUX_RESOURCE_CORE
        case .openFiles: LINUX_RESOURCE_OPEN_FILES
        case .processes: LINUX_RESOURCE_PROCESSES
        case .addressSpace: LINUX_RESOURCE_ADDRESS_SPACE
        case .data: LINUX_RESOURCE_DATA
        case .fileSize: LINUX_RESOURCE_FILE_SIZE
        case .lockedMemory: LINUX_RESOURCE_LOCKED_MEMORY
        case .processorTime: LINUX_RESOURCE_CPU_SECONDS
        }
    }
}

/// The limits that a process puts on itself; soft and hard are the same, so they only ever tighten.
public struct ResourceLimits: Hashable, Sendable {
    /// Limits by resource; a resource that is not named keeps the limit it has.
    public var values: [Resource: UInt64]

    /// No core dumps, and what else is named.
    public init(_ values: [Resource: UInt64] = [:]) {
        self.values = values.merging([.core: 0]) { named, _ in named }
    }

    /// Applies them. Where the limit is already lower, that one stays.
    public func apply() throws(ConfinementError) {
        for resource in Resource.allCases {
            guard let wanted = values[resource] else { continue }
            let value = min(wanted, Self.current(resource))
            try ConfinementError.check(
                linux_set_limit(resource.kernel, value), .limit(resource.title))
        }
    }

    /// The hard limit now in force; `UInt64.max` is none.
    public static func current(_ resource: Resource) -> UInt64 {
        var value = UInt64.max
        return linux_limit(resource.kernel, &value) < 0 ? .max : value
    }
}

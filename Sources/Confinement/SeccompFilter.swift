internal import CLinux
internal import CSeccomp
internal import LinuxIO

/// A policy as the program that the kernel runs before each system call.
///
/// It is compiled through libseccomp while the process may still allocate and open; loading it is one
/// system call, so a forked worker can load a tighter filter that its parent compiled.
public struct SeccompFilter: Sendable {
    /// What happens to a process that makes a call which its policy does not name.
    public enum Violation: Sendable {
        /// The process dies at once, all threads of it.
        case kill
        /// The call is made and recorded in the kernel's log. For development only: no wall is left.
        case log
    }

    /// The policy's name.
    public let name: String
    /// The instructions, each as the eight bytes of the kernel's `sock_filter`.
    let program: [UInt64]

    /// Compiles `policy`.
    ///
    /// - Parameter architecture: The only one whose calls the filter lets through. A filter for
    ///   another than the native one can be examined, not loaded.
    public init(
        compiling policy: SeccompPolicy, violation: Violation = .kill,
        for architecture: Architecture = .native
    ) throws(ConfinementError) {
        name = policy.name
        program = try Self.compile(policy, violation: violation, for: architecture)
    }

    /// Puts this process, and all that it starts, under the filter. `no_new_privs` must hold.
    public func load() throws(ConfinementError) {
        let result = program.withUnsafeBytes { bytes in
            linux_seccomp_load(
                bytes.baseAddress?.assumingMemoryBound(to: sock_filter.self),
                UInt16(program.count), true)
        }
        try ConfinementError.check(result, .seccomp(policy: name))
    }

    /// The number of instructions; the kernel allows 4,096.
    public var instructionCount: Int { program.count }

    private static func compile(
        _ policy: SeccompPolicy, violation: Violation, for architecture: Architecture
    ) throws(ConfinementError) -> [UInt64] {
        let fallback = violation == .kill ? seccomp_action_kill_process() : seccomp_action_log()
        guard let context = seccomp_init(fallback) else {
            throw ConfinementError(step: .compile(policy: policy.name), errno: .outOfMemory)
        }
        defer { seccomp_release(context) }
        try select(architecture, in: context, policy: policy.name, otherwise: fallback)
        for rule in policy.rules where rule.architectures.contains(architecture) {
            let result = add(rule, to: context, for: architecture)
            if result != 0 {
                throw ConfinementError(
                    step: .rule("\(rule.file).policy, line \(rule.line): \(rule)"),
                    errno: Errno(-result))
            }
        }
        return try export(context, policy: policy.name)
    }

    private static func select(
        _ architecture: Architecture, in context: scmp_filter_ctx, policy: String,
        otherwise fallback: UInt32
    ) throws(ConfinementError) {
        let step = ConfinementError.Step.compile(policy: policy)
        let token = seccomp_arch_resolve_name(architecture.rawValue)
        if architecture != .native {
            try ConfinementError.check(seccomp_arch_add(context, token), step)
            try ConfinementError.check(
                seccomp_arch_remove(context, seccomp_arch_native()), step)
        }
        // libseccomp's own default would end one thread and leave the process alive.
        try ConfinementError.check(
            seccomp_attr_set(context, SCMP_FLTATR_ACT_BADARCH, fallback), step)
        try ConfinementError.check(seccomp_attr_set(context, SCMP_FLTATR_CTL_OPTIMIZE, 2), step)
    }

    private static func add(
        _ rule: SeccompRule, to context: scmp_filter_ctx, for architecture: Architecture
    ) -> Int32 {
        let token = seccomp_arch_resolve_name(architecture.rawValue)
        guard seccomp_syscall_resolve_name_arch(token, rule.call) >= 0 else {
            return -Errno.notInThisKernel.number
        }
        let action =
            switch rule.verdict {
            case .allow: seccomp_action_allow()
            case .errno(_, let number): seccomp_action_errno(UInt16(number))
            }
        let comparisons = rule.conditions.map { condition in
            let (mask, value) = condition.comparison(on: architecture)
            return scmp_arg_cmp(
                arg: UInt32(condition.argument.index), op: SCMP_CMP_MASKED_EQ, datum_a: mask,
                datum_b: value)
        }
        // libseccomp takes the native number of a call and translates it.
        return seccomp_rule_add_array(
            context, action, seccomp_syscall_resolve_name(rule.call), UInt32(comparisons.count),
            comparisons)
    }

    /// libseccomp 2.5 writes its program only to a descriptor.
    private static func export(
        _ context: scmp_filter_ctx, policy: String
    ) throws(ConfinementError) -> [UInt64] {
        let step = ConfinementError.Step.compile(policy: policy)
        let file = FileDescriptor(
            owning: try ConfinementError.check(linux_memory_file("seccomp"), step))
        try ConfinementError.check(seccomp_export_bpf(context, file.number), step)
        let size = Int(try ConfinementError.check(linux_rewind(file.number), step))
        var program = [UInt64](repeating: 0, count: size / MemoryLayout<UInt64>.size)
        let transfer = program.withUnsafeMutableBytes { try? Kernel.read(file.number, into: $0) }
        guard transfer == .moved(size) else {
            throw ConfinementError(step: step, errno: .inputOutput)
        }
        return program
    }
}

extension SeccompPolicy {
    /// The first line whose call does not exist on `architecture`, as an error; nil if all do.
    public func unknownCall(on architecture: Architecture) -> PolicyError? {
        let token = seccomp_arch_resolve_name(architecture.rawValue)
        for rule in rules where rule.architectures.contains(architecture) {
            guard seccomp_syscall_resolve_name_arch(token, rule.call) < 0 else { continue }
            return PolicyError(
                file: rule.file, line: rule.line,
                problem: .unknownCall(rule.call, architecture))
        }
        return nil
    }
}

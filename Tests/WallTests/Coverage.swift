import CSeccomp
import CWallTests
import Foundation
import SeccompPolicies

@testable import Confinement

/// Which rules of which policy real processes used, from every system call that they made.
final class Coverage {
    private let policies: [UInt64: (name: PolicyName, policy: SeccompPolicy)]
    private var names: [UInt64: String] = [:]
    /// Rules that some call matched.
    private(set) var used: [PolicyName: Set<SeccompRule>] = [:]
    /// Filters that are none of ours.
    private(set) var unknownFilters = 0

    init() throws {
        var policies: [UInt64: (PolicyName, SeccompPolicy)] = [:]
        for name in PolicyName.allCases where !name.isPart {
            let policy = try SeccompPolicy(name)
            let program = try SeccompFilter(compiling: policy).program
            let digest = program.withUnsafeBytes { wall_digest($0.baseAddress, $0.count) }
            policies[digest] = (name, policy)
        }
        self.policies = policies.mapValues { (name: $0.0, policy: $0.1) }
    }

    /// Runs a program with its standard input and output on `terminal` and watches what of Bulkhead
    /// it starts; returns its wait status.
    func run(_ arguments: [String], terminal: Int32, seconds: UInt32) -> Int32 {
        let argv = arguments.map { strdup($0) } + [nil]
        let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
        let envp = environment.map { strdup($0) } + [nil]
        defer { for word in argv + envp { free(word) } }
        let context = Unmanaged.passUnretained(self).toOpaque()
        return wall_trace(
            argv, envp, terminal, terminal, "bulkhead", seconds, observe, context)
    }

    fileprivate func note(_ call: wall_observed) {
        let filters = withUnsafeBytes(of: call.filters) { bytes in
            Array(bytes.bindMemory(to: UInt64.self).prefix(Int(call.filter_count)))
        }
        guard !filters.isEmpty else { return }
        let arguments = withUnsafeBytes(of: call.registers) { bytes in
            Array(bytes.bindMemory(to: UInt64.self))
        }
        let callName = name(call.number)
        for filter in filters {
            guard let (name, policy) = policies[filter] else {
                unknownFilters += 1
                continue
            }
            // Attempts of the probe children match none, as they should.
            if let rule = policy.rule(for: callName, arguments: arguments) {
                used[name, default: []].insert(rule)
            }
        }
    }

    private func name(_ number: UInt64) -> String {
        if let name = names[number] { return name }
        var name = "\(number)"
        if let found = seccomp_syscall_resolve_num_arch(
            seccomp_arch_native(), Int32(truncatingIfNeeded: number))
        {
            name = String(cString: found)
            free(found)
        }
        names[number] = name
        return name
    }

    /// Rules that nothing used and whose reason does not say that they are rare.
    var deadRules: [String] {
        var allUsed: Set<SeccompRule> = []
        for rules in used.values { allUsed.formUnion(rules) }
        var dead: Set<String> = []
        for (_, policy) in policies.values {
            for rule in policy.rules
            where rule.architectures.contains(.native) && !rule.reason.hasPrefix("rare:")
                && !allUsed.contains(rule)
            {
                dead.insert("\(rule.file).policy:\(rule.line): \(rule)")
            }
        }
        return dead.sorted()
    }
}

private func observe(_ context: UnsafeMutableRawPointer?, _ call: UnsafePointer<wall_observed>?) {
    guard let context, let call else { return }
    Unmanaged<Coverage>.fromOpaque(context).takeUnretainedValue().note(call.pointee)
}

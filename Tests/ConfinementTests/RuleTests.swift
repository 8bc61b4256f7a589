import CSeccomp
import Foundation
import SeccompPolicies
import Testing

@testable import Confinement

/// Every rule of every policy, tried for real: the kernel, not our reading of the text, decides.
@Suite("Seccomp rules in the kernel", .enabled(if: Wall.isTested), .serialized)
struct RuleTests {
    static let policies = PolicyName.allCases.filter { !$0.isPart }

    @Test("a call that a rule allows passes", arguments: policies)
    func allowedPasses(_ name: PolicyName) throws {
        let policy = try withEnd(SeccompPolicy(name))
        let filter = try SeccompFilter(compiling: policy)
        for rule in policy.rules where rule.architectures.contains(.native) {
            let ending = Wall.call(number(rule.call), Wall.registers(meeting: rule), under: filter)
            switch ending {
            case .passed: break
            case .signal(let signal):
                // Without a frame to return to, this one ends in a fault, which is not the filter's.
                #expect(rule.call == "rt_sigreturn" && signal == SIGSEGV, "\(rule): \(ending)")
            default: Issue.record("\(rule): \(ending)")
            }
        }
    }

    @Test("the same call with one argument altered dies by SIGSYS", arguments: policies)
    func alteredDies(_ name: PolicyName) throws {
        let policy = try SeccompPolicy(name)
        let filter = try SeccompFilter(compiling: policy)
        for rule in policy.rules where rule.architectures.contains(.native) {
            for registers in alterations(of: rule, in: policy) {
                let ending = Wall.call(number(rule.call), registers, under: filter)
                #expect(ending == .killedBySeccomp, "\(rule) with \(registers)")
            }
        }
    }

    @Test("every dangerous call that is not listed dies by SIGSYS", arguments: policies)
    func dangerousDies(_ name: PolicyName) throws {
        let policy = try SeccompPolicy(name)
        let filter = try SeccompFilter(compiling: policy)
        let listed = Set(policy.rules.map(\.call))
        var tried = 0
        for call in DangerousCalls.everywhere.union(DangerousCalls.outgoing).subtracting(listed) {
            let number = number(call)
            // Not every architecture has every one.
            guard number >= 0 else { continue }
            let registers = [UInt64](repeating: Wall.harmless, count: 6)
            #expect(Wall.call(number, registers, under: filter) == .killedBySeccomp, "\(call)")
            tried += 1
        }
        #expect(tried > 50)
    }

    @Test("every rule with a condition is altered in some argument at least once")
    func everyConditionIsAltered() throws {
        for name in Self.policies {
            let policy = try SeccompPolicy(name)
            for rule in policy.rules where !rule.conditions.isEmpty {
                #expect(!alterations(of: rule, in: policy).isEmpty, "\(rule)")
            }
        }
    }

    /// For each condition of the rule, some register values that no rule of the policy permits.
    private func alterations(of rule: SeccompRule, in policy: SeccompPolicy) -> [[UInt64]] {
        var alterations: [[UInt64]] = []
        for condition in rule.conditions {
            let (mask, _) = condition.comparison(on: .native)
            let bits = (0..<64).filter { mask >> UInt64($0) & 1 == 1 }
            let candidates = bits.map { bit in
                var registers = Wall.registers(meeting: rule)
                registers[condition.argument.index] ^= 1 << UInt64(bit)
                return registers
            }
            let refused = candidates.filter {
                policy.rule(for: rule.call, arguments: $0) == nil
            }
            // The lowest, the highest and one between.
            let chosen = [refused.first, refused.last, refused.dropFirst(refused.count / 2).first]
            alterations += chosen.compactMap { $0 }
        }
        return alterations
    }

    /// A process under a policy ends by `exit_group`, which each allows; without it no call could be
    /// told apart from its end.
    private func withEnd(_ policy: SeccompPolicy) throws -> SeccompPolicy {
        try #require(policy.rule(for: "exit_group", arguments: []) != nil)
        return policy
    }

    private func number(_ call: String) -> Int32 {
        seccomp_syscall_resolve_name(call)
    }
}

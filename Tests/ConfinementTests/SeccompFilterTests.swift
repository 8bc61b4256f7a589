import CSeccomp
import SeccompPolicies
import Testing

@testable import Confinement

/// The programs that the kernel will run, examined instruction by instruction on both architectures.
@Suite("Compiled filters")
struct SeccompFilterTests {
    @Test(
        "a filter answers every call as the text says, with each bit of each compared argument flipped",
        arguments: PolicyName.allCases, Architecture.allCases)
    func answersAsWritten(_ name: PolicyName, _ architecture: Architecture) throws {
        let policy = try SeccompPolicy(name)
        let machine = FilterMachine(
            program: try SeccompFilter(compiling: policy, for: architecture).program)
        let token = seccomp_arch_resolve_name(architecture.rawValue)
        var judged = 0
        for rule in policy.rules where rule.architectures.contains(architecture) {
            let number = seccomp_syscall_resolve_name_arch(token, rule.call)
            for registers in variants(of: rule, on: architecture) {
                let answer = try machine.run(
                    .init(
                        number: number, architecture: architecture.audit, registers: registers))
                let expected = policy.rule(for: rule.call, arguments: registers, on: architecture)
                #expect(answer == expected.map(code) ?? FilterMachine.kill, "\(rule) \(registers)")
                judged += 1
            }
        }
        #expect(judged >= policy.rules.count)
    }

    @Test("a call that the policy does not name kills", arguments: PolicyName.allCases)
    func unnamedCallsKill(_ name: PolicyName) throws {
        let policy = try SeccompPolicy(name)
        for architecture in Architecture.allCases {
            let machine = FilterMachine(
                program: try SeccompFilter(compiling: policy, for: architecture).program)
            let token = seccomp_arch_resolve_name(architecture.rawValue)
            let named = Set(
                policy.rules.filter { $0.architectures.contains(architecture) }
                    .map { seccomp_syscall_resolve_name_arch(token, $0.call) })
            for number in Int32(-1)...1000 where !named.contains(number) {
                let answer = try machine.run(
                    .init(
                        number: number, architecture: architecture.audit,
                        registers: Array(repeating: 0, count: 6)))
                #expect(answer == FilterMachine.kill, "call \(number) on \(architecture)")
            }
        }
    }

    @Test("a call of another architecture, and one of x32, kills", arguments: PolicyName.allCases)
    func foreignCallsKill(_ name: PolicyName) throws {
        let policy = try SeccompPolicy(name)
        let i386: UInt32 = 0x4000_0003
        let arm: UInt32 = 0x4000_0028
        for architecture in Architecture.allCases {
            let machine = FilterMachine(
                program: try SeccompFilter(compiling: policy, for: architecture).program)
            let others = Architecture.allCases.filter { $0 != architecture }.map(\.audit)
            for number in Int32(0)..<500 {
                let registers = [UInt64](repeating: 0, count: 6)
                for foreign in others + [i386, arm, 0] {
                    let call = FilterMachine.Call(
                        number: number, architecture: foreign, registers: registers)
                    #expect(try machine.run(call) == FilterMachine.kill)
                }
                let x32 = FilterMachine.Call(
                    number: number | 0x4000_0000, architecture: architecture.audit,
                    registers: registers)
                #expect(try machine.run(x32) == FilterMachine.kill)
            }
        }
    }

    @Test("the log action lets pass what would kill, and nothing else changes")
    func logs() throws {
        let policy = try SeccompPolicy(.signerWorker)
        let machine = FilterMachine(
            program: try SeccompFilter(compiling: policy, violation: .log).program)
        let call = FilterMachine.Call(
            number: 1000, architecture: Architecture.native.audit,
            registers: Array(repeating: 0, count: 6))
        #expect(try machine.run(call) == 0x7FFC_0000)
    }

    /// Registers that meet the rule, and those with one bit of one compared argument flipped, the
    /// upper half of an `int` included.
    private func variants(
        of rule: SeccompRule, on architecture: Architecture
    ) -> [[UInt64]] {
        let good = Wall.registers(meeting: rule, on: architecture)
        var variants = [good]
        for condition in rule.conditions {
            for bit in 0..<64 {
                var changed = good
                changed[condition.argument.index] ^= 1 << UInt64(bit)
                variants.append(changed)
            }
        }
        return variants
    }

    private func code(_ rule: SeccompRule) -> UInt32 {
        switch rule.verdict {
        case .allow: FilterMachine.allow
        case .errno(_, let number): FilterMachine.errno | UInt32(number)
        }
    }
}

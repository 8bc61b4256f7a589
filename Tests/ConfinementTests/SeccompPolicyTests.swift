import SeccompPolicies
import Testing

@testable import Confinement

@Suite("Seccomp policies")
struct SeccompPolicyTests {
    @Test(
        "Every policy parses, and every call in it exists on its architectures",
        arguments: PolicyName.allCases)
    func parsesAndResolves(_ name: PolicyName) throws {
        let policy = try SeccompPolicy(name)
        #expect(!policy.rules.isEmpty)
        for architecture in Architecture.allCases {
            #expect(policy.unknownCall(on: architecture) == nil)
            let filter = try SeccompFilter(compiling: policy, for: architecture)
            #expect((1...4096).contains(filter.instructionCount))
        }
    }
}

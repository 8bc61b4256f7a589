public import SeccompPolicies

/// An allow-list of system calls: what one process may ask of the kernel, and why.
///
/// A policy is text. It begins with a comment that says when it is loaded; then come `@include` lines
/// and then one rule a line, sorted, each with its reason:
///
///     openat: allow if flags == O_RDONLY maybe O_CLOEXEC  # read a header file
///     clone3: errno ENOSYS                                # glibc falls back to clone
///
/// A condition compares one argument: `a == X|Y` exactly, `a == X maybe Y|Z` with Y and Z set or not.
/// Conditions of a line all hold (`and`); several lines for a call are alternatives. What no line
/// matches kills the process, as does every call of another architecture. An `[x86_64]` prefix limits
/// a line to an architecture. Includes are one level deep.
public struct SeccompPolicy: Hashable, Sendable {
    /// The name of its file, without `.policy`.
    public let name: String
    /// The comment that the file begins with.
    public let header: String
    /// The policies whose rules are part of this one.
    public let includes: [String]
    /// The rules, those of included policies first.
    public let rules: [SeccompRule]

    /// A policy that is part of this program.
    public init(_ name: PolicyName) throws(PolicyError) {
        try self.init(name.rawValue) { wanted in
            PolicyName(rawValue: wanted)?.text
        }
    }

    /// Reads the policy `name` and what it includes.
    ///
    /// - Parameter source: The text of a policy by name, UTF-8; nil if there is none.
    public init(_ name: String, source: (String) -> [UInt8]?) throws(PolicyError) {
        let file = try PolicyFile(name, source: source)
        var rules: [SeccompRule] = []
        for include in file.includes {
            let part = try PolicyFile(include.name, source: source)
            for nested in part.includes
            where !file.includes.contains(where: { $0.name == nested.name }) {
                throw PolicyError(
                    file: name, line: include.line, problem: .nestedInclude(nested.name))
            }
            rules += part.rules
        }
        rules += file.rules
        try Self.refuseRedundancy(rules)
        self.name = name
        header = file.header
        includes = file.includes.map(\.name)
        self.rules = rules
    }

    /// The answer to a call; nil if the policy kills the process.
    ///
    /// - Parameters:
    ///   - call: The system call's name.
    ///   - arguments: The six registers in order; missing ones count as zero.
    public func rule(
        for call: String, arguments: [UInt64], on architecture: Architecture = .native
    ) -> SeccompRule? {
        rules.first { rule in
            rule.call == call && rule.matches(arguments: arguments, on: architecture)
        }
    }

    /// A line without conditions leaves nothing for another line of the same call to say.
    private static func refuseRedundancy(_ rules: [SeccompRule]) throws(PolicyError) {
        for (index, rule) in rules.enumerated() {
            for earlier in rules[..<index] where earlier.call == rule.call {
                let together = rule.architectures.contains(where: earlier.architectures.contains)
                let same = rule.conditions == earlier.conditions
                guard together, same || rule.conditions.isEmpty || earlier.conditions.isEmpty else {
                    continue
                }
                throw PolicyError(
                    file: rule.file, line: rule.line,
                    problem: .redundant(with: "\(earlier.file).policy: \(earlier)"))
            }
        }
    }
}

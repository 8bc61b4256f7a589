/// What a filter answers to a system call that a rule matches.
public enum SeccompVerdict: Hashable, Sendable {
    /// The call goes on to the kernel.
    case allow
    /// The call returns this error without being made.
    case errno(String, Int32)
}

/// A condition on one argument: it equals `value` once the bits of `optional` are set aside.
public struct ArgumentCondition: Hashable, Sendable {
    /// The argument that is looked at.
    public let argument: SystemCallArgument
    /// Names or decimal numbers whose bits together make the value.
    public let value: [String]
    /// Names whose bits may be set or not.
    public let optional: [String]

    /// The comparison that the filter makes: `argument & mask == value`.
    public func comparison(on architecture: Architecture) -> (mask: UInt64, value: UInt64) {
        let ignored = Self.bits(optional, on: architecture)
        let mask = argument.significantBits & ~ignored
        return (mask, Self.bits(value, on: architecture) & mask)
    }

    /// Whether the register content `register` meets the condition.
    public func holds(for register: UInt64, on architecture: Architecture) -> Bool {
        let (mask, value) = comparison(on: architecture)
        return register & mask == value
    }

    private static func bits(_ words: [String], on architecture: Architecture) -> UInt64 {
        words.reduce(0) { bits, word in
            bits | (UInt64(word) ?? PolicyConstants.value(word, on: architecture) ?? 0)
        }
    }
}

extension ArgumentCondition: CustomStringConvertible {
    /// The condition as a policy writes it.
    public var description: String {
        let required = "\(argument.name) == \(value.joined(separator: "|"))"
        return optional.isEmpty ? required : required + " maybe " + optional.joined(separator: "|")
    }
}

/// One line of a policy.
public struct SeccompRule: Hashable, Sendable {
    /// The file that the line stands in, without its suffix.
    public let file: String
    /// The line, counted from one.
    public let line: Int
    /// The architectures it is for; nearly every line is for all of them.
    public let architectures: [Architecture]
    /// The system call's name.
    public let call: String
    /// What the filter answers.
    public let verdict: SeccompVerdict
    /// Conditions that must all hold; none means that every argument will do.
    public let conditions: [ArgumentCondition]
    /// Why the process needs it.
    public let reason: String

    /// Whether the rule is for a call with these six registers.
    ///
    /// - Parameter arguments: The registers in order; missing ones count as zero.
    public func matches(arguments: [UInt64], on architecture: Architecture) -> Bool {
        architectures.contains(architecture)
            && conditions.allSatisfy { condition in
                let index = condition.argument.index
                let register = index < arguments.count ? arguments[index] : 0
                return condition.holds(for: register, on: architecture)
            }
    }
}

extension SeccompRule: CustomStringConvertible {
    /// The rule as a policy writes it, without its reason.
    public var description: String {
        var text = architectures == Architecture.allCases ? "" : prefix
        text += "\(call): "
        switch verdict {
        case .allow: text += "allow"
        case .errno(let name, _): text += "errno \(name)"
        }
        guard !conditions.isEmpty else { return text }
        return text + " if " + conditions.map(\.description).joined(separator: " and ")
    }

    private var prefix: String {
        "[\(architectures.map(\.rawValue).joined(separator: " "))] "
    }
}

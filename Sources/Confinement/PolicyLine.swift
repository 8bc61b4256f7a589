/// Parses one rule: `[arch] name: verdict [if condition and condition …] # reason`.
struct PolicyLine {
    let file: String
    let line: Int

    mutating func rule(_ content: Substring) throws(PolicyError) -> SeccompRule {
        guard let hash = content.firstIndex(of: "#") else { throw error(.missingReason) }
        let reason = content[content.index(after: hash)...].trimmed
        guard !reason.isEmpty else { throw error(.missingReason) }
        let code = content[..<hash].trimmed
        var rest = code
        let architectures = try architectures(&rest)
        guard let colon = rest.firstIndex(of: ":") else { throw error(.malformed(String(code))) }
        let call = rest[..<colon].trimmed
        guard !call.isEmpty, call.allSatisfy(Self.isNameCharacter) else {
            throw error(.malformed(String(code)))
        }
        rest = rest[rest.index(after: colon)...].trimmed
        let (answer, condition) = Self.split(rest, at: " if ")
        return SeccompRule(
            file: file, line: line, architectures: architectures, call: String(call),
            verdict: try verdict(answer.trimmed),
            conditions: try condition.map { text throws(PolicyError) in
                try conditions(text.trimmed, call: String(call))
            } ?? [],
            reason: String(reason))
    }

    private func architectures(_ rest: inout Substring) throws(PolicyError) -> [Architecture] {
        guard rest.first == "[" else { return Architecture.allCases }
        guard let close = rest.firstIndex(of: "]") else { throw error(.malformed(String(rest))) }
        var found: [Architecture] = []
        for word in rest[rest.index(after: rest.startIndex)..<close].split(separator: " ") {
            guard let architecture = Architecture(rawValue: String(word)) else {
                throw error(.unknownArchitecture(String(word)))
            }
            found.append(architecture)
        }
        guard !found.isEmpty else { throw error(.malformed(String(rest))) }
        rest = rest[rest.index(after: close)...].trimmed
        return found
    }

    private func verdict(_ text: Substring) throws(PolicyError) -> SeccompVerdict {
        if text == "allow" { return .allow }
        guard text.hasPrefix("errno ") else { throw error(.unknownVerdict(String(text))) }
        let name = String(text.dropFirst("errno ".count).trimmed)
        guard let number = PolicyConstants.errno(name) else { throw error(.unknownErrno(name)) }
        return .errno(name, number)
    }

    private func conditions(
        _ text: Substring, call: String
    ) throws(PolicyError) -> [ArgumentCondition] {
        guard let known = SystemCallArguments.of(call) else {
            throw error(.noArguments(call: call))
        }
        var conditions: [ArgumentCondition] = []
        var rest: Substring? = text
        while let current = rest {
            let (first, others) = Self.split(current, at: " and ")
            let condition = try condition(first.trimmed, call: call, known: known)
            if conditions.contains(where: { $0.argument == condition.argument }) {
                throw error(.repeatedArgument(condition.argument.name))
            }
            conditions.append(condition)
            rest = others
        }
        return conditions
    }

    private func condition(
        _ text: Substring, call: String, known: [SystemCallArgument]
    ) throws(PolicyError) -> ArgumentCondition {
        let (left, right) = Self.split(text, at: " == ")
        guard let right else { throw error(.malformed(String(text))) }
        let name = String(left.trimmed)
        guard let argument = known.first(where: { $0.name == name }) else {
            throw error(.unknownArgument(name, call: call, known: known.map(\.name)))
        }
        let (value, optional) = Self.split(right, at: " maybe ")
        return ArgumentCondition(
            argument: argument, value: try constants(value),
            optional: try optional.map { text throws(PolicyError) in try constants(text) } ?? [])
    }

    private func constants(_ text: Substring) throws(PolicyError) -> [String] {
        var names: [String] = []
        for word in text.split(separator: "|", omittingEmptySubsequences: false) {
            let name = String(word.trimmed)
            guard
                UInt64(name) != nil || PolicyConstants.value(name, on: .x86_64) != nil
            else { throw error(.unknownConstant(name)) }
            names.append(name)
        }
        return names
    }

    private func error(_ problem: PolicyError.Problem) -> PolicyError {
        PolicyError(file: file, line: line, problem: problem)
    }

    private static func isNameCharacter(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == "_")
    }

    /// The text before and after the first `mark`; nil after if there is none.
    private static func split(
        _ text: Substring, at mark: String
    ) -> (Substring, Substring?) {
        var start = text.startIndex
        while start < text.endIndex {
            if text[start...].hasPrefix(mark) {
                return (text[..<start], text[text.index(start, offsetBy: mark.count)...])
            }
            start = text.index(after: start)
        }
        return (text, nil)
    }
}

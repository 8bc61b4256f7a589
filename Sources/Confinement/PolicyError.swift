/// A policy text that cannot be used: where, what is wrong, and what to write instead.
public struct PolicyError: Error, Hashable, Sendable {
    /// What is wrong with a policy.
    public enum Problem: Hashable, Sendable {
        case missingFile
        case missingHeader
        case unreadable
        case missingReason
        case malformed(String)
        case unknownArchitecture(String)
        case unknownVerdict(String)
        case unknownErrno(String)
        case unknownCall(String, Architecture)
        case noArguments(call: String)
        case unknownArgument(String, call: String, known: [String])
        case repeatedArgument(String)
        case unknownConstant(String)
        case unsorted(after: String)
        case redundant(with: String)
        case lateInclude
        case nestedInclude(String)
        case notCompiled(Int32)
    }

    /// The policy's name, without the suffix `.policy`.
    public let file: String
    /// The line, counted from one; 0 if the whole file is meant.
    public let line: Int
    /// What is wrong.
    public let problem: Problem
}

extension PolicyError: CustomStringConvertible {
    /// A sentence for the person who edits the policy.
    public var description: String {
        line == 0 ? "\(file).policy: \(problem)" : "\(file).policy, line \(line): \(problem)"
    }
}

extension PolicyError.Problem: CustomStringConvertible {
    /// What is wrong and what to do about it.
    public var description: String {
        switch self {
        case .missingFile: "there is no policy of this name; add the file or correct the @include."
        case .missingHeader:
            "the file must begin with a # comment that says when in the process's life it is loaded."
        case .unreadable: "the text is not UTF-8."
        case .missingReason: "a rule ends with '# reason'; say why the process needs it."
        case .malformed(let text):
            "'\(text)' is not a rule; write 'name: allow [if argument == VALUE] # reason'."
        case .unknownArchitecture(let name):
            "'\(name)' is not an architecture; known are "
                + Architecture.allCases.map(\.rawValue).joined(separator: ", ") + "."
        case .unknownVerdict(let text):
            "'\(text)' is not a verdict; write 'allow' or 'errno NAME'. Killing is the default."
        case .unknownErrno(let name): "the errno '\(name)' is not in the table of PolicyConstants."
        case .unknownCall(let name, let architecture):
            "\(architecture) has no system call '\(name)'; correct it or prefix the line with the "
                + "architecture that has it, as in '[x86_64] \(name): …'."
        case .noArguments(let call):
            "the arguments of '\(call)' are not in SystemCallArguments; add its signature there."
        case .unknownArgument(let name, let call, let known):
            "'\(call)' has no argument '\(name)'; it has \(known.joined(separator: ", "))."
        case .repeatedArgument(let name):
            "'\(name)' is compared twice; one line holds one condition an argument."
        case .unknownConstant(let name):
            "'\(name)' is neither a decimal number nor in the table of PolicyConstants."
        case .unsorted(let previous): "the line must come before '\(previous)'; rules are sorted."
        case .redundant(let other): "the line adds nothing to '\(other)'; delete one of the two."
        case .lateInclude: "@include lines come before the first rule."
        case .nestedInclude(let name):
            "the included file itself includes '\(name)'; includes are one level deep, so name "
                + "'\(name)' here too."
        case .notCompiled(let errno): "libseccomp refuses the rule (error \(errno))."
        }
    }
}

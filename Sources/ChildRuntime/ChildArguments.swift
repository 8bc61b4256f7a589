public import Messages

/// What the keeper puts on a child's command line.
public struct ChildArguments: Hashable, Sendable {
    /// `--network`: the chain of this instance.
    public var chain: ChainName
    /// `--state`: the child's own directory; `/state` in its private root.
    public var state = "/state"
    /// `--trace`: what the seccomp policy forbids is logged and done. For development only.
    public var traces = false

    /// Why a command line is wrong.
    public enum Failure: Error, Hashable, Sendable {
        /// A flag that does not exist.
        case unknown(String)
        /// A flag without the value it needs.
        case valueMissing(String)
        /// No chain of this name.
        case unknownChain(String)
        /// `--network` is not there.
        case chainMissing
    }

    /// Reads the arguments after the program's name.
    public init(_ arguments: some Sequence<String>) throws(Failure) {
        var chain: ChainName?
        var rest = arguments.makeIterator()
        while let flag = rest.next() {
            switch flag {
            case "--network":
                guard let name = rest.next() else { throw .valueMissing(flag) }
                guard let known = ChainName(name: name) else { throw .unknownChain(name) }
                chain = known
            case "--state":
                guard let path = rest.next(), path.hasPrefix("/") else {
                    throw .valueMissing(flag)
                }
                state = path
            case "--trace": traces = true
            default: throw .unknown(flag)
            }
        }
        guard let chain else { throw .chainMissing }
        self.chain = chain
    }
}

extension ChildArguments.Failure: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        switch self {
        case .unknown(let flag): "unknown flag \(flag)"
        case .valueMissing(let flag): "\(flag) needs a value"
        case .unknownChain(let name):
            "no network is called \(name); there are "
                + ChainName.allCases.map(\.name).joined(separator: ", ")
        case .chainMissing: "--network is missing"
        }
    }
}

/// Puts a miniscript together in postfix order: arguments first, then the fragment that takes them.
/// Each fragment is checked when it comes: its numbers, its context, its type, the script's size.
public struct MiniscriptBuilder<Key: Hashable & Sendable> {
    private let context: ScriptContext
    private var nodes: [Miniscript<Key>.Node] = []
    /// The roots of the expressions that nothing has taken yet.
    private var roots: [Int] = []

    /// Nothing yet.
    public init(context: ScriptContext) { self.context = context }

    /// Appends a fragment that takes the last expressions as its arguments.
    ///
    /// `position` is where it was read, for errors. Fails with `.missingArguments` if there are
    /// fewer expressions than it takes, else for any reason of `MiniscriptError`.
    public mutating func append(
        _ fragment: Fragment<Key>, at position: Int = 0
    ) throws(MiniscriptError) {
        guard nodes.count < Miniscript<Key>.maximumNodes else {
            throw MiniscriptError(
                .tooManyFragments(allowed: Miniscript<Key>.maximumNodes), at: position)
        }
        try checkNumbers(fragment, position)
        guard roots.count >= fragment.arity else {
            throw MiniscriptError(.missingArguments(fragment.name), at: position)
        }
        let arguments = roots.suffix(fragment.arity)
        let type = try type(of: fragment, arguments, position)
        let size = fragment.scriptSize(arguments: arguments.map { nodes[$0] }, in: context)
        guard size <= context.maximumScriptSize else {
            throw MiniscriptError(
                .scriptTooLarge(found: size, allowed: context.maximumScriptSize), at: position)
        }
        let start = arguments.first.map { nodes[$0].start } ?? nodes.count
        roots.removeLast(fragment.arity)
        roots.append(nodes.count)
        nodes.append(
            Miniscript<Key>.Node(
                fragment: fragment, type: type, start: start, scriptSize: size, position: position))
    }

    /// The miniscript, which must be one expression of type B.
    public consuming func finish() throws(MiniscriptError) -> Miniscript<Key> {
        guard let last = nodes.last, roots.count == 1 else {
            throw MiniscriptError(.severalExpressions(found: roots.count), at: 0)
        }
        guard last.type.contains(.B) else {
            throw MiniscriptError(.notTopLevel(found: last.type), at: last.position)
        }
        return Miniscript(context: context, nodes: nodes)
    }

    private func type(
        of fragment: Fragment<Key>, _ arguments: ArraySlice<Int>, _ position: Int
    ) throws(MiniscriptError) -> MiniscriptType {
        let types = ArraySlice(arguments.map { nodes[$0].type })
        do throws(TypeMismatch) {
            return try MiniscriptType(of: fragment, arguments: types, in: context)
        } catch {
            throw MiniscriptError(
                .wrongType(
                    fragment.name, argument: error.argument + 1, needed: error.needed,
                    found: types[types.startIndex + error.argument]),
                at: position)
        }
    }

    private func checkNumbers(
        _ fragment: Fragment<Key>, _ position: Int
    ) throws(MiniscriptError) {
        switch fragment {
        case .older(let value), .after(let value):
            guard 1...0x7FFF_FFFF ~= value else {
                throw MiniscriptError(.number(allowed: 1...0x7FFF_FFFF), at: position)
            }
        case .thresh(let needed, let count):
            try checkThreshold(needed, of: count, upTo: 999, position)
        case .multi(let needed, let keys):
            guard context == .wsh else {
                throw MiniscriptError(.notInContext("multi", context), at: position)
            }
            try checkThreshold(needed, of: keys.count, upTo: context.maximumMultisigKeys, position)
        case .multiA(let needed, let keys):
            guard context == .tapscript else {
                throw MiniscriptError(.notInContext("multi_a", context), at: position)
            }
            try checkThreshold(needed, of: keys.count, upTo: context.maximumMultisigKeys, position)
        default: break
        }
    }

    private func checkThreshold(
        _ needed: Int, of count: Int, upTo most: Int, _ position: Int
    ) throws(MiniscriptError) {
        guard 1...most ~= count else {
            throw MiniscriptError(.argumentCount(found: count, allowed: 1...most), at: position)
        }
        guard 1...count ~= needed else {
            throw MiniscriptError(.threshold(found: needed, of: count), at: position)
        }
    }
}

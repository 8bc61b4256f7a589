public import Bitcoin

/// A key as a script shows it.
public enum EncodedKey: Hashable, Sendable {
    /// The key of `pk_k`, `multi` or `multi_a`: 33 bytes in wsh, 32 in tapscript.
    case key([UInt8])
    /// The HASH160 of the key of `pk_h`.
    case hash([UInt8])
}

extension Miniscript where Key == EncodedKey {
    /// Reads the miniscript that compiles to this script; `map` its keys to say whose they are.
    ///
    /// Where several do (`c:and_v(X,Y)` and `and_v(X,c:Y)`), it is the one with `and_v` outermost
    /// and nested to the left. Positions count bytes of the script.
    public init(_ script: Script, in context: ScriptContext) throws(MiniscriptError) {
        guard script.bytes.count <= context.maximumScriptSize else {
            throw MiniscriptError(
                .scriptTooLarge(found: script.bytes.count, allowed: context.maximumScriptSize),
                at: 0)
        }
        var decoder = MiniscriptDecoder(try ScriptTokens(script), context)
        self = try decoder.decode()
    }
}

/// Reads from the end of the script to its start, because every fragment shows by its last opcode.
private struct MiniscriptDecoder {
    private var tokens: ScriptTokens
    private let context: ScriptContext
    /// What is still to do, the next at the end.
    private var steps: [Step] = []
    /// Everything that was read, with the places of the arguments in this array.
    private var parts: [(fragment: Fragment<EncodedKey>, arguments: [Int], offset: Int)] = []
    /// The places of the parts that nothing has taken yet; the last read is the leftmost.
    private var unused: [Int] = []

    private enum Step {
        /// An expression of type B, K or V.
        case expression
        /// The same, but no `and_v`: it stays outermost.
        case single
        /// An expression of type W.
        case wrapped
        /// One more expression before this one makes an `and_v`.
        case maybeAndV
        /// An opcode before what was read, and the wrapper that it stands for.
        case opcode(Opcode, Wrapper)
        /// A fragment around what was read.
        case combine(Fragment<EncodedKey>, offset: Int)
        /// More arguments of a `thresh`, after as many as `count`.
        case thresh(needed: Int, count: Int, offset: Int)
        /// Before what stands between the last branch opcode and `OP_ENDIF`.
        case endIf(offset: Int)
        /// Before what stands between the first branch opcode and `OP_ELSE`.
        case elseBranch(offset: Int)
    }

    init(_ tokens: ScriptTokens, _ context: ScriptContext) {
        self.tokens = tokens
        self.context = context
    }

    mutating func decode() throws(MiniscriptError) -> Miniscript<EncodedKey> {
        steps = [.expression]
        while let step = steps.popLast() {
            try take(step)
            guard parts.count <= Miniscript<EncodedKey>.maximumNodes else {
                throw MiniscriptError(
                    .tooManyFragments(allowed: Miniscript<EncodedKey>.maximumNodes), at: 0)
            }
        }
        guard tokens.isAtStart else { throw tokens.unexpected }
        return try inPostfixOrder()
    }

    private mutating func take(_ step: Step) throws(MiniscriptError) {
        switch step {
        case .expression: steps += [.maybeAndV, .single]
        case .single: try readSingle()
        case .wrapped:
            let isAlt = tokens.take(.fromAltStack)
            steps += [isAlt ? .opcode(.toAltStack, .alt) : .opcode(.swap, .swap), .expression]
        case .maybeAndV:
            let starts: [Opcode] = [.if, .else, .notIf, .toAltStack, .swap]
            if let opcode = tokens.last?.opcode, !starts.contains(opcode) {
                steps += [.combine(.andV, offset: tokens.offset), .expression]
            }
        case .opcode(let opcode, let wrapper):
            let offset = tokens.offset
            guard tokens.take(opcode) else { throw tokens.unexpected }
            try combine(.wrap(wrapper), offset)
        case .combine(let fragment, let offset): try combine(fragment, offset)
        case .thresh(let needed, let count, let offset):
            if tokens.take(.add) {
                steps += [.thresh(needed: needed, count: count + 1, offset: offset), .wrapped]
            } else {
                let fragment = Fragment<EncodedKey>.thresh(needed, of: count + 1)
                steps += [.combine(fragment, offset: offset), .single]
            }
        case .endIf(let offset): try readEndIf(offset)
        case .elseBranch(let offset):
            if tokens.take(.if) {
                try combine(.orI, offset)
            } else if tokens.take(.notIf) {
                steps += [.combine(.andOr, offset: offset), .single]
            } else {
                throw tokens.unexpected
            }
        }
    }

    private mutating func readSingle() throws(MiniscriptError) {
        let offset = tokens.offset
        if let leaf = try tokens.takeLeaf(in: context) {
            parts.append((leaf, [], offset))
            unused.append(parts.count - 1)
        } else if tokens.take(.checkSig) {
            steps += [.combine(.wrap(.check), offset: offset), .single]
        } else if tokens.take(.verify) {
            steps += [.combine(.wrap(.verify), offset: offset), .single]
        } else if tokens.take(.zeroNotEqual) {
            steps += [.combine(.wrap(.zeroNotEqual), offset: offset), .single]
        } else if tokens.take(.boolAnd) {
            steps += [.combine(.andB, offset: offset), .single, .wrapped]
        } else if tokens.take(.boolOr) {
            steps += [.combine(.orB, offset: offset), .single, .wrapped]
        } else if tokens.take(.endIf) {
            steps += [.endIf(offset: offset), .expression]
        } else if let needed = tokens.takeThreshold() {
            steps.append(.thresh(needed: needed, count: 0, offset: offset))
        } else {
            throw tokens.unexpected
        }
    }

    private mutating func readEndIf(_ offset: Int) throws(MiniscriptError) {
        if tokens.take(.else) {
            steps += [.elseBranch(offset: offset), .expression]
        } else if tokens.take(.if) {
            if tokens.take(.dup) { return try combine(.wrap(.dupIf), offset) }
            guard tokens.take(.zeroNotEqual), tokens.take(.size) else { throw tokens.unexpected }
            try combine(.wrap(.nonZero), offset)
        } else if tokens.take(.notIf) {
            let fragment: Fragment<EncodedKey> = tokens.take(.ifDup) ? .orD : .orC
            steps += [.combine(fragment, offset: offset), .single]
        } else {
            throw tokens.unexpected
        }
    }

    private mutating func combine(
        _ fragment: Fragment<EncodedKey>, _ offset: Int
    ) throws(MiniscriptError) {
        guard unused.count >= fragment.arity else {
            throw MiniscriptError(.missingArguments(fragment.name), at: offset)
        }
        var arguments = Array(unused.suffix(fragment.arity).reversed())
        unused.removeLast(fragment.arity)
        // The script of andor(X,Y,Z) has Z before Y.
        if case .andOr = fragment { arguments.swapAt(1, 2) }
        parts.append((fragment, arguments, offset))
        unused.append(parts.count - 1)
    }

    private func inPostfixOrder() throws(MiniscriptError) -> Miniscript<EncodedKey> {
        var builder = MiniscriptBuilder<EncodedKey>(context: context)
        var tasks = unused.map { (part: $0, argumentsDone: false) }
        while let (place, argumentsDone) = tasks.popLast() {
            let part = parts[place]
            if argumentsDone {
                try builder.append(part.fragment, at: part.offset)
            } else {
                tasks.append((place, true))
                tasks += part.arguments.reversed().map { ($0, false) }
            }
        }
        return try builder.finish()
    }
}

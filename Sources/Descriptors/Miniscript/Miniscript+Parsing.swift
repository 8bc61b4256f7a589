import Wire

extension Miniscript where Key == Expression {
    /// Reads a miniscript from the tree of its text. Keys stay as they are written: `map` them.
    ///
    /// Errors count characters as the tree does.
    public init(_ expression: Expression, in context: ScriptContext) throws(MiniscriptError) {
        var parser = MiniscriptParser(context: context)
        self = try parser.parse(expression)
    }
}

/// Walks the tree with a stack of its own and hands the fragments over in postfix order.
private struct MiniscriptParser {
    private var builder: MiniscriptBuilder<Expression>
    /// What is still to do, the next at the end.
    private var tasks: [Task] = []

    private enum Task {
        case read(Expression)
        case append(Fragment<Expression>, position: Int)
    }

    init(context: ScriptContext) { builder = MiniscriptBuilder(context: context) }

    mutating func parse(_ expression: Expression) throws(MiniscriptError) -> Miniscript<Expression>
    {
        tasks = [.read(expression)]
        while let task = tasks.popLast() {
            switch task {
            case .append(let fragment, let position): try builder.append(fragment, at: position)
            case .read(let expression): try read(expression)
            }
        }
        return try builder.finish()
    }

    private mutating func read(_ expression: Expression) throws(MiniscriptError) {
        let text = Array(expression.text.utf8)
        var name = text[...]
        if let colon = text.firstIndex(of: UInt8(ascii: ":")) {
            name = text[(colon + 1)...]
            try wrap(text[..<colon], expression.position)
        }
        let position = expression.position + name.startIndex
        guard expression.kind == .call else {
            guard expression.kind == .word, name.count == 1,
                let digit = name.first, [0x30, 0x31].contains(digit)
            else { throw MiniscriptError(.unknownFragment, at: position) }
            return try builder.append(digit == 0x30 ? .zero : .one, at: position)
        }
        let call = Call(
            name: String(decoding: name, as: UTF8.self), arguments: expression.arguments,
            position: position)
        try readLeaf(call)
    }

    /// Puts the wrappers before a colon on the stack, the outermost to be done last.
    private mutating func wrap(
        _ letters: ArraySlice<UInt8>, _ position: Int
    ) throws(MiniscriptError) {
        for (offset, letter) in letters.enumerated() {
            let place = position + offset
            switch letter {
            case UInt8(ascii: "t"):
                tasks.append(.append(.andV, position: place))
                tasks.append(.append(.one, position: place))
            case UInt8(ascii: "u"):
                tasks.append(.append(.orI, position: place))
                tasks.append(.append(.zero, position: place))
            case UInt8(ascii: "l"):
                // Its zero stands before whatever follows.
                try builder.append(.zero, at: place)
                tasks.append(.append(.orI, position: place))
            default:
                guard let wrapper = Wrapper(rawValue: letter) else {
                    let character = Character(Unicode.Scalar(letter))
                    throw MiniscriptError(.unknownWrapper(character), at: place)
                }
                tasks.append(.append(.wrap(wrapper), position: place))
            }
        }
        guard !letters.isEmpty else { throw MiniscriptError(.unknownFragment, at: position) }
    }

    private mutating func readLeaf(_ call: Call) throws(MiniscriptError) {
        let position = call.position
        if let function = HashLock.Function(rawValue: call.name) {
            return try builder.append(.hash(try call.digest(function)), at: position)
        }
        switch call.name {
        case "pk_k": try builder.append(.pkK(try call.onlyKey()), at: position)
        case "pk_h": try builder.append(.pkH(try call.onlyKey()), at: position)
        case "pk":
            try builder.append(.pkK(try call.onlyKey()), at: position)
            try builder.append(.wrap(.check), at: position)
        case "pkh":
            try builder.append(.pkH(try call.onlyKey()), at: position)
            try builder.append(.wrap(.check), at: position)
        case "older": try builder.append(.older(try call.lock()), at: position)
        case "after": try builder.append(.after(try call.lock()), at: position)
        case "multi":
            let (needed, keys) = try call.multisig()
            try builder.append(.multi(needed, keys), at: position)
        case "multi_a":
            let (needed, keys) = try call.multisig()
            try builder.append(.multiA(needed, keys), at: position)
        default: try readCombinator(call)
        }
    }

    private mutating func readCombinator(_ call: Call) throws(MiniscriptError) {
        switch call.name {
        case "and_v": try push(call, .andV)
        case "and_b": try push(call, .andB)
        case "or_b": try push(call, .orB)
        case "or_c": try push(call, .orC)
        case "or_d": try push(call, .orD)
        case "or_i": try push(call, .orI)
        case "andor": try push(call, .andOr)
        case "and_n":
            try call.check(argumentCount: 2)
            tasks.append(.append(.andOr, position: call.position))
            tasks.append(.append(.zero, position: call.position))
            tasks += call.arguments.reversed().map { .read($0) }
        case "thresh":
            let needed = try call.threshold()
            let count = call.arguments.count - 1
            tasks.append(.append(.thresh(needed, of: count), position: call.position))
            tasks += call.arguments.dropFirst().reversed().map { .read($0) }
        default: throw MiniscriptError(.unknownFragment, at: call.position)
        }
    }

    private mutating func push(
        _ call: Call, _ fragment: Fragment<Expression>
    ) throws(MiniscriptError) {
        try call.check(argumentCount: fragment.arity)
        tasks.append(.append(fragment, position: call.position))
        tasks += call.arguments.reversed().map { .read($0) }
    }
}

/// `name(argument,...)` without wrappers.
private struct Call {
    let name: String
    let arguments: [Expression]
    let position: Int

    func check(argumentCount count: Int) throws(MiniscriptError) {
        guard arguments.count == count else {
            throw MiniscriptError(
                .argumentCount(found: arguments.count, allowed: count...count), at: position)
        }
    }

    func onlyKey() throws(MiniscriptError) -> Expression {
        try check(argumentCount: 1)
        return try key(arguments[0])
    }

    /// A key is a word, or the one call that makes a key: `musig`.
    private func key(_ argument: Expression) throws(MiniscriptError) -> Expression {
        let isKey =
            switch argument.kind {
            case .word: !argument.text.isEmpty
            case .call: argument.text == "musig"
            case .branch: false
            }
        guard isKey else { throw MiniscriptError(.keyExpected, at: argument.position) }
        return argument
    }

    func lock() throws(MiniscriptError) -> UInt32 {
        try check(argumentCount: 1)
        return try number(arguments[0], 1...0x7FFF_FFFF)
    }

    func threshold() throws(MiniscriptError) -> Int {
        guard arguments.count > 1 else {
            throw MiniscriptError(
                .argumentCount(found: arguments.count, allowed: 2...1_000), at: position)
        }
        return Int(try number(arguments[0], 1...UInt32(arguments.count - 1)))
    }

    func multisig() throws(MiniscriptError) -> (needed: Int, keys: [Expression]) {
        let needed = try threshold()
        var keys: [Expression] = []
        for argument in arguments.dropFirst() { keys.append(try key(argument)) }
        return (needed, keys)
    }

    func digest(_ function: HashLock.Function) throws(MiniscriptError) -> HashLock {
        try check(argumentCount: 1)
        guard arguments[0].kind == .word, let bytes = try? Hex.decode(arguments[0].text),
            let lock = HashLock(function, digest: bytes)
        else { throw MiniscriptError(.digest(length: function.length), at: arguments[0].position) }
        return lock
    }

    /// Decimal digits without sign and leading zero.
    private func number(
        _ argument: Expression, _ allowed: ClosedRange<UInt32>
    ) throws(MiniscriptError) -> UInt32 {
        let digits = argument.text.utf8
        guard argument.kind == .word, digits.allSatisfy({ 0x30...0x39 ~= $0 }),
            digits.first != 0x30, let value = UInt32(argument.text), allowed.contains(value)
        else { throw MiniscriptError(.number(allowed: allowed), at: argument.position) }
        return value
    }
}

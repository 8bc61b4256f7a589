import Bitcoin
import Wire

extension Descriptor {
    /// Reads a descriptor with or without its checksum.
    ///
    /// What it reads can be derived and spent: private keys, hardened steps below a public key,
    /// scripts that are too large and miniscripts that are not sane are refused. `requiringChecksum`
    /// refuses a text without one, for what people copy by hand.
    public init(_ text: String, requiringChecksum: Bool = false) throws(DescriptorError) {
        let (body, isVerified) = try DescriptorChecksum.strip(Array(text.utf8))
        guard isVerified || !requiringChecksum else {
            throw DescriptorError(.checksumMissing, at: body.count)
        }
        try self.init(Expression(utf8: body))
    }

    /// Reads the tree of a descriptor.
    init(_ tree: Expression) throws(DescriptorError) {
        try self.init(checked: OutputForm(tree))
        var expected: Int?
        try tree.checkBranches(&expected)
    }
}

extension Expression {
    /// All keys with `<...>` have to list equally many steps (BIP389).
    fileprivate func checkBranches(_ expected: inout Int?) throws(DescriptorError) {
        for argument in arguments { try argument.checkBranches(&expected) }
        let (path, start) = kind == .word ? (text, position) : (suffix, suffixPosition)
        guard let mark = path.utf8.firstIndex(of: UInt8(ascii: "<")) else { return }
        let found = path.utf8.count { $0 == UInt8(ascii: ";") } + 1
        guard found == expected ?? found else {
            throw DescriptorError(
                .multipathMismatch(found: found, expected: expected ?? found),
                at: start + path.utf8.distance(from: path.utf8.startIndex, to: mark))
        }
        expected = found
    }
}

extension OutputForm<KeyExpression> {
    init(_ expression: Expression) throws(DescriptorError) {
        guard expression.kind == .call else {
            throw DescriptorError(.unknownFunction, at: expression.position)
        }
        switch try expression.function {
        case .sh: self = try OutputForm(sh: try expression.only(.sh))
        case .wsh: self = .wsh(try WitnessScript(wsh: try expression.only(.wsh)))
        case .wpkh: self = .wpkh(try expression.onlyKey(.wpkh, in: .segwit))
        case .tr: self = try OutputForm(tr: expression)
        case .rawtr: self = .rawtr(try expression.onlyKey(.rawtr, in: .taproot))
        case .combo: self = .combo(try expression.onlyKey(.combo, in: .legacy))
        case .raw: self = .raw(try Script(raw: try expression.only(.raw)))
        case .addr: self = .addr(try Address(addr: try expression.only(.addr)))
        case .pk, .pkh, .multi, .sortedmulti:
            self = .bare(try LegacyScript(expression, maximumKeys: 3))
        case .multiA, .sortedmultiA:
            throw DescriptorError(
                .notAllowedHere(try expression.function, allowed: "in tr()"),
                at: expression.position)
        case .musig: throw DescriptorError(.musigNotAllowedHere, at: expression.position)
        }
    }

    private init(sh expression: Expression) throws(DescriptorError) {
        guard expression.kind == .call, expression.text != "musig" else {
            throw DescriptorError(.scriptExpected(.sh), at: expression.position)
        }
        switch try expression.function {
        case .wpkh: self = .shWpkh(try expression.onlyKey(.wpkh, in: .segwit))
        case .wsh: self = .shWsh(try WitnessScript(wsh: try expression.only(.wsh)))
        case .pk, .pkh, .multi, .sortedmulti:
            let script = try LegacyScript(expression, maximumKeys: 20)
            let size = script.size
            guard size <= LegacyScript<KeyExpression>.maximumRedeemScriptSize else {
                throw DescriptorError(
                    .scriptTooLarge(
                        found: size, allowed: LegacyScript<KeyExpression>.maximumRedeemScriptSize),
                    at: expression.position)
            }
            self = .sh(script)
        case let function:
            throw DescriptorError(
                .notAllowedHere(function, allowed: function.place), at: expression.position)
        }
    }

    private init(tr expression: Expression) throws(DescriptorError) {
        guard (1...2).contains(expression.arguments.count) else {
            throw DescriptorError(
                .argumentCount(
                    .tr, found: expression.arguments.count, allowed: "a key and a tree at most"),
                at: expression.position)
        }
        let key = try KeyExpression(expression.arguments[0], in: .taproot)
        guard expression.arguments.count == 2 else {
            self = .tr(key, nil)
            return
        }
        var leaves: [ScriptTree<KeyExpression>.Leaf] = []
        try Self.collect(expression.arguments[1], depth: 0, into: &leaves)
        self = .tr(key, ScriptTree(leaves: leaves))
    }

    private static func collect(
        _ tree: Expression, depth: Int, into leaves: inout [ScriptTree<KeyExpression>.Leaf]
    ) throws(DescriptorError) {
        guard depth <= TapTree.maximumDepth else {
            throw DescriptorError(.treeTooDeep(allowed: TapTree.maximumDepth), at: tree.position)
        }
        guard tree.kind == .branch else {
            leaves.append(.init(depth: depth, script: try WitnessScript(leaf: tree)))
            return
        }
        guard tree.arguments.count == 2 else {
            throw DescriptorError(.branchCount(found: tree.arguments.count), at: tree.position)
        }
        for argument in tree.arguments { try collect(argument, depth: depth + 1, into: &leaves) }
    }
}

extension LegacyScript<KeyExpression> {
    fileprivate init(_ expression: Expression, maximumKeys: Int) throws(DescriptorError) {
        switch try expression.function {
        case .pk: self = .pk(try expression.onlyKey(.pk, in: .legacy))
        case .pkh: self = .pkh(try expression.onlyKey(.pkh, in: .legacy))
        case let function:
            let (required, keys) = try expression.multisig(in: .legacy, maximumKeys: maximumKeys)
            self = .multisig(
                Multisig(required: required, keys: keys, isSorted: function == .sortedmulti))
        }
    }
}

extension WitnessScript<KeyExpression> {
    fileprivate init(wsh expression: Expression) throws(DescriptorError) {
        guard expression.kind == .call, expression.text != "musig" else {
            throw DescriptorError(.scriptExpected(.wsh), at: expression.position)
        }
        try self.init(expression, in: .wsh, keys: .segwit)
    }

    fileprivate init(leaf expression: Expression) throws(DescriptorError) {
        guard expression.kind == .call, expression.text != "musig" else {
            throw DescriptorError(.scriptExpected(.tr), at: expression.position)
        }
        try self.init(expression, in: .tapscript, keys: .taproot)
    }

    private init(
        _ expression: Expression, in context: ScriptContext, keys: KeyContext
    ) throws(DescriptorError) {
        if let function = DescriptorError.Function(rawValue: expression.text),
            !function.isAllowed(in: context)
        {
            throw DescriptorError(
                .notAllowedHere(function, allowed: function.place), at: expression.position)
        }
        let sorted = "sorted"
        let isSorted = expression.text == "sortedmulti" || expression.text == "sortedmulti_a"
        let unsorted =
            isSorted
            ? Expression(
                kind: .call, text: String(expression.text.dropFirst(sorted.count)),
                arguments: expression.arguments, position: expression.position)
            : expression
        let words: Miniscript<Expression>
        do throws(MiniscriptError) {
            words = try Miniscript(unsorted, in: context)
        } catch {
            throw DescriptorError(.miniscript(error.reason), at: error.position)
        }
        miniscript = try words.map { word throws(DescriptorError) in
            try KeyExpression(word, in: keys)
        }
        self.isSorted = isSorted
        do throws(InsaneMiniscript) {
            try miniscript.map { $0.identity(in: context) }.checkSanity()
        } catch {
            throw DescriptorError(.insane(error.reason), at: error.position)
        }
    }
}

extension KeyExpression {
    /// The key without its origin, and in tapscript without what taproot does not see, so that two
    /// spellings of one key are found equal.
    fileprivate func identity(in context: ScriptContext) -> KeyExpression {
        var base = base
        if case .single(let key, _) = base, context == .tapscript { base = .xOnly(key.xOnly) }
        return KeyExpression(base: base, steps: steps, wildcard: wildcard)
    }
}

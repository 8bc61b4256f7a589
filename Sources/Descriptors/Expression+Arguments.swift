import Bitcoin
import Wire

extension Expression {
    /// Which function of the descriptor language the call is.
    var function: DescriptorError.Function {
        get throws(DescriptorError) {
            guard let function = DescriptorError.Function(rawValue: text) else {
                throw DescriptorError(.unknownFunction, at: position)
            }
            return function
        }
    }

    /// The one argument of a function.
    func only(_ function: DescriptorError.Function) throws(DescriptorError) -> Expression {
        guard arguments.count == 1 else {
            throw DescriptorError(
                .argumentCount(function, found: arguments.count, allowed: "one argument"),
                at: position)
        }
        return arguments[0]
    }

    /// The one argument of a function, which must be a key.
    func onlyKey(
        _ function: DescriptorError.Function, in context: KeyContext
    ) throws(DescriptorError) -> KeyExpression {
        try KeyExpression(try only(function), in: context)
    }

    /// Threshold and keys of `multi` and `sortedmulti` outside miniscript.
    func multisig(
        in context: KeyContext, maximumKeys: Int
    ) throws(DescriptorError) -> (required: Int, keys: [KeyExpression]) {
        let count = arguments.count - 1
        guard let first = arguments.first, (1...maximumKeys).contains(count) else {
            throw DescriptorError(
                .keyCount(found: max(0, count), allowed: 1...maximumKeys), at: position)
        }
        let digits = first.text.utf8
        guard first.kind == .word, (1...9).contains(digits.count),
            digits.allSatisfy({ (0x30...0x39).contains($0) }), let required = Int(first.text)
        else { throw DescriptorError(.threshold(found: nil, keys: count), at: first.position) }
        guard (1...count).contains(required), digits.first != 0x30 else {
            throw DescriptorError(.threshold(found: required, keys: count), at: first.position)
        }
        var keys: [KeyExpression] = []
        for argument in arguments.dropFirst() {
            let key = try KeyExpression(argument, in: context)
            guard !keys.contains(key) else {
                throw DescriptorError(.duplicateKeys, at: argument.position)
            }
            keys.append(key)
        }
        return (required, keys)
    }
}

extension DescriptorError.Function {
    /// Where it may stand, to complete "can only stand".
    var place: String {
        switch self {
        case .sh, .tr, .rawtr, .combo, .raw, .addr: "at the top"
        case .wsh, .wpkh: "at the top or in sh()"
        case .multiA, .sortedmultiA: "in a leaf of tr()"
        case .multi, .sortedmulti: "at the top, in sh() or in wsh()"
        case .pk, .pkh: "at the top, in sh(), in wsh() or in a leaf of tr()"
        case .musig: "in tr() and rawtr()"
        }
    }

    /// Whether it can be a whole witness script.
    func isAllowed(in context: ScriptContext) -> Bool {
        switch self {
        case .pk, .pkh: true
        case .multi, .sortedmulti: context == .wsh
        case .multiA, .sortedmultiA: context == .tapscript
        case .wpkh, .sh, .wsh, .tr, .rawtr, .combo, .raw, .addr, .musig: false
        }
    }
}

extension LegacyScript<KeyExpression> {
    /// Consensus allows no push of more bytes, so a larger one can never be spent (BIP16).
    static var maximumRedeemScriptSize: Int { 520 }

    /// Bytes of the script.
    var size: Int {
        switch self {
        case .pk(let key): 1 + key.size + 1
        case .pkh: 25
        case .multisig(let multisig):
            // Numbers above 16 take two bytes.
            [multisig.required, multisig.keys.count].reduce(1) { $0 + ($1 > 16 ? 2 : 1) }
                + multisig.keys.reduce(0) { $0 + 1 + $1.size }
        }
    }
}

extension KeyExpression {
    /// Bytes of the key in scripts without taproot.
    var size: Int {
        if case .single(_, .uncompressed) = base { 65 } else { 33 }
    }
}

extension Script {
    init(raw expression: Expression) throws(DescriptorError) {
        guard expression.kind == .word, let bytes = try? Hex.decode(expression.text) else {
            throw DescriptorError(.notHexadecimal, at: expression.position)
        }
        self.init(bytes)
    }
}

extension Address {
    /// A descriptor does not say which network an address is of; the first that has it is taken.
    init(addr expression: Expression) throws(DescriptorError) {
        let candidates = Network.allCases.lazy.compactMap {
            try? Address(expression.text, network: $0)
        }
        guard expression.kind == .word, let address = candidates.first else {
            throw DescriptorError(.invalidAddress, at: expression.position)
        }
        self = address
    }
}

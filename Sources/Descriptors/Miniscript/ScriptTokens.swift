import Bitcoin

/// The instructions of a script, taken from its end, with every `-VERIFY` opcode taken apart.
struct ScriptTokens {
    struct Token {
        let opcode: Opcode
        /// What it pushes; nil for all that are no push.
        let pushed: [UInt8]?
        /// The number that it pushes, if it is one of up to 4 bytes.
        let number: Int64?
        let offset: Int
    }

    private var tokens: [Token] = []

    /// Fails where the script is not in its shortest form.
    init(_ script: Script) throws(MiniscriptError) {
        var reader = ScriptReader(script)
        while let instruction = try ScriptTokens.next(&reader) {
            let offset = instruction.offset
            if let opcode = instruction.opcode.withoutVerify {
                append(opcode, offset)
                append(.verify, offset)
                continue
            }
            let canTakeVerify = tokens.last.map { $0.opcode.takesVerify } ?? false
            guard instruction.opcode != .verify || !canTakeVerify else {
                throw MiniscriptError(.notMinimal, at: offset)
            }
            guard instruction.isMinimalPush || !instruction.opcode.isPush else {
                throw MiniscriptError(.notMinimal, at: offset)
            }
            tokens.append(
                Token(
                    opcode: instruction.opcode, pushed: instruction.pushed,
                    number: instruction.number, offset: offset))
        }
    }

    private static func next(
        _ reader: inout ScriptReader
    ) throws(MiniscriptError) -> ScriptInstruction? {
        do throws(ScriptError) {
            return try reader.next()
        } catch {
            throw MiniscriptError(.truncatedScript, at: reader.offset)
        }
    }

    private mutating func append(_ opcode: Opcode, _ offset: Int) {
        tokens.append(Token(opcode: opcode, pushed: nil, number: nil, offset: offset))
    }

    /// Whether everything has been taken.
    var isAtStart: Bool { tokens.isEmpty }

    /// The next to take.
    var last: Token? { tokens.last }

    /// Where the next stands.
    var offset: Int { tokens.last?.offset ?? 0 }

    /// What to throw where the next opcode cannot be.
    var unexpected: MiniscriptError { MiniscriptError(.unexpectedOpcode, at: offset) }

    /// Takes the next if it is this opcode.
    mutating func take(_ opcode: Opcode) -> Bool {
        guard tokens.last?.opcode == opcode else { return false }
        tokens.removeLast()
        return true
    }

    /// Takes `<k> OP_EQUAL`, the end of a `thresh`.
    mutating func takeThreshold() -> Int? {
        guard opcode(0) == .equal, let needed = number(1), needed > 0 else { return nil }
        tokens.removeLast(2)
        return Int(needed)
    }

    /// Takes a fragment that has no miniscript as an argument.
    mutating func takeLeaf(
        in context: ScriptContext
    ) throws(MiniscriptError) -> Fragment<EncodedKey>? {
        if take(.one) { return .one }
        if take(.zero) { return .zero }
        if let bytes = pushed(0), bytes.count >= 32 {
            let key = try key(0, in: context)
            tokens.removeLast()
            return .pkK(key)
        }
        if let hash = takeKeyHash() { return .pkH(.hash(hash)) }
        if let lock = takeLock() { return lock }
        if let hash = takeHash() { return .hash(hash) }
        if context == .wsh { return try takeMulti() }
        return try takeMultiA()
    }

    // MARK: Looking back from the end

    private func token(_ back: Int) -> Token? {
        back < tokens.count ? tokens[tokens.count - 1 - back] : nil
    }
    private func opcode(_ back: Int) -> Opcode? { token(back)?.opcode }
    private func number(_ back: Int) -> Int64? { token(back)?.number }
    private func pushed(_ back: Int) -> [UInt8]? { token(back)?.pushed }

    private func key(
        _ back: Int, in context: ScriptContext
    ) throws(MiniscriptError) -> EncodedKey {
        guard let bytes = pushed(back), bytes.count == context.keyLength,
            context == .tapscript || [2, 3].contains(bytes[0])
        else { throw MiniscriptError(.invalidKey, at: token(back)?.offset ?? 0) }
        return .key(bytes)
    }

    // MARK: Leaves

    /// `OP_DUP OP_HASH160 <hash> OP_EQUALVERIFY`.
    private mutating func takeKeyHash() -> [UInt8]? {
        guard opcode(0) == .verify, opcode(1) == .equal, let hash = pushed(2), hash.count == 20,
            opcode(3) == .hash160, opcode(4) == .dup
        else { return nil }
        tokens.removeLast(5)
        return hash
    }

    /// `<n> OP_CHECKSEQUENCEVERIFY` or `<n> OP_CHECKLOCKTIMEVERIFY`.
    private mutating func takeLock() -> Fragment<EncodedKey>? {
        guard let value = number(1).flatMap({ UInt32(exactly: $0) }) else { return nil }
        let fragment: Fragment<EncodedKey>
        switch opcode(0) {
        case .checkSequenceVerify: fragment = .older(value)
        case .checkLockTimeVerify: fragment = .after(value)
        default: return nil
        }
        tokens.removeLast(2)
        return fragment
    }

    /// `OP_SIZE <32> OP_EQUALVERIFY <function> <digest> OP_EQUAL`.
    private mutating func takeHash() -> HashLock? {
        guard opcode(0) == .equal, let digest = pushed(1),
            let function = HashLock.Function.allCases.first(where: { $0.opcode == opcode(2) }),
            opcode(3) == .verify, opcode(4) == .equal, number(5) == 32, opcode(6) == .size,
            let lock = HashLock(function, digest: digest)
        else { return nil }
        tokens.removeLast(7)
        return lock
    }

    /// `<k> <key>... <n> OP_CHECKMULTISIG`.
    private mutating func takeMulti() throws(MiniscriptError) -> Fragment<EncodedKey>? {
        guard opcode(0) == .checkMultiSig else { return nil }
        guard let count = number(1), 1...Int64(ScriptContext.wsh.maximumMultisigKeys) ~= count,
            let needed = number(2 + Int(count))
        else { throw unexpected }
        var keys: [EncodedKey] = []
        for back in 2..<2 + Int(count) { keys.append(try key(back, in: .wsh)) }
        tokens.removeLast(3 + Int(count))
        return .multi(Int(needed), keys.reversed())
    }

    /// `<key> OP_CHECKSIG (<key> OP_CHECKSIGADD)... <k> OP_NUMEQUAL`.
    private mutating func takeMultiA() throws(MiniscriptError) -> Fragment<EncodedKey>? {
        guard opcode(0) == .numEqual else { return nil }
        guard let needed = number(1) else { throw unexpected }
        var keys: [EncodedKey] = []
        repeat {
            let check = opcode(2 + 2 * keys.count)
            guard check == .checkSigAdd || check == .checkSig,
                keys.count < ScriptContext.tapscript.maximumMultisigKeys
            else { throw unexpected }
            keys.append(try key(3 + 2 * keys.count, in: .tapscript))
        } while opcode(2 * keys.count) != .checkSig
        tokens.removeLast(2 + 2 * keys.count)
        return .multiA(Int(needed), keys.reversed())
    }
}

extension Opcode {
    /// The opcode whose result this one verifies.
    fileprivate var withoutVerify: Opcode? {
        switch self {
        case .equalVerify: .equal
        case .numEqualVerify: .numEqual
        case .checkSigVerify: .checkSig
        case .checkMultiSigVerify: .checkMultiSig
        default: nil
        }
    }

    /// Whether `OP_VERIFY` after it would be shorter as its own form.
    fileprivate var takesVerify: Bool {
        switch self {
        case .equal, .numEqual, .checkSig, .checkMultiSig: true
        default: false
        }
    }
}

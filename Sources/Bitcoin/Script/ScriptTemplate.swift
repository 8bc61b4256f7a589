public import Wire

/// What a scriptPubKey, redeemScript or witnessScript is, by its form alone.
public enum ScriptTemplate: Hashable, Sendable {
    /// One public key, 33 or 65 bytes by its first byte; whether it is on the curve is not checked.
    case p2pk([UInt8])
    /// HASH160 of a public key.
    case p2pkh(Bytes20)
    /// HASH160 of a redeemScript.
    case p2sh(Bytes20)
    /// HASH160 of a public key, segwit version 0.
    case p2wpkh(Bytes20)
    /// SHA-256 of a witnessScript.
    case p2wsh(Bytes32)
    /// Taproot output key; whether it is on the curve is not checked.
    case p2tr(Bytes32)
    /// Anyone can spend it (P2A).
    case p2a
    /// `required` signatures of these keys, in order.
    case multisig(required: Int, keys: [[UInt8]])
    /// OP_RETURN and nothing but pushes, which may be none.
    case opReturn([[UInt8]])
    /// A witness program that has no meaning yet: anyone can spend it today.
    case unknownWitness(version: Int, program: [UInt8])
    /// Anything else.
    case nonstandard
}

extension Script {
    /// What it is, by its form alone.
    public var template: ScriptTemplate {
        if let (version, program) = witnessProgram {
            return Script.witnessTemplate(version: version, program: program)
        }
        if let hash = p2pkhHash { return .p2pkh(hash) }
        if let hash = p2shHash { return .p2sh(hash) }
        if let key = p2pkKey { return .p2pk(key) }
        if bytes.first == Opcode.return.rawValue { return opReturnTemplate }
        if bytes.last == Opcode.checkMultiSig.rawValue { return multisigTemplate }
        return .nonstandard
    }

    private static func witnessTemplate(
        version: Int, program: ArraySlice<UInt8>
    ) -> ScriptTemplate {
        if version == 0 {
            if let hash = Bytes20(program) { return .p2wpkh(hash) }
            if let hash = Bytes32(program) { return .p2wsh(hash) }
            // Version 0 has no other length: such an output can never be spent.
            return .nonstandard
        }
        if version == 1 {
            if let key = Bytes32(program) { return .p2tr(key) }
            if program.elementsEqual([0x4E, 0x73]) { return .p2a }
        }
        return .unknownWitness(version: version, program: Array(program))
    }

    private var p2pkhHash: Bytes20? {
        guard bytes.count == 25, bytes.starts(with: [0x76, 0xA9, 0x14]),
            bytes[23...].elementsEqual([0x88, 0xAC])
        else { return nil }
        return Bytes20(bytes[3..<23])
    }

    private var p2shHash: Bytes20? {
        guard bytes.count == 23, bytes.starts(with: [0xA9, 0x14]), bytes[22] == 0x87 else {
            return nil
        }
        return Bytes20(bytes[2..<22])
    }

    private var p2pkKey: [UInt8]? {
        guard bytes.count == 35 || bytes.count == 67, Int(bytes[0]) == bytes.count - 2,
            bytes.last == Opcode.checkSig.rawValue
        else { return nil }
        let key = Array(bytes[1..<bytes.count - 1])
        return Script.hasPublicKeyForm(key[...]) ? key : nil
    }

    private var opReturnTemplate: ScriptTemplate {
        guard let instructions = try? instructions() else { return .nonstandard }
        let pushes = instructions.dropFirst().compactMap(\.pushed)
        return pushes.count == instructions.count - 1 ? .opReturn(pushes) : .nonstandard
    }

    private var multisigTemplate: ScriptTemplate {
        guard let instructions = try? instructions(), instructions.count >= 4,
            let required = instructions[0].number,
            let total = instructions[instructions.count - 2].number,
            instructions.count == total + 3, (1...20).contains(total),
            (1...total).contains(required)
        else { return .nonstandard }
        let keys = instructions[1..<instructions.count - 2]
        guard keys.allSatisfy({ $0.isMinimalPush && Script.hasPublicKeyForm($0.data) }) else {
            return .nonstandard
        }
        return .multisig(required: Int(required), keys: keys.map { Array($0.data) })
    }

    /// Whether the first byte announces a public key of this length.
    private static func hasPublicKeyForm(_ key: ArraySlice<UInt8>) -> Bool {
        switch key.first {
        case 2, 3: key.count == 33
        case 4, 6, 7: key.count == 65
        default: false
        }
    }
}

import Bitcoin
import PSBT
import Wire

extension FuzzTarget {
    /// The parsers of module Bitcoin and the codecs that only it uses.
    func checkBitcoin(_ bytes: [UInt8]) {
        switch self {
        case .transaction: checkTransaction(bytes)
        case .block:
            if let block = try? Block(bytes) {
                expect(block.serialized == bytes)
                _ = try? block.check()
            }
        case .script: checkScript(Script(bytes))
        case .controlBlock:
            if let control = try? ControlBlock(bytes) { expect(control.serialized == bytes) }
        case .bech32: checkBech32(String(decoding: bytes, as: UTF8.self))
        case .address: checkAddress(String(decoding: bytes, as: UTF8.self))
        case .signedMessage: checkSignedMessage(bytes)
        case .messageText: checkMessageText(bytes)
        default: expect(false)
        }
    }

    /// What may be signed is kept as it came, and can be read by nothing that takes a PSBT or a
    /// transaction.
    private func checkMessageText(_ bytes: [UInt8]) {
        guard let message = try? MessageText(bytes) else { return }
        expect(message.bytes == bytes && Array(message.text.utf8) == bytes)
        expect(bytes.count <= MessageText.maximumCount && bytes.count != 32)
        expect((try? Transaction(bytes)) == nil)
        expect((try? PSBTFile(bytes)) == nil)
        _ = message.warnings
    }

    private func checkTransaction(_ bytes: [UInt8]) {
        for format in [Transaction.Format.withWitness, .withoutWitness] {
            guard let transaction = try? Transaction(bytes, format: format) else { continue }
            expect(transaction.serialized(format) == bytes)
            expect(transaction.weight == 3 * transaction.baseSize + transaction.totalSize)
            _ = try? transaction.check()
            let calculator = SighashCalculator(
                transaction, spentOutputs: transaction.inputs.map { _ in transaction.outputs.first }
            )
            for (index, input) in transaction.inputs.enumerated().prefix(8) {
                for type in [SighashType.all, .none, .single.anyoneCanPay] {
                    let script = input.scriptSig
                    _ = try? calculator.legacy(input: index, scriptCode: script, type: type)
                    _ = try? calculator.segwitV0(input: index, scriptCode: script, type: type)
                    _ = try? calculator.taprootKeyPath(
                        input: index, type: type, annex: input.witness.annex)
                }
            }
        }
    }

    private func checkScript(_ script: Script) {
        let isWhole = (try? script.instructions()) != nil
        expect(isWhole || script.description.hasSuffix("[error]"))
        if let address = Address(scriptPubKey: script, network: .mainnet) {
            expect(address.scriptPubKey == script)
            expect((try? Address(address.text, network: .mainnet)) == address)
        }
        if case .multisig(let required, let keys) = script.template {
            expect(Script.multisig(required: required, keys: keys) == script)
        }
        _ = script.deleting(pushOf: Array(script.bytes.prefix(3)))
    }

    private func checkBech32(_ text: String) {
        guard let decoded = try? Bech32.decode(text) else { return }
        let again = Bech32.encode(
            prefix: decoded.prefix, groups: decoded.groups, variant: decoded.variant)
        expect(again == text.lowercased())
        if let bytes = try? Bech32.bytes(of: decoded.groups) {
            expect(Bech32.groups(of: bytes) == decoded.groups)
        }
    }

    private func checkAddress(_ text: String) {
        for network in Network.allCases {
            guard let address = try? Address(text, network: network) else { continue }
            expect(address.text == text || address.text == text.lowercased())
            expect(Address(scriptPubKey: address.scriptPubKey, network: network) == address)
        }
    }

    /// The first byte chooses the script, the rest is the signature in its full or simple form.
    private func checkSignedMessage(_ bytes: [UInt8]) {
        let hash = Bytes20([UInt8](repeating: 1, count: 20)) ?? .zero
        let scripts = [
            Script.p2pkh(hash), .p2wpkh(hash), .p2sh(hash), .p2wsh(.zero), .p2tr(outputKey: .zero),
        ]
        let text = Base64.encode(Array(bytes.dropFirst()))
        for prefix in ["", "smp", "ful"] {
            let script = scripts[Int(bytes.first ?? 0) % scripts.count]
            let verdict = SignedMessage.verify(prefix + text, message: [], scriptPubKey: script)
            // Nobody knows a key for these scripts.
            if case .valid = verdict { expect(false) }
        }
    }
}

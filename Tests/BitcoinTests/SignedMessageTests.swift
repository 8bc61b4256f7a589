import Bitcoin
import TestSupport
import Testing
import Wire

@Suite("Messages signed by an address (BIP322)")
struct SignedMessageTests {
    @Test("3 message hashes and the transactions that they lead to")
    func hashes() throws {
        let rows = try Fixture.json("messages/bip322-hashes.json").array
        #expect(rows.count == 3)
        for row in rows {
            let message = Array(try row["message"].string.utf8)
            let script = try Address(try row["address"].string, network: .mainnet).scriptPubKey
            #expect(
                try SignedMessage.hash(message).description == row["message_hash"].string)
            let toSpend = SignedMessage.toSpend(message: message, scriptPubKey: script)
            #expect(try toSpend.txid.description == row["to_spend_tx_hash"].string)
            let toSign = SignedMessage.toSign(message: message, scriptPubKey: script)
            #expect(try toSign.txid.description == row["to_sign_tx_hash"].string)
        }
    }

    private func verdict(_ row: JSON) throws -> MessageVerdict {
        let address = try Address(try row["address"].string, network: .mainnet)
        return SignedMessage.verify(
            try row["signature"].string, message: Array(try row["message"].string.utf8),
            scriptPubKey: address.scriptPubKey)
    }

    @Test("23 good signatures: 11 by one key hold, 9 need an interpreter, 3 are proofs of funds")
    func good() throws {
        var counts = (valid: 0, interpreter: 0, funds: 0)
        for row in try Fixture.json("messages/bip322.json").array
        where try row["form"].string != "error" {
            let type = try row["type"].string
            let verdict = try verdict(row)
            if try row["form"].string == "proof_of_funds" {
                #expect(verdict == .inconclusive(.proofOfFunds))
                counts.funds += 1
            } else if ["p2pkh", "p2wpkh", "p2tr", "p2sh-p2wpkh"].contains(type) {
                let lockTime = LockTime(rawValue: UInt32(try row["lockTime"].int))
                let sequence = SequenceNumber(rawValue: UInt32(try row["sequence"].int))
                #expect(verdict == .valid(lockTime: lockTime, sequence: sequence))
                counts.valid += 1
            } else {
                #expect(verdict == .inconclusive(.needsInterpreter), "\(type)")
                counts.interpreter += 1
            }
        }
        #expect(counts == (11, 9, 3))
    }

    @Test("36 bad signatures: none is valid, and 33 are refused without an interpreter")
    func bad() throws {
        var counts = (invalid: 0, interpreter: 0)
        for row in try Fixture.json("messages/bip322.json").array
        where try row["form"].string == "error" {
            switch try verdict(row) {
            case .valid: Issue.record("\(try row["type"].string)")
            case .invalid: counts.invalid += 1
            case .inconclusive(let reason):
                #expect(reason == .needsInterpreter)
                counts.interpreter += 1
            }
        }
        #expect(counts == (33, 3))
    }

    @Test("A signature that was read is written back as it was")
    func roundTrip() throws {
        var counts = (simple: 0, full: 0)
        for row in try Fixture.json("messages/bip322.json").array {
            let text = try row["signature"].string
            switch try row["form"].string {
            case "simple":
                let base64 = text.hasPrefix("smp") ? text.dropFirst(3) : text[...]
                let witness = try Witness(try Base64.decode(base64))
                #expect(SignedMessage.encodeSimple(witness) == "smp" + base64)
                counts.simple += 1
            case "full":
                let transaction = try Transaction(try Base64.decode(text.dropFirst(3)))
                #expect(SignedMessage.encodeFull(transaction) == text)
                counts.full += 1
            default: break
            }
        }
        #expect(counts == (10, 10))
    }

    @Test("The simple form of nested scripts leaves the redeemScript out, and is told apart")
    func nestedSimple() throws {
        var verdicts: [String: MessageVerdict] = [:]
        for row in try Fixture.json("messages/bip322.json").array
        where try row["form"].string == "full" && row["type"].string.hasPrefix("p2sh-p2w") {
            let full = try Transaction(try Base64.decode(try row["signature"].string.dropFirst(3)))
            let address = try Address(try row["address"].string, network: .mainnet)
            verdicts[try row["type"].string] = SignedMessage.verify(
                SignedMessage.encodeSimple(full.inputs[0].witness),
                message: Array(try row["message"].string.utf8),
                scriptPubKey: address.scriptPubKey)
        }
        // The vectors have locks, which the simple form leaves out of what was signed.
        #expect(
            verdicts == [
                "p2sh-p2wpkh": .invalid(.wrongSignature),
                "p2sh-p2wsh-multisig-2of2": .inconclusive(.needsInterpreter),
            ])
    }

    @Test("Scripts that need an interpreter: the signatures in them verify all the same")
    func everySignature() throws {
        var signatures = 0
        for row in try Fixture.json("messages/bip322.json").array
        where try row["form"].string == "full" {
            let address = try Address(try row["address"].string, network: .mainnet)
            let toSign = try Transaction(
                try Base64.decode(try row["signature"].string.dropFirst(3)))
            let verifier = SignatureVerifier(
                toSign,
                spentOutputs: [
                    TransactionOutput(value: .zero, scriptPubKey: address.scriptPubKey)
                ])
            signatures += try verifier.verifiedSignatures()
        }
        #expect(signatures == 15)
    }

    @Test("Mutated signatures never trap and never hold")
    func mutations() throws {
        var generator = SeededGenerator(seed: 5)
        for row in try Fixture.json("messages/bip322.json").array
        where try row["form"].string == "full" {
            let address = try Address(try row["address"].string, network: .mainnet)
            let message = Array(try row["message"].string.utf8)
            let bytes = try Base64.decode(try row["signature"].string.dropFirst(3))
            for _ in 0..<100 {
                let mutated = generator.mutated(bytes)
                guard mutated != bytes else { continue }
                let verdict = SignedMessage.verify(
                    "ful" + Base64.encode(mutated), message: message,
                    scriptPubKey: address.scriptPubKey)
                if case .valid = verdict { Issue.record("\(mutated)") }
            }
        }
    }
}

public import Bitcoin
import Curve
import Hashing
import Wire

/// Whether the signers of a signet made a block (BIP325). Headers alone do not tell: their work is
/// small, and whoever wants can do it.
public enum SignetVerdict: Hashable, Sendable {
    /// The solution satisfies the challenge.
    case valid
    /// It does not, or there is none.
    case invalid
    /// Challenge or solution are of a form that this program does not evaluate. It does for keys and
    /// multisig, bare and behind a witness hash, and for OP_TRUE without a solution.
    case unsupported
}

extension Block {
    /// Checks the solution in the coinbase. The genesis block needs none.
    public func signetVerdict(_ challenge: Script) -> SignetVerdict {
        guard header.hash != Network.signet.genesis.hash else { return .valid }
        guard let solution = SignetSolution(self, challenge: challenge) else { return .invalid }
        return solution.verdict
    }
}

/// The transaction whose signing solved a block.
struct SignetSolution {
    let challenge: Script
    /// Spends an output that pays to the challenge.
    let transaction: Transaction
    let calculator: SighashCalculator

    /// Nil if the coinbase has no witness commitment, or a solution that cannot be read.
    init?(_ block: Block, challenge: Script) {
        guard var coinbase = block.transactions.first,
            let place = coinbase.witnessCommitmentPlace
        else { return nil }
        var input = TransactionInput(
            outpoint: .null, scriptSig: .empty, sequence: SequenceNumber(rawValue: 0))
        let commitment = coinbase.outputs[place].scriptPubKey
        if let section = SignetSection(commitment) {
            coinbase.outputs[place].scriptPubKey = section.cleared
            var reader = Reader(section.solution)
            guard let script = try? reader.readVarBytes(),
                let witness = try? Witness(from: &reader),
                reader.isAtEnd
            else { return nil }
            input.scriptSig = Script(script)
            input.witness = witness
        }
        let leaves = [coinbase.txid.bytes] + block.transactions.dropFirst().map(\.txid.bytes)
        let signed = SignetSolution.toSpend(
            block.header, root: MerkleTree.root(of: leaves).root, challenge)
        input.outpoint = OutPoint(txid: signed.txid, vout: 0)
        let nothing = TransactionOutput(
            value: .zero, scriptPubKey: Script([Opcode.return.rawValue]))
        transaction = Transaction(version: 0, inputs: [input], outputs: [nothing])
        calculator = SighashCalculator(transaction, spentOutputs: [signed.outputs[0]])
        self.challenge = challenge
    }

    /// Commits to the block as it was without the solution.
    private static func toSpend(
        _ header: BlockHeader, root: Bytes32, _ challenge: Script
    ) -> Transaction {
        var writer = Writer(capacity: 72)
        writer.write(header.version)
        writer.write(header.previous.bytes)
        writer.write(root)
        writer.write(header.time)
        let script = Script.build {
            $0.append(.zero)
            $0.push(writer.bytes)
        }
        return Transaction(
            version: 0,
            inputs: [
                TransactionInput(
                    outpoint: .null, scriptSig: script, sequence: SequenceNumber(rawValue: 0))
            ],
            outputs: [TransactionOutput(value: .zero, scriptPubKey: challenge)])
    }

    var verdict: SignetVerdict {
        let input = transaction.inputs[0]
        guard challenge.bytes != [Opcode.one.rawValue] else {
            return input.scriptSig.isEmpty && input.witness.isEmpty ? .valid : .unsupported
        }
        var isSolved = false
        switch challenge.template {
        case .p2wpkh(let hash):
            guard input.scriptSig.isEmpty, input.witness.items.count == 2,
                hash160(input.witness.items[1]) == hash
            else { return .invalid }
            isSolved = verifies(
                [input.witness.items[0]], keys: [input.witness.items[1]], .p2pkh(hash),
                isSegwit: true)
        case .p2wsh(let hash):
            guard input.scriptSig.isEmpty, let last = input.witness.items.last,
                SHA256.hash(last) == hash
            else { return .invalid }
            return verdict(of: Script(last), input.witness.items.dropLast(), isSegwit: true)
        default:
            guard let items = pushes(input.scriptSig) else { return .unsupported }
            return verdict(of: challenge, items[...], isSegwit: false)
        }
        return isSolved ? .valid : .invalid
    }

    /// Whether signatures satisfy a script of keys.
    private func verdict(
        of script: Script, _ items: ArraySlice<[UInt8]>, isSegwit: Bool
    ) -> SignetVerdict {
        switch script.template {
        case .p2pk(let key):
            let isSolved = verifies(Array(items), keys: [key], script, isSegwit: isSegwit)
            return items.count == 1 && isSolved ? .valid : .invalid
        case .multisig(let required, let keys):
            // The item that OP_CHECKMULTISIG takes too many is empty (BIP147).
            guard items.count == required + 1, items.first?.isEmpty == true else { return .invalid }
            return verifies(Array(items.dropFirst()), keys: keys, script, isSegwit: isSegwit)
                ? .valid : .invalid
        default: return .unsupported
        }
    }

    /// Whether each signature is of one of the keys, in the order of the keys.
    private func verifies(
        _ signatures: [[UInt8]], keys: [[UInt8]], _ script: Script, isSegwit: Bool
    ) -> Bool {
        var rest = keys[...]
        for signature in signatures {
            guard let type = signature.last,
                let parsed = try? ECDSASignature(der: Array(signature.dropLast())),
                let digest = digest(
                    script, signature, SighashType(rawValue: UInt32(type)), isSegwit),
                let place = rest.firstIndex(where: { key in
                    (try? PublicKey(key))?.verifies(parsed.normalised, digest: digest) == true
                })
            else { return false }
            rest = rest[(place + 1)...]
        }
        return true
    }

    private func digest(
        _ script: Script, _ signature: [UInt8], _ type: SighashType, _ isSegwit: Bool
    ) -> Bytes32? {
        guard !isSegwit else {
            return try? calculator.segwitV0(input: 0, scriptCode: script, type: type)
        }
        let code = script.deleting(pushOf: signature)
        return try? calculator.legacy(input: 0, scriptCode: code, type: type)
    }

    private func pushes(_ script: Script) -> [[UInt8]]? {
        guard let instructions = try? script.instructions() else { return nil }
        var items: [[UInt8]] = []
        for instruction in instructions {
            guard let pushed = instruction.pushed else { return nil }
            items.append(pushed)
        }
        return items
    }
}

/// The push behind the witness commitment that holds the solution of a signet block.
private struct SignetSection {
    let solution: [UInt8]
    /// The commitment with nothing but the header in that push.
    let cleared: Script

    private static let header: [UInt8] = [0xEC, 0xC7, 0xDA, 0xA2]

    init?(_ commitment: Script) {
        var reader = ScriptReader(commitment)
        var found: [UInt8]?
        var bytes: [UInt8] = []
        // What cannot be read is left out, as it is where the block was signed.
        while let instruction = try? reader.next() {
            var data = instruction.pushed ?? []
            guard !data.isEmpty, instruction.opcode <= .pushData4 else {
                bytes.append(instruction.opcode.rawValue)
                continue
            }
            if found == nil, data.count > 4, data.starts(with: SignetSection.header) {
                found = Array(data[4...])
                data = SignetSection.header
            }
            bytes += SignetSection.push(data)
        }
        guard let found else { return nil }
        solution = found
        cleared = Script(bytes)
    }

    /// A push with its length, whatever the data.
    private static func push(_ data: [UInt8]) -> [UInt8] {
        switch data.count {
        case 0...75: return [UInt8(data.count)] + data
        case 76...0xFF: return [Opcode.pushData1.rawValue, UInt8(data.count)] + data
        default:
            var writer = Writer(capacity: data.count + 5)
            let isShort = data.count <= 0xFFFF
            writer.write((isShort ? Opcode.pushData2 : Opcode.pushData4).rawValue)
            if isShort {
                writer.write(UInt16(data.count))
            } else {
                writer.write(UInt32(data.count))
            }
            writer.write(data)
            return writer.bytes
        }
    }
}

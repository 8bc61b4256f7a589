import Bitcoin
import Curve
import Hashing
import SecretMemory
import Signing
import TestSupport
import Testing
import Wire

@testable import Chain

@Suite("Signatures of signet blocks")
struct SignetVerdictTests {
    private func signetBlocks() throws -> [Block] {
        var reader = Reader(try Fixture.bytes("blocks/signet-0-120.bin"))
        var blocks: [Block] = []
        while !reader.isAtEnd { blocks.append(try Block(reader.read(Int(reader.readUInt32())))) }
        return blocks
    }

    @Test("The public signet's first 121 blocks are signed")
    func real() throws {
        let challenge = Script(ChainParameters.publicSignetChallenge)
        let blocks = try signetBlocks()
        #expect(blocks.count == 121)
        for block in blocks { #expect(block.signetVerdict(challenge) == .valid) }
    }

    @Test("A change of what is signed, or of the signature, makes a block invalid")
    func changes() throws {
        let challenge = Script(ChainParameters.publicSignetChallenge)
        let block = try #require(try signetBlocks().last)
        func verdict(_ change: (inout Block) -> Void) -> SignetVerdict {
            var copy = block
            change(&copy)
            return copy.signetVerdict(challenge)
        }
        #expect(verdict { $0.header.version += 1 } == .invalid)
        #expect(verdict { $0.header.time += 1 } == .invalid)
        #expect(verdict { $0.header.previous = BlockHash(.zero) } == .invalid)
        #expect(verdict { $0.transactions[0].lockTime = LockTime(rawValue: 1) } == .invalid)
        #expect(verdict { $0.transactions.append($0.transactions[0]) } == .invalid)
        #expect(verdict { $0.transactions = [] } == .invalid)
        // The nonce is found after signing, and the root follows from the transactions.
        #expect(verdict { $0.header.nonce += 1 } == .valid)
        #expect(verdict { $0.header.merkleRoot = .zero } == .valid)
        let place = try #require(block.transactions[0].witnessCommitmentPlace)
        let script = block.transactions[0].outputs[place].scriptPubKey.bytes
        for byte in stride(from: 38, to: script.count, by: 3) {
            var changed = script
            changed[byte] ^= 1
            #expect(
                verdict { $0.transactions[0].outputs[place].scriptPubKey = Script(changed) }
                    != .valid)
        }
        let other = Script(ChainParameters.publicSignetChallenge.dropLast(2) + [0x53, 0xAE])
        #expect(block.signetVerdict(other) != .valid)
    }

    @Test("A block without a solution satisfies OP_TRUE and nothing else")
    func noSolution() throws {
        let record = try #require(try TestChain.records().last)
        #expect(record.block.signetVerdict(Script([0x51])) == .valid)
        #expect(
            record.block.signetVerdict(Script(ChainParameters.publicSignetChallenge)) == .invalid)
        #expect(record.block.signetVerdict(.p2tr(outputKey: .zero)) == .unsupported)
        var bare = record.block
        bare.transactions[0].outputs.removeAll { $0.scriptPubKey.isUnspendable }
        #expect(bare.signetVerdict(Script([0x51])) == .invalid)
    }

    /// The block with a solution behind its witness commitment.
    private func solved(_ block: Block, scriptSig: Script, witness: [[UInt8]]) throws -> Block {
        var writer = Writer()
        writer.write([0xEC, 0xC7, 0xDA, 0xA2] as [UInt8])
        writer.writeVarBytes(scriptSig.bytes)
        Witness(witness).write(to: &writer)
        var copy = block
        let place = try #require(copy.transactions[0].witnessCommitmentPlace)
        let commitment = copy.transactions[0].outputs[place].scriptPubKey
        copy.transactions[0].outputs[place].scriptPubKey = Script.build {
            $0.append(commitment)
            $0.push(writer.bytes)
        }
        return copy
    }

    @Test("Challenges of one key and of two of three, bare and behind a witness hash")
    func ownSignets() throws {
        let block = try #require(try TestChain.records().last).block
        let context = SigningContext()
        let first = try SecretKey.random(context)
        let second = try SecretKey.random(context)
        let third = try SecretKey.random(context)
        let keys = [
            first.publicKey.compressed, second.publicKey.compressed, third.publicKey.compressed,
        ]
        let single = Script.build {
            $0.push(keys[0])
            $0.append(.checkSig)
        }
        let multisig = Script.multisig(required: 2, keys: keys)
        let hash = hash160(keys[0])
        let challenges: [(Script, Script, Bool)] = [
            (single, single, false), (multisig, multisig, false),
            (.p2wsh(SHA256.hash(single.bytes)), single, true),
            (.p2wsh(SHA256.hash(multisig.bytes)), multisig, true),
            (.p2wpkh(hash), .p2pkh(hash), true),
        ]
        for (challenge, code, isSegwit) in challenges {
            let unsolved = try solved(block, scriptSig: .empty, witness: [])
            let solution = try #require(SignetSolution(unsolved, challenge: challenge))
            let digest =
                isSegwit
                ? try solution.calculator.segwitV0(input: 0, scriptCode: code, type: .all)
                : try solution.calculator.legacy(input: 0, scriptCode: code, type: .all)
            let signatures = [
                try first.sign(digest, context).der + [1],
                try second.sign(digest, context).der + [1],
                try third.sign(digest, context).der + [1],
            ]
            func verdict(_ chosen: [Int]) throws -> SignetVerdict {
                var items = chosen.map { signatures[$0] }
                if code == multisig { items.insert([], at: 0) }
                if challenge == .p2wpkh(hash) {
                    items.append(keys[0])
                } else if isSegwit {
                    items.append(code.bytes)
                }
                let script = Script.build { script in items.forEach { script.push($0) } }
                return try solved(
                    block, scriptSig: isSegwit ? .empty : script, witness: isSegwit ? items : []
                ).signetVerdict(challenge)
            }
            let isMultisig = code == multisig
            #expect(unsolved.signetVerdict(challenge) == .invalid)
            #expect(try verdict([0]) == (isMultisig ? .invalid : .valid))
            #expect(try verdict([1]) == .invalid)
            for pair in [[0, 1], [0, 2], [1, 2]] {
                #expect(try verdict(pair) == (isMultisig ? .valid : .invalid))
            }
            // Out of order, and one twice.
            for pair in [[1, 0], [2, 1], [1, 1]] { #expect(try verdict(pair) == .invalid) }
        }
    }
}

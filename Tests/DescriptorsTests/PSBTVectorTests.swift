import Bitcoin
import PSBT
import TestSupport
import Testing
import Wire

@testable import Descriptors

/// What Bitcoin Core put into the PSBTs of the recorded wallets, next to what a descriptor says.
@Suite("Descriptors and PSBTs of Bitcoin Core")
struct PSBTVectorTests {
    struct Case: Decodable {
        let wallet: String
        let unsigned: String
        let finalTransaction: HexBytes?
    }

    struct Place: Hashable {
        let branch: Int
        let index: UInt32
    }

    /// The first outputs of a wallet by their scripts.
    static func places(_ descriptor: Descriptor) throws -> [Script: Place] {
        var places: [Script: Place] = [:]
        for branch in 0..<descriptor.branchCount {
            let scripts = try OutputSeries(descriptor, branch: branch).scriptPubKeys(in: 0..<80)
            for (index, script) in scripts.enumerated() {
                places[script] = Place(branch: branch, index: UInt32(index))
            }
        }
        return places
    }

    let cases: [Case]
    let descriptors: [String: Descriptor]

    init() throws {
        cases = try Fixture.load("psbt/core-regtest.json")
        let wallets = try Fixture.load(
            "descriptors/core-wallets.json", as: AddressVectorTests.Wallets.self)
        descriptors = try Dictionary(
            uniqueKeysWithValues: wallets.wallets.map { ($0.name, try Descriptor($0.descriptor)) })
    }

    @Test("every input and every own output has the scripts, keys and origins that Core gave it")
    func updates() throws {
        #expect(cases.count == 102)
        var places: [String: [Script: Place]] = [:]
        for (name, descriptor) in descriptors { places[name] = try Self.places(descriptor) }
        var (inputs, outputs) = (0, 0)
        for row in cases {
            let descriptor = try #require(descriptors[row.wallet])
            let psbt = try PSBT(Base64.decode(row.unsigned))
            for input in psbt.inputs {
                let script = try #require(input.utxo.output?.scriptPubKey)
                let place = try #require(places[row.wallet]?[script], "\(row.wallet)")
                let output = try descriptor.output(at: place.index, branch: place.branch)
                expect(output.inputUpdate, in: input, row.wallet)
                inputs += 1
            }
            for output in psbt.outputs {
                guard let script = output.scriptPubKey, let place = places[row.wallet]?[script]
                else {
                    #expect(output.derivations.isEmpty && output.taprootDerivations.isEmpty)
                    continue
                }
                let derived = try descriptor.output(at: place.index, branch: place.branch)
                expect(derived.outputUpdate, in: output, row.wallet)
                outputs += 1
            }
        }
        #expect(inputs == 189)
        #expect(outputs == 102)
    }

    private func expect(_ update: InputUpdate, in input: PSBT.Input, _ wallet: String) {
        #expect(update.redeemScript == input.redeemScript, "\(wallet)")
        #expect(update.witnessScript == input.witnessScript, "\(wallet)")
        #expect(Set(update.derivations) == Set(input.derivations), "\(wallet)")
        #expect(update.taprootInternalKey == input.taprootInternalKey, "\(wallet)")
        #expect(update.taprootMerkleRoot == input.taprootMerkleRoot, "\(wallet)")
        #expect(Set(update.taprootLeafScripts) == Set(input.taprootLeafScripts), "\(wallet)")
        expect(
            update.taprootDerivations, in: input.taprootDerivations, update.musigParticipants,
            wallet)
        #expect(Set(update.musigParticipants) == Set(input.musigParticipants), "\(wallet)")
    }

    private func expect(_ update: OutputUpdate, in output: PSBT.Output, _ wallet: String) {
        #expect(update.redeemScript == output.redeemScript, "\(wallet)")
        #expect(update.witnessScript == output.witnessScript, "\(wallet)")
        #expect(Set(update.derivations) == Set(output.derivations), "\(wallet)")
        #expect(update.taprootInternalKey == output.taprootInternalKey, "\(wallet)")
        // Core may turn a branch around, which changes nothing.
        #expect(Set(update.taprootTree) == Set(output.taprootTree), "\(wallet)")
        #expect(root(update.taprootTree) == root(output.taprootTree), "\(wallet)")
        expect(
            update.taprootDerivations, in: output.taprootDerivations, update.musigParticipants,
            wallet)
        #expect(Set(update.musigParticipants) == Set(output.musigParticipants), "\(wallet)")
    }

    private func root(_ leaves: [PSBT.TreeLeaf]) -> Bytes32? {
        try? TapTree(
            leaves.map { TapTree.Node(depth: $0.depth, leaf: TapLeaf($0.script)) }
        ).merkleRoot
    }

    /// The keys and origins are the same, and the leaves too; only for participants of a MuSig2 key
    /// Core also names leaves to the right of theirs, in which they do not occur.
    private func expect(
        _ ours: [PSBT.TaprootDerivation], in theirs: [PSBT.TaprootDerivation],
        _ aggregates: [PSBT.MuSig2Participants], _ wallet: String
    ) {
        #expect(ours.count == theirs.count, "\(wallet)")
        let participants = Set(
            aggregates.flatMap(\.participants).compactMap { Bytes32($0.dropFirst()) })
        for derivation in ours {
            let match = theirs.first { $0.publicKey == derivation.publicKey }
            #expect(match?.origin == derivation.origin, "\(wallet)")
            let (leaves, core) = (Set(derivation.leafHashes), Set(match?.leafHashes ?? []))
            if participants.contains(derivation.publicKey) {
                #expect(leaves.isSubset(of: core), "\(wallet)")
            } else {
                #expect(leaves == core, "\(wallet)")
            }
        }
    }

    @Test("no input of Core's finished transactions is larger than the descriptor says")
    func sizes() throws {
        var inputs = 0
        for row in cases {
            guard let bytes = row.finalTransaction?.bytes else { continue }
            let largest = try #require(descriptors[row.wallet]?.maximumSpendSize)
            for input in try Transaction(bytes).inputs {
                let witness = input.witness.isEmpty ? 0 : input.witness.serializedSize
                #expect(input.scriptSig.bytes.count <= largest.scriptSig, "\(row.wallet)")
                #expect(witness <= largest.witness, "\(row.wallet)")
                inputs += 1
            }
        }
        #expect(inputs == 189)
    }
}

import Bitcoin
import Curve
import TestSupport
import Testing
import Wire

@Suite("Taproot outputs")
struct TaprootTests {
    @Test("BIP341: 7 outputs with their trees, and 12 control blocks")
    func vectors() throws {
        let rows = try Fixture.json("sighash/bip341-outputs.json").array
        #expect(rows.count == 7)
        var controlBlocks = 0
        for row in rows {
            let nodes = try row["leaves"].array.map { leaf in
                TapTree.Node(
                    depth: try leaf[0].int,
                    leaf: TapLeaf(
                        Script(try leaf[2].hex),
                        version: try #require(LeafVersion(rawValue: UInt8(leaf[1].int)))))
            }
            let tree = nodes.isEmpty ? nil : try TapTree(nodes)
            let hashes = try row["leafHashes"].array.map { try $0.string }
            #expect(nodes.map(\.leaf.hash.description) == hashes)
            #expect(try tree?.merkleRoot.description == row.optional("merkleRoot")?.string)
            let internalKey = try XOnlyPublicKey(try #require(Bytes32(row["internalKey"].hex)))
            let output = try TaprootOutput(internalKey: internalKey, tree: tree)
            #expect(try output.outputKey.description == row["outputKey"].string)
            #expect(try output.scriptPubKey.bytes == row["scriptPubKey"].hex)
            for (index, expected) in try row["controlBlocks"].array.enumerated() {
                let made = try #require(output.controlBlock(leaf: index))
                #expect(try made.serialized == expected.hex)
                let read = try ControlBlock(expected.hex)
                #expect(read == made)
                #expect(read.proves(nodes[index].leaf.script, in: output.outputKey.bytes))
                #expect(!read.proves(.empty, in: output.outputKey.bytes))
                #expect(!read.proves(nodes[index].leaf.script, in: internalKey.bytes))
                controlBlocks += 1
            }
        }
        #expect(controlBlocks == 12)
    }

    @Test("Leaves that form no tree are refused")
    func invalidTrees() throws {
        func tree(_ depths: Int...) throws(TapTree.Failure) -> TapTree {
            try TapTree(depths.map { TapTree.Node(depth: $0, leaf: TapLeaf(.p2a)) })
        }
        #expect(throws: TapTree.Failure.empty) { try tree() }
        #expect(throws: TapTree.Failure.incomplete) { try tree(1) }
        #expect(throws: TapTree.Failure.incomplete) { try tree(2, 2) }
        #expect(throws: TapTree.Failure.misplacedLeaf(1)) { try tree(0, 0) }
        #expect(throws: TapTree.Failure.misplacedLeaf(1)) { try tree(2, 1) }
        #expect(throws: TapTree.Failure.misplacedLeaf(2)) { try tree(1, 1, 1) }
        #expect(throws: TapTree.Failure.invalidDepth(leaf: 0, found: 129)) { try tree(129) }
        #expect(throws: TapTree.Failure.invalidDepth(leaf: 0, found: -1)) { try tree(-1) }
        #expect(try tree(0).merkleRoot == TapLeaf(.p2a).hash)
        #expect(try tree(1, 2, 2).merklePaths.map(\.count) == [1, 2, 2])
    }

    @Test("The deepest tree has 129 leaves on a string, and each control block proves its leaf")
    func deepest() throws {
        let nodes = (1...128).map { TapTree.Node(depth: $0, leaf: TapLeaf(Script([UInt8($0)]))) }
        let last = TapTree.Node(depth: 128, leaf: TapLeaf(.empty))
        let key = try XOnlyPublicKey(try #require(Bytes32([UInt8](repeating: 0, count: 31) + [1])))
        let output = try TaprootOutput(internalKey: key, tree: try TapTree(nodes + [last]))
        for (index, node) in (nodes + [last]).enumerated() {
            let block = try #require(output.controlBlock(leaf: index))
            #expect(block.proves(node.leaf.script, in: output.outputKey.bytes))
            #expect(try ControlBlock(block.serialized) == block)
        }
        #expect(output.controlBlock(leaf: 129) == nil)
    }

    @Test("Control blocks of a wrong length, version or key are refused")
    func invalidControlBlocks() throws {
        let key = [UInt8](repeating: 0, count: 31) + [1]
        for length in [0, 32, 34, 64, 66, 33 + 32 * 129] {
            let bytes = [0xC0] + [UInt8](repeating: 1, count: max(0, length - 1))
            #expect(throws: ControlBlock.Failure.wrongLength(max(1, length))) {
                try ControlBlock(length == 0 ? [1] : bytes)
            }
        }
        #expect(throws: ControlBlock.Failure.invalidLeafVersion(0x50)) {
            try ControlBlock([0x51] + key)
        }
        #expect(throws: ControlBlock.Failure.internalKeyNotOnCurve) {
            try ControlBlock([0xC0] + [UInt8](repeating: 0xFF, count: 32))
        }
    }
}

import Bitcoin
import SecretMemory
import TestSupport
import Testing
import Wire

@testable import KeyTree

@Suite("SLIP-10 for ed25519")
struct Ed25519NodeTests {
    @Test("every node has its chain code, private key and public key")
    func vectors() throws {
        var nodes = 0
        for chain in try Fixture.json("keys/slip10.json")["ed25519"].array {
            let master = try Ed25519Node(seed: SecretBytes(chain["seed"].hex))
            for row in try chain["nodes"].array {
                guard let node = master.derive(try DerivationPath(row[0].string)) else {
                    Issue.record("\(row.path) is not derived")
                    continue
                }
                #expect(try node.chainCode.description == row[2].string)
                #expect(try node.withPrivateKey { Hex.encode($0) } == row[3].string)
                // The vectors put 00 before the public key.
                #expect(try "00" + node.publicKey.description == row[4].string)
                nodes += 1
            }
        }
        #expect(nodes == 12)
    }

    @Test("an unhardened step leads nowhere, and a seed has 16 to 64 bytes")
    func refusals() throws {
        let master = try Ed25519Node(seed: SecretBytes(count: 16))
        let path = try DerivationPath("0h/1/2h")
        let isNode = master.derive(path) != nil
        #expect(!isNode)
        #expect(throws: ExtendedKeyError.seedLength(found: 65, allowed: 16...64)) {
            _ = try Ed25519Node(seed: SecretBytes(count: 65))
        }
    }
}

import Bitcoin
import TestSupport
import Testing
import Wire

@Suite("Block headers")
struct BlockHeaderTests {
    @Test(
        "Real headers are linked, prove their work and write back",
        arguments: [
            ("mainnet-0-10236", 10_237, Network.mainnet), ("signet-0-2015", 2_016, .signet),
        ])
    func real(name: String, count: Int, network: Network) throws {
        let bytes = try Fixture.bytes("headers/\(name).bin")
        var reader = Reader(bytes)
        var writer = Writer(capacity: bytes.count)
        var previous = BlockHash(.zero)
        var seen = 0
        var unproven = 0
        while !reader.isAtEnd {
            let header = try BlockHeader(from: &reader)
            #expect(header.previous == previous)
            previous = header.hash
            if !header.provesWork(hash: previous, limit: network.proofOfWorkLimit) { unproven += 1 }
            header.write(to: &writer)
            if seen == 0 { #expect(header == network.genesis) }
            seen += 1
        }
        #expect(seen == count)
        #expect(unproven == 0)
        #expect(writer.bytes == bytes)
    }

    @Test(
        "Each network's genesis has its known hash and proves its work",
        arguments: [
            (
                Network.mainnet, "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f"
            ),
            (.testnet3, "000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943"),
            (.testnet4, "00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043"),
            (.signet, "00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6"),
            (.regtest, "0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206"),
        ])
    func genesis(network: Network, hash: String) {
        let header = network.genesis
        #expect(header.hash.description == hash)
        #expect(header.provesWork(hash: header.hash, limit: network.proofOfWorkLimit))
    }
}

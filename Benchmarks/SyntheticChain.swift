import Bitcoin
import Chain
import Descriptors
import PeerMessages
import ScriptedPeer

/// A chain of regtest whose filters have as many elements as one likes, for a peer to serve.
struct SyntheticChain {
    /// What a peer serves.
    let served: ServedChain
    /// The wallet that every thousandth block pays.
    let descriptor: Descriptor

    /// A key that everybody knows (BIP32, test vector 2).
    private static let text =
        "wpkh(xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a"
        + "6mr8BDzTJY47LJhkJ8UB7WEGuduB/0/*)"

    init(blocks count: Int, elements: Int) throws {
        let descriptor = try Descriptor(SyntheticChain.text)
        self.descriptor = descriptor
        var number: UInt64 = 1
        let watched = try (0..<200).map { try descriptor.output(at: $0).scriptPubKey }
        var matcher = FilterMatcher(WatchedScripts(watched))
        func isPayment(_ height: Int) -> Bool { height % 1_000 == 0 }
        served = try ServedChain.genesis().mined(count) { height in
            guard isPayment(height) else { return Script([0x51]) }
            return try descriptor.output(at: UInt32(height / 1_000 % 20)).scriptPubKey
        } filter: { block, height in
            // A block that is fetched shows what its filter must have. So nothing else is in the filter of a
            // payment, and no other filter matches by chance, or its block would refute it.
            guard !isPayment(height) else { return CompactFilter(block: block, spent: []) }
            while true {
                let spent = (1..<max(1, elements)).map { _ in SyntheticChain.script(&number) }
                let filter = CompactFilter(block: block, spent: spent)
                guard try matcher.matches(filter, block: block.header.hash) else { return filter }
            }
        }
    }

    /// A script that nobody watches, as P2WPKH, and no other has.
    private static func script(_ number: inout UInt64) -> Script {
        var bytes: [UInt8] = [0, 20]
        for _ in 0..<3 {
            number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            withUnsafeBytes(of: number) { bytes += $0 }
        }
        return Script(Array(bytes.prefix(22)))
    }

    /// What the same operations cost by themselves: headers checked, filters hashed and matched.
    func raw(scripts: [Script]) throws -> (headers: Duration, filters: Duration) {
        let headers = LibraryBench.time {
            var chain = HeaderChain(ChainParameters(.regtest))
            var download: HeaderDownload?
            for start in stride(from: 1, through: served.tipHeight, by: 2_000) {
                let end = min(start + 1_999, served.tipHeight)
                _ = chain.receive(
                    Array(served.headers[start...end]), &download, clock: .max)
            }
        }
        var found = 0
        let filters = try LibraryBench.time {
            var matcher = FilterMatcher(WatchedScripts(scripts))
            var last = FilterHeader.beforeGenesis
            for (height, bytes) in served.filters.enumerated() {
                let filter = try CompactFilter(bytes)
                last = filter.hash.header(after: last)
                if try matcher.matches(filter, block: served.hashes[height]) { found += 1 }
            }
        }
        guard found >= served.tipHeight / 1_000 else { throw Missed() }
        return (headers, filters)
    }

    private struct Missed: Error {}
}

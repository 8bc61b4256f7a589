import Bitcoin
import Hashing
import PeerMessages
import Wire

/// A peer of the tests: a chain of headers, served as a node serves it.
struct ScriptedNode {
    /// The headers from height 1 on.
    var headers: [BlockHeader]
    private let places: [BlockHash: Int]

    init(_ headers: [BlockHeader]) {
        self.headers = headers
        var places: [BlockHash: Int] = [Network.regtest.genesis.hash: 0]
        for (index, header) in headers.enumerated() { places[header.hash] = index + 1 }
        self.places = places
    }

    /// Up to 2,000 headers behind the first hash of the locator that the chain has.
    func answer(_ question: GetHeaders) -> [BlockHeader] {
        let start = question.locator.lazy.compactMap { places[$0] }.first ?? 0
        var part = Array(headers[start...].prefix(PeerLimits.headers))
        if let stop = places[question.stop], stop > start, stop - start < part.count {
            part.removeSubrange((stop - start)...)
        }
        return part
    }

    /// Headers of regtest that follow `previous`, ten minutes apart, with proof of work.
    static func mine(
        _ count: Int, after previous: BlockHeader = Network.regtest.genesis, branch: UInt8 = 0
    ) -> [BlockHeader] {
        var headers: [BlockHeader] = []
        headers.reserveCapacity(count)
        let root = SHA256.hash([branch])
        var last = previous
        var hash = previous.hash
        for _ in 0..<count {
            last = BlockHeader(
                version: 4, previous: hash, merkleRoot: root, time: last.time + 600,
                bits: last.bits, nonce: 0)
            hash = last.hash
            while !last.provesWork(hash: hash, limit: Network.regtest.proofOfWorkLimit) {
                last.nonce += 1
                hash = last.hash
            }
            headers.append(last)
        }
        return headers
    }
}

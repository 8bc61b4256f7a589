import Bitcoin
import Wire

/// Finds the height of a hash in 4 to 8 bytes a header: an open table of heights, in which only the
/// chain itself says whether a height is the right one.
///
/// A height that a reorganisation left behind is therefore harmless: the chain has another hash
/// there, or none. Only headers with proof of work get in, so that their first bytes, which choose
/// the place, cannot be crowded on purpose at a lower price than that work.
struct HashIndex: Sendable {
    /// Heights plus one; 0 is an empty place.
    private var places = [UInt32](repeating: 0, count: 64)
    private var used = 0

    /// Notes a height.
    ///
    /// - Parameter hashAt: the hash of any height up to and including this one.
    mutating func insert(_ height: Int, hash: BlockHash, hashAt: (Int) -> BlockHash) {
        if used * 2 >= places.count { rebuild(below: height, hashAt: hashAt) }
        note(height, hash)
    }

    /// The height at which the chain has this hash.
    ///
    /// - Parameter hashAt: the chain's hash at a height; nil above its tip.
    func height(of hash: BlockHash, hashAt: (Int) -> BlockHash?) -> Int? {
        var place = start(of: hash)
        while places[place] != 0 {
            let height = Int(places[place]) - 1
            if hashAt(height) == hash { return height }
            place = (place + 1) & (places.count - 1)
        }
        return nil
    }

    private mutating func note(_ height: Int, _ hash: BlockHash) {
        var place = start(of: hash)
        while places[place] != 0 { place = (place + 1) & (places.count - 1) }
        places[place] = UInt32(height + 1)
        used += 1
    }

    /// Makes room for twice the headers there are, without what reorganisations left behind.
    private mutating func rebuild(below height: Int, hashAt: (Int) -> BlockHash) {
        var size = 64
        while size < (height + 1) * 4 { size *= 2 }
        places = [UInt32](repeating: 0, count: size)
        used = 0
        for height in 0..<height { note(height, hashAt(height)) }
    }

    private func start(of hash: BlockHash) -> Int {
        let word = hash.bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
        return Int(truncatingIfNeeded: word) & (places.count - 1)
    }
}

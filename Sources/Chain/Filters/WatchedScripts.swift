public import Bitcoin

/// Scripts laid out for hashing: those of as many words together, the first words of all, then the
/// second words of all, so that several are hashed side by side without being moved.
public struct WatchedScripts: Sendable {
    struct Group: Sendable {
        /// Words of a script.
        let wordCount: Int
        /// Scripts, filled up to a multiple of `lanes` by repeating the last.
        let stride: Int
        /// Scripts.
        let count: Int
        let words: [UInt64]
    }

    let groups: [Group]
    /// Scripts.
    public let count: Int

    /// How many are hashed side by side.
    typealias Lanes = SIMD4<UInt64>
    static let lanes = Lanes.scalarCount

    /// Lays out scripts; empty ones and repetitions are left out, since no filter has them.
    public init(_ scripts: some Sequence<Script>) {
        var byLength: [Int: [[UInt64]]] = [:]
        var total = 0
        for script in Set(scripts) where !script.isEmpty {
            let words = SipHash.words(of: script.bytes)
            byLength[words.count, default: []].append(words)
            total += 1
        }
        count = total
        groups = byLength.sorted { $0.key < $1.key }.map { length, scripts in
            let lanes = WatchedScripts.lanes
            let stride = (scripts.count + lanes - 1) / lanes * lanes
            var words: [UInt64] = []
            words.reserveCapacity(length * stride)
            for place in 0..<length {
                for index in 0..<stride {
                    words.append(scripts[min(index, scripts.count - 1)][place])
                }
            }
            return Group(wordCount: length, stride: stride, count: scripts.count, words: words)
        }
    }
}

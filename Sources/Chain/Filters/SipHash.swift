import Bitcoin
import Wire

/// SipHash-2-4 (Aumasson and Bernstein, 2012), keyed by a block as BIP158 does: with the first 16
/// bytes of its hash.
struct SipHash: Sendable {
    private let key0: UInt64
    private let key1: UInt64

    /// The hash for elements of the filter of a block.
    init(block: BlockHash) {
        (key0, key1) = block.bytes.withUnsafeBytes {
            (
                UInt64(littleEndian: $0.load(fromByteOffset: 0, as: UInt64.self)),
                UInt64(littleEndian: $0.load(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }

    /// A key by its two words.
    init(key0: UInt64, key1: UInt64) { (self.key0, self.key1) = (key0, key1) }

    /// The words that a message is hashed as: eight bytes each, the last filled up with zeros and
    /// closed with the lowest byte of the length.
    static func words(of message: [UInt8]) -> [UInt64] {
        var words = [UInt64](repeating: 0, count: message.count / 8 + 1)
        for (index, byte) in message.enumerated() {
            words[index / 8] |= UInt64(byte) << UInt64(index % 8 * 8)
        }
        words[message.count / 8] |= UInt64(UInt8(truncatingIfNeeded: message.count)) << 56
        return words
    }

    /// The hash of one message.
    func hash(_ message: [UInt8]) -> UInt64 {
        let words = SipHash.words(of: message)
        return words.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return 0 }
            return hash(start, count: buffer.count, stride: 1)
        }
    }

    /// The hash of one message of several that are laid out side by side; see below.
    func hash(_ words: UnsafePointer<UInt64>, count: Int, stride: Int) -> UInt64 {
        var state = PlainState(key0, key1)
        for word in 0..<count { state.add(words[word * stride]) }
        return state.finish()
    }

    /// The hashes of several messages of as many words, side by side.
    ///
    /// - Parameters:
    ///   - words: the first word of each message, `stride` words on the second of each, and so on.
    ///   - count: words of a message.
    @inline(__always)
    func hash<Lanes: HashLanes>(
        _ words: UnsafePointer<UInt64>, count: Int, stride: Int, as: Lanes.Type
    ) -> Lanes {
        var state = SipState<Lanes>(key0, key1)
        for word in 0..<count {
            state.add(
                UnsafeRawPointer(words + word * stride).loadUnaligned(as: Lanes.self))
        }
        return state.finish()
    }
}

/// The state of one hash.
private struct PlainState {
    private var v0: UInt64
    private var v1: UInt64
    private var v2: UInt64
    private var v3: UInt64

    init(_ key0: UInt64, _ key1: UInt64) {
        v0 = key0 ^ 0x736F_6D65_7073_6575
        v1 = key1 ^ 0x646F_7261_6E64_6F6D
        v2 = key0 ^ 0x6C79_6765_6E65_7261
        v3 = key1 ^ 0x7465_6462_7974_6573
    }

    mutating func add(_ word: UInt64) {
        v3 ^= word
        round()
        round()
        v0 ^= word
    }

    mutating func finish() -> UInt64 {
        v2 ^= 0xFF
        round()
        round()
        round()
        round()
        return v0 ^ v1 ^ v2 ^ v3
    }

    private mutating func round() {
        v0 &+= v1
        v1 = (v1 &<< 13 | v1 &>> 51) ^ v0
        v0 = v0 &<< 32 | v0 &>> 32
        v2 &+= v3
        v3 = (v3 &<< 16 | v3 &>> 48) ^ v2
        v0 &+= v3
        v3 = (v3 &<< 21 | v3 &>> 43) ^ v0
        v2 &+= v1
        v1 = (v1 &<< 17 | v1 &>> 47) ^ v2
        v2 = v2 &<< 32 | v2 &>> 32
    }
}

/// Several words that are hashed side by side.
protocol HashLanes: SIMD, Sendable where Scalar == UInt64 {}

extension SIMD2: HashLanes where Scalar == UInt64 {}
extension SIMD4: HashLanes where Scalar == UInt64 {}
extension SIMD8: HashLanes where Scalar == UInt64 {}

/// The state of hashes that run side by side, so that a processor does not wait for one of them.
private struct SipState<Lanes: HashLanes> {
    private var v0: Lanes
    private var v1: Lanes
    private var v2: Lanes
    private var v3: Lanes

    @inline(__always)
    init(_ key0: UInt64, _ key1: UInt64) {
        v0 = Lanes(repeating: key0 ^ 0x736F_6D65_7073_6575)
        v1 = Lanes(repeating: key1 ^ 0x646F_7261_6E64_6F6D)
        v2 = Lanes(repeating: key0 ^ 0x6C79_6765_6E65_7261)
        v3 = Lanes(repeating: key1 ^ 0x7465_6462_7974_6573)
    }

    @inline(__always)
    mutating func add(_ word: Lanes) {
        v3 ^= word
        round()
        round()
        v0 ^= word
    }

    @inline(__always)
    mutating func finish() -> Lanes {
        v2 ^= Lanes(repeating: 0xFF)
        round()
        round()
        round()
        round()
        return v0 ^ v1 ^ v2 ^ v3
    }

    @inline(__always)
    private mutating func round() {
        v0 &+= v1
        v1 = SipState.rotated(v1, 13)
        v1 ^= v0
        v0 = SipState.rotated(v0, 32)
        v2 &+= v3
        v3 = SipState.rotated(v3, 16)
        v3 ^= v2
        v0 &+= v3
        v3 = SipState.rotated(v3, 21)
        v3 ^= v0
        v2 &+= v1
        v1 = SipState.rotated(v1, 17)
        v1 ^= v2
        v2 = SipState.rotated(v2, 32)
    }

    @inline(__always)
    private static func rotated(_ value: Lanes, _ bits: UInt64) -> Lanes {
        value &<< Lanes(repeating: bits) | value &>> Lanes(repeating: 64 &- bits)
    }
}

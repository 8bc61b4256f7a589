public import Wire

/// The sponge of Keccak-f[1600] (FIPS 202) with 136 bytes of rate.
///
/// Written here because libcrypto before 3.2 has no Keccak with its first padding, and before 3.3 no
/// squeezing in pieces.
struct KeccakSponge: Sendable {
    static let rate = 136
    private typealias Lanes = (
        UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64,
        UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64,
        UInt64, UInt64, UInt64
    )

    private var lanes: Lanes = (
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
    )
    /// Bytes of the rate that were absorbed, or squeezed, since the last permutation.
    private var position = 0

    mutating func absorb(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes {
            add(byte, at: position)
            position += 1
            if position == KeccakSponge.rate { permute() }
        }
    }

    /// Ends the message. `suffix` holds the domain's bits and the first bit of the padding.
    mutating func pad(suffix: UInt8) {
        add(suffix, at: position)
        add(0x80, at: KeccakSponge.rate - 1)
        permute()
    }

    mutating func squeeze(into out: UnsafeMutableRawBufferPointer) {
        for index in out.indices {
            if position == KeccakSponge.rate { permute() }
            out[index] = withUnsafeBytes(of: lanes) { $0[position] }
            position += 1
        }
    }

    private mutating func add(_ byte: UInt8, at offset: Int) {
        withUnsafeMutableBytes(of: &lanes) { $0[offset] ^= byte }
    }

    private mutating func permute() {
        withUnsafeMutableBytes(of: &lanes) { bytes in
            let lanes = bytes.assumingMemoryBound(to: UInt64.self)
            for constant in KeccakSponge.roundConstants {
                KeccakSponge.round(lanes)
                lanes[0] ^= UInt64(littleEndian: constant)
            }
        }
        position = 0
    }

    /// Theta, rho, pi and chi. Lanes are little-endian, whatever the machine is.
    private static func round(_ lanes: UnsafeMutableBufferPointer<UInt64>) {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 5) { row in
            for x in 0..<5 {
                row[x] = lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20]
            }
            for x in 0..<5 {
                let change = row[(x + 4) % 5] ^ rotate(row[(x + 1) % 5], by: 1)
                for y in stride(from: 0, to: 25, by: 5) { lanes[x + y] ^= change }
            }
            var moved = lanes[1]
            for step in 0..<24 {
                let target = laneOrder[step]
                let next = lanes[target]
                lanes[target] = rotate(moved, by: rotations[step])
                moved = next
            }
            for y in stride(from: 0, to: 25, by: 5) {
                for x in 0..<5 { row[x] = lanes[x + y] }
                for x in 0..<5 { lanes[x + y] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5]) }
            }
        }
    }

    private static func rotate(_ lane: UInt64, by count: UInt64) -> UInt64 {
        let value = UInt64(littleEndian: lane)
        return (value << count | value >> (64 - count)).littleEndian
    }

    private static let laneOrder = [
        10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1,
    ]
    private static let rotations: [UInt64] = [
        1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44,
    ]
    private static let roundConstants: [UInt64] = [
        0x0000_0000_0000_0001, 0x0000_0000_0000_8082, 0x8000_0000_0000_808A, 0x8000_0000_8000_8000,
        0x0000_0000_0000_808B, 0x0000_0000_8000_0001, 0x8000_0000_8000_8081, 0x8000_0000_0000_8009,
        0x0000_0000_0000_008A, 0x0000_0000_0000_0088, 0x0000_0000_8000_8009, 0x0000_0000_8000_000A,
        0x0000_0000_8000_808B, 0x8000_0000_0000_008B, 0x8000_0000_0000_8089, 0x8000_0000_0000_8003,
        0x8000_0000_0000_8002, 0x8000_0000_0000_0080, 0x0000_0000_0000_800A, 0x8000_0000_8000_000A,
        0x8000_0000_8000_8081, 0x8000_0000_0000_8080, 0x0000_0000_8000_0001, 0x8000_0000_8000_8008,
    ]
}

/// Keccak-256 with the padding of the first submission, as Ethereum uses it. Not SHA3-256.
public enum Keccak256 {
    /// The digest of `bytes`.
    public static func hash(_ bytes: [UInt8]) -> Bytes32 {
        var sponge = KeccakSponge()
        bytes.withUnsafeBytes { sponge.absorb($0) }
        sponge.pad(suffix: 0x01)
        return Bytes32 { sponge.squeeze(into: $0) }
    }
}

/// SHA3-256 (FIPS 202), the checksum in names of Tor services.
public enum SHA3256 {
    /// The digest of `bytes`.
    public static func hash(_ bytes: [UInt8]) -> Bytes32 {
        var sponge = KeccakSponge()
        bytes.withUnsafeBytes { sponge.absorb($0) }
        sponge.pad(suffix: 0x06)
        return Bytes32 { sponge.squeeze(into: $0) }
    }
}

/// SHAKE256 (FIPS 202): a stream of bytes from a seed.
public struct SHAKE256: Sendable {
    private var sponge = KeccakSponge()

    /// Nothing fed: call `seed` next. Two steps, so that a secret seed can be fed in place.
    public init() {}

    /// Feeds the seed, once.
    public mutating func seed(_ bytes: UnsafeRawBufferPointer) {
        sponge.absorb(bytes)
        sponge.pad(suffix: 0x1F)
    }

    /// Fills `out` with the next bytes of the stream.
    public mutating func read(into out: UnsafeMutableRawBufferPointer) {
        sponge.squeeze(into: out)
    }
}

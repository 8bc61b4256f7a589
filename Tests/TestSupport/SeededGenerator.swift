/// The same random numbers for the same seed (SplitMix64), so that a failure can be repeated.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts from `seed`.
    public init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// `bytes` with a few changes: bits flipped, bytes set, runs cut, doubled or swapped.
    public mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &self) where !bytes.isEmpty {
            let place = Int.random(in: bytes.indices, using: &self)
            let length = min(Int.random(in: 1...40, using: &self), bytes.count - place)
            switch Int.random(in: 0...5, using: &self) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &self)
            case 1:
                bytes[place] = [0, 1, 0x7F, 0x80, 0xFD, 0xFE].randomElement(using: &self) ?? 0xFF
            case 2: bytes.removeSubrange(place..<place + length)
            case 3: bytes.insert(contentsOf: bytes[place..<place + length], at: place)
            case 4: bytes.removeSubrange(place...)
            default: bytes.insert(UInt8.random(in: .min ... .max, using: &self), at: place)
            }
        }
        return bytes
    }
}

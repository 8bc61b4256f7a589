/// Reads differences in Golomb-Rice code (BIP158): ones that count the high part, a zero, 19 bits.
///
/// Eight bytes are looked at at once, so that an element takes one load, one count of ones and two
/// shifts. Behind the end there are zeros, which end any run of ones.
struct GolombReader {
    private let start: UnsafeRawPointer
    private let size: Int
    /// The next bit, counted from `start`.
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer, from offset: Int, empty: UnsafeRawPointer) {
        start = bytes.baseAddress.map { $0 + offset } ?? empty
        size = bytes.count - offset
    }

    /// Whether more bits were read than there are.
    var isOverrun: Bool { position > size * 8 }

    /// At least 57 bits from `position` on, the next one on top.
    @inline(__always)
    private var window: UInt64 {
        let byte = position &>> 3
        if byte &+ 8 <= size {
            let word = (start + byte).loadUnaligned(as: UInt64.self)
            return UInt64(bigEndian: word) &<< UInt64(truncatingIfNeeded: position & 7)
        }
        return tail(byte) &<< UInt64(truncatingIfNeeded: position & 7)
    }

    /// Eight bytes of which the last are beyond the end.
    private func tail(_ byte: Int) -> UInt64 {
        var word: UInt64 = 0
        for index in byte..<byte + 8 {
            word =
                word << 8
                | (index < size ? UInt64(start.load(fromByteOffset: index, as: UInt8.self)) : 0)
        }
        return word
    }

    /// The next difference.
    @inline(__always)
    mutating func next() -> UInt64 {
        let window = window
        let ones = (~window).leadingZeroBitCount
        guard ones <= 57 - 20 else { return nextLong() }
        position &+= ones &+ 20
        let remainder = (window &<< UInt64(truncatingIfNeeded: ones &+ 1)) &>> 45
        return UInt64(truncatingIfNeeded: ones) &<< 19 | remainder
    }

    /// The next difference, however many ones it has. Their number is bounded by the bytes.
    private mutating func nextLong() -> UInt64 {
        var quotient: UInt64 = 0
        while true {
            let ones = min((~window).leadingZeroBitCount, 56)
            quotient += UInt64(ones)
            position += ones
            if ones < 56 { break }
        }
        position += 1
        let remainder = window >> 45
        position += 19
        return quotient << 19 | remainder
    }

    /// Ends the reading: fails if whole bytes are left.
    func finish() throws(FilterFault) {
        let left = size - (position + 7) / 8
        guard left == 0 else { throw .trailingBytes(count: left) }
    }
}

extension [UInt8] {
    /// Gives a reader of the code that starts at `offset`.
    func withFilterCode<Result, Failure: Error>(
        from offset: Int, _ body: (GolombReader) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var outcome: Swift.Result<Result, Failure>?
        withUnsafeBytes { buffer in
            withUnsafePointer(to: 0) { zero in
                let reader = GolombReader(buffer, from: offset, empty: UnsafeRawPointer(zero))
                do throws(Failure) {
                    outcome = .success(try body(reader))
                } catch {
                    outcome = .failure(error)
                }
            }
        }
        guard let outcome else { preconditionFailure("the buffer was given") }
        return try outcome.get()
    }
}

/// Writes differences in Golomb-Rice code.
struct GolombWriter {
    private(set) var bytes: [UInt8]
    private var free = 0

    /// Appends to `bytes`.
    init(after bytes: [UInt8]) { self.bytes = bytes }

    /// Appends a difference.
    mutating func write(_ difference: UInt64) {
        for _ in 0..<difference >> 19 { writeBit(1) }
        writeBit(0)
        for bit in (0..<UInt64(19)).reversed() { writeBit(UInt8(difference >> bit & 1)) }
    }

    private mutating func writeBit(_ bit: UInt8) {
        if free == 0 {
            bytes.append(0)
            free = 8
        }
        free -= 1
        bytes[bytes.count - 1] |= bit << UInt8(free)
    }
}

/// Bytes that nobody must see: in locked pages, with one owner, wiped when the owner goes.
///
/// It cannot be copied, printed, interpolated, reflected, encoded, compared with `==`, put into a
/// collection or sent to another thread; `Tests/MustNotCompile` holds the compiler to each of
/// these. Whoever needs the bytes gets them in place, inside a closure.
public struct SecretBytes: ~Copyable {
    private let slot: UnsafeMutableRawPointer
    /// The number of bytes.
    public let count: Int
    private let capacity: Int

    /// Lets `fill` write `count` bytes in place; they are zero before. On an error nothing stays.
    public init<Failure>(
        count: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        try self.init(capacity: count) { buffer throws(Failure) in
            try fill(buffer)
            return count
        }
    }

    /// Lets `fill` write at most `capacity` bytes in place and say how many it wrote. On an error
    /// nothing stays.
    public init<Failure>(
        capacity: Int, filledBy fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        let slotSize = SecretPool.slotSize(capacity)
        let slot = SecretPool.withLock { $0.take(capacity) }
        do {
            count = try fill(UnsafeMutableRawBufferPointer(start: slot, count: capacity))
            precondition(count >= 0 && count <= capacity)
        } catch {
            SecretBytes.discard(slot, capacity: slotSize)
            throw error
        }
        self.slot = slot
        self.capacity = slotSize
    }

    /// `count` zero bytes.
    public init(count: Int) { self.init(capacity: count) { _ in count } }

    /// A copy of bytes that the caller wipes where they were.
    public init(copying bytes: UnsafeRawBufferPointer) {
        self.init(count: bytes.count) { $0.copyMemory(from: bytes) }
    }

    /// Bytes from the kernel's generator.
    public static func random(count: Int) -> SecretBytes {
        SecretBytes(count: count) { SecretMemory.fillWithRandomBytes($0) }
    }

    deinit { SecretBytes.discard(slot, capacity: capacity) }

    /// Wipes the whole slot, not only what was used of it, and gives it back.
    private static func discard(_ slot: UnsafeMutableRawPointer, capacity: Int) {
        SecretMemory.wipe(UnsafeMutableRawBufferPointer(start: slot, count: capacity))
        SecretPool.withLock { $0.giveBack(slot, size: capacity) }
    }

    /// Gives the bytes in place. They must not leave `body`.
    public borrowing func withUnsafeBytes<Result: ~Copyable, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(start: slot, count: count))
    }

    /// Gives the bytes in place for writing. They must not leave `body`.
    public mutating func withUnsafeMutableBytes<Result: ~Copyable, Failure>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeMutableRawBufferPointer(start: slot, count: count))
    }

    /// A second secret with the same bytes.
    public borrowing func duplicate() -> SecretBytes {
        withUnsafeBytes { SecretBytes(copying: $0) }
    }

    // DECLASSIFY: whether two secrets are equal is what the caller decides by; the time it takes
    // depends on their lengths only.
    /// Whether both hold the same bytes, in a time that depends on the lengths only.
    public borrowing func isEqual(to other: borrowing SecretBytes) -> Bool {
        other.withUnsafeBytes { isEqual(to: $0) }
    }

    // DECLASSIFY: as above; the other side is public or about to be.
    /// Whether the bytes are these, in a time that depends on the lengths only.
    public borrowing func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
        withUnsafeBytes { bytes in
            guard bytes.count == other.count else { return false }
            var difference: UInt8 = 0
            for index in bytes.indices { difference |= bytes[index] ^ other[index] }
            return difference == 0
        }
    }
}

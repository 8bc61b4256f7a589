/// The sizes that sealed content is padded to, so that a file does not tell its exact size.
///
/// At least 4 KiB; above, Padmé (Nikitin et al., "Reducing Metadata Leakage from Encrypted Files
/// and Communication with PURBs", 2019): the size keeps as many significant bits as its exponent
/// has digits, which adds 6.3 % at the most for what is above 4 KiB.
public enum StreamPadding {
    /// The smallest size.
    public static let minimum: UInt64 = 4096
    /// The longest content of a stream, 512 GiB.
    public static let maximumContent: UInt64 = 1 << 39

    /// The size that content of `count` bytes is padded to.
    ///
    /// - Precondition: at most `maximumContent`.
    public static func padded(_ count: UInt64) -> UInt64 {
        precondition(count <= maximumContent)
        guard count > minimum else { return minimum }
        let exponent = UInt64.bitWidth - 1 - count.leadingZeroBitCount
        let digits = Int.bitWidth - exponent.leadingZeroBitCount
        let mask = (UInt64(1) << UInt64(exponent - digits)) - 1
        return (count + mask) & ~mask
    }

    /// The size of the whole file that content of `count` bytes makes.
    public static func fileSize(_ count: UInt64) -> UInt64 {
        let size = padded(count)
        let capacity = UInt64(StreamChunk.capacity)
        let chunks = (size + capacity - 1) / capacity
        return UInt64(StreamHeader.length) + size + chunks * UInt64(StreamChunk.overhead)
    }
}

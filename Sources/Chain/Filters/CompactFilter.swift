public import Bitcoin
import Hashing
public import Wire

/// The basic filter of a block (BIP158): the scripts that it pays and spends, each as a number of
/// about 20 bits, so that a wallet sees without asking anybody whether a block may concern it.
public struct CompactFilter: Hashable, Sendable {
    /// The bytes as peers send them: the number of elements, then their differences in Golomb code.
    public let bytes: [UInt8]
    /// Elements.
    public let count: Int
    /// Where the code starts.
    let start: Int

    /// Bits of a difference that stand as they are; the rest is counted in ones.
    static let remainderBits = 19
    /// One false match in so many.
    static let falsePositiveRate: UInt64 = 784_931
    /// A block's filter has at most about 91,000 elements (outputs of 11 bytes) and 240 kB.
    public static let maximumCount = 100_000
    /// See `maximumCount`.
    public static let maximumSize = 256 << 10

    /// Takes the bytes of a filter. Their length and number are checked; the code is when it is
    /// matched, or by `check()`.
    public init(_ bytes: [UInt8]) throws(FilterFault) {
        guard bytes.count <= CompactFilter.maximumSize else {
            throw .tooLong(found: bytes.count, allowed: CompactFilter.maximumSize)
        }
        var reader = Reader(bytes)
        let claimed: UInt64
        do throws(WireError) { claimed = try reader.readCompactSize() } catch { throw .wire(error) }
        // An element takes at least its remainder and the zero that ends the ones.
        let fitting = reader.remaining * 8 / (CompactFilter.remainderBits + 1)
        let allowed = min(fitting, CompactFilter.maximumCount)
        guard claimed <= UInt64(allowed) else { throw .tooMany(found: claimed, allowed: allowed) }
        guard claimed > 0 || reader.isAtEnd else {
            throw .trailingBytes(count: reader.remaining)
        }
        self.bytes = bytes
        count = Int(claimed)
        start = reader.position
    }

    /// The filter of no elements.
    public static let empty = CompactFilter(elements: [])

    /// Elements are below this number.
    var range: UInt64 { UInt64(count) * CompactFilter.falsePositiveRate }

    /// Decodes all elements: whether the code is whole and nothing is left.
    public func check() throws(FilterFault) {
        _ = try bytes.withFilterCode(from: start) { code throws(FilterFault) in
            var code = code
            for element in 0..<count {
                _ = code.next()
                guard !code.isOverrun else { throw .truncated(element: element) }
            }
            try code.finish()
        }
    }

    /// The elements, in ascending order.
    public func elements() throws(FilterFault) -> [UInt64] {
        try check()
        return bytes.withFilterCode(from: start) { code in
            var code = code
            var value: UInt64 = 0
            return (0..<count).map { _ in
                value &+= code.next()
                return value
            }
        }
    }

    /// The element that a script is in the filter of a block with as many elements.
    static func element(_ script: [UInt8], _ hash: SipHash, range: UInt64) -> UInt64 {
        hash.hash(script).multipliedFullWidth(by: range).high
    }

    /// Names the filter.
    public var hash: FilterHash { FilterHash(SHA256.doubleHash(bytes)) }
}

/// The double hash of a filter's bytes.
public struct FilterHash: IdentifyingHash {
    /// The hash in the order of the wire.
    public let bytes: Bytes32
    /// Takes the hash in the order of the wire.
    public init(_ bytes: Bytes32) { self.bytes = bytes }

    /// Commits to this filter and, by the header before, to all below (BIP157).
    public func header(after previous: FilterHeader) -> FilterHeader {
        var hash = SHA256()
        hash.update(bytes)
        hash.update(previous.bytes)
        return FilterHeader(hash.finalizeDouble())
    }
}

/// Commits to the filters of a block and of all below it (BIP157).
public struct FilterHeader: IdentifyingHash {
    /// The hash in the order of the wire.
    public let bytes: Bytes32
    /// Takes the hash in the order of the wire.
    public init(_ bytes: Bytes32) { self.bytes = bytes }

    /// What the genesis block's filter header follows.
    public static let beforeGenesis = FilterHeader(.zero)
}

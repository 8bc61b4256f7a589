public import Bitcoin

/// Tells whether any of a set of scripts is in a filter. Keep one for many filters: it owns the
/// memory that the work needs.
public struct FilterMatcher: Sendable {
    /// What is looked for.
    public let scripts: WatchedScripts
    private var hashed: [UInt64]
    private var sorted: [UInt64]
    /// Where the values with the same highest bits start.
    private var starts: [UInt32]
    private let bucketBits: Int
    private let usesLanes: Bool

    /// Prepares to look for scripts.
    public init(_ scripts: WatchedScripts) {
        // Without optimization vectors of words are hundreds of times slower than words.
        self.init(scripts, usesLanes: !_isDebugAssertConfiguration())
    }

    /// - Parameter usesLanes: whether several scripts are hashed side by side.
    init(_ scripts: WatchedScripts, usesLanes: Bool) {
        self.scripts = scripts
        self.usesLanes = usesLanes
        hashed = Array(repeating: 0, count: scripts.groups.reduce(0) { $0 + $1.stride })
        sorted = Array(repeating: 0, count: scripts.count)
        // Two values or so for each bucket.
        bucketBits = max(0, scripts.count.bitWidth - scripts.count.leadingZeroBitCount - 1)
        starts = Array(repeating: 0, count: 1 << bucketBits + 1)
    }

    /// Whether any script is in the filter of this block, or, once in 784,931 times a script, seems
    /// to be. The code is read as far as it takes.
    public mutating func matches(
        _ filter: CompactFilter, block: BlockHash
    ) throws(FilterFault) -> Bool {
        guard filter.count > 0, scripts.count > 0 else { return false }
        hash(SipHash(block: block), range: filter.range)
        sort(range: filter.range)
        return try search(filter)
    }

    /// The element that each script is in this filter.
    private mutating func hash(_ hash: SipHash, range: UInt64) {
        typealias Lanes = WatchedScripts.Lanes
        var base = 0
        hashed.withUnsafeMutableBufferPointer { hashed in
            for group in scripts.groups {
                group.words.withUnsafeBufferPointer { words in
                    guard let start = words.baseAddress else { return }
                    guard usesLanes else {
                        for index in 0..<group.count {
                            let value = hash.hash(
                                start + index, count: group.wordCount, stride: group.stride)
                            hashed[base &+ index] = value.multipliedFullWidth(by: range).high
                        }
                        return
                    }
                    for first in stride(from: 0, to: group.stride, by: Lanes.scalarCount) {
                        let lanes = hash.hash(
                            start + first, count: group.wordCount, stride: group.stride,
                            as: Lanes.self)
                        for lane in 0..<Lanes.scalarCount {
                            hashed[base &+ first &+ lane] =
                                lanes[lane].multipliedFullWidth(by: range).high
                        }
                    }
                }
                // The lanes that only fill up are overwritten by the next group.
                base += group.count
            }
        }
    }

    /// Sorts by the highest bits, then puts neighbours in order: the elements are spread evenly.
    private mutating func sort(range: UInt64) {
        let count = sorted.count
        let width = UInt64.bitWidth - range.leadingZeroBitCount
        let shift = UInt64(max(0, width - bucketBits))
        starts.withUnsafeMutableBufferPointer { starts in
            hashed.withUnsafeBufferPointer { hashed in
                sorted.withUnsafeMutableBufferPointer { sorted in
                    starts.update(repeating: 0)
                    for index in 0..<count { starts[Int(hashed[index] &>> shift) &+ 1] &+= 1 }
                    for bucket in 1..<starts.count { starts[bucket] &+= starts[bucket &- 1] }
                    for index in 0..<count {
                        let value = hashed[index]
                        let bucket = Int(value &>> shift)
                        sorted[Int(starts[bucket])] = value
                        starts[bucket] &+= 1
                    }
                    for index in 1..<max(1, count) {
                        let value = sorted[index]
                        var place = index
                        while place > 0, sorted[place &- 1] > value {
                            sorted[place] = sorted[place &- 1]
                            place &-= 1
                        }
                        sorted[place] = value
                    }
                }
            }
        }
    }

    /// Goes through both in ascending order.
    private func search(_ filter: CompactFilter) throws(FilterFault) -> Bool {
        try filter.bytes.withFilterCode(from: filter.start) { code throws(FilterFault) in
            var code = code
            var failure: FilterFault?
            let isFound = sorted.withUnsafeBufferPointer { wanted -> Bool in
                var place = 0
                var next = wanted[0]
                var value: UInt64 = 0
                for element in 0..<filter.count {
                    value &+= code.next()
                    while next < value {
                        place &+= 1
                        guard place < wanted.count else { return false }
                        next = wanted[place]
                    }
                    if next == value {
                        if code.isOverrun { failure = .truncated(element: element) }
                        return !code.isOverrun
                    }
                }
                if code.isOverrun { failure = .truncated(element: filter.count - 1) }
                return false
            }
            if let failure { throw failure }
            return isFound
        }
    }
}

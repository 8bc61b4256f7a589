/// Which filters the store keeps, and how many bytes they have, in runs that end at multiples of
/// 1,000 or where a filter is missing: some 20 bytes for up to 1,000 filters.
public struct KeptFilters: Hashable, Sendable {
    /// Filters of consecutive blocks.
    public struct Run: Hashable, Sendable {
        /// The heights.
        public fileprivate(set) var heights: ClosedRange<Int>
        /// The bytes of all.
        public fileprivate(set) var bytes: Int
    }

    /// The runs, the lowest first.
    public private(set) var runs: [Run] = []
    /// The bytes of all filters.
    public private(set) var bytes = 0

    /// Heights between two ends of runs.
    static let spacing = 1_000

    /// Nothing is kept.
    public init() {}

    /// Notes that a filter of so many bytes is kept. From a store they come the lowest first.
    public mutating func insert(_ height: Int, bytes size: Int) {
        guard !contains(height) else { return }
        bytes += size
        let place = firstRun(endingAt: height)
        let isNextToLower =
            place > 0 && runs[place - 1].heights.upperBound == height - 1
            && height % KeptFilters.spacing != 0
        let isNextToHigher =
            place < runs.count && runs[place].heights.lowerBound == height + 1
            && (height + 1) % KeptFilters.spacing != 0
        switch (isNextToLower, isNextToHigher) {
        case (true, true):
            let higher = runs.remove(at: place)
            runs[place - 1].heights =
                runs[place - 1].heights.lowerBound...higher.heights.upperBound
            runs[place - 1].bytes += size + higher.bytes
        case (true, false):
            runs[place - 1].heights = runs[place - 1].heights.lowerBound...height
            runs[place - 1].bytes += size
        case (false, true):
            runs[place].heights = height...runs[place].heights.upperBound
            runs[place].bytes += size
        case (false, false):
            runs.insert(Run(heights: height...height, bytes: size), at: place)
        }
    }

    /// Whether the filter of a block is kept.
    public func contains(_ height: Int) -> Bool {
        let place = firstRun(endingAt: height)
        return place < runs.count && runs[place].heights.contains(height)
    }

    /// The run from a height on, as far as `last`; nil if the filter at this height is not kept.
    func range(from height: Int, through last: Int) -> ClosedRange<Int>? {
        let place = firstRun(endingAt: height)
        guard place < runs.count, runs[place].heights.contains(height), height <= last else {
            return nil
        }
        return height...min(last, runs[place].heights.upperBound)
    }

    /// How many of these heights are kept.
    func count(in heights: ClosedRange<Int>) -> Int {
        runs.reduce(0) { sum, run in
            let part = run.heights.clamped(to: heights)
            return run.heights.overlaps(heights) ? sum + part.count : sum
        }
    }

    /// Filters of these heights are gone. Of a run that is cut, as many bytes go as its filters have
    /// on average.
    public mutating func remove(_ heights: ClosedRange<Int>) {
        var kept: [Run] = []
        for run in runs {
            guard run.heights.overlaps(heights) else {
                kept.append(run)
                continue
            }
            let count = run.heights.count
            var left = run.bytes
            if run.heights.lowerBound < heights.lowerBound {
                let part = run.heights.lowerBound...heights.lowerBound - 1
                let size = run.bytes / count * part.count
                kept.append(Run(heights: part, bytes: size))
                left -= size
            }
            if run.heights.upperBound > heights.upperBound {
                let part = heights.upperBound + 1...run.heights.upperBound
                let size = run.bytes / count * part.count
                kept.append(Run(heights: part, bytes: size))
                left -= size
            }
            bytes -= left
        }
        runs = kept
    }

    /// The first run that does not end below a height, by halving.
    private func firstRun(endingAt height: Int) -> Int {
        var places = 0..<runs.count
        while !places.isEmpty {
            let middle = places.lowerBound + places.count / 2
            if runs[middle].heights.upperBound < height {
                places = middle + 1..<places.upperBound
            } else {
                places = places.lowerBound..<middle
            }
        }
        return places.lowerBound
    }
}

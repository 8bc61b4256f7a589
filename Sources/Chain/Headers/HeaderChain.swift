public import Bitcoin
import Wire

/// The chain with the most work that is known, from the genesis to its tip.
///
/// Of each header it keeps what others are checked against and what the wallet asks for: hash, time
/// and target, 40 bytes, and 4 to 8 bytes to find it by its hash. The rest of a header serves nobody
/// here: a block brings its own, and the hash proves it. Copies share their memory.
public struct HeaderChain: Sendable {
    /// The rules.
    public let parameters: ChainParameters
    /// What the next header is checked against.
    public private(set) var tip: HeaderContext

    /// The headers of each period of 2016.
    private var periods: [ContiguousArray<Entry>]
    /// The work of all periods before each.
    private var workBefore: [UInt256]
    private var index: HashIndex

    struct Entry: Hashable, Sendable {
        let hash: BlockHash
        let time: UInt32
        let bits: CompactTarget
    }

    /// The chain that ends with its genesis.
    public init(_ parameters: ChainParameters) {
        self.parameters = parameters
        tip = HeaderContext(parameters)
        periods = [[Entry(hash: tip.hash, time: tip.time, bits: tip.bits)]]
        workBefore = [.zero]
        index = HashIndex()
        index.insert(0, hash: tip.hash) { _ in tip.hash }
    }

    /// The height of the last header.
    public var height: Int { tip.height }

    /// Whether it has the work that a chain of this network has at least.
    public var hasMinimumWork: Bool { tip.work >= parameters.minimumWork }

    /// The hash of a header; nil above the tip.
    public func hash(at height: Int) -> BlockHash? { entry(at: height)?.hash }

    /// The time of a header, in seconds since 1970; nil above the tip.
    public func time(at height: Int) -> UInt32? { entry(at: height)?.time }

    /// The target of a header; nil above the tip.
    public func bits(at height: Int) -> CompactTarget? { entry(at: height)?.bits }

    /// The height of a header by its hash; nil if it is no part of this chain.
    public func height(of hash: BlockHash) -> Int? {
        index.height(of: hash) { self.hash(at: $0) }
    }

    /// The work up to and including a header; nil above the tip.
    public func work(at height: Int) -> UInt256? {
        guard (0..<count).contains(height) else { return nil }
        let (period, place) = height.quotientAndRemainder(dividingBy: ChainParameters.period)
        var sum = workBefore[period]
        var last: (bits: CompactTarget, work: UInt256)?
        for entry in periods[period][...place] {
            let work =
                last?.bits == entry.bits ? last?.work ?? .zero : entry.bits.work ?? .zero
            last = (entry.bits, work)
            sum = sum.adding(work) ?? .max
        }
        return sum
    }

    /// What a header behind this one is checked against; nil above the tip.
    public func context(at height: Int) -> HeaderContext? {
        guard height != tip.height else { return tip }
        guard let work = work(at: height) else { return nil }
        let start = min(height - height % ChainParameters.period, max(0, height - 10))
        guard let first = entry(at: start) else { return nil }
        var context = HeaderContext(
            height: start, hash: first.hash, time: first.time, bits: first.bits, work: .zero)
        for place in start..<height {
            guard let next = entry(at: place + 1) else { return nil }
            context.advance(to: next.hash, time: next.time, bits: next.bits, parameters)
        }
        return context.counting(work: work)
    }

    /// Names the chain to a peer: the last ten hashes, then steps that double, then the genesis.
    public func locator() -> [BlockHash] {
        var hashes: [BlockHash] = []
        var step = 1
        var place = tip.height
        while place > 0 {
            if let hash = hash(at: place) { hashes.append(hash) }
            if hashes.count >= 10 { step *= 2 }
            place -= step
        }
        return hashes + [parameters.genesis.hash]
    }

    /// Checks a header that follows the tip and takes it in, however little work the chain has: for
    /// headers that were adopted before and come back from our own store.
    public mutating func append(_ header: BlockHeader, clock: Int64) throws(HeaderRefusal) {
        try tip.extend(by: header, hash: header.hash, parameters, clock: clock)
        push(Entry(hash: tip.hash, time: tip.time, bits: tip.bits))
    }

    /// Puts headers that were checked, `end` being the context behind the last, in place of those
    /// above `fork`.
    mutating func replace(above fork: Int, with headers: [HashedHeader], end: HeaderContext) {
        truncate(to: fork)
        for item in headers {
            push(Entry(hash: item.hash, time: item.header.time, bits: item.header.bits))
        }
        tip = end
    }

    /// Headers held, the genesis included.
    private var count: Int {
        (periods.count - 1) * ChainParameters.period + periods[periods.count - 1].count
    }

    private func entry(at height: Int) -> Entry? {
        guard (0..<count).contains(height) else { return nil }
        return periods[height / ChainParameters.period][height % ChainParameters.period]
    }

    private mutating func push(_ entry: Entry) {
        let height = count
        if height % ChainParameters.period == 0 {
            workBefore.append(work(at: height - 1) ?? .max)
            periods.append([])
            periods[periods.count - 1].reserveCapacity(ChainParameters.period)
        }
        periods[periods.count - 1].append(entry)
        index.insert(height, hash: entry.hash) { [periods] place in
            periods[place / ChainParameters.period][place % ChainParameters.period].hash
        }
    }

    private mutating func truncate(to height: Int) {
        let (period, place) = height.quotientAndRemainder(dividingBy: ChainParameters.period)
        periods.removeLast(periods.count - period - 1)
        workBefore.removeLast(workBefore.count - period - 1)
        periods[period].removeLast(periods[period].count - place - 1)
    }
}

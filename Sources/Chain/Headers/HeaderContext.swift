public import Bitcoin
import Wire

/// Everything about a chain that decides whether a header may come next: some 200 bytes, however
/// long the chain is.
public struct HeaderContext: Sendable {
    /// The height of the last header; 0 is the genesis.
    public private(set) var height: Int
    /// Names the last header.
    public private(set) var hash: BlockHash
    /// The time of the last header, in seconds since 1970.
    public private(set) var time: UInt32
    /// The target of the last header.
    public private(set) var bits: CompactTarget
    /// The hashes that the chain took on average, the last header's included.
    public private(set) var work: UInt256

    private var recentTimes = RecentTimes()
    /// Time and target of the first header of the current period.
    private var periodTime: UInt32
    private var periodBits: CompactTarget
    /// The last target of the period that no exception made easier.
    private var ordinaryBits: CompactTarget
    /// What follows from `bits`.
    private var target: UInt256
    private var headerWork: UInt256

    /// The chain that ends with its genesis.
    public init(_ parameters: ChainParameters) {
        let genesis = parameters.genesis
        self.init(
            height: 0, hash: genesis.hash, time: genesis.time, bits: genesis.bits,
            work: genesis.bits.work ?? .zero)
    }

    /// A chain of which nothing is known but its last header, the first of its period.
    init(height: Int, hash: BlockHash, time: UInt32, bits: CompactTarget, work: UInt256) {
        (self.height, self.hash, self.time, self.bits) = (height, hash, time, bits)
        self.work = work
        (periodTime, periodBits, ordinaryBits) = (time, bits, bits)
        target = HeaderContext.target(of: bits)
        headerWork = bits.work ?? .zero
        recentTimes.add(time)
    }

    /// The same with the work of the chain before, which a context made from a part does not know.
    func counting(work: UInt256) -> HeaderContext {
        var copy = self
        copy.work = work
        return copy
    }

    /// The time that the next header must exceed.
    public var medianTimePast: UInt32 { recentTimes.median }

    /// Checks the next header against every rule and moves on to it.
    ///
    /// - Parameters:
    ///   - hash: of this header.
    ///   - clock: seconds since 1970.
    public mutating func extend(
        by header: BlockHeader, hash: BlockHash, _ parameters: ChainParameters, clock: Int64
    ) throws(HeaderRefusal) {
        let height = height + 1
        guard header.previous == self.hash else { throw .unlinked(height: height) }
        let required = requiredBits(time: header.time, parameters)
        guard header.bits == required else {
            throw .wrongTarget(height: height, found: header.bits, required: required)
        }
        let limit = required == bits ? target : HeaderContext.target(of: required)
        guard UInt256(littleEndian: hash.bytes) <= limit else { throw .noWork(height: height) }
        try check(header, at: height, parameters, clock: clock)
        advance(to: hash, time: header.time, bits: required, parameters)
    }

    /// The target that a header with this time must have.
    func requiredBits(time next: UInt32, _ parameters: ChainParameters) -> CompactTarget {
        guard parameters.retargets else { return bits }
        guard (height + 1) % ChainParameters.period == 0 else {
            guard parameters.allowsMinimumDifficulty else { return bits }
            let isLate = Int64(next) > Int64(time) + 2 * ChainParameters.spacing
            return isLate ? parameters.limitBits : ordinaryBits
        }
        let start = parameters.enforcesBIP94 ? periodBits : bits
        let seconds = Int64(time) - Int64(periodTime)
        return start.adjusted(seconds: seconds, limit: parameters.limit) ?? parameters.limitBits
    }

    /// The rules about times and versions.
    private func check(
        _ header: BlockHeader, at height: Int, _ parameters: ChainParameters, clock: Int64
    ) throws(HeaderRefusal) {
        guard recentTimes.medianIsBefore(header.time) else {
            throw .timeTooEarly(height: height, found: header.time, median: medianTimePast)
        }
        if parameters.enforcesBIP94, height % ChainParameters.period == 0,
            Int64(header.time) < Int64(time) - ChainParameters.timewarpLimit
        {
            throw .timewarp(height: height, found: header.time, previous: time)
        }
        let minimum = parameters.minimumVersion(at: height)
        guard header.version >= minimum else {
            throw .versionTooOld(height: height, found: header.version, minimum: minimum)
        }
        // Last, so that a header that breaks a rule is never blamed on the clock.
        guard Int64(header.time) - ChainParameters.futureLimit <= clock else {
            throw .aheadOfClock(height: height, found: header.time, clock: clock)
        }
    }

    /// Zero, which no hash meets, for nBits that stand for no target.
    private static func target(of bits: CompactTarget) -> UInt256 { (try? bits.target()) ?? .zero }

    /// Moves on to a header that was checked, or that another context has taken before.
    mutating func advance(
        to hash: BlockHash, time: UInt32, bits: CompactTarget, _ parameters: ChainParameters
    ) {
        height += 1
        self.hash = hash
        self.time = time
        if bits != self.bits {
            self.bits = bits
            target = HeaderContext.target(of: bits)
            headerWork = bits.work ?? .zero
        }
        work = work.adding(headerWork) ?? .max
        recentTimes.add(time)
        if height % ChainParameters.period == 0 {
            (periodTime, periodBits, ordinaryBits) = (time, bits, bits)
        } else if bits != parameters.limitBits {
            ordinaryBits = bits
        }
    }
}

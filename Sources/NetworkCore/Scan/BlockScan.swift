public import Bitcoin
public import Chain
public import PeerMessages

/// Looks through the filters of a run of blocks for scripts, in order, with a window of bounded size.
///
/// Ranges of the window are asked of several peers at once, each as long as its peer is fast. A filter
/// is compared with its filter header when it comes and matched here; the block behind a match comes
/// from another peer. Steps are handed out in the order of the chain, so that whoever takes them knows
/// everything below. Filters that were not handed out yet are held, so that scripts that come to be
/// watched meanwhile are found in them.
public struct BlockScan: Sendable {
    /// What there is to do.
    public enum Action: Hashable, Sendable {
        /// Ask for filters, so many of them.
        case ask(PeerID, FilterRange, count: Int)
        /// Read kept filters.
        case readKept(ClosedRange<Int>)
        /// Fetch the block at a height, from another peer than this one if there is one.
        case fetchBlock(height: Int, avoiding: PeerID?)
        /// The peer sent another filter than it had named.
        case fault(PeerID, height: Int)
        /// The peer left filters unanswered; nothing is proven.
        case silent(PeerID)
        /// The filter that the filter header stands for is none.
        case noFilter(height: Int)
        /// A kept filter is missing or damaged.
        case lost(height: Int)
    }

    /// Times and numbers that may be tuned.
    public struct Limits: Hashable, Sendable {
        /// Filters that are held or on their way.
        public var window = 60
        /// Filters that are asked for at once, at most and at least.
        public var rangeSizes = 4...30
        /// How long a range should take.
        public var rangeTime = Duration.seconds(10)
        /// How long a peer may be silent.
        public var silence = Duration.seconds(30)
        /// Ranges that a peer is asked for before it has answered the first.
        public var rangesPerPeer = 2
        /// Blocks that are fetched at once.
        public var blocks = 2

        /// The limits of the product.
        public init() {}
    }

    /// A block that was looked through.
    public struct Step: Hashable, Sendable {
        /// Its height.
        public let height: Int
        /// Its filter.
        public let filter: [UInt8]
        /// Whether the filter came from the store.
        public let isKept: Bool
        /// The block, checked, if the filter matched.
        public let block: Block?
    }

    struct Slot: Sendable {
        enum Source: Hashable, Sendable {
            case nobody
            case store
            case peer(PeerID)
        }

        let hash: BlockHash
        var source = Source.nobody
        var filter: [UInt8]?
        var sender: PeerID?
        var isMatch = false
        var isBlockAsked = false
        var block: Block?
    }

    let limits: Limits
    /// The height of the first slot.
    var next = 0
    /// The last height of the run; below `next` if there is none.
    var end = -1
    var slots: [Slot] = []
    var matcher = FilterMatcher(WatchedScripts([]))
    var scripts: Set<Script> = []
    var peers: [PeerID: ScanPeer] = [:]

    /// A scan of nothing.
    public init(limits: Limits = Limits()) { self.limits = limits }

    /// Whether a run is under way.
    public var isIdle: Bool { end < next }

    /// The bytes of filters and the number of blocks that are held.
    public var held: (filters: Int, bytes: Int, blocks: Int) {
        let filters = slots.compactMap(\.filter)
        return (filters.count, filters.reduce(0) { $0 + $1.count }, slots.count { $0.block != nil })
    }

    /// When `time` should be called at the latest.
    public var nextDeadline: Duration? {
        peers.values.compactMap { $0.deadline(silence: limits.silence) }.min()
    }

    // MARK: The run

    /// Begins a run of blocks, in place of another.
    public mutating func begin(_ heights: ClosedRange<Int>, for scripts: Set<Script>) {
        stop()
        next = heights.lowerBound
        end = heights.upperBound
        self.scripts = scripts
        matcher = FilterMatcher(WatchedScripts(scripts))
    }

    /// Lets the run go on to a height.
    public mutating func extend(through height: Int) { end = max(end, height) }

    /// Looks for more scripts from here on, and in what is held.
    public mutating func watch(_ added: [Script]) throws(FilterFault) {
        scripts.formUnion(added)
        matcher = FilterMatcher(WatchedScripts(scripts))
        for place in slots.indices where !slots[place].isMatch {
            guard let bytes = slots[place].filter else { continue }
            slots[place].isMatch = try matcher.matches(
                CompactFilter(bytes), block: slots[place].hash)
        }
    }

    /// Ends the run. What peers still send is nobody's business.
    public mutating func stop() {
        end = next - 1
        slots = []
        for id in peers.keys { peers[id]?.ranges = [] }
    }

    /// The next block, if everything about it is there.
    public mutating func step() -> Step? {
        guard let slot = slots.first, let filter = slot.filter else { return nil }
        guard !slot.isMatch || slot.block != nil else { return nil }
        slots.removeFirst()
        next += 1
        return Step(
            height: next - 1, filter: filter, isKept: slot.source == .store, block: slot.block)
    }

    // MARK: Events

    /// A peer may be asked for filters through a height, whose headers it has named; -1 for none.
    public mutating func seat(_ id: PeerID, through height: Int) {
        peers[id, default: ScanPeer()].height = height
    }

    /// A peer is gone; its ranges are asked of others.
    public mutating func remove(_ id: PeerID) {
        release(id)
        peers[id] = nil
    }

    /// A block that was fetched and checked.
    public mutating func received(_ block: Block, at height: Int) {
        guard let place = place(of: height), slots[place].isMatch else { return }
        slots[place].block = block
    }

    /// Time has passed: ranges of slow peers are asked of others, and silent peers are let go.
    public mutating func time(at now: Duration) -> [Action] {
        var actions: [Action] = []
        for (id, peer) in peers.sorted(by: { $0.key < $1.key }) where !peer.ranges.isEmpty {
            if peer.progress + limits.silence <= now {
                remove(id)
                actions.append(.silent(id))
            } else if let due = peer.ranges.first?.due, due <= now {
                let isAnybodyFree = peers.contains { other, state in
                    other != id && state.ranges.isEmpty && state.height >= next
                        && !state.isSlow(now)
                }
                if isAnybodyFree {
                    release(id)
                    peers[id]?.slowUntil = now + .seconds(60)
                } else {
                    peers[id]?.ranges[0].due = now + limits.rangeTime
                }
            }
        }
        return actions
    }
}

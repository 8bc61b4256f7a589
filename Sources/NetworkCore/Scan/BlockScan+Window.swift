import Bitcoin
public import Chain
import Hashing
public import PeerMessages

extension BlockScan {
    /// The slot of a height.
    func place(of height: Int) -> Int? {
        let place = height - next
        return slots.indices.contains(place) ? place : nil
    }

    /// Gives back what a peer was asked for and has not sent.
    mutating func release(_ id: PeerID) {
        for place in slots.indices
        where slots[place].source == .peer(id) && slots[place].filter == nil {
            slots[place].source = .nobody
        }
        peers[id]?.release()
    }

    /// Moves the window on and asks for what it lacks: first of the store, then of peers.
    public mutating func fill(
        _ chain: HeaderChain, kept: KeptFilters, at now: Duration
    ) -> [Action] {
        guard !isIdle else { return [] }
        while slots.count < min(limits.window, end - next + 1) {
            guard let hash = chain.hash(at: next + slots.count) else { break }
            slots.append(Slot(hash: hash))
        }
        var actions: [Action] = []
        var place = 0
        while place < slots.count {
            guard slots[place].source == .nobody else {
                place += 1
                continue
            }
            let rest = slots[place...].firstIndex { $0.source != .nobody } ?? slots.count
            let height = next + place
            if let part = kept.range(from: height, through: next + rest - 1) {
                for slot in place..<place + part.count { slots[slot].source = .store }
                actions.append(.readKept(part))
                place += part.count
                continue
            }
            let stored = (height + 1..<next + rest).first { kept.contains($0) } ?? next + rest
            guard let id = choose(for: height, at: now), let peer = peers[id] else {
                place = stored - next
                continue
            }
            let size = peer.rangeSize(limits.rangeSizes, taking: limits.rangeTime)
            let last = min(stored - 1, height + size - 1, peer.height)
            guard last >= height, let stop = chain.hash(at: last) else { break }
            for slot in place...last - next { slots[slot].source = .peer(id) }
            peers[id]?.ask(height...last, expecting: limits.rangeTime, at: now)
            let question = FilterRange(start: UInt32(height), stop: stop)
            actions.append(.ask(id, question, count: last - height + 1))
            place = last - next + 1
        }
        return actions + wantBlocks()
    }

    /// Who is asked for the next range: nobody slow if there are others, the one with least to do, the
    /// fastest.
    private func choose(for height: Int, at now: Duration) -> PeerID? {
        let able = peers.filter {
            $0.value.height >= height && $0.value.ranges.count < limits.rangesPerPeer
        }
        return able.min { left, right in
            let slow = (left.value.isSlow(now), right.value.isSlow(now))
            if slow.0 != slow.1 { return slow.1 }
            let load = (left.value.ranges.count, right.value.ranges.count)
            if load.0 != load.1 { return load.0 < load.1 }
            let rates = (left.value.rate ?? .infinity, right.value.rate ?? .infinity)
            return rates.0 == rates.1 ? left.key < right.key : rates.0 > rates.1
        }?.key
    }

    /// The lowest blocks that are matched and not there.
    private mutating func wantBlocks() -> [Action] {
        var actions: [Action] = []
        var count = 0
        for place in slots.indices where slots[place].isMatch {
            count += 1
            guard count <= limits.blocks else {
                // Lower ones came between: this one is fetched again when it is its turn.
                slots[place].block = nil
                slots[place].isBlockAsked = false
                continue
            }
            guard slots[place].block == nil, !slots[place].isBlockAsked else { continue }
            slots[place].isBlockAsked = true
            actions.append(.fetchBlock(height: next + place, avoiding: slots[place].sender))
        }
        return actions
    }

    /// A peer sent a filter.
    public mutating func received(
        _ answer: FilterAnswer, from id: PeerID, _ chain: HeaderChain, _ headers: FilterHeaderChain,
        at now: Duration
    ) -> [Action] {
        guard answer.type == basicFilterType, let height = chain.height(of: answer.block),
            let peer = peers[id], peer.wasAsked(height)
        else { return [] }
        // Another peer may have been faster, or nobody needs it any more.
        guard let place = place(of: height), slots[place].filter == nil,
            slots[place].hash == answer.block
        else {
            peers[id]?.received(height, at: now)
            return []
        }
        guard isFilter(answer.filter, at: height, headers) else {
            // Only if it has named this header the peer contradicts itself.
            guard peer.height >= height else { return [] }
            remove(id)
            return [.fault(id, height: height)]
        }
        peers[id]?.received(height, at: now)
        slots[place].source = .peer(id)
        slots[place].sender = id
        return take(answer.filter, at: place)
    }

    /// Filters came from the store.
    public mutating func received(
        kept filters: [[UInt8]?], from first: Int, _ headers: FilterHeaderChain
    ) -> [Action] {
        var actions: [Action] = []
        for (offset, filter) in filters.enumerated() {
            let (height, overflow) = first.addingReportingOverflow(offset)
            guard !overflow, let place = place(of: height), slots[place].source == .store,
                slots[place].filter == nil
            else { continue }
            if let filter, isFilter(filter, at: height, headers) {
                actions += take(filter, at: place)
            } else {
                slots[place].source = .nobody
                actions.append(.lost(height: height))
            }
        }
        return actions
    }

    private func isFilter(
        _ filter: [UInt8], at height: Int, _ headers: FilterHeaderChain
    ) -> Bool {
        guard let previous = headers.header(at: height - 1) else { return false }
        let hash = FilterHash(SHA256.doubleHash(filter))
        return hash.header(after: previous) == headers.header(at: height)
    }

    private mutating func take(_ bytes: [UInt8], at place: Int) -> [Action] {
        do throws(FilterFault) {
            let filter = try CompactFilter(bytes)
            slots[place].isMatch = try matcher.matches(filter, block: slots[place].hash)
            slots[place].filter = bytes
            return []
        } catch {
            return [.noFilter(height: next + place)]
        }
    }
}

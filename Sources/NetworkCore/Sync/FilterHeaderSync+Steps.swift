import Bitcoin
import Chain
import PeerMessages

extension FilterHeaderSync {
    /// Does whatever can be done now.
    mutating func proceed(_ chain: HeaderChain, at now: Duration) -> [Action] {
        var actions: [Action] = []
        if dispute != nil { actions += settle(chain, at: now) }
        if dispute == nil, vote != nil, voters.isEmpty { actions += conclude(chain, at: now) }
        guard dispute == nil else { return actions }
        actions += askCheckpoints(chain, at: now)
        if vote == nil { actions += askHashes(chain, at: now) }
        return actions
    }

    // MARK: Questions

    /// Asks every peer once for its checkpoints.
    private mutating func askCheckpoints(_ chain: HeaderChain, at now: Duration) -> [Action] {
        var actions: [Action] = []
        for (id, peer) in peers.sorted(by: { $0.key < $1.key })
        where peer.checkpoints == nil && !peer.isAsked {
            guard peer.height >= FilterHeaderChain.checkpointSpacing,
                let stop = chain.hash(at: min(peer.height, chain.height))
            else { continue }
            peers[id]?.askedHeight = min(peer.height, chain.height)
            actions.append(ask(id, .getcfcheckpt(CheckpointRequest(stop: stop)), at: now))
        }
        return actions
    }

    /// Starts the next vote: first over what a new peer says of what is held, then over what comes
    /// next.
    private mutating func askHashes(_ chain: HeaderChain, at now: Duration) -> [Action] {
        for (id, peer) in peers.sorted(by: { $0.key < $1.key })
        where peer.isUnreviewed && !peer.isAsked {
            if let range = reviewRange(of: id) { return open(range, [id], nil, chain, at: now) }
            peers[id]?.isUnreviewed = false
        }
        // Whose checkpoints are still to come may yet agree or disagree.
        guard !peers.values.contains(where: { $0.askedHeight != nil }) else { return [] }
        let start = filters.height + 1
        guard start <= chain.height else { return [] }
        let spacing = FilterHeaderChain.checkpointSpacing
        let boundary = max(1, (start + spacing - 1) / spacing) * spacing
        if let (header, agreeing) = reference(at: boundary), let id = agreeing.min() {
            return open(start...boundary, [id], header, chain, at: now)
        }
        // As many voters as are wanted, and then as far as all of them know.
        let able = peers.filter { $0.value.height >= start && !$0.value.isAsked }
        let highest = able.sorted { left, right in
            left.value.height == right.value.height
                ? left.key < right.key : left.value.height > right.value.height
        }
        let chosen = diverse(highest.map(\.key))
        guard let known = chosen.compactMap({ peers[$0]?.height }).min() else { return [] }
        return open(start...min(known, boundary, chain.height), chosen, nil, chain, at: now)
    }

    private mutating func open(
        _ range: ClosedRange<Int>, _ ids: [PeerID], _ reference: FilterHeader?,
        _ chain: HeaderChain, at now: Duration
    ) -> [Action] {
        guard let stop = chain.hash(at: range.upperBound),
            let previous = range.lowerBound == 0
                ? .beforeGenesis : filters.header(at: range.lowerBound - 1)
        else { return [] }
        vote = FilterVote(range: range, stop: stop, previous: previous, reference: reference)
        voters = Set(ids)
        let question = FilterRange(start: UInt32(range.lowerBound), stop: stop)
        let isAboutTip = range.upperBound == chain.height
        return ids.map { ask($0, .getcfheaders(question), isAboutTip: isAboutTip, at: now) }
    }

    /// Asks a peer.
    ///
    /// - Parameter isAboutTip: whether the answer needs the filter of the last block. A node announces a
    ///   block before it has indexed its filter, and leaves who asks for that without an answer.
    private mutating func ask(
        _ id: PeerID, _ message: PeerMessage, isAboutTip: Bool = false, at now: Duration
    ) -> Action {
        peers[id]?.open = OpenQuestion(
            message: message, deadline: now + limits.answerTimeout,
            again: isAboutTip ? (now + limits.firstRepeat, limits.firstRepeat * 2) : nil)
        return .ask(id, message)
    }

    /// Repeats the questions whose time has come. Of two answers the second answers nothing.
    mutating func askAgain(at now: Duration) -> [Action] {
        var actions: [Action] = []
        for (id, peer) in peers.sorted(by: { $0.key < $1.key }) {
            guard let open = peer.open, let again = open.again, again.at <= now else { continue }
            peers[id]?.open?.again = (now + again.wait, again.wait * 2)
            if case .getcfheaders(let range) = open.message { peers[id]?.repeated = range.stop }
            actions.append(.ask(id, open.message))
        }
        return actions
    }

    /// Up to three peers, each of another source than those before it as long as there is one, then of
    /// another group.
    private func diverse(_ ids: [PeerID]) -> [PeerID] {
        var rest = ids.compactMap { id in peers[id].map { (id: id, kind: $0.kind) } }
        var chosen: [(id: PeerID, kind: PeerKind)] = []
        while chosen.count < limits.voters, !rest.isEmpty {
            let sources = Set(chosen.map(\.kind.source))
            let groups = Set(chosen.map(\.kind.group))
            let place =
                rest.firstIndex { !sources.contains($0.kind.source) }
                ?? rest.firstIndex { !groups.contains($0.kind.group) } ?? 0
            chosen.append(rest.remove(at: place))
        }
        return chosen.map(\.id)
    }

    // MARK: Checkpoints

    /// What all who know this checkpoint say of it, and who they are; nil where they differ, or where
    /// one group or one source alone speaks while others are there.
    private func reference(at height: Int) -> (FilterHeader, [PeerID])? {
        let place = height / FilterHeaderChain.checkpointSpacing - 1
        var found: [FilterHeader: [PeerID]] = [:]
        for (id, peer) in peers {
            guard let all = peer.checkpoints, place < all.count else { continue }
            found[all[place], default: []].append(id)
        }
        guard found.count == 1, let (header, ids) = found.first else { return nil }
        let speaking = ids.compactMap { peers[$0]?.kind }
        let present = peers.values.map(\.kind)
        guard speaking.groups > 1 || present.groups == 1,
            speaking.onlySource == nil || present.onlySource != nil
        else { return nil }
        let free = ids.filter { peers[$0]?.isAsked == false }
        return free.isEmpty ? nil : (header, free)
    }

    /// The first checkpoint of a peer that differs from what is held.
    func firstMismatch(of id: PeerID) -> Int? {
        let spacing = FilterHeaderChain.checkpointSpacing
        guard let all = peers[id]?.checkpoints else { return nil }
        for (place, header) in all.enumerated() {
            guard let held = filters.header(at: (place + 1) * spacing) else { continue }
            if held != header { return (place + 1) * spacing }
        }
        return nil
    }

    /// The run of filter headers in which a peer differs from what is held: the one before its first
    /// wrong checkpoint, or the one behind the last.
    private func reviewRange(of id: PeerID) -> ClosedRange<Int>? {
        let spacing = FilterHeaderChain.checkpointSpacing
        let end = firstMismatch(of: id) ?? min(filters.height, peers[id]?.height ?? 0)
        guard end >= 0 else { return nil }
        let start = end == 0 ? 0 : (end - 1) / spacing * spacing + 1
        let first = max(start == 1 ? 0 : start, (peers[id]?.agreed ?? -1) + 1)
        return first <= end ? first...end : nil
    }

    // MARK: Answers

    /// Everybody has answered, or is gone.
    private mutating func conclude(_ chain: HeaderChain, at now: Duration) -> [Action] {
        guard let vote else { return [] }
        self.vote = nil
        let isReview = vote.range.lowerBound <= filters.height
        let held = filters
        let difference = vote.difference { isReview ? held.header(at: $0) : nil }
        guard let difference else {
            for id in vote.answers.keys {
                let before = peers[id]?.agreed ?? -1
                peers[id]?.agreed = max(before, vote.range.upperBound)
            }
            if isReview { return vote.answers.keys.flatMap { cleared($0) } }
            let actions = append(
                vote.answers.values.first ?? [], from: vote.range.lowerBound)
            // Who came to know these blocks while others voted over them is asked as well.
            for (id, peer) in peers where vote.answers[id] == nil && peer.height > peer.agreed {
                peers[id]?.isUnreviewed = true
            }
            // Whose hashes lead elsewhere than its own checkpoint contradicts itself.
            let liars = vote.answers.keys.filter { id in
                firstMismatch(of: id).map { vote.range.contains($0) } ?? false
            }
            return actions + liars.sorted().flatMap { accuse($0, .contradiction) }
        }
        var actions: [Action] = []
        if !isReview, let any = vote.answers.values.first {
            let agreed = difference.height - vote.range.lowerBound
            actions = append(Array(any[..<agreed]), from: vote.range.lowerBound)
        }
        guard let block = chain.hash(at: difference.height) else { return actions }
        var candidates = difference.candidates
        // Those who were found to agree may show what is held; nothing falls on them for it.
        if isReview, let ours = filters.header(at: difference.height) {
            let agreeing = peers.keys.filter { agreedHeight(of: $0) >= difference.height }
            candidates[ours] = Set(agreeing).subtracting(vote.answers.keys)
        }
        speakers = Set(vote.answers.keys)
        dispute = FilterDispute(
            block: block, height: difference.height, previous: difference.previous,
            held: filters.header(at: difference.height), candidates: candidates,
            kinds: peers.mapValues(\.kind))
        isBlockAsked = false
        return actions + settle(chain, at: now)
    }

    /// A peer says of a run what we hold. If its checkpoint says something else it contradicts itself.
    private mutating func cleared(_ id: PeerID) -> [Action] {
        guard firstMismatch(of: id) == nil else { return accuse(id, .contradiction) }
        peers[id]?.isUnreviewed = false
        return []
    }

    /// A peer follows another header than ours: it lies if it said ours of that block before, else it
    /// differs further below, where its checkpoints tell.
    mutating func differsBelow(_ id: PeerID) -> [Action] {
        guard let vote, let peer = peers[id] else { return [] }
        let below = vote.range.lowerBound - 1
        let place = below / FilterHeaderChain.checkpointSpacing - 1
        let isCheckpoint = below > 0 && below % FilterHeaderChain.checkpointSpacing == 0
        let said =
            isCheckpoint && place < peer.checkpoints?.count ?? 0 ? peer.checkpoints?[place] : nil
        guard below >= 0, said != vote.previous else { return accuse(id, .contradiction) }
        peers[id]?.checkpoints = nil
        peers[id]?.isUnreviewed = true
        peers[id]?.agreed = -1
        return []
    }

    private mutating func append(_ headers: [FilterHeader], from start: Int) -> [Action] {
        guard !headers.isEmpty, start == filters.height + 1 else { return [] }
        for header in headers { filters.append(header) }
        if let height = undecided, height <= filters.height { undecided = nil }
        return [.extended(through: filters.height)]
    }

    // MARK: Disputes

    /// Asks for what the dispute lacks, or ends it.
    private mutating func settle(_ chain: HeaderChain, at now: Duration) -> [Action] {
        guard let open = dispute else { return [] }
        guard let outcome = open.outcome else {
            var actions: [Action] = []
            for id in open.missing where peers[id]?.isAsked == false {
                let question = FilterRange(start: UInt32(open.height), stop: open.block)
                actions.append(ask(id, .getcfilters(question), at: now))
            }
            if open.missing.isEmpty, !isBlockAsked {
                isBlockAsked = true
                actions.append(.fetchBlock(open.block))
            }
            return actions
        }
        dispute = nil
        var actions: [Action] = []
        for id in outcome.liars.intersection(speakers).sorted() {
            actions += accuse(id, .refuted(height: open.height))
        }
        for id in outcome.rested.intersection(speakers).sorted() where peers[id] != nil {
            remove(id)
            actions.append(.rest(id, .disputed(height: open.height)))
        }
        let held = filters.header(at: open.height)
        if let held, held != outcome.winner {
            actions.append(.rewound(to: filters.truncate(to: open.height - 1)))
        }
        guard let winner = outcome.winner else {
            undecided = open.height
            return actions
        }
        if held != winner { actions += append([winner], from: open.height) }
        for (id, peer) in peers {
            peers[id]?.isUnreviewed = true
            peers[id]?.agreed = min(peer.agreed, open.height - 1)
        }
        return actions
    }

    /// Lets a liar go.
    mutating func accuse(_ id: PeerID, _ fault: Fault) -> [Action] {
        guard peers[id] != nil else { return [] }
        remove(id)
        return [.fault(id, fault)]
    }

    /// Forgets a peer and what it was to say.
    mutating func remove(_ id: PeerID) {
        peers[id] = nil
        voters.remove(id)
        dispute?.remove(id)
    }

    /// Forgets open questions, whose answers are about another chain.
    mutating func abandonQuestions() {
        for id in peers.keys {
            peers[id]?.open = nil
            peers[id]?.askedHeight = nil
        }
        vote = nil
        voters = []
        dispute = nil
    }
}

import PeerMessages

/// Signed lists of peers: taken, and fetched.
extension PeerPool {
    /// Takes a list that a person or a download brought. One that is refused changes nothing.
    ///
    /// - Parameter isCurrent: whether our own chain is known to be current, so that the list's height
    ///   can be compared with it.
    public mutating func take(
        list: [UInt8], isCurrent: Bool, at now: Duration
    ) throws(SignedListError) -> [Action] {
        _ = try enter(list: list, tip: isCurrent ? height : nil)
        return [.store(.signedList(list))] + fill(at: now)
    }

    /// Makes the peers of a list candidates, which are kept by the list alone.
    mutating func enter(list: [UInt8], tip: Int?) throws(SignedListError) -> SignedPeerList {
        let checked = try SignedPeerList(
            list, for: chain, trusted: publishers, clock: clock, tip: tip)
        let reachable = checked.peers.filter { DialRoute(to: $0, policy) != nil }
        guard !reachable.isEmpty else { throw .nothingReachable }
        book.dropUntried(.signedList)
        // Any part of a long list is as good as any other.
        for peer in reachable.shuffled(using: &random).prefix(limits.book.candidates) {
            _ = try? book.add(peer, .signedList)
        }
        return checked
    }

    // MARK: Fetching

    /// Whether a list may still come before seeds are asked, who stand behind it.
    var isListAwaited: Bool { listFetch.map { $0.isRunning && !$0.hasEnded } ?? false }

    mutating func startFetching(isFresh: Bool, at now: Duration) -> [Action] {
        guard listFetch != nil else { return [] }
        let number = random.next()
        let actions =
            listFetch?.start(isFresh: isFresh, policy: policy, random: number, at: now) ?? []
        return run(actions, at: now)
    }

    /// A list that was to be fetched is here, or is not.
    ///
    /// - Parameter isCurrent: as for `take`.
    public mutating func fetched(
        _ id: ListFetchID, _ result: Result<[UInt8], ListFetchFailure>, isCurrent: Bool,
        at now: Duration
    ) -> [Action] {
        guard listFetch?.awaits(id) == true else { return [] }
        let reason: String
        switch result {
        case .failure(let failure): reason = failure.sentence
        case .success(let list):
            do throws(SignedListError) {
                let actions = try take(list: list, isCurrent: isCurrent, at: now)
                listFetch?.succeeded(random: random.next(), at: now)
                listFailure = nil
                return [.note(.listFetched)] + actions
            } catch {
                reason = "\(error)"
            }
        }
        let actions = listFetch?.fail(reason, at: now) ?? []
        return run(actions, at: now) + fill(at: now)
    }

    mutating func run(_ actions: [PeerListFetch.Action], at now: Duration) -> [Action] {
        var result: [Action] = []
        for action in actions {
            switch action {
            case .ask(let id, let name, let method):
                result.append(.resolve(id, name: name, by: method))
            case .fetch(let id, let url, let route):
                result.append(.fetchList(id, url: url, route))
            case .failed(let reason):
                guard reason != listFailure else { continue }
                listFailure = reason
                result.append(.note(.listNotFetched(reason)))
            }
        }
        return result
    }
}

extension Keeper {
    /// Which end of a link a child that starts now gets; the other child gets the other one.
    mutating func linkEnd(for child: Child) -> LinkEnd {
        guard plan.hasLink else { return .closed }
        guard linkKeptFor != child else {
            linkKeptFor = nil
            return .kept
        }
        linkGeneration += 1
        linkLoss = nil
        linkKeptFor = child.other
        return .fresh
    }

    /// Passes the end that was kept for the other child to it, if it runs.
    mutating func sendKeptLink(after child: Child) {
        guard linkKeptFor == child.other, slots[child.other]?.isServing == true else { return }
        linkKeptFor = nil
        actions.append(.sendLink(child.other))
    }

    mutating func linkLost(
        _ child: Child, _ generation: UInt64, _ reason: String, _ now: Duration
    ) {
        // One that was replaced since does not matter, nor does a second word about this one; and
        // without another child there never was one.
        guard plan.hasLink, generation == linkGeneration, linkLoss == nil else { return }
        linkLoss = (now, reason)
    }

    /// A link is renewed by starting the network process again, never the signer. The wait is for the
    /// commoner case: the child at the other end is ending, and its restart brings a new link.
    mutating func renewLink(_ now: Duration) {
        guard let linkLoss, linkLoss.at + plan.linkTimeout <= now else { return }
        self.linkLoss = nil
        guard plan.children.allSatisfy({ slots[$0]?.isServing == true }) else { return }
        kill(.network, .linkLost(.network, linkLoss.reason))
    }
}

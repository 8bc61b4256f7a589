import PeerMessages

/// How much of something may come: so many at once, and one more in every interval.
struct Quota: Hashable, Sendable {
    let atOnce: Int
    let interval: Duration
    /// When all that came so far will have been worked off.
    private var workedOff = Duration.zero

    init(atOnce: Int, interval: Duration) {
        self.atOnce = atOnce
        self.interval = interval
    }

    init(atOnce: Int, perSecond: Int) {
        self.init(atOnce: atOnce, interval: .seconds(1) / perSecond)
    }

    /// Takes some; false if it is too much. What is too much is not counted.
    mutating func take(_ count: Int = 1, at now: Duration) -> Bool {
        guard count <= atOnce else { return false }
        let next = max(workedOff, now) + interval * count
        guard next - now <= interval * atOnce else { return false }
        workedOff = next
        return true
    }

    /// Takes back that one was counted.
    mutating func forgive() { workedOff -= interval }
}

/// What a peer may send without having been asked.
struct PeerQuotas: Hashable, Sendable {
    private var messages: [PeerMessageKind: Quota]
    /// Entries of `inv`, `getdata` and `notfound`.
    private var entries: [PeerMessageKind: Quota]
    /// Bytes of messages that are skipped.
    private var useless = Quota(atOnce: 16 << 20, perSecond: 64 << 10)

    init() {
        var messages: [PeerMessageKind: Quota] = [:]
        for kind in PeerMessageKind.allCases {
            messages[kind] = Quota(atOnce: 100, perSecond: 2)
        }
        messages[.ping] = Quota(atOnce: 30, perSecond: 1)
        messages[.pong] = Quota(atOnce: 30, perSecond: 1)
        messages[.feefilter] = Quota(atOnce: 20, interval: .seconds(10))
        messages[.inv] = Quota(atOnce: 200, perSecond: 5)
        messages[.getdata] = Quota(atOnce: 100, perSecond: 5)
        messages[.notfound] = Quota(atOnce: 100, perSecond: 5)
        // Answers to a question that was given up may still come in full.
        messages[.cfilter] = Quota(atOnce: 2 * PeerLimits.filters, perSecond: 2)
        for kind in [.version, .verack, .wtxidrelay, .sendaddrv2, .sendheaders] as [PeerMessageKind]
        {
            messages[kind] = Quota(atOnce: 4, interval: .seconds(60))
        }
        self.messages = messages
        entries = [
            .inv: Quota(atOnce: 2 * PeerLimits.inventory, perSecond: 2000),
            .getdata: Quota(atOnce: 2 * PeerLimits.inventory, perSecond: 100),
            .notfound: Quota(atOnce: 2 * PeerLimits.inventory, perSecond: 1000),
        ]
    }

    /// Takes a message that nobody asked for; false if it is too much.
    mutating func take(_ message: PeerMessage, at now: Duration) -> Bool {
        let kind = message.kind
        guard messages[kind]?.take(at: now) ?? false else { return false }
        switch message {
        case .inv(let items), .getdata(let items), .notfound(let items):
            return entries[kind]?.take(items.count, at: now) ?? false
        default: return true
        }
    }

    /// A message that was taken was worth having.
    mutating func forgive(_ kind: PeerMessageKind) { messages[kind]?.forgive() }

    /// Takes bytes of messages that were skipped; false if it is too much.
    mutating func takeUseless(_ bytes: Int, at now: Duration) -> Bool {
        useless.take(bytes, at: now)
    }
}

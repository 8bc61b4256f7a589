import PeerMessages

/// Which messages of a peer are read: those that may come unasked, and answers to what was asked.
/// Everything else is skipped without being held.
struct AwaitedKinds {
    private var awaited: [PeerMessageKind: Int] = [:]

    private static let unasked: Set<PeerMessageKind> = [
        .version, .verack, .wtxidrelay, .sendaddrv2, .sendheaders, .ping, .pong, .feefilter, .addr,
        .addrv2, .headers, .inv, .getdata, .notfound,
    ]
    /// More than anybody asks for at once.
    private static let most = 1 << 20

    /// The kinds that are read now.
    var kinds: Set<PeerMessageKind> { Self.unasked.union(awaited.keys) }

    /// A question is on its way.
    mutating func sent(_ message: PeerMessage) {
        switch message {
        case .getdata(let items): for item in items { add(1, item.answer) }
        case .getcfilters: add(PeerLimits.filters, .cfilter)
        case .getcfheaders: add(1, .cfheaders)
        case .getcfcheckpt: add(1, .cfcheckpt)
        default: break
        }
    }

    /// A message came.
    mutating func received(_ message: PeerMessage) {
        remove(message.kind)
        guard case .notfound(let items) = message else { return }
        for item in items.prefix(Self.most) { remove(item.answer) }
    }

    private mutating func add(_ count: Int, _ kind: PeerMessageKind) {
        awaited[kind] = min(Self.most, awaited[kind, default: 0] + count)
    }

    private mutating func remove(_ kind: PeerMessageKind) {
        guard let left = awaited[kind] else { return }
        awaited[kind] = left > 1 ? left - 1 : nil
    }
}

extension InventoryItem {
    /// The message that brings it.
    fileprivate var answer: PeerMessageKind {
        kind == .block || kind == .witnessBlock ? .block : .tx
    }
}

import Bitcoin
import PeerMessages
import Wire

/// The questions to one peer that are open, and which messages answer them. What answers none is late
/// or was never asked for, and is nobody's answer.
struct AwaitedReplies: Hashable, Sendable {
    /// How many hashes may be asked for at a time (Core takes as many in one `getdata`).
    static let mostItems = 1000

    private var headers = false
    /// Filters that are still to come, in the order of the questions.
    private var filters = 0
    private var filterHashes: Set<BlockHash> = []
    private var checkpoints: Set<BlockHash> = []
    private var blocks: Set<Bytes32> = []
    private var transactions: Set<Bytes32> = []

    var isEmpty: Bool {
        !headers && filters == 0 && filterHashes.isEmpty && checkpoints.isEmpty && blocks.isEmpty
            && transactions.isEmpty
    }

    mutating func ask(_ message: PeerMessage, replies: Int) {
        switch message {
        case .getheaders: headers = true
        case .getcfilters: filters = min(filters + max(0, replies), 4 * PeerLimits.filters)
        case .getcfheaders(let range): filterHashes.insert(range.stop)
        case .getcfcheckpt(let request): checkpoints.insert(request.stop)
        case .getdata(let items): for item in items { ask(item) }
        default: break
        }
    }

    private mutating func ask(_ item: InventoryItem) {
        switch item.kind {
        case .block, .witnessBlock:
            if blocks.count < AwaitedReplies.mostItems { blocks.insert(item.hash) }
        case .transaction, .witnessTransaction, .witnessTransactionID:
            if transactions.count < AwaitedReplies.mostItems { transactions.insert(item.hash) }
        default: break
        }
    }

    /// What of a message answers an open question, which then is open no more; nil if nothing does.
    mutating func answer(_ message: PeerMessage) -> PeerMessage? {
        switch message {
        case .headers:
            defer { headers = false }
            return headers ? message : nil
        case .cfilter:
            guard filters > 0 else { return nil }
            filters -= 1
            return message
        case .cfheaders(let answer): return filterHashes.remove(answer.stop) == nil ? nil : message
        case .cfcheckpt(let answer): return checkpoints.remove(answer.stop) == nil ? nil : message
        case .block(let block):
            return blocks.remove(block.header.hash.bytes) == nil ? nil : message
        case .tx(let transaction):
            guard !transactions.isEmpty else { return nil }
            let byTxid = transactions.remove(transaction.txid.bytes) != nil
            let byWtxid = transactions.remove(transaction.wtxid.bytes) != nil
            return byTxid || byWtxid ? message : nil
        case .notfound(let items):
            let missing = items.filter { forget($0) }
            return missing.isEmpty ? nil : .notfound(missing)
        default: return nil
        }
    }

    private mutating func forget(_ item: InventoryItem) -> Bool {
        switch item.kind {
        case .block, .witnessBlock: blocks.remove(item.hash) != nil
        case .transaction, .witnessTransaction, .witnessTransactionID:
            transactions.remove(item.hash) != nil
        default: false
        }
    }
}

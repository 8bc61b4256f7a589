public import Bitcoin

/// What a wallet has.
public struct WalletBalance: Hashable, Sendable {
    /// Confirmed and free to spend, in satoshis.
    public let spendable: UInt64
    /// Mined less than 100 blocks ago, in satoshis.
    public let immature: UInt64
    /// Both.
    public var total: UInt64 { spendable.adding(immature) }
}

/// One line of a wallet's history.
public struct HistoryEntry: Hashable, Sendable {
    /// The transaction.
    public let txid: Txid
    /// The height of its block.
    public let height: UInt32
    /// The block's time, in seconds since 1970.
    public let time: UInt32
    /// What it pays to the wallet, in satoshis.
    public let received: UInt64
    /// What it spends from the wallet, in satoshis.
    public let sent: UInt64
    /// Its fee in satoshis, if the wallet owns all that it spends; else nobody here knows.
    public let fee: UInt64?

    /// What the wallet has more after it, or less; in satoshis.
    public var change: Int64 { Int64(clamping: received) - Int64(clamping: sent) }
}

extension WatchedWallet {
    /// The coins that are not spent, the oldest first.
    public var unspent: [Coin] {
        coins.values.filter { $0.spend == nil }.sorted {
            ($0.height, $0.outpoint.txid.bytes, $0.outpoint.vout)
                < ($1.height, $1.outpoint.txid.bytes, $1.outpoint.vout)
        }
    }

    /// What the wallet has when the chain's last block has this height.
    public func balance(at tip: UInt32) -> WalletBalance {
        var spendable: UInt64 = 0
        var immature: UInt64 = 0
        for coin in coins.values where coin.spend == nil {
            // Sums that no valid chain can bring end at the highest number.
            if coin.isMature(at: tip) {
                spendable = spendable.adding(coin.output.value.sats)
            } else {
                immature = immature.adding(coin.output.value.sats)
            }
        }
        return WalletBalance(spendable: spendable, immature: immature)
    }

    /// The history, the oldest first.
    public var history: [HistoryEntry] {
        transactions.map { entry in
            let spent = entry.transaction.inputs.map { coins[$0.outpoint]?.output.value.sats }
            let sent = spent.reduce(UInt64(0)) { $0.adding($1 ?? 0) }
            let received = entry.transaction.outputs.indices.reduce(UInt64(0)) { sum, index in
                let outpoint = OutPoint(txid: entry.txid, vout: UInt32(index))
                return sum.adding(coins[outpoint]?.output.value.sats ?? 0)
            }
            let paid = entry.transaction.outputs.reduce(UInt64(0)) {
                $0.adding($1.value.sats)
            }
            let ownsAll = spent.allSatisfy { $0 != nil } && sent >= paid
            return HistoryEntry(
                txid: entry.txid, height: entry.height, time: entry.time, received: received,
                sent: sent, fee: ownsAll ? sent - paid : nil)
        }
    }
}

extension Coin {
    /// Whether it may be spent in the block after this height.
    public func isMature(at tip: UInt32) -> Bool {
        !isCoinbase || UInt64(tip) + 1 >= UInt64(height) + UInt64(WatchedWallet.coinbaseMaturity)
    }
}

extension UInt64 {
    fileprivate func adding(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}

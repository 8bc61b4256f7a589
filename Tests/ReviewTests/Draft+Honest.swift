import Bitcoin
import Descriptors
import Hashing
import PSBT
import Review
import Wire

/// A coin that a draft spends.
enum DraftCoin {
    case own(AccountKind, branch: Int, index: UInt32, sats: UInt64)
    case stranger(UInt8, sats: UInt64)

    var sats: UInt64 {
        switch self {
        case .own(_, _, _, let sats), .stranger(_, let sats): sats
        }
    }

    var isLegacy: Bool {
        if case .own(.bip44, _, _, _) = self { return true }
        return false
    }

    func script() throws -> Script {
        switch self {
        case .own(let kind, let branch, let index, _):
            try Own.output(kind, branch, index).scriptPubKey
        case .stranger(let number, _): try Stranger(number).p2wpkh()
        }
    }

    /// A transaction that made it, as its second output.
    func previous(_ number: Int) throws -> Transaction {
        let source = Txid(SHA256.hash(Record.little(UInt32(number))))
        return Transaction(
            inputs: [TransactionInput(outpoint: OutPoint(txid: source, vout: 0))],
            outputs: [
                TransactionOutput(
                    value: Amount(sats: 7_000) ?? .zero,
                    scriptPubKey: try Stranger(9).p2wpkh()),
                TransactionOutput(
                    value: Amount(sats: sats) ?? .zero, scriptPubKey: try script()),
            ])
    }
}

extension Draft {
    /// A payment of 300,000 sat to a stranger with change to output 1, at the address of change with
    /// index 8, that no review has anything to say about: own inputs of 600,000 and 500,000 sat at
    /// 0/3 and 1/7, a fee of 2,000 sat.
    static func honest(_ kind: AccountKind = .bip84) throws -> Draft {
        try honest(
            kind,
            spending: [
                .own(kind, branch: 0, index: 3, sats: 600_000),
                .own(kind, branch: 1, index: 7, sats: 500_000),
            ])
    }

    /// The same payment from other coins. Coins of strangers pay their part to them.
    static func honest(_ kind: AccountKind, spending coins: [DraftCoin]) throws -> Draft {
        let previous = try coins.enumerated().map { try $0.element.previous($0.offset) }
        let change = try Own.output(kind, 1, 8)
        let total = coins.reduce(0) { $0 + $1.sats }
        let outputs = [
            TransactionOutput(
                value: Amount(sats: 300_000) ?? .zero, scriptPubKey: try Stranger(1).p2wpkh()),
            TransactionOutput(
                value: Amount(sats: total - 302_000) ?? .zero, scriptPubKey: change.scriptPubKey),
        ]
        let transaction = Transaction(
            inputs: previous.map {
                TransactionInput(
                    outpoint: OutPoint(txid: $0.txid, vout: 1), sequence: .lockTimeOnly)
            },
            outputs: outputs)
        var psbt = try PSBT(transaction).updating(output: 1, with: change.outputUpdate)
        for (index, coin) in coins.enumerated() {
            var update = InputUpdate()
            if case .own(let kind, let branch, let place, _) = coin {
                update = try Own.output(kind, branch, place).inputUpdate
            }
            update.previousTransaction = previous[index]
            if !coin.isLegacy { update.witnessUTXO = previous[index].outputs[1] }
            psbt = try psbt.updating(input: index, with: update)
        }
        return try Draft(psbt)
    }

    /// Leaves the previous transactions out.
    mutating func dropPrevious(_ chosen: [Int]? = nil) {
        for index in chosen ?? Array(inputs.indices) { remove(input: index, 0x00) }
    }

    /// Sets the amount that PSBT_IN_WITNESS_UTXO claims.
    mutating func claim(input index: Int, sats: UInt64) {
        edit(input: index, 0x01) { $0.replaceSubrange(0..<8, with: Record.little(sats)) }
    }
}

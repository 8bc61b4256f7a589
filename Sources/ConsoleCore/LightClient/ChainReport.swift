public import JSON
public import Messages
import StateFiles
import Wire

/// What the light client answered, all pages of it together.
public enum ChainReport: Hashable, Sendable {
    /// It is done; sentences say what is worth saying.
    case done([String])
    /// How far it is.
    case progress(ChainProgress)
    /// Its peers.
    case peers([PeerRow])
    /// The watched wallets.
    case wallets([WatchedWalletRow], tip: UInt32)
    /// What they have.
    case balance([WatchedWalletRow], tip: UInt32)
    /// The history; of one transaction alone where `isOne`.
    case history([HistoryRow], tip: UInt32, isOne: Bool)
    /// The coins that are not spent.
    case coins([CoinRow], tip: UInt32)
    /// An address that this watched wallet had not given out.
    case address(String, index: UInt32)
    /// The transactions that are sent, and how many there are in all.
    case broadcasts([BroadcastRow], total: Int)
    /// What became of the lines of a file of labels, and why of the first that are left out.
    case labels(LabelsPut)
}

extension ChainReport {
    /// What a person reads.
    public var lines: [String] {
        switch self {
        case .done(let remarks): remarks.isEmpty ? ["done"] : remarks.map { shown($0) }
        case .progress(let progress): progress.lines
        case .peers(let rows): Self.lines(of: rows)
        case .wallets(let rows, let tip): Self.lines(of: rows, tip)
        case .balance(let rows, let tip): Self.balanceLines(of: rows, tip)
        case .history(let rows, let tip, let isOne): Self.lines(of: rows, tip, isOne)
        case .coins(let rows, let tip): Self.lines(of: rows, tip)
        case .broadcasts(let rows, let total): Self.lines(of: rows, total)
        case .labels(let put): put.sentences.map { shown($0) }
        case .address(let text, let index):
            [shown(text), "index \(index); this watched wallet had not given it out"]
        }
    }

    private func shown(_ text: String) -> String { VisibleText(text, limit: 800).description }

    private static func lines(of rows: [PeerRow]) -> [String] {
        guard !rows.isEmpty else { return ["no peer is known yet"] }
        var table = TextTable(["PEER", "STATE", "TRANSPORT", "FROM", "CLAIMS", "SAYS"])
        for row in rows {
            let transport =
                switch row.transport {
                case .none: "-"
                case .v1: "v1, in the clear"
                case .v2: "v2, encrypted"
                }
            table.append([
                VisibleText(row.endpoint, limit: 80).description, "\(row.state)", transport,
                VisibleText(row.source, limit: 30).description,
                row.state == .seated ? "\(row.height)" : "-",
                VisibleText(row.remark, limit: 80).description,
            ])
        }
        return table.lines
    }

    private static func lines(of rows: [WatchedWalletRow], _ tip: UInt32) -> [String] {
        guard !rows.isEmpty else {
            return ["no wallet is watched: bulkhead watch import FILE adds one"]
        }
        // A network process that nobody tells of keys says nothing about them.
        let knowsKeys = rows.contains { $0.keys != .unknown }
        let columns = ["WALLET", "NAME", "ADDRESSES", "PAYMENTS", "COINS", "SEARCHED"]
        var table = TextTable(columns + (knowsKeys ? ["KEYS"] : []))
        for row in rows {
            let searched =
                switch (row.start, row.scanned) {
                case (let start?, let scanned?) where scanned >= start: "\(start) to \(scanned)"
                case (let start?, _): "from \(start) on, not begun"
                default: "not begun"
                }
            table.append(
                [
                    "\(row.number)", VisibleText(row.name, limit: 60).description,
                    "\(row.addresses)",
                    "\(row.transactions)", "\(row.coins)", searched,
                ] + (knowsKeys ? [row.keys.sentence] : []))
        }
        return table.lines
    }

    private static func balanceLines(of rows: [WatchedWalletRow], _ tip: UInt32) -> [String] {
        guard !rows.isEmpty else {
            return ["no wallet is watched: bulkhead watch import FILE adds one"]
        }
        var table = TextTable(["WALLET", "NAME", "BTC", "IMMATURE", "COINS"])
        for row in rows {
            table.append([
                "\(row.number)", VisibleText(row.name, limit: 60).description,
                bitcoins(row.spendable), bitcoins(row.immature), "\(row.coins)",
            ])
        }
        let behind = rows.filter { $0.scanned.map { $0 < UInt64(tip) } ?? true }
        guard !behind.isEmpty else { return table.lines }
        let numbers = behind.map { "\($0.number)" }.joined(separator: ", ")
        return table.lines + [
            "Not everything is searched yet for wallet \(numbers): see bulkhead status."
        ]
    }

    private static func lines(
        of rows: [HistoryRow], _ tip: UInt32, _ isOne: Bool
    ) -> [String] {
        guard !rows.isEmpty else {
            return [isOne ? "no watched wallet has to do with this transaction" : "no payments yet"]
        }
        var table = TextTable(["HEIGHT", "TIME", "WALLET", "BTC", "FEE", "TRANSACTION", "LABEL"])
        for row in rows {
            table.append([
                row.height.map { "\($0)" } ?? "unconfirmed",
                UTCTime(seconds: UInt64(row.time)).text, "\(row.wallet)", row.change,
                row.fee.map { bitcoins($0) } ?? "-", displayed(row.txid),
                VisibleText(row.label, limit: 60).description,
            ])
        }
        guard isOne, let first = rows.first else { return table.lines }
        let depth = first.height.map { Int(tip) - Int(clamping: $0) + 1 } ?? 0
        return table.lines + [
            "\(counted(max(0, depth), "confirmation")).",
            "Whoever looks this number up at a web site tells that site, and whoever watches the line, "
                + "that this payment is theirs. Nothing here needs it.",
        ]
    }

    private static func lines(of rows: [BroadcastRow], _ total: Int) -> [String] {
        guard !rows.isEmpty else { return ["no transaction is being sent"] }
        var table = TextTable(["SINCE", "TRANSACTION", "STATE"])
        for row in rows {
            let state =
                row.height.map { "block \($0) has it" }
                ?? row.echoed.map { "spread, seen \(UTCTime(seconds: $0).text)" }
                ?? "announced, not seen to spread yet"
            table.append([UTCTime(seconds: row.since).text, displayed(row.txid), state])
        }
        let more = total - rows.count
        return table.lines + (more > 0 ? ["and \(more) younger"] : [])
    }

    private static func lines(of rows: [CoinRow], _ tip: UInt32) -> [String] {
        guard !rows.isEmpty else { return ["no coins"] }
        var table = TextTable(["HEIGHT", "WALLET", "BTC", "COIN", "ADDRESS", "LABEL"])
        for row in rows {
            table.append([
                "\(row.height)" + (row.isMature ? "" : " (immature)"), "\(row.wallet)",
                bitcoins(row.value), "\(displayed(row.txid)):\(row.output)",
                VisibleText(row.address, limit: 100).description,
                VisibleText(row.label, limit: 60).description,
            ])
        }
        return table.lines
    }
}

extension WatchedWalletRow.Keys {
    fileprivate var sentence: String {
        switch self {
        case .unknown: "not known"
        case .here: "in the signer"
        case .elsewhere: "not in the signer"
        }
    }

    fileprivate var json: JSONValue {
        switch self {
        case .unknown: .null
        case .here: .bool(true)
        case .elsewhere: .bool(false)
        }
    }
}

extension HistoryRow {
    /// What the wallet has more or less after it, with its sign.
    fileprivate var change: String {
        received >= sent ? "+" + bitcoins(received - sent) : "-" + bitcoins(sent - received)
    }
}

/// Satoshis as bitcoins with eight decimals.
func bitcoins(_ sats: UInt64) -> String {
    let rest = String(sats % 100_000_000)
    return "\(sats / 100_000_000)." + String(repeating: "0", count: 8 - rest.count) + rest
}

/// A transaction's id as people write it: the reverse of the order of the wire.
func displayed(_ txid: Bytes32) -> String { Hex.encode(Array(txid.array.reversed())) }

// MARK: - JSON

extension ChainReport {
    /// The same for `--json`.
    public var json: JSONValue {
        switch self {
        case .done(let remarks):
            object("done", [.init("remarks", .array(remarks.map { .string($0) }))])
        case .progress(let progress): object("progress", [.init("chain", progress.json)])
        case .peers(let rows): object("peers", [.init("peers", .array(rows.map(\.json)))])
        case .wallets(let rows, let tip):
            object("wallets", [tipMember(tip), .init("wallets", .array(rows.map(\.json)))])
        case .balance(let rows, let tip):
            object("balance", [tipMember(tip), .init("wallets", .array(rows.map(\.json)))])
        case .history(let rows, let tip, _):
            object("history", [tipMember(tip), .init("payments", .array(rows.map(\.json)))])
        case .coins(let rows, let tip):
            object("coins", [tipMember(tip), .init("coins", .array(rows.map(\.json)))])
        case .broadcasts(let rows, let total):
            object(
                "broadcasts",
                [
                    .init("total", .integer(total)),
                    .init("transactions", .array(rows.map(\.json))),
                ])
        case .address(let text, let index):
            object(
                "address", [.init("address", .string(text)), .init("index", .integer(Int(index)))])
        case .labels(let put):
            object(
                "labels",
                [
                    .init("kept", .integer(put.kept)), .init("leftOut", .integer(put.leftOut)),
                    .init("remarks", .array(put.reasons.map { .string($0) })),
                ])
        }
    }

    private func tipMember(_ tip: UInt32) -> JSONValue.Member {
        .init("tip", .integer(Int(tip)))
    }

    private func object(_ kind: String, _ members: [JSONValue.Member]) -> JSONValue {
        .object([.init("schema", .string("bulkhead-\(kind)-1"))] + members)
    }
}

private func count(_ value: UInt64) -> JSONValue { .integer(Int(clamping: value)) }

private func count(_ value: UInt64?) -> JSONValue {
    value.map { .integer(Int(clamping: $0)) } ?? .null
}

extension PeerRow {
    var json: JSONValue {
        .object([
            .init("endpoint", .string(endpoint)), .init("state", .string("\(state)")),
            .init("transport", .string("\(transport)")),
            .init("session", session.map { .string(Hex.encode($0.array)) } ?? .null),
            .init("source", .string(source)),
            .init("remark", .string(remark)), .init("claimedHeight", .integer(Int(height))),
            .init("roundTripMicroseconds", count(roundTrip)),
        ])
    }
}

extension WatchedWalletRow {
    fileprivate var json: JSONValue {
        .object([
            .init("wallet", .integer(Int(self.number))), .init("name", .string(name)),
            .init("spendable", count(spendable)),
            .init("immature", count(immature)), .init("coins", .integer(Int(coins))),
            .init("payments", .integer(Int(transactions))),
            .init("addresses", .integer(Int(addresses))),
            .init("searchedFrom", count(start)),
            .init("searchedTo", count(scanned)), .init("keysInSigner", keys.json),
        ])
    }
}

extension BroadcastRow {
    fileprivate var json: JSONValue {
        .object([
            .init("txid", .string(displayed(txid))), .init("since", count(since)),
            .init("spread", count(echoed)), .init("height", count(height)),
        ])
    }
}

extension HistoryRow {
    fileprivate var json: JSONValue {
        .object([
            .init("wallet", .integer(Int(wallet))), .init("txid", .string(displayed(txid))),
            .init("height", count(height)), .init("time", .integer(Int(time))),
            .init("received", count(received)), .init("sent", count(sent)),
            .init("fee", count(fee)), .init("label", .string(label)),
        ])
    }
}

extension CoinRow {
    fileprivate var json: JSONValue {
        .object([
            .init("wallet", .integer(Int(wallet))), .init("txid", .string(displayed(txid))),
            .init("output", .integer(Int(output))), .init("value", count(value)),
            .init("height", .integer(Int(height))), .init("mature", .bool(isMature)),
            .init("branch", .integer(Int(branch))), .init("index", .integer(Int(index))),
            .init("address", .string(address)), .init("label", .string(label)),
        ])
    }
}

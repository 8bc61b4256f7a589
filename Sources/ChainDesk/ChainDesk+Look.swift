import Bitcoin
import Labels
import Messages
import NetworkCore
import NetworkStore
import PeerMessages
import StateFiles
import Watch
import Wire

extension ChainDesk {
    /// Answers a question; nil for what is to be done.
    mutating func look(
        _ request: ChainRequest, _ client: LightClient, _ store: NetworkStore, at now: Duration
    ) throws(Refusal) -> ChainAnswer? {
        let tip = UInt32(clamping: client.sync.chain.height)
        switch request {
        case .progress: return .progress(progress(client, at: now))
        case .peers: return .peers(peers(client, at: now))
        case .wallets: return .wallets(client.sync.wallets.all.map { row($0, tip) }, tip: tip)
        case .balance(let name):
            return .wallets(try chosen(name, client).map { row($0, tip) }, tip: tip)
        case .history(let name, let from):
            let entries = history(try chosen(name, client))
            let rows = page(entries, from).map { entry in
                entry.row(label: label(.transaction(entry.line.txid), store))
            }
            return .history(rows, total: UInt32(clamping: entries.count), tip: tip)
        case .transaction(let txid):
            let entries = history(client.sync.wallets.all).filter { $0.line.txid == Txid(txid) }
            let rows = entries.prefix(ChainAnswer.page).map { entry in
                entry.row(label: label(.transaction(entry.line.txid), store))
            }
            return .history(Array(rows), total: UInt32(clamping: rows.count), tip: tip)
        case .coins(let name, let from):
            let coins = try chosen(name, client).flatMap { entry in
                entry.wallet.unspent.map { (entry.id, $0) }
            }
            let rows = page(coins, from).map { row($0.1, of: $0.0, tip, store) }
            return .coins(rows, total: UInt32(clamping: coins.count), tip: tip)
        case .broadcasts: return try broadcasts(client)
        case .labels(let type, let ref): return .labels(try labels(type, ref, store))
        default: return nil
        }
    }

    private func page<Row>(_ rows: [Row], _ from: UInt32) -> ArraySlice<Row> {
        rows.dropFirst(Int(from)).prefix(ChainAnswer.page)
    }

    // MARK: Wallets

    var noWallet: Refusal {
        Refusal(.wallet, "no wallet is watched: bulkhead watch import FILE adds one")
    }

    /// The wallet of a name or number; the only one for an empty reference. Digits that are the name of one
    /// wallet and the number of another mean neither; a reference that says it is a number means that.
    func wallet(_ reference: String, _ client: LightClient) throws(Refusal) -> WalletBook.Entry {
        let all = client.sync.wallets.all
        guard !all.isEmpty else { throw noWallet }
        guard !reference.isEmpty else {
            guard let only = all.first, all.count == 1 else {
                throw Refusal(
                    .wallet,
                    "several wallets are watched: name one of " + names(all))
            }
            return only
        }
        let number = GivenName.number(inReference: reference)
        let found = all.filter { entry in
            guard number == nil else { return entry.id.number == number }
            return entry.name == reference || "\(entry.id.number)" == reference
        }
        guard let entry = found.first else {
            throw Refusal(
                .wallet,
                "no watched wallet has this \(number == nil ? "name" : "number"); there are "
                    + names(all))
        }
        guard found.count == 1 else {
            let ways = found.map {
                "\(GivenName.reference(toNumber: $0.id.number)) for the one called \($0.name)"
            }
            throw Refusal(
                .wallet,
                "\(reference) is the name of one wallet and the number of another: say "
                    + ways.joined(separator: ", or "))
        }
        return entry
    }

    private func names(_ entries: [WalletBook.Entry]) -> String {
        let shown = entries.prefix(8).map { "\($0.name) (\($0.id.number))" }
        return shown.joined(separator: ", ") + (entries.count > 8 ? ", …" : "")
    }

    /// The wallets of a name, all for an empty one.
    private func chosen(
        _ name: String, _ client: LightClient
    ) throws(Refusal) -> [WalletBook.Entry] {
        name.isEmpty ? client.sync.wallets.all : [try wallet(name, client)]
    }

    private func row(_ entry: WalletBook.Entry, _ tip: UInt32) -> WatchedWalletRow {
        let balance = entry.wallet.balance(at: tip)
        return WatchedWalletRow(
            number: entry.id.number, name: entry.name, spendable: balance.spendable,
            immature: balance.immature, coins: UInt32(clamping: entry.wallet.unspent.count),
            transactions: UInt32(clamping: entry.wallet.transactions.count),
            addresses: UInt32(clamping: entry.wallet.places.count),
            scanned: entry.progress.map { UInt64(clamping: $0.scanned) },
            start: entry.progress.map { UInt64(clamping: $0.start) },
            keys: pairings.keys(of: entry.wallet.identity))
    }

    /// A line of a wallet's history.
    private struct Line {
        let wallet: WalletID
        let line: HistoryEntry

        func row(label: String) -> HistoryRow {
            HistoryRow(
                wallet: wallet.number, txid: line.txid.bytes, height: UInt64(line.height),
                time: line.time, received: line.received, sent: line.sent, fee: line.fee,
                label: label)
        }
    }

    /// The lines of several wallets, by height.
    private func history(_ entries: [WalletBook.Entry]) -> [Line] {
        let lines = entries.flatMap { entry in
            entry.wallet.history.map { Line(wallet: entry.id, line: $0) }
        }
        guard entries.count > 1 else { return lines }
        // Stable, as it has to be for pages: lines of one height stay in the order of the wallets.
        return lines.enumerated().sorted {
            ($0.element.line.height, $0.offset) < ($1.element.line.height, $1.offset)
        }.map(\.element)
    }

    private func row(
        _ coin: Coin, of wallet: WalletID, _ tip: UInt32, _ store: NetworkStore
    ) -> CoinRow {
        let script = coin.output.scriptPubKey
        let address = Address(scriptPubKey: script, network: parameters.network)
        return CoinRow(
            wallet: wallet.number, txid: coin.outpoint.txid.bytes, output: coin.outpoint.vout,
            value: coin.output.value.sats, height: coin.height, isMature: coin.isMature(at: tip),
            branch: UInt32(clamping: coin.place.branch), index: coin.place.index,
            address: address.map { "\($0)" } ?? "", label: label(.output(coin.outpoint), store))
    }

    // MARK: Labels

    private func label(_ subject: Label.Subject, _ store: NetworkStore) -> String {
        (try? store.label(of: subject))?.text ?? ""
    }

    /// As many lines as fit into an answer.
    private func labels(
        _ type: String, _ ref: String, _ store: NetworkStore
    ) throws(Refusal) -> [UInt8] {
        do throws(StoreFault) {
            let after = type.isEmpty ? nil : Label.Subject(type: type, ref: ref)
            var lines: [UInt8] = []
            for label in try store.labels(after: after, limit: ChainAnswer.page) {
                let line = Array(LabelFile.text(of: [label]).utf8)
                guard lines.count + line.count <= ChainRequest.labelLimit else { break }
                lines += line
            }
            return lines
        } catch {
            throw Refusal(.store, error.sentence)
        }
    }

    // MARK: Peers

    private func peers(_ client: LightClient, at now: Duration) -> [PeerRow] {
        func source(of endpoint: PeerEndpoint, _ source: PeerSource) -> String {
            client.pool.book.isConfigured(endpoint) ? "configuration file" : "\(source)"
        }
        let seated = client.pool.seated.map { peer in
            PeerRow(
                endpoint: "\(peer.endpoint)", state: .seated,
                transport: .init(peer.transport), session: peer.transport.session,
                source: source(of: peer.endpoint, peer.source),
                remark: String(decoding: peer.version.userAgent.prefix(120), as: UTF8.self),
                height: UInt32(clamping: max(0, peer.version.startHeight)),
                roundTrip: peer.roundTrip.map { UInt64(clamping: $0 / .microseconds(1)) })
        }
        let inSeats = Set(client.pool.seated.map(\.endpoint))
        let known = client.pool.book.all.filter { !inSeats.contains($0.endpoint) }.map { peer in
            let rest = client.pool.book.rest(of: peer.endpoint, at: now)
            return PeerRow(
                endpoint: "\(peer.endpoint)", state: rest == nil ? .known : .resting,
                transport: .none, source: source(of: peer.endpoint, peer.source),
                remark: rest.map { "\($0.fault); tried again in \($0.seconds(from: now)) s" } ?? "",
                height: 0, roundTrip: nil)
        }
        let banned = client.pool.book.allBans.map { ban in
            PeerRow(
                endpoint: "\(ban.endpoint)", state: .banned, transport: .none, source: "",
                remark: ban.reason, height: 0, roundTrip: nil)
        }
        return Array((seated + known + banned).prefix(ChainAnswer.peers))
    }
}

extension PeerRow.Transport {
    fileprivate init(_ transport: PeerTransport) {
        switch transport {
        case .v1: self = .v1
        case .v2: self = .v2
        }
    }
}

extension PeerTransport {
    fileprivate var session: Bytes32? {
        switch self {
        case .v1: nil
        case .v2(let session): session
        }
    }
}

extension UInt64 {
    fileprivate init(clamping number: Double) {
        self = number > 0 ? (number < 1e15 ? UInt64(number) : 1_000_000_000_000_000) : 0
    }
}

import Messages
import Testing
import Wire

@Suite("Messages of the light client")
struct ChainMessagesTests {
    static let txid = Bytes32(1...32) ?? .zero

    static let requests: [ChainRequest] = [
        .progress, .peers, .addPeer("127.0.0.1:18444"), .removePeer("[::1]:8333"), .forgetPeers,
        .wallets, .watch(name: "savings", file: [1, 2], birthday: 1_700_000_000),
        .watch(name: "", file: [], birthday: nil), .unwatch("2"), .newAddress(""), .balance("all"),
        .history("savings", from: 200), .transaction(txid), .coins("", from: 0),
        .labels(afterType: "tx", ref: "00"),
        .putLabels([0x7B, 0x7D], firstLine: 9, isLast: false),
        .putLabels([0x7B, 0x7D], firstLine: 9, isLast: true),
        .rescan("", from: 100), .broadcast([9, 9]), .broadcasts, .withdrawBroadcast(txid),
    ]

    static let progress: ChainProgress = {
        var progress = ChainProgress(.scanning)
        progress.remark = "remark"
        (progress.height, progress.tipTime, progress.filterHeight) = (900, 1_700_000_000, 899)
        (progress.scannedHeight, progress.place, progress.blocksLeft) = (500, 501, 399)
        (progress.rate, progress.bytesLeft, progress.secondsLeft) = (123_456, 7, nil)
        (progress.filterBytes, progress.keptBytes) = (8, 9)
        (progress.peers, progress.seats, progress.wallets) = (2, 3, 4)
        progress.notices = ["chain.db was made anew"]
        return progress
    }()

    static let peer = PeerRow(
        endpoint: "127.0.0.1:18444", state: .banned, transport: .v2, session: .zero,
        source: "added by hand",
        remark: "/x:1/", height: 7, roundTrip: 88)
    static let wallet = WatchedWalletRow(
        number: 1, name: "savings", spendable: 2, immature: 3, coins: 4, transactions: 5,
        addresses: 6, scanned: 7, start: nil, keys: .elsewhere)
    static let payment = HistoryRow(
        wallet: 1, txid: txid, height: 2, time: 3, received: 4, sent: 5, fee: 6, label: "rent")
    static let coin = CoinRow(
        wallet: 1, txid: txid, output: 2, value: 3, height: 4, isMature: true, branch: 1,
        index: 5, address: "bcrt1q", label: "")

    static let sent = BroadcastRow(txid: txid, since: 2, echoed: 3, height: nil)

    static let answers: [ChainAnswer] = [
        .done(["done"]), .refused(.store, "no room"), .progress(progress), .peers([peer]),
        .wallets([wallet], tip: 9), .history([payment], total: 300, tip: 9),
        .coins([coin], total: 1, tip: 9), .labels([1, 2, 3]), .address("bcrt1q", index: 4),
        .labelsPut(kept: 1, leftOut: 2, ["line 3 is left out: it is no JSON object"]),
        .broadcasts([sent], total: 3),
    ]

    @Test("every question and answer comes back as it was sent")
    func roundTrips() throws {
        for request in Self.requests {
            let message = QueryRequest.chain(request)
            #expect(try QueryRequest(message.frame) == message)
        }
        for answer in Self.answers {
            let message = QueryReply.chain(answer)
            #expect(try QueryReply(message.frame) == message)
        }
        for phase in ChainProgress.Phase.allCases {
            let message = QueryReply.chain(.progress(ChainProgress(phase)))
            #expect(try QueryReply(message.frame) == message)
        }
    }

    @Test("what is cut short, or has something behind it, is refused")
    func cutShort() throws {
        for answer in Self.answers {
            if case .labels = answer { continue }
            let frame = QueryReply.chain(answer).frame
            for count in 0..<frame.body.count {
                let cut = Frame(kind: frame.kind, body: Array(frame.body[..<count]))
                #expect(throws: ChannelViolation.self) { try QueryReply(cut) }
            }
            let longer = Frame(kind: frame.kind, body: frame.body + [0])
            #expect(throws: ChannelViolation.self) { try QueryReply(longer) }
        }
        for number in [UInt8(0), 20, 255] {
            let unknown = Frame(kind: .queryChain, body: [number])
            #expect(throws: ChannelViolation.self) { try QueryRequest(unknown) }
        }
    }

    @Test("the longest answers fit into a frame, and longer lists are cut")
    func longest() throws {
        let long = String(repeating: "x", count: 5000)
        var row = Self.coin
        (row.label, row.address) = (long, long)
        var line = Self.payment
        line.label = long
        var peer = Self.peer
        (peer.endpoint, peer.source, peer.remark) = (long, long, long)
        var wallet = Self.wallet
        wallet.name = long
        var progress = Self.progress
        progress.remark = long
        progress.notices = Array(repeating: long, count: 40)
        let answers: [ChainAnswer] = [
            .coins(Array(repeating: row, count: 300), total: 300, tip: 0),
            .history(Array(repeating: line, count: 300), total: 300, tip: 0),
            .peers(Array(repeating: peer, count: 2000)),
            .wallets(Array(repeating: wallet, count: 300), tip: 0), .progress(progress),
            .broadcasts(Array(repeating: Self.sent, count: 300), total: 300),
            .done(Array(repeating: long, count: 40)), .refused(.input, long),
        ]
        for answer in answers {
            let frame = QueryReply.chain(answer).frame
            #expect(frame.body.count <= frame.kind.row.limit)
            _ = try QueryReply(frame)
        }
        let file = ChainRequest.watch(
            name: long, file: Array(repeating: 0, count: ChainRequest.fileLimit + 1), birthday: 1)
        #expect(throws: ChannelViolation.self) {
            try QueryRequest(QueryRequest.chain(file).frame)
        }
    }
}

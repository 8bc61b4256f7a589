import Bitcoin
import Chain
import Descriptors
import NetworkCore
import NetworkStore
import PeerMessages
import StateFiles
import TestSupport
import Watch
import Wire

/// A short life of a light client on regtest, as lists of changes.
struct Story {
    static let parameters = ChainParameters(.regtest)
    static let wallet = WalletID(1)
    static let other = WalletID(2)

    let first: [BlockHeader]
    /// Leaves `first` above block 280, and is longer.
    let second: [BlockHeader]
    let lists: [[StoreChange]]

    init() {
        let first = Story.mine(after: Story.parameters.genesis, count: 300, salt: 1)
        let second = Story.mine(after: first[279], count: 30, salt: 2)
        self.first = first
        self.second = second
        lists = [
            [.appendHeaders(from: 1, Array(first[..<200]))],
            [.putWallet(Story.stored(Story.wallet, "savings"))],
            [.appendHeaders(from: 201, Array(first[200...]))],
            [.appendFilterHeaders(from: 0, Story.filterHeaders(0..<301))],
            [
                .keepFilters(from: 260, (260...300).map(Story.filter)),
                .addTransaction(Story.wallet, Story.transaction(290)),
                .setProgress(Story.wallet, Story.progress(300)),
                .peers(.kept(Story.peer)),
            ],
            [.setIssued(Story.wallet, branch: 0, index: 4)],
            [.putWallet(Story.stored(Story.other, "spending"))],
            [
                .rollBack(above: 280), .appendHeaders(from: 281, second),
                .setProgress(Story.wallet, Story.progress(280)),
            ],
            [.setName(Story.wallet, "spending"), .setName(Story.other, "savings")],
            [.removeWallet(Story.other)],
            [.broadcast(.kept(Story.sent(1))), .broadcast(.kept(Story.sent(2)))],
            (1...2).map { .broadcast(.taken(Story.sent($0).transaction.txid, by: Story.taker)) },
            // What is kept of a record again takes nothing from who took it.
            [.broadcast(.kept(Story.sent(2)))],
            [.broadcast(.removed(Story.sent(1).transaction.txid))],
            [.dropFilters(260...265), .setIssued(Story.wallet, branch: 0, index: 7)],
        ]
    }

    static func mine(after previous: BlockHeader, count: Int, salt: UInt8) -> [BlockHeader] {
        var headers: [BlockHeader] = []
        var last = previous
        for _ in 0..<count {
            var header = BlockHeader(
                version: 0x2000_0000, previous: last.hash,
                merkleRoot: Bytes32([salt] + Array(repeating: 0, count: 31)) ?? .zero,
                time: last.time + 600, bits: last.bits, nonce: 0)
            while !header.provesWork(hash: header.hash, limit: .max) { header.nonce += 1 }
            headers.append(header)
            last = header
        }
        return headers
    }

    static func filterHeaders(_ heights: Range<Int>) -> [FilterHeader] {
        heights.map { height in
            FilterHeader(
                Bytes32(
                    [UInt8(height % 256), UInt8(height / 256)] + Array(repeating: 9, count: 30))
                    ?? .zero)
        }
    }

    static func filter(_ height: Int) -> [UInt8] {
        Array(repeating: UInt8(height % 251), count: 200 + height)
    }

    static let peer = PeerRecord(
        PeerEndpoint(.ipv4(0x0102_0304), port: 8333), source: .manual, served: 1_700_000_000)

    static func progress(_ height: Int) -> ScanProgress {
        ScanProgress(
            start: 10, scanned: height, covered: [20, 21],
            pass: ScanProgress.Pass(next: 40, end: 270, counts: [25, 22]))
    }

    static func transaction(_ height: UInt32) -> WatchedTransaction {
        let transaction = Transaction(
            inputs: [TransactionInput(outpoint: OutPoint(txid: Txid(.zero), vout: height))],
            outputs: [
                TransactionOutput(value: Amount(sats: 5000) ?? .zero, scriptPubKey: Script([0x51]))
            ])
        return WatchedTransaction(
            transaction: transaction, txid: transaction.txid, height: height, position: 3,
            block: BlockHash(.zero), time: 1_700_000_000)
    }

    static func sent(_ number: UInt32) -> BroadcastRecord {
        BroadcastRecord(
            transaction(number).transaction, feeRate: 1000, since: 1_700_000_000,
            echoed: number == 2 ? 1_700_000_060 : nil, confirmed: nil, takers: [taker])
    }

    static let taker = PeerEndpoint(.torV3(.zero), port: 18_444)

    static func stored(_ id: WalletID, _ name: String) -> StoredWallet {
        let key =
            "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265"
            + "TMg7usUDFdp6W1EGMcet8"
        return StoredWallet(
            id: id, name: name,
            descriptors: [try? Descriptor("wpkh(\(key)/\(id.number)/<0;1>/*)")].compactMap { $0 },
            birthday: .height(10))
    }
}

/// What a store gives back, in a form that can be compared.
struct Snapshot: Hashable {
    struct Public: Hashable {
        var tip: BlockHash?
        var filterHeight = -1
        var filterTip: FilterHeader?
        var progress: [WalletID: ScanProgress] = [:]
        var transactions: [WalletID: [WatchedTransaction]] = [:]
    }

    struct Person: Hashable {
        var names: [WalletID: String] = [:]
        var issued: [WalletID: [Int: UInt32]] = [:]
        var sent: Set<BroadcastRecord> = []
    }

    var found = Public()
    var person = Person()
    var kept = KeptFilters()
    var peers = KeptPeers()

    init(_ state: StoredState) {
        found.tip = state.headers.hash(at: state.headers.height)
        found.filterHeight = state.filterHeaders.height
        found.filterTip = state.filterHeaders.header(at: state.filterHeaders.height)
        for wallet in state.wallets {
            found.progress[wallet.id] = wallet.progress
            if !wallet.transactions.isEmpty {
                found.transactions[wallet.id] = wallet.transactions
            }
            person.names[wallet.id] = wallet.name
            person.issued[wallet.id] = wallet.issued
        }
        person.sent = Set(state.broadcasts)
        kept = state.keptFilters
        peers = state.peers
    }
}

import Bitcoin
import Descriptors
import TestSupport
import Testing

@testable import Watch

@Suite("Wallets from blocks")
struct WatchedWalletTests {
    private let chain: RecordedChain
    private let wallets: [RecordedWallet]
    private let tip: UInt32 = 2033

    init() throws {
        chain = try RecordedChain.load()
        wallets = try RecordedWallet.all()
    }

    @Test("balance, coins and history of each recorded wallet are Bitcoin Core's")
    func recorded() throws {
        #expect(wallets.count == 17)
        #expect(chain.blocks.count == Int(tip) + 1)
        for expected in wallets {
            var wallet = try WatchedWallet([expected.descriptor])
            try wallet.applyAll(chain.blocks)
            #expect(wallet.balance(at: tip).total == expected.confirmed, "\(expected.name)")
            #expect(wallet.coinTexts == expected.coins, "\(expected.name)")
            #expect(Set(wallet.history.map { "\($0.txid)" }) == expected.txids, "\(expected.name)")
        }
    }

    @Test("a branch of any depth gives what a replay of it gives, and the way back restores")
    func forks() throws {
        for depth in [1, 3, 12, 101] {
            let fork = try RecordedChain.fork(depth)
            let base = tip - UInt32(depth)
            for expected in wallets.prefix(4) {
                var wallet = try WatchedWallet([expected.descriptor])
                try wallet.applyAll(chain.blocks)
                var replayed = try WatchedWallet([expected.descriptor])
                try replayed.applyAll(chain.blocks[...Int(base)])
                try replayed.applyAll(fork, from: base + 1)
                wallet.rollBack(above: base)
                try wallet.applyAll(fork, from: base + 1)
                #expect(wallet.coins == replayed.coins)
                #expect(wallet.transactions == replayed.transactions)
                wallet.rollBack(above: base)
                try wallet.applyAll(chain.blocks[(Int(base) + 1)...], from: base + 1)
                #expect(wallet.coinTexts == expected.coins)
            }
        }
    }

    @Test("blocks that come twice, late or in any order change nothing")
    func anyOrder() throws {
        let expected = wallets[2]
        var inOrder = try WatchedWallet([expected.descriptor])
        try inOrder.applyAll(chain.blocks)
        let heights = Set(inOrder.transactions.map(\.height)).sorted()
        var wallet = try WatchedWallet([expected.descriptor])
        // Addresses far ahead become watched by the first round only, spends of their coins by the next.
        for _ in 0..<2 {
            for height in heights.reversed() + heights {
                _ = try wallet.apply(chain.blocks[Int(height)], at: height)
            }
        }
        #expect(wallet.coins == inOrder.coins)
        #expect(wallet.history == inOrder.history)
    }

    @Test("another block at a height that is known is refused, and changes nothing")
    func otherBranch() throws {
        let expected = wallets[2]
        var wallet = try WatchedWallet([expected.descriptor])
        try wallet.applyAll(chain.blocks)
        let before = wallet.coins
        let last = try #require(wallet.transactions.last)
        let other = try #require(chain.blocks.first { $0.header.hash != last.block })
        #expect(throws: WatchError.otherBranch(height: last.height)) {
            try wallet.apply(other, at: last.height)
        }
        #expect(wallet.coins == before)
    }

    @Test("history tells what came, what went and the fee where all inputs are the wallet's")
    func history() throws {
        var wallet = try WatchedWallet([wallets[2].descriptor])
        try wallet.applyAll(chain.blocks)
        let spend = try #require(wallet.history.first { $0.sent > 0 })
        #expect(spend.fee != nil)
        #expect(spend.change < 0)
        let total = wallet.history.reduce(Int64(0)) { $0 + $1.change }
        #expect(total == Int64(wallets[2].confirmed))
        #expect(wallet.history.filter { $0.sent == 0 }.allSatisfy { $0.fee == nil })
    }
}

@Suite("Watched addresses")
struct WatchedBranchTests {
    private let descriptor: Descriptor

    init() throws { descriptor = try RecordedWallet.all()[2].descriptor }

    private func block(paying scripts: [Script], isCoinbase: Bool = false) throws -> Block {
        let genesis = try RecordedChain.load().blocks[0]
        var transaction = genesis.transactions[0]
        if !isCoinbase {
            transaction.inputs[0].outpoint = OutPoint(
                txid: genesis.transactions[0].txid, vout: 7)
        }
        let value = try #require(Amount(sats: 1000))
        transaction.outputs = scripts.map { TransactionOutput(value: value, scriptPubKey: $0) }
        return Block(header: genesis.header, transactions: [transaction])
    }

    @Test("as many addresses are watched behind the last used one as the gap limit says")
    func gap() throws {
        var wallet = try WatchedWallet([descriptor], gapLimit: 5)
        #expect(wallet.places.count == 10)
        let fifth = try descriptor.output(at: 4).scriptPubKey
        let added = try wallet.apply(block(paying: [fifth]), at: 1)
        let next = try (5..<10).map { try descriptor.output(at: $0).scriptPubKey }
        #expect(added == next)
        #expect(wallet.branches[0].watchedCount == 10)
        #expect(wallet.branches[1].watchedCount == 5)
    }

    @Test("a block that pays addresses far ahead is searched until no more come to be watched")
    func chainOfGaps() throws {
        var wallet = try WatchedWallet([descriptor], gapLimit: 2)
        let scripts = try [9, 7, 5, 3, 1].map { try descriptor.output(at: $0).scriptPubKey }
        _ = try wallet.apply(block(paying: scripts), at: 1)
        #expect(wallet.coins.count == 5)
        #expect(wallet.branches[0].lastUsed == 9)
        #expect(wallet.branches[0].watchedCount == 12)
    }

    @Test("an address is given out once, also after what used it is rolled back")
    func once() throws {
        var wallet = try WatchedWallet([descriptor], gapLimit: 5)
        var seen: Set<Script> = []
        for index in 0..<3 {
            let issued = try wallet.issueAddress()
            #expect(issued.index == UInt32(index))
            #expect(seen.insert(issued.script).inserted)
        }
        let paid = try descriptor.output(at: 6).scriptPubKey
        _ = try wallet.apply(block(paying: [paid]), at: 1)
        #expect(try wallet.issueAddress().index == 7)
        wallet.rollBack(above: 0)
        #expect(wallet.branches[0].lastUsed == nil)
        #expect(wallet.coins.isEmpty && wallet.transactions.isEmpty)
        #expect(throws: AddressIssueError.gap(limit: 5, firstUnused: 0)) {
            try wallet.issueAddress()
        }
    }

    @Test("no address is given out that a restored wallet would not find")
    func gapOfIssues() throws {
        var wallet = try WatchedWallet([descriptor], gapLimit: 3)
        for _ in 0..<3 { _ = try wallet.issueAddress() }
        #expect(throws: AddressIssueError.gap(limit: 3, firstUnused: 0)) {
            try wallet.issueAddress()
        }
        #expect(throws: AddressIssueError.changeBranch) { try wallet.issueAddress(of: 1) }
        let first = try descriptor.output(at: 0).scriptPubKey
        _ = try wallet.apply(block(paying: [first]), at: 1)
        #expect(try wallet.issueAddress().index == 3)
    }

    @Test("what was given out before is restored and watched")
    func restored() throws {
        var wallet = try WatchedWallet([descriptor], gapLimit: 3)
        let added = wallet.noteIssued(4, of: 0)
        #expect(added.count == 5)
        #expect(wallet.branches[0].lastIssued == 4)
    }

    @Test("a mined coin has to wait for 100 blocks")
    func maturity() throws {
        var wallet = try WatchedWallet([descriptor])
        let first = try descriptor.output(at: 0).scriptPubKey
        _ = try wallet.apply(block(paying: [first], isCoinbase: true), at: 10)
        #expect(wallet.balance(at: 108) == .init(spendable: 0, immature: 1000))
        #expect(wallet.balance(at: 109) == .init(spendable: 1000, immature: 0))
    }

    @Test("a change branch in a descriptor of its own is known as one")
    func changeAlone() throws {
        let wallet = try WatchedWallet(descriptor.branches)
        #expect(wallet.branches.map(\.isChange) == [false, true])
    }
}

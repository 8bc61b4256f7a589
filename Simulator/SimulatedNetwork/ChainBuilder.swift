public import Bitcoin
import Chain
public import Descriptors
public import Watch
import Wire

/// A chain that is made block by block, with payments to a wallet and spends of its coins.
public struct ChainBuilder: Sendable {
    /// The hashes from the genesis block on.
    public private(set) var path: [BlockHash]
    /// Coins that were paid to somebody and not spent.
    public private(set) var coins: [(outpoint: OutPoint, output: TransactionOutput)] = []

    private var waiting: [Transaction] = []
    private var spent: [Script] = []
    private var count: UInt64 = 0

    /// A chain that starts where another one ends.
    ///
    /// - Parameter tree: where its blocks are, if their coins are to be spent.
    public init(on path: [BlockHash], in tree: BlockTree? = nil) {
        self.path = path
        guard let tree else { return }
        for hash in path {
            for transaction in tree[hash]?.block.transactions.dropFirst() ?? [] {
                let spent = Set(transaction.inputs.map(\.outpoint))
                coins.removeAll { spent.contains($0.outpoint) }
                note(transaction)
            }
        }
    }

    /// The height of the last block.
    public var height: Int { path.count - 1 }
    /// The last block.
    public var tip: BlockHash { path[path.count - 1] }

    /// Somebody else pays these scripts, in the next block.
    @discardableResult
    public mutating func pay(_ scripts: [Script], sats: UInt64 = 10_000) -> Txid {
        count += 1
        let number = count + UInt64(path.count) << 32
        let source = OutPoint(
            txid: Txid(Bytes32 { $0.storeBytes(of: number, as: UInt64.self) }), vout: 7)
        let outputs = scripts.map {
            TransactionOutput(value: Amount(sats: sats) ?? .zero, scriptPubKey: $0)
        }
        let transaction = Transaction(
            inputs: [TransactionInput(outpoint: source)], outputs: outputs)
        spent.append(Script([0x51, 0x20] + withUnsafeBytes(of: number) { Array($0) } + pad))
        add(transaction)
        return transaction.txid
    }

    private var pad: [UInt8] { [UInt8](repeating: 3, count: 24) }

    /// A coin is spent to a script, in the next block; nil if there is no such coin.
    @discardableResult
    public mutating func spend(_ outpoint: OutPoint, to script: Script) -> Txid? {
        guard let place = coins.firstIndex(where: { $0.outpoint == outpoint }) else { return nil }
        let coin = coins.remove(at: place)
        let value = Amount(sats: max(1, coin.output.value.sats) - 1) ?? .zero
        let transaction = Transaction(
            inputs: [TransactionInput(outpoint: outpoint)],
            outputs: [TransactionOutput(value: value, scriptPubKey: script)])
        spent.append(coin.output.scriptPubKey)
        add(transaction)
        return transaction.txid
    }

    /// Any transaction, in the next block.
    public mutating func add(_ transaction: Transaction, spending scripts: [Script]) {
        spent += scripts
        add(transaction)
    }

    /// A transaction of somebody's, in the next block, if all that it spends is there.
    @discardableResult
    public mutating func include(_ transaction: Transaction) -> Bool {
        let wanted = Set(transaction.inputs.map(\.outpoint))
        let found = coins.filter { wanted.contains($0.outpoint) }
        guard found.count == wanted.count else { return false }
        coins.removeAll { wanted.contains($0.outpoint) }
        add(transaction, spending: found.map(\.output.scriptPubKey))
        return true
    }

    private mutating func add(_ transaction: Transaction) {
        waiting.append(transaction)
        note(transaction)
    }

    private mutating func note(_ transaction: Transaction) {
        let txid = transaction.txid
        for (index, output) in transaction.outputs.enumerated() {
            coins.append((OutPoint(txid: txid, vout: UInt32(index)), output))
        }
    }

    /// Makes the next block of what waits.
    public mutating func mine(_ world: inout World) {
        path.append(world.mine(waiting, spending: spent, on: path))
        waiting = []
        spent = []
    }

    /// Makes blocks without payments.
    public mutating func mine(_ count: Int, _ world: inout World) {
        for _ in 0..<count { mine(&world) }
    }
}

extension BlockTree {
    /// What a wallet has when a path is the chain: blocks are applied until no more addresses come to
    /// be watched, by nobody who scans.
    public func truth(
        of descriptors: [Descriptor], along path: [BlockHash], gapLimit: UInt32 = 20,
        issued: [Int: UInt32] = [:]
    ) throws -> WatchedWallet {
        var wallet = try WatchedWallet(
            descriptors, gapLimit: gapLimit, step: 1, issued: issued, transactions: [])
        while true {
            let before = wallet.branches.map(\.watchedCount)
            for (height, hash) in path.enumerated().dropFirst() {
                guard let block = self[hash]?.block else { continue }
                _ = try wallet.apply(block, at: UInt32(height))
            }
            if wallet.branches.map(\.watchedCount) == before { return wallet }
        }
    }
}

public import Wire

/// A peer as a person sees it.
public struct PeerRow: Hashable, Sendable {
    /// What it is to us.
    public enum State: UInt8, CaseIterable, Hashable, Sendable {
        /// It has a seat.
        case seated = 1
        /// It is known.
        case known = 2
        /// It lied, and is not dialled.
        case banned = 3
        /// It failed, and is tried again later.
        case resting = 4
    }

    /// How bytes travel to it.
    public enum Transport: UInt8, CaseIterable, Hashable, Sendable {
        /// There is no connection.
        case none = 0
        /// In the clear.
        case v1 = 1
        /// Encrypted (BIP324).
        case v2 = 2
    }

    /// Address and port.
    public var endpoint: String
    /// What it is to us.
    public var state: State
    /// How bytes travel to it.
    public var transport: Transport
    /// The number of the encrypted session, which is the same on both ends unless somebody sits
    /// between them; nil without one.
    public var session: Bytes32?
    /// Where its address comes from.
    public var source: String
    /// How it names its software, why it is banned, or why and how long it rests.
    public var remark: String
    /// The height that it claimed; its word only.
    public var height: UInt32
    /// How long its last sign of life took, in microseconds; nil before the first.
    public var roundTrip: UInt64?

    /// A row by its fields.
    public init(
        endpoint: String, state: State, transport: Transport, session: Bytes32? = nil,
        source: String, remark: String, height: UInt32, roundTrip: UInt64?
    ) {
        self.endpoint = endpoint
        self.state = state
        self.transport = transport
        self.session = session
        self.source = source
        self.remark = remark
        self.height = height
        self.roundTrip = roundTrip
    }

    init(from reader: inout Reader) throws(WireError) {
        endpoint = try reader.readText(limit: Limit.address)
        state = try reader.readCase()
        transport = try reader.readCase()
        session = try reader.readFlag() ? reader.readBytes32() : nil
        source = try reader.readText(limit: Limit.address)
        remark = try reader.readText(limit: Limit.sentence)
        height = try reader.readUInt32()
        roundTrip = try reader.readOptional()
    }

    func encode(into writer: inout Writer) {
        writer.write(endpoint, limit: Limit.address)
        writer.write(state)
        writer.write(transport)
        writer.write(session != nil)
        if let session { writer.write(session) }
        writer.write(source, limit: Limit.address)
        writer.write(remark, limit: Limit.sentence)
        writer.write(height)
        writer.write(roundTrip)
    }
}

/// A watched wallet and what it has.
public struct WatchedWalletRow: Hashable, Sendable {
    /// Where its keys are, as far as the signer has told.
    public enum Keys: UInt8, CaseIterable, Hashable, Sendable {
        /// The signer has not told its wallets, or not all of them.
        case unknown = 0
        /// A wallet of the signer has all that is watched, or some of it.
        case here = 1
        /// The signer has no such wallet: it never had, or it was deleted.
        case elsewhere = 2
    }

    /// Its number.
    public var number: UInt32
    /// Its name.
    public var name: String
    /// Confirmed and free to spend, in satoshis.
    public var spendable: UInt64
    /// Mined less than 100 blocks ago, in satoshis.
    public var immature: UInt64
    /// Coins that are not spent.
    public var coins: UInt32
    /// Lines of its history.
    public var transactions: UInt32
    /// Addresses that are watched.
    public var addresses: UInt32
    /// Up to which height it is searched for; nil while nothing is.
    public var scanned: UInt64?
    /// From which height on; nil while that is not known.
    public var start: UInt64?
    /// Where its keys are.
    public var keys: Keys

    /// A row by its fields.
    public init(
        number: UInt32, name: String, spendable: UInt64, immature: UInt64, coins: UInt32,
        transactions: UInt32, addresses: UInt32, scanned: UInt64?, start: UInt64?,
        keys: Keys = .unknown
    ) {
        self.number = number
        self.name = name
        self.spendable = spendable
        self.immature = immature
        self.coins = coins
        self.transactions = transactions
        self.addresses = addresses
        self.scanned = scanned
        self.start = start
        self.keys = keys
    }

    init(from reader: inout Reader) throws(WireError) {
        number = try reader.readUInt32()
        name = try reader.readText(limit: ChainRequest.nameLimit)
        spendable = try reader.readUInt64()
        immature = try reader.readUInt64()
        coins = try reader.readUInt32()
        transactions = try reader.readUInt32()
        addresses = try reader.readUInt32()
        scanned = try reader.readOptional()
        start = try reader.readOptional()
        keys = try reader.readCase()
    }

    func encode(into writer: inout Writer) {
        writer.write(number)
        writer.write(name, limit: ChainRequest.nameLimit)
        writer.write(spendable)
        writer.write(immature)
        writer.write(coins)
        writer.write(transactions)
        writer.write(addresses)
        writer.write(scanned)
        writer.write(start)
        writer.write(keys)
    }
}

/// A line of the history.
public struct HistoryRow: Hashable, Sendable {
    /// The wallet's number.
    public var wallet: UInt32
    /// The transaction, in the order of the wire.
    public var txid: Bytes32
    /// The height of its block; nil while it is unconfirmed.
    public var height: UInt64?
    /// The block's time, in seconds since 1970.
    public var time: UInt32
    /// What it pays to the wallet, in satoshis.
    public var received: UInt64
    /// What it spends from the wallet, in satoshis.
    public var sent: UInt64
    /// Its fee in satoshis, where the wallet owns all that it spends.
    public var fee: UInt64?
    /// Its label; empty without one.
    public var label: String

    /// A row by its fields.
    public init(
        wallet: UInt32, txid: Bytes32, height: UInt64?, time: UInt32, received: UInt64,
        sent: UInt64, fee: UInt64?, label: String
    ) {
        self.wallet = wallet
        self.txid = txid
        self.height = height
        self.time = time
        self.received = received
        self.sent = sent
        self.fee = fee
        self.label = label
    }

    init(from reader: inout Reader) throws(WireError) {
        wallet = try reader.readUInt32()
        txid = try reader.readBytes32()
        height = try reader.readOptional()
        time = try reader.readUInt32()
        received = try reader.readUInt64()
        sent = try reader.readUInt64()
        fee = try reader.readOptional()
        label = try reader.readText(limit: ChainAnswer.labelLimit)
    }

    func encode(into writer: inout Writer) {
        writer.write(wallet)
        writer.write(txid)
        writer.write(height)
        writer.write(time)
        writer.write(received)
        writer.write(sent)
        writer.write(fee)
        writer.write(label, limit: ChainAnswer.labelLimit)
    }
}

/// A coin that is not spent.
public struct CoinRow: Hashable, Sendable {
    /// The wallet's number.
    public var wallet: UInt32
    /// The transaction that made it, in the order of the wire.
    public var txid: Bytes32
    /// Which of its outputs it is.
    public var output: UInt32
    /// Its satoshis.
    public var value: UInt64
    /// The height of its block.
    public var height: UInt32
    /// Whether it may be spent in the next block.
    public var isMature: Bool
    /// The branch of its address.
    public var branch: UInt32
    /// The index of its address on the branch.
    public var index: UInt32
    /// Its address.
    public var address: String
    /// Its label; empty without one.
    public var label: String

    /// A row by its fields.
    public init(
        wallet: UInt32, txid: Bytes32, output: UInt32, value: UInt64, height: UInt32,
        isMature: Bool, branch: UInt32, index: UInt32, address: String, label: String
    ) {
        self.wallet = wallet
        self.txid = txid
        self.output = output
        self.value = value
        self.height = height
        self.isMature = isMature
        self.branch = branch
        self.index = index
        self.address = address
        self.label = label
    }

    init(from reader: inout Reader) throws(WireError) {
        wallet = try reader.readUInt32()
        txid = try reader.readBytes32()
        output = try reader.readUInt32()
        value = try reader.readUInt64()
        height = try reader.readUInt32()
        isMature = try reader.readFlag()
        branch = try reader.readUInt32()
        index = try reader.readUInt32()
        address = try reader.readText(limit: Limit.address)
        label = try reader.readText(limit: ChainAnswer.labelLimit)
    }

    func encode(into writer: inout Writer) {
        writer.write(wallet)
        writer.write(txid)
        writer.write(output)
        writer.write(value)
        writer.write(height)
        writer.write(isMature)
        writer.write(branch)
        writer.write(index)
        writer.write(address, limit: Limit.address)
        writer.write(label, limit: ChainAnswer.labelLimit)
    }
}

/// A transaction that is sent, as a person sees it.
public struct BroadcastRow: Hashable, Sendable {
    /// Its id, in the order of the wire.
    public var txid: Bytes32
    /// When it was handed in, in seconds since 1970.
    public var since: UInt64
    /// When a peer that had not got it from here announced it, in seconds since 1970; nil before.
    public var echoed: UInt64?
    /// The height of the block that has it; nil while none has.
    public var height: UInt64?

    /// A row by its fields.
    public init(txid: Bytes32, since: UInt64, echoed: UInt64?, height: UInt64?) {
        self.txid = txid
        self.since = since
        self.echoed = echoed
        self.height = height
    }

    init(from reader: inout Reader) throws(WireError) {
        txid = try reader.readBytes32()
        since = try reader.readUInt64()
        echoed = try reader.readOptional()
        height = try reader.readOptional()
    }

    func encode(into writer: inout Writer) {
        writer.write(txid)
        writer.write(since)
        writer.write(echoed)
        writer.write(height)
    }
}

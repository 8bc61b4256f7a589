public import StateFiles
public import Wire

/// Who asked: the user at the other end of the socket and the terminal.
public struct LedgerActor: Hashable, Sendable {
    /// The user's number.
    public let user: UInt32
    /// The terminal's name, at most 64 bytes; empty if there was none.
    public let terminal: String

    /// Who asked.
    public init(user: UInt32, terminal: String) {
        self.user = user
        self.terminal = terminal
    }
}

/// What the ledger records. Texts are cut at their limits, never refused.
public enum LedgerEvent: Hashable, Sendable {
    /// The signer started; its version.
    case started(version: String)
    /// A person approved a transaction, and it was signed.
    case approved(LedgerApproval)
    /// Requests were refused.
    case refused(LedgerRefusal)
    /// A password was wrong; failures in a row so far.
    case passwordFailed(LedgerOperation, failures: UInt32)
    /// A vault was changed, or a secret of it shown.
    case operation(LedgerOperation, name: String)
    /// A backup was written: its bytes and the SHA-256 of the file.
    case backedUp(bytes: UInt64, digest: Bytes32)
    /// A backup of that time was restored; its digest.
    case restored(madeAt: UInt64, digest: Bytes32)
    /// A wallet policy was registered under a name; SHA-256 of its text.
    case registered(name: String, digest: Bytes32)
    /// An item was added, read or removed; the counter of the items' own log after it.
    case item(LedgerItemChange, ItemID, logCounter: UInt64)
    /// A message was signed by an address; SHA-256 of the message.
    case messageSigned(address: String, digest: Bytes32)
    /// Something of the state does not agree; a sentence that says what.
    case damageFound(String)
    /// A person rejected a PSBT; SHA-256 of the file, and the reason.
    case rejected(file: Bytes32, reason: String)
    /// A transaction was signed, as an entry before says, and nobody got the signatures; SHA-256 of
    /// the file as it came, and why.
    case undelivered(file: Bytes32, reason: String)
}

/// An operation on a vault, as the ledger numbers it.
public enum LedgerOperation: UInt8, CaseIterable, Hashable, Sendable {
    case create = 1
    case importWords = 2
    case importXprv = 3
    case delete = 4
    case rename = 5
    case changePassword = 6
    case openWithCode = 7
    case newKit = 8
    case showPhrase = 9
    case rebuildIndex = 10
    case adopt = 11
    case sign = 12
    case backup = 13
    case restore = 14
    case addItem = 15
    case readItem = 16
    case listItems = 17
    case removeItem = 18
    case register = 19
    case signMessage = 20
}

/// What became of an item.
public enum LedgerItemChange: UInt8, CaseIterable, Hashable, Sendable {
    case added = 1
    case read = 2
    case removed = 3
}

/// What was signed.
public struct LedgerApproval: Hashable, Sendable {
    /// A payment.
    public struct Destination: Hashable, Sendable {
        /// Satoshis.
        public let amount: UInt64
        /// Its address, or the scriptPubKey in hexadecimal digits; at most 255 bytes.
        public let address: String

        /// A payment.
        public init(amount: UInt64, address: String) {
            self.amount = amount
            self.address = address
        }
    }

    /// The most destinations that an entry names.
    public static let maximumDestinations = 60

    /// The transaction's id, in the order it is hashed.
    public let txid: Bytes32
    /// What leaves the wallet, in satoshis, without the fee.
    public let sent: UInt64
    /// The fee in satoshis; nil if it is not proven.
    public let fee: UInt64?
    /// How many destinations there are that are no change.
    public let destinationCount: UInt32
    /// The first of them, at most `maximumDestinations`.
    public let destinations: [Destination]
    /// SHA-256 of the PSBT as it came.
    public let file: Bytes32
    /// SHA-256 of the canonical report that the person saw.
    public let report: Bytes32
    /// Where the PSBT came from.
    public let origin: LedgerRefusal.Origin

    /// What was signed; keeps the first `maximumDestinations`.
    public init(
        txid: Bytes32, sent: UInt64, fee: UInt64?, destinations: [Destination], file: Bytes32,
        report: Bytes32, origin: LedgerRefusal.Origin
    ) {
        self.init(
            txid: txid, sent: sent, fee: fee,
            destinationCount: UInt32(clamping: destinations.count),
            destinations: Array(destinations.prefix(Self.maximumDestinations)), file: file,
            report: report, origin: origin)
    }

    init(
        txid: Bytes32, sent: UInt64, fee: UInt64?, destinationCount: UInt32,
        destinations: [Destination], file: Bytes32, report: Bytes32, origin: LedgerRefusal.Origin
    ) {
        self.file = file
        self.report = report
        self.origin = origin
        self.txid = txid
        self.sent = sent
        self.fee = fee
        self.destinationCount = destinationCount
        self.destinations = destinations
    }
}

/// Refusals of one kind, told once however many there were.
public struct LedgerRefusal: Hashable, Sendable {
    /// Where the requests came from.
    public enum Origin: UInt8, CaseIterable, Hashable, Sendable {
        /// A person at the console.
        case console = 1
        /// The network process.
        case link = 2
    }

    /// Where the requests came from.
    public let origin: Origin
    /// The code of the refusal, at most 64 bytes.
    public let code: String
    /// How many there were.
    public let count: UInt64
    /// When the first was, in seconds since 1970.
    public let first: UInt64
    /// When the last was.
    public let last: UInt64

    /// Refusals of one kind.
    public init(origin: Origin, code: String, count: UInt64 = 1, first: UInt64, last: UInt64) {
        self.origin = origin
        self.code = code
        self.count = count
        self.first = first
        self.last = last
    }
}

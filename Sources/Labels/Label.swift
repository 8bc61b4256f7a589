public import Bitcoin
public import JSON
import Wire

/// A person's note on something in a wallet, as wallets exchange it (BIP329).
public struct Label: Hashable, Sendable {
    /// What it is about.
    public let subject: Subject
    /// The note; nil leaves the one that there is.
    public var text: String?
    /// For a transaction: the descriptor of the account without keys, to tell wallets apart.
    public var origin: String?
    /// For an output: whether a wallet may spend it; nil leaves it as it is.
    public var isSpendable: Bool?
    /// Everything else that the line said, in its order, such as amounts and times; kept for others.
    public var rest: [JSONValue.Member]

    /// The longest text in Unicode scalars; the standard wants more to be cut, which loses what a
    /// person wrote, so a longer one is refused.
    public static let maximumLength = 255

    /// A label by its parts.
    public init(
        _ subject: Subject, text: String?, origin: String? = nil, isSpendable: Bool? = nil,
        rest: [JSONValue.Member] = []
    ) {
        self.subject = subject
        self.text = text
        self.origin = origin
        self.isSpendable = isSpendable
        self.rest = rest
    }
}

extension Label {
    /// What can have a label.
    public enum Subject: Hashable, Sendable {
        /// A transaction.
        case transaction(Txid)
        /// An address, as text of any network.
        case address(String)
        /// A public key, 32, 33 or 65 bytes.
        case publicKey([UInt8])
        /// An input of a transaction, counted from 0.
        case input(Txid, UInt32)
        /// An output of a transaction, counted from 0.
        case output(OutPoint)
        /// An account.
        case account(ExtendedPublicKey)
        /// Something that only other wallets know.
        case other(type: String, ref: String)
    }
}

extension Label.Subject {
    /// Reads `type` and `ref` of a line; nil if the reference is none of that type.
    public init?(type: String, ref: String) {
        switch type {
        case "tx":
            guard let txid = Txid(ref) else { return nil }
            self = .transaction(txid)
        case "addr":
            guard Network.allCases.contains(where: { (try? Address(ref, network: $0)) != nil })
            else { return nil }
            self = .address(ref)
        case "pubkey":
            guard let bytes = try? Hex.decode(ref), [32, 33, 65].contains(bytes.count) else {
                return nil
            }
            self = .publicKey(bytes)
        case "input":
            guard let place = OutPoint(text: ref) else { return nil }
            self = .input(place.txid, place.vout)
        case "output":
            guard let place = OutPoint(text: ref) else { return nil }
            self = .output(place)
        case "xpub":
            guard let key = try? ExtendedPublicKey(ref) else { return nil }
            self = .account(key)
        default: self = .other(type: type, ref: ref)
        }
    }

    /// The member `type`.
    public var type: String {
        switch self {
        case .transaction: "tx"
        case .address: "addr"
        case .publicKey: "pubkey"
        case .input: "input"
        case .output: "output"
        case .account: "xpub"
        case .other(let type, _): type
        }
    }

    /// The member `ref`.
    public var ref: String {
        switch self {
        case .transaction(let txid): "\(txid)"
        case .address(let text): text
        case .publicKey(let bytes): Hex.encode(bytes)
        case .input(let txid, let index): "\(txid):\(index)"
        case .output(let outpoint): "\(outpoint.txid):\(outpoint.vout)"
        case .account(let key): "\(key)"
        case .other(_, let ref): ref
        }
    }
}

extension OutPoint {
    /// Reads `txid:index`.
    fileprivate init?(text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let txid = Txid(String(parts[0])), let vout = UInt32(parts[1]),
            String(vout) == parts[1]
        else { return nil }
        self.init(txid: txid, vout: vout)
    }
}

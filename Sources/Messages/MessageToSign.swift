public import Wire

/// In which form a message is signed.
public enum MessageForm: UInt8, CaseIterable, Hashable, Sendable {
    /// 65 bytes, for addresses of one ECDSA key (BIP137).
    case bip137 = 1
    /// The witness alone, for segwit addresses (BIP322).
    case bip322Simple = 2
    /// The whole signed transaction, for every address of one key (BIP322).
    case bip322Full = 3
}

/// A message that a person wants signed by an address of a wallet.
public struct MessageToSign: Hashable, Sendable {
    /// The address, at most 128 bytes.
    public var address: String
    /// The form; nil for the one that fits the address best.
    public var form: MessageForm?
    /// So many addresses of each branch are looked at to find the address.
    public var depth: UInt32
    /// The message, at most 64 KiB, signed byte for byte.
    public var message: [UInt8]

    /// A message by its parts.
    public init(_ message: [UInt8], address: String, form: MessageForm? = nil, depth: UInt32) {
        self.message = message
        self.address = address
        self.form = form
        self.depth = depth
    }

    init(from reader: inout Reader) throws(WireError) {
        address = try reader.readText(limit: Limit.address)
        let start = reader.position
        let number = try reader.readUInt8()
        form = MessageForm(rawValue: number)
        guard form != nil || number == 0 else {
            throw .unknownValue(position: start, found: UInt64(number))
        }
        depth = try reader.readUInt32()
        guard reader.remaining <= Limit.message else {
            throw .tooLarge(
                position: reader.position, found: UInt64(reader.remaining), allowed: Limit.message)
        }
        message = reader.readRest()
    }

    func encode(into writer: inout Writer) {
        writer.write(address, limit: Limit.address)
        writer.write(form?.rawValue ?? 0)
        writer.write(depth)
        writer.write(Array(message.prefix(Limit.message)))
    }
}

/// A signature of a message, as it is given to others.
public struct MessageSignature: Hashable, Sendable {
    /// The account, the path and the address that signed.
    public var row: IndexRow
    /// The form that it has.
    public var form: MessageForm
    /// SHA-256 of the message, as the ledger names it.
    public var digest: Bytes32
    /// The signature as text, at most 1024 bytes.
    public var signature: String

    /// A signature by its parts.
    public init(row: IndexRow, form: MessageForm, digest: Bytes32, signature: String) {
        self.row = row
        self.form = form
        self.digest = digest
        self.signature = signature
    }

    init(from reader: inout Reader) throws(WireError) {
        row = try IndexRow(from: &reader)
        form = try reader.readCase()
        digest = try reader.readBytes32()
        signature = try reader.readText(limit: Limit.signature)
    }

    func encode(into writer: inout Writer) {
        row.encode(into: &writer)
        writer.write(form)
        writer.write(digest)
        writer.write(signature, limit: Limit.signature)
    }
}

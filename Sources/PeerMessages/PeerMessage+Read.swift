import Bitcoin
import Wire

extension PeerMessage {
    /// Reads the payload of a message. Everything must be there and nothing left, except behind a
    /// `version`, which later versions may extend.
    public init(_ kind: PeerMessageKind, payload: [UInt8]) throws(PeerMessageError) {
        guard payload.count <= kind.limit else {
            throw .wire(
                kind,
                .tooLarge(position: 0, found: UInt64(payload.count), allowed: kind.limit))
        }
        switch kind {
        case .tx:
            do throws(TransactionError) { self = .tx(try Transaction(payload)) } catch {
                throw .transaction(kind, error)
            }
        case .block:
            do throws(TransactionError) { self = .block(try Block(payload)) } catch {
                throw .transaction(kind, error)
            }
        default:
            do throws(WireError) {
                var reader = Reader(payload)
                self = try PeerMessage(kind, from: &reader)
                try reader.finish()
            } catch {
                throw .wire(kind, error)
            }
        }
    }

    private init(_ kind: PeerMessageKind, from reader: inout Reader) throws(WireError) {
        switch kind {
        case .version: self = .version(try VersionMessage(from: &reader))
        case .verack: self = .verack
        case .wtxidrelay: self = .wtxidrelay
        case .sendaddrv2: self = .sendaddrv2
        case .sendheaders: self = .sendheaders
        case .getaddr: self = .getaddr
        case .ping: self = .ping(nonce: try reader.readUInt64())
        case .pong: self = .pong(nonce: try reader.readUInt64())
        case .feefilter: self = .feefilter(try reader.readInt64())
        case .addr:
            self = .addr(
                try reader.readList(limit: PeerLimits.addresses) { reader throws(WireError) in
                    try PeerAddress(legacy: &reader)
                })
        case .addrv2:
            self = .addrv2(
                try reader.readList(limit: PeerLimits.addresses) { reader throws(WireError) in
                    try PeerAddress(from: &reader)
                })
        case .getheaders: self = .getheaders(try GetHeaders(from: &reader))
        case .headers: self = .headers(try PeerMessage.readHeaders(&reader))
        case .inv: self = .inv(try PeerMessage.readInventory(&reader))
        case .getdata: self = .getdata(try PeerMessage.readInventory(&reader))
        case .notfound: self = .notfound(try PeerMessage.readInventory(&reader))
        case .getcfilters: self = .getcfilters(try FilterRange(from: &reader))
        case .cfilter: self = .cfilter(try FilterAnswer(from: &reader))
        case .getcfheaders: self = .getcfheaders(try FilterRange(from: &reader))
        case .cfheaders: self = .cfheaders(try FilterHashes(from: &reader))
        case .getcfcheckpt: self = .getcfcheckpt(try CheckpointRequest(from: &reader))
        case .cfcheckpt: self = .cfcheckpt(try CheckpointAnswer(from: &reader))
        case .tx, .block: preconditionFailure("they have an error of their own")
        }
    }

    private static func readHeaders(_ reader: inout Reader) throws(WireError) -> [BlockHeader] {
        try reader.readList(limit: PeerLimits.headers) { reader throws(WireError) in
            let header = try BlockHeader(from: &reader)
            let start = reader.position
            let transactions = try reader.readCompactSize()
            guard transactions == 0 else {
                throw .unknownValue(position: start, found: transactions)
            }
            return header
        }
    }

    private static func readInventory(_ reader: inout Reader) throws(WireError) -> [InventoryItem] {
        try reader.readList(limit: PeerLimits.inventory) { reader throws(WireError) in
            try InventoryItem(from: &reader)
        }
    }
}

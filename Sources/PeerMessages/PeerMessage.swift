public import Bitcoin
import Wire

/// A message between peers.
public enum PeerMessage: Hashable, Sendable {
    /// See `PeerMessageKind`.
    case version(VersionMessage)
    /// See `PeerMessageKind`.
    case verack
    /// See `PeerMessageKind`.
    case wtxidrelay
    /// See `PeerMessageKind`.
    case sendaddrv2
    /// See `PeerMessageKind`.
    case sendheaders
    /// A number that the answer repeats.
    case ping(nonce: UInt64)
    /// The number of the question.
    case pong(nonce: UInt64)
    /// Satoshis for 1,000 virtual bytes; any number, as peers send it.
    case feefilter(Int64)
    /// See `PeerMessageKind`.
    case getaddr
    /// Addresses, those without a place in this message as none.
    case addr([PeerAddress])
    /// Addresses.
    case addrv2([PeerAddress])
    /// See `PeerMessageKind`.
    case getheaders(GetHeaders)
    /// Headers, unchecked.
    case headers([BlockHeader])
    /// See `PeerMessageKind`.
    case inv([InventoryItem])
    /// See `PeerMessageKind`.
    case getdata([InventoryItem])
    /// See `PeerMessageKind`.
    case notfound([InventoryItem])
    /// A transaction, unchecked.
    case tx(Transaction)
    /// A block, unchecked.
    case block(Block)
    /// See `PeerMessageKind`.
    case getcfilters(FilterRange)
    /// See `PeerMessageKind`.
    case cfilter(FilterAnswer)
    /// See `PeerMessageKind`.
    case getcfheaders(FilterRange)
    /// See `PeerMessageKind`.
    case cfheaders(FilterHashes)
    /// See `PeerMessageKind`.
    case getcfcheckpt(CheckpointRequest)
    /// See `PeerMessageKind`.
    case cfcheckpt(CheckpointAnswer)

    /// Which message it is.
    public var kind: PeerMessageKind {
        switch self {
        case .version: .version
        case .verack: .verack
        case .wtxidrelay: .wtxidrelay
        case .sendaddrv2: .sendaddrv2
        case .sendheaders: .sendheaders
        case .ping: .ping
        case .pong: .pong
        case .feefilter: .feefilter
        case .getaddr: .getaddr
        case .addr: .addr
        case .addrv2: .addrv2
        case .getheaders: .getheaders
        case .headers: .headers
        case .inv: .inv
        case .getdata: .getdata
        case .notfound: .notfound
        case .tx: .tx
        case .block: .block
        case .getcfilters: .getcfilters
        case .cfilter: .cfilter
        case .getcfheaders: .getcfheaders
        case .cfheaders: .cfheaders
        case .getcfcheckpt: .getcfcheckpt
        case .cfcheckpt: .cfcheckpt
        }
    }

    /// The payload.
    public var payload: [UInt8] {
        var writer = Writer()
        switch self {
        case .verack, .wtxidrelay, .sendaddrv2, .sendheaders, .getaddr: break
        case .version(let message): message.write(to: &writer)
        case .ping(let nonce), .pong(let nonce): writer.write(nonce)
        case .feefilter(let rate): writer.write(rate)
        case .addr(let addresses): writer.writeList(addresses) { $1.writeLegacy(to: &$0) }
        case .addrv2(let addresses): writer.writeList(addresses) { $1.write(to: &$0) }
        case .getheaders(let question): question.write(to: &writer)
        case .headers(let headers):
            writer.writeList(headers) {
                $1.write(to: &$0)
                // The number of transactions, of which there are none.
                $0.write(UInt8(0))
            }
        case .inv(let items), .getdata(let items), .notfound(let items):
            writer.writeList(items) { $1.write(to: &$0) }
        case .tx(let transaction): return transaction.serialized()
        case .block(let block): return block.serialized
        case .getcfilters(let range), .getcfheaders(let range): range.write(to: &writer)
        case .cfilter(let answer): answer.write(to: &writer)
        case .cfheaders(let answer): answer.write(to: &writer)
        case .getcfcheckpt(let question): question.write(to: &writer)
        case .cfcheckpt(let answer): answer.write(to: &writer)
        }
        return writer.bytes
    }
}

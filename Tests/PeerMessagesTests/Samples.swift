import Bitcoin
import Chain
import TestSupport
import Wire

@testable import PeerMessages

/// One message of every kind.
enum Samples {
    static let hash = Bytes32 { $0.storeBytes(of: UInt64(0x0102_0304), as: UInt64.self) }

    static let addresses = [
        PeerAddress(
            time: 1, services: [.network, .witness], host: .ipv4(0x0102_0304), port: 8333),
        PeerAddress(
            time: 2, services: .compactFilters,
            host: .ipv6(high: 0x2A00_0001_0002_0003, low: 4), port: 8334),
    ]

    static let overlays = [
        PeerAddress(time: 3, services: [], host: .torV3(hash), port: 8333),
        PeerAddress(time: 4, services: .v2Transport, host: .i2p(hash), port: 0),
        PeerAddress(
            time: 5, services: PeerServices(rawValue: .max),
            host: .cjdns(high: 0xFC00_0000_0000_0001, low: 2), port: 1),
        PeerAddress(time: 6, services: [], host: .unusable(network: 170, [1, 2, 3]), port: 2),
    ]

    static let version = VersionMessage(
        services: [.network, .compactFilters], time: 1_700_000_000, nonce: 7,
        userAgent: Array("/bulkhead:1/".utf8), startHeight: 900_000, relay: false)

    static func all() throws -> [PeerMessage] {
        let headers = Array(repeating: Network.mainnet.genesis, count: 3)
        let blocks = try Fixture.bytes("blocks/mainnet-13b8a.bin")
        let block = try Block(Array(blocks[4...]))
        let items = [
            InventoryItem(.witnessBlock, hash), InventoryItem(.witnessTransactionID, .zero),
            InventoryItem(InventoryItem.Kind(rawValue: 99), hash),
        ]
        let blockHash = BlockHash(hash)
        return [
            .version(version), .verack, .wtxidrelay, .sendaddrv2, .sendheaders, .ping(nonce: 1),
            .pong(nonce: .max), .feefilter(-1), .getaddr, .addr(addresses),
            .addrv2(addresses + overlays),
            .getheaders(GetHeaders(locator: [blockHash, BlockHash(.zero)], stop: blockHash)),
            .headers(headers), .inv(items), .getdata(items), .notfound([]),
            .tx(block.transactions[1]), .block(block),
            .getcfilters(FilterRange(start: 5, stop: blockHash)),
            .cfilter(FilterAnswer(block: blockHash, filter: [1, 2, 3])),
            .getcfheaders(FilterRange(type: 9, start: .max, stop: blockHash)),
            .cfheaders(
                FilterHashes(
                    stop: blockHash, previous: FilterHeader(hash),
                    hashes: [FilterHash(.zero), FilterHash(hash)])),
            .getcfcheckpt(CheckpointRequest(stop: blockHash)),
            .cfcheckpt(CheckpointAnswer(stop: blockHash, headers: [FilterHeader(hash)])),
        ]
    }
}

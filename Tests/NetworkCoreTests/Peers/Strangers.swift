import Bitcoin
import Chain
import PeerMessages
import TestSupport
import Wire

@testable import NetworkCore

/// Parts from which tests make peers.
enum Strangers {
    static let needed: PeerServices = [.network, .witness, .compactFilters]

    static func version(
        _ services: PeerServices = needed, version: Int32 = 70_016, nonce: UInt64 = 1,
        height: Int32 = 0
    ) -> VersionMessage {
        VersionMessage(
            version: version, services: services, time: 0, nonce: nonce, userAgent: [],
            startHeight: height, relay: true)
    }

    /// An endpoint of IPv4 by its four numbers.
    static func ipv4(_ a: UInt8, _ b: UInt8, _ c: UInt8 = 0, _ d: UInt8 = 1) -> PeerEndpoint {
        let address = [a, b, c, d].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return PeerEndpoint(.ipv4(address), port: 8333)
    }

    /// An endpoint of IPv4 in a netblock of its own.
    static func public4(_ number: Int) -> PeerEndpoint {
        ipv4(UInt8(20 + number / 200), UInt8(number % 200), 3, 4)
    }

    static func tor(_ number: UInt64) -> PeerEndpoint {
        PeerEndpoint(.torV3(bytes(number)), port: 8333)
    }

    static func i2p(_ number: UInt64) -> PeerEndpoint {
        PeerEndpoint(.i2p(bytes(number)), port: 0)
    }

    static func bytes(_ number: UInt64) -> Bytes32 {
        Bytes32 { $0.storeBytes(of: number, as: UInt64.self) }
    }

    static let gateway = Gateway(ipv4(127, 0, 0, 1))

    /// A transaction of one input and one output, all different.
    static func transaction(_ number: UInt64, spending parent: Txid? = nil) -> Transaction {
        Transaction(
            inputs: [
                TransactionInput(
                    outpoint: OutPoint(txid: parent ?? Txid(bytes(number)), vout: 0),
                    witness: Witness([[1]]))
            ],
            outputs: [
                TransactionOutput(
                    value: Amount(sats: number) ?? .zero, scriptPubKey: Script([0x51]))
            ])
    }
}

import CLibcrypto
import Foundation
public import Wire

/// Signs lists of peers in tests, by libcrypto.
public struct Publisher: Sendable {
    /// By which it is known.
    public let key: Bytes32
    private let secret: [UInt8]

    /// One of 256.
    public init(_ number: UInt8) {
        secret = [UInt8](repeating: number, count: 32)
        let pair = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, secret, 32)
        defer { EVP_PKEY_free(pair) }
        key = Bytes32 { out in
            var count = 32
            EVP_PKEY_get_raw_public_key(
                pair, out.baseAddress?.assumingMemoryBound(to: UInt8.self), &count)
        }
    }

    /// Its signature (Ed25519).
    public func signature(of message: [UInt8]) -> [UInt8] {
        let pair = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, secret, 32)
        defer { EVP_PKEY_free(pair) }
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        EVP_DigestSignInit(context, nil, nil, nil, pair)
        var signature = [UInt8](repeating: 0, count: 64)
        var count = 64
        EVP_DigestSign(context, &signature, &count, message, message.count)
        return signature
    }

    /// A list of these lines with its signature.
    public func list(_ lines: [String]) -> [UInt8] {
        let body = Array(lines.map { $0 + "\n" }.joined().utf8)
        let signature = signature(of: Array("bulkhead/1/peer-list\0".utf8) + body)
        return body + Array("signature \(key) \(Hex.encode(signature))\n".utf8)
    }

    /// A list of today for signet that names these peers.
    public func listOfToday(_ peers: [String]) -> [UInt8] {
        var now = time(nil)
        var parts = tm()
        gmtime_r(&now, &parts)
        let date = String(
            format: "%04d-%02d-%02d", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday)
        return list(
            ["bulkhead-peer-list 1", "network signet", "date \(date)", "height 2015"]
                + peers.map { "peer \($0)" })
    }
}

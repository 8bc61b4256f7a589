import Wire

/// How many packets one key serves (BIP324).
private let rekeyInterval: UInt64 = 224

private func nonce(_ first: UInt32, _ second: UInt64) -> [UInt8] {
    var writer = Writer(capacity: ChaCha.nonceSize)
    writer.write(first)
    writer.write(second)
    return writer.bytes
}

/// FSChaCha20 of BIP324: encrypts the lengths of packets, with a new key every 224.
final class LengthCipher {
    private let interval: UInt64
    private let stream: ChaChaStream
    private var count: UInt64 = 0

    /// - Parameter interval: packets of one key; another number only in tests.
    init(key: Bytes32, interval: UInt64 = rekeyInterval) {
        self.interval = interval
        stream = ChaChaStream(key: key, nonce: nonce(0, 0))
    }

    /// Encrypts or decrypts the next chunk, which is the same.
    func apply(_ chunk: [UInt8]) -> [UInt8] {
        let out = stream.apply(chunk)
        count += 1
        if count.isMultiple(of: interval), let key = Bytes32(stream.apply(Bytes32.zero.array)) {
            stream.restart(key: key, nonce: nonce(0, count / interval))
        }
        return out
    }
}

/// FSChaCha20Poly1305 of BIP324: encrypts packets, with a new key every 224.
struct PacketCipher {
    private var key: Bytes32
    private var count: UInt64 = 0

    init(key: Bytes32) { self.key = key }

    mutating func seal(_ plaintext: [UInt8], aad: [UInt8]) -> [UInt8] {
        defer { advance() }
        return ChaCha.seal(plaintext, aad: aad, key: key, nonce: next)
    }

    /// Nil for what was not sealed as the next packet. Nothing may be opened after that.
    mutating func open(_ sealed: [UInt8], aad: [UInt8]) -> [UInt8]? {
        defer { advance() }
        return ChaCha.open(sealed, aad: aad, key: key, nonce: next)
    }

    private var next: [UInt8] {
        nonce(UInt32(count % rekeyInterval), count / rekeyInterval)
    }

    private mutating func advance() {
        if count % rekeyInterval == rekeyInterval - 1 {
            let renewed = ChaCha.seal(
                Bytes32.zero.array, aad: [], key: key, nonce: nonce(.max, count / rekeyInterval))
            if let renewed = Bytes32(renewed[..<32]) { key = renewed }
        }
        count += 1
    }
}

import CLibcrypto

/// What HMAC needs of a hash.
protocol HashFunction: Sendable {
    static var blockSize: Int { get }
    static var digestSize: Int { get }
    init()
    mutating func update(_ bytes: UnsafeRawBufferPointer)
    mutating func finalize(into out: UnsafeMutableRawBufferPointer)
}

/// HMAC (RFC 2104). After a code is written the state is ready for the next message under the
/// same key, for the price of a copy.
///
/// The states after the key's blocks are as good as the key. Whoever uses a secret key keeps this
/// value where it can be wiped and calls it there, in place.
struct HMAC<Hash: HashFunction>: Sendable {
    private var keyedInner = Hash()
    private var keyedOuter = Hash()
    private var running = Hash()

    mutating func setKey(_ key: UnsafeRawBufferPointer) {
        withUnsafeTemporaryAllocation(byteCount: Hash.blockSize, alignment: 8) { pad in
            pad.initializeMemory(as: UInt8.self, repeating: 0)
            if key.count > Hash.blockSize {
                running = Hash()
                running.update(key)
                running.finalize(into: pad)
            } else {
                pad.copyMemory(from: key)
            }
            for index in pad.indices { pad[index] ^= 0x36 }
            keyedInner = Hash()
            keyedInner.update(UnsafeRawBufferPointer(pad))
            for index in pad.indices { pad[index] ^= 0x36 ^ 0x5C }
            keyedOuter = Hash()
            keyedOuter.update(UnsafeRawBufferPointer(pad))
            OPENSSL_cleanse(pad.baseAddress, pad.count)
        }
        running = keyedInner
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) { running.update(bytes) }

    mutating func finalize(into out: UnsafeMutableRawBufferPointer) {
        running.finalize(into: out)
        running = keyedOuter
        running.update(UnsafeRawBufferPointer(rebasing: out[..<Hash.digestSize]))
        running.finalize(into: out)
        running = keyedInner
    }

    /// PBKDF2 (RFC 8018, section 5.2); the key set before is the password.
    mutating func stretch(
        salt: UnsafeRawBufferPointer, iterations: Int, into out: UnsafeMutableRawBufferPointer
    ) {
        precondition(iterations > 0)
        withUnsafeTemporaryAllocation(byteCount: 2 * Hash.digestSize, alignment: 8) { work in
            work.initializeMemory(as: UInt8.self, repeating: 0)
            let block = UnsafeMutableRawBufferPointer(rebasing: work[..<Hash.digestSize])
            let sum = UnsafeMutableRawBufferPointer(rebasing: work[Hash.digestSize...])
            var number: UInt32 = 1
            for start in stride(from: 0, to: out.count, by: Hash.digestSize) {
                update(salt)
                withUnsafeBytes(of: number.bigEndian) { update($0) }
                finalize(into: block)
                sum.copyMemory(from: UnsafeRawBufferPointer(block))
                for _ in 1..<iterations {
                    update(UnsafeRawBufferPointer(block))
                    finalize(into: block)
                    for index in block.indices { sum[index] ^= block[index] }
                }
                let count = min(Hash.digestSize, out.count - start)
                UnsafeMutableRawBufferPointer(rebasing: out[start...])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: sum[..<count]))
                number += 1
            }
            OPENSSL_cleanse(work.baseAddress, work.count)
        }
    }
}

/// HMAC-SHA256 (RFC 2104), and PBKDF2 over it.
public struct HMACSHA256: Sendable {
    private var mac = HMAC<SHA256>()

    /// No key yet: call `setKey` first. Two steps, so that a secret key can be set in place.
    public init() {}

    /// Sets a key of any length and starts a message.
    public mutating func setKey(_ key: UnsafeRawBufferPointer) { mac.setKey(key) }

    /// Feeds a part of the message.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) { mac.update(bytes) }

    /// Writes the code, 32 bytes, to the start of `out` and starts the next message.
    ///
    /// - Precondition: `out` has room for 32 bytes.
    public mutating func finalize(into out: UnsafeMutableRawBufferPointer) {
        mac.finalize(into: out)
    }

    /// PBKDF2-HMAC-SHA256 (RFC 8018) of the key as password; fills all of `out`.
    ///
    /// - Precondition: at least one iteration.
    public mutating func stretch(
        salt: UnsafeRawBufferPointer, iterations: Int, into out: UnsafeMutableRawBufferPointer
    ) {
        mac.stretch(salt: salt, iterations: iterations, into: out)
    }
}

/// HMAC-SHA512 (RFC 2104), and PBKDF2 over it.
public struct HMACSHA512: Sendable {
    private var mac = HMAC<SHA512>()

    /// No key yet: call `setKey` first. Two steps, so that a secret key can be set in place.
    public init() {}

    /// Sets a key of any length and starts a message.
    public mutating func setKey(_ key: UnsafeRawBufferPointer) { mac.setKey(key) }

    /// Feeds a part of the message.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) { mac.update(bytes) }

    /// Writes the code, 64 bytes, to the start of `out` and starts the next message.
    ///
    /// - Precondition: `out` has room for 64 bytes.
    public mutating func finalize(into out: UnsafeMutableRawBufferPointer) {
        mac.finalize(into: out)
    }

    /// PBKDF2-HMAC-SHA512 (RFC 8018) of the key as password; fills all of `out`.
    ///
    /// - Precondition: at least one iteration.
    public mutating func stretch(
        salt: UnsafeRawBufferPointer, iterations: Int, into out: UnsafeMutableRawBufferPointer
    ) {
        mac.stretch(salt: salt, iterations: iterations, into: out)
    }
}

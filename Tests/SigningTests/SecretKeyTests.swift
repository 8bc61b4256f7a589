import Curve
import Hashing
import SecretMemory
import Testing
import Wire

@testable import Signing

extension SecretKey {
    /// A key of public test data.
    init(hex: String, _ context: borrowing SigningContext) throws {
        let bytes = try Hex.decode(hex)
        let secret = SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes) }
        self = try SecretKey(secret, context)
    }

    /// Adds a tweak of public test data.
    func adding(tweak: [UInt8], _ context: borrowing SigningContext) throws -> SecretKey {
        let tweak = SecretBytes(count: 32) { $0.copyBytes(from: tweak) }
        return try tweak.withUnsafeBytes { tweak throws(SigningError) in
            try adding(tweak: tweak, context)
        }
    }

    var hex: String { withUnsafeBytes { Hex.encode($0) } }
}

@Suite("Secret keys")
struct SecretKeyTests {
    static let order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"

    @Test("zero, the order and anything above it are no keys; one and the order less one are")
    func range() throws {
        let context = SigningContext()
        for bad in [
            String(repeating: "0", count: 64), Self.order, String(repeating: "f", count: 64),
        ] {
            #expect(throws: SigningError.invalidKey) { _ = try SecretKey(hex: bad, context) }
        }
        #expect(throws: SigningError.wrongLength(found: 31, allowed: 32)) {
            _ = try SecretKey(hex: String(repeating: "1", count: 62), context)
        }
        let one = try SecretKey(hex: String(repeating: "0", count: 63) + "1", context)
        let last = try SecretKey(hex: Self.order.dropLast() + "0", context)
        #expect(last.publicKey == one.publicKey.negated)
        #expect(
            one.publicKey.description
                == "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")
    }

    @Test("adding a tweak to the secret key and to the public key gives one key; no sum is zero")
    func addition() throws {
        let context = SigningContext()
        let key = try SecretKey.random(context)
        let tweak = try #require(Bytes32((0..<32).map { UInt8($0 + 1) }))
        let sum = try key.adding(tweak: tweak.array, context)
        #expect(try sum.publicKey == key.publicKey.adding(tweak: tweak))
        let one = try SecretKey(hex: String(repeating: "0", count: 63) + "1", context)
        let last = try SecretKey(hex: Self.order.dropLast() + "0", context)
        #expect(throws: SigningError.invalidKey) {
            _ = try one.adding(tweak: Hex.decode(last.hex), context)
        }
        #expect(throws: SigningError.invalidKey) {
            _ = try one.adding(tweak: [UInt8](repeating: 0xFF, count: 32), context)
        }
    }

    @Test("signatures have low r and low s, repeat, and verify; a changed digest does not")
    func ecdsa() throws {
        let context = SigningContext()
        let key = try SecretKey.random(context)
        var grinds = 0
        for number in UInt8(0)..<50 {
            let digest = try #require(Bytes32([UInt8](repeating: number, count: 32)))
            let signature = try key.sign(digest, context)
            #expect(signature.isLowR && signature.isLowS && signature.der.count <= 70)
            #expect(try key.sign(digest, SigningContext()) == signature)
            #expect(key.publicKey.verifies(signature, digest: digest))
            #expect(!key.publicKey.verifies(signature, digest: .zero) || number == 0)
            let first = try key.signRecoverably(digest, context)
            #expect(first.recover(digest: digest) == key.publicKey)
            if first.signature.isLowR {
                #expect(first.signature == signature)
            } else {
                grinds += 1
            }
        }
        #expect((5...45).contains(grinds))
    }

    @Test("Schnorr signatures verify and never repeat")
    func schnorr() throws {
        let context = SigningContext()
        let key = try SecretKey.random(context)
        let message = try #require(Bytes32([UInt8](repeating: 7, count: 32)))
        let first = try key.signSchnorr(message, context)
        let second = try key.signSchnorr(message, context)
        #expect(first != second)
        #expect(key.publicKey.xOnly.verifies(first, message: message))
        #expect(key.publicKey.xOnly.verifies(second, message: message))
        #expect(!key.publicKey.xOnly.verifies(first, message: .zero))
    }

    @Test("the tweaked secret key belongs to the tweaked public key, whatever the parities")
    func taproot() throws {
        let context = SigningContext()
        for root in [nil, Bytes32([UInt8](repeating: 3, count: 32))] {
            for _ in 0..<8 {
                let key = try SecretKey.random(context)
                let tweaked = try key.taprootTweaked(merkleRoot: root, context)
                var hasher = TaggedHash(tag: "TapTweak").hasher()
                hasher.update(key.publicKey.xOnly.bytes)
                if let root { hasher.update(root) }
                let output = try key.publicKey.xOnly.tweaked(by: hasher.finalize())
                #expect(tweaked.publicKey.xOnly == output.key)
                #expect(tweaked.publicKey.isOdd == output.isOdd)
                let message = Bytes32.zero
                let signature = try tweaked.signSchnorr(message, context)
                #expect(output.key.verifies(signature, message: message))
            }
        }
    }
}

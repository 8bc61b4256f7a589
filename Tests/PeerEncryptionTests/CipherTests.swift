import TestSupport
import Testing
import Wire

@testable import PeerEncryption

@Suite("Ciphers of the encrypted transport")
struct CipherTests {
    private struct Vectors: Decodable {
        let chacha20poly1305: [Sealed]
        let fs_chacha20poly1305: [Packet]
        let fs_chacha20: [Length]
        let hkdf_sha256_l32: [Derivation]
    }

    private struct Sealed: Decodable {
        let plaintext: HexBytes
        let aad: HexBytes
        let key: HexBytes
        let nonce: HexBytes
        let ciphertext_and_tag: HexBytes
    }

    private struct Packet: Decodable {
        let plaintext: HexBytes
        let aad: HexBytes
        let key: HexBytes
        let message_index: Int
        let ciphertext_and_tag: HexBytes
    }

    private struct Length: Decodable {
        let plaintext: HexBytes
        let key: HexBytes
        let rekey_interval: UInt64
        let ciphertext_after_rotation: HexBytes
    }

    private struct Derivation: Decodable {
        let ikm: HexBytes
        let salt: HexBytes
        let info: HexBytes
        let okm_first_32: HexBytes
    }

    private let vectors: Vectors

    init() throws { vectors = try Fixture.load("bip324/core_cipher_tests.json") }

    @Test("The authenticated cipher is that of RFC 8439, in Core's four vectors")
    func authenticated() throws {
        #expect(vectors.chacha20poly1305.count == 4)
        for vector in vectors.chacha20poly1305 {
            let key = try #require(Bytes32(vector.key.bytes))
            let sealed = ChaCha.seal(
                vector.plaintext.bytes, aad: vector.aad.bytes, key: key, nonce: vector.nonce.bytes)
            #expect(sealed == vector.ciphertext_and_tag.bytes)
            #expect(
                ChaCha.open(sealed, aad: vector.aad.bytes, key: key, nonce: vector.nonce.bytes)
                    == vector.plaintext.bytes)
            for place in sealed.indices {
                var changed = sealed
                changed[place] ^= 1
                #expect(
                    ChaCha.open(changed, aad: vector.aad.bytes, key: key, nonce: vector.nonce.bytes)
                        == nil)
            }
        }
    }

    @Test("Packets are encrypted as Core does it after 500 and 60,000 others")
    func packets() throws {
        #expect(vectors.fs_chacha20poly1305.count == 2)
        for vector in vectors.fs_chacha20poly1305 {
            var sender = PacketCipher(key: try #require(Bytes32(vector.key.bytes)))
            var receiver = sender
            for _ in 0..<vector.message_index {
                _ = sender.seal([], aad: [])
                _ = receiver.open([], aad: [])
            }
            let sealed = sender.seal(vector.plaintext.bytes, aad: vector.aad.bytes)
            #expect(sealed == vector.ciphertext_and_tag.bytes)
            #expect(receiver.open(sealed, aad: vector.aad.bytes) == vector.plaintext.bytes)
        }
    }

    @Test("Lengths are encrypted as Core does it after a change of keys")
    func lengths() throws {
        #expect(vectors.fs_chacha20.count == 3)
        for vector in vectors.fs_chacha20 {
            let cipher = LengthCipher(
                key: try #require(Bytes32(vector.key.bytes)), interval: vector.rekey_interval)
            for _ in 0..<vector.rekey_interval { _ = cipher.apply(vector.plaintext.bytes) }
            #expect(cipher.apply(vector.plaintext.bytes) == vector.ciphertext_after_rotation.bytes)
        }
    }

    @Test("Keys are derived by HKDF-SHA256, in Core's three vectors")
    func derivation() {
        #expect(vectors.hkdf_sha256_l32.count == 3)
        for vector in vectors.hkdf_sha256_l32 {
            let hkdf = HKDF(salt: vector.salt.bytes, input: vector.ikm.bytes)
            #expect(hkdf.expand(vector.info.bytes).array == vector.okm_first_32.bytes)
        }
    }
}

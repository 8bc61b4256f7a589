import Bitcoin
import SecretMemory
import Signing
import TestSupport
import Testing

@testable import KeyTree

@Suite("Key deriver")
struct KeyDeriverTests {
    @Test("keys are those of direct derivation, and each parent is derived once")
    func keys() throws {
        let context = SigningContext()
        let master = try ExtendedPrivateKey(
            seed: SecretBytes.random(count: 32), network: .main, context)
        let deriver = KeyDeriver(master: master.duplicate())
        for index in 0..<20 {
            let path = try DerivationPath("m/84h/0h/0h/\(index % 2)/\(index)")
            let key = try deriver.key(at: path, context)
            let direct = try master.derive(path, context)
            #expect(key.publicKey == direct.publicKey)
            #expect(key.key.hex == direct.key.hex)
        }
        // 84h, 0h, 0h and the two branches.
        #expect(deriver.parents.count == 5)
        let root = try deriver.key(at: .empty, context)
        #expect(root.publicKey == master.publicKey)
        let child = try deriver.key(at: DerivationPath("7h"), context)
        #expect(child.depth == 1 && deriver.parents.count == 5)
    }

    @Test("no more parents are kept than the limit, whatever is asked for")
    func limit() throws {
        let context = SigningContext()
        let master = try ExtendedPrivateKey(
            seed: SecretBytes.random(count: 32), network: .test, context)
        let deriver = KeyDeriver(master: master.duplicate())
        for index in 0..<300 {
            let path = try DerivationPath("\(index)/0")
            let key = try deriver.key(at: path, context)
            #expect(deriver.parents.count <= KeyDeriver.maximumParents)
            if index % 100 == 99 {
                #expect(try key.publicKey == master.derive(path, context).publicKey)
            }
        }
        let deepest = try DerivationPath("m" + String(repeating: "/0", count: 255))
        #expect(try deriver.key(at: deepest, context).depth == 255)
    }
}

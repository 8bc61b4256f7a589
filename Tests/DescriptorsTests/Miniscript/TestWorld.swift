import Bitcoin
import Hashing
import Wire

@testable import Descriptors

/// Which keys have signed, which preimages are known and which locks are met. Signatures and
/// preimages are made up, but one does for its key or hash and no other.
struct TestWorld: SatisfactionSource {
    let context: ScriptContext
    var signers: Set<TestKey> = []
    var preimages: Set<Int> = []
    var olderMet: Set<UInt32> = []
    var afterMet: Set<UInt32> = []

    /// The signature that a key makes: 70 to 72 bytes in wsh, 64 or 65 in tapscript.
    static func signature(of key: [UInt8], in context: ScriptContext) -> [UInt8] {
        let digest = SHA256.hash(key).array
        let length = context == .wsh ? 70 + Int(digest[0] % 3) : 64 + Int(digest[0] % 2)
        return Array((digest + digest + digest).prefix(length))
    }

    /// A preimage of its own for each number.
    static func preimage(_ number: Int) -> Bytes32 {
        SHA256.hash(Array("preimage \(number)".utf8))
    }

    static func digest(_ function: HashLock.Function, of bytes: [UInt8]) -> [UInt8] {
        switch function {
        case .sha256: SHA256.hash(bytes).array
        case .hash256: SHA256.doubleHash(bytes).array
        case .ripemd160: RIPEMD160.hash(bytes).array
        case .hash160: hash160(bytes).array
        }
    }

    static func lock(_ function: HashLock.Function, _ number: Int) -> HashLock? {
        HashLock(function, digest: digest(function, of: preimage(number).array))
    }

    func signature(for key: TestKey) -> [UInt8]? {
        guard signers.contains(key) else { return nil }
        return TestWorld.signature(of: key.bytes(in: context), in: context)
    }

    func preimage(of lock: HashLock) -> Bytes32? {
        preimages.sorted().map(TestWorld.preimage).first {
            TestWorld.digest(lock.function, of: $0.array) == lock.digest
        }
    }

    func isMet(older value: UInt32) -> Bool { olderMet.contains(value) }

    func isMet(after value: UInt32) -> Bool { afterMet.contains(value) }

    /// Meets a requirement.
    mutating func add(_ requirement: Requirement<TestKey>) {
        switch requirement {
        case .signatures(let count, let keys): signers.formUnion(keys.prefix(count))
        case .older(let value): olderMet.insert(value)
        case .after(let value): afterMet.insert(value)
        case .preimage(let lock):
            let number = (0..<100).first {
                TestWorld.digest(lock.function, of: TestWorld.preimage($0).array) == lock.digest
            }
            if let number { preimages.insert(number) }
        }
    }
}

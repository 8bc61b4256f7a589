import Hashing
import SecretMemory
import StateFiles
import Vault

/// A secret of known bytes.
func secret(_ bytes: some Collection<UInt8>) -> SecretBytes {
    SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes) }
}

/// An id of 16 equal bytes.
func identifier<Named>(_ byte: UInt8) -> Identifier<Named> {
    guard let id = Identifier<Named>([UInt8](repeating: byte, count: 16)) else {
        preconditionFailure("16 bytes")
    }
    return id
}

extension RandomSource {
    /// The same bytes for the same seed: SHA-256 of the seed and a count, block by block.
    static func fixed(_ seed: String) -> RandomSource {
        let state = Counter()
        return RandomSource { buffer in
            for start in stride(from: 0, to: buffer.count, by: 32) {
                let block = SHA256.hash(Array("\(seed)/\(state.next())".utf8)).array
                let length = min(32, buffer.count - start)
                UnsafeMutableRawBufferPointer(rebasing: buffer[start..<start + length])
                    .copyBytes(from: block[..<length])
            }
        }
    }

    private final class Counter {
        private var value = 0

        func next() -> Int {
            value += 1
            return value
        }
    }
}

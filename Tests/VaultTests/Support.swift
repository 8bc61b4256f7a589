import Hashing
import SecretMemory
import StateFiles
import Wire

@testable import Vault

/// A secret with these bytes.
func secret(_ bytes: [UInt8]) -> SecretBytes {
    SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes) }
}

/// A secret with the UTF-8 of a text.
func secret(_ text: String) -> SecretBytes { secret(Array(text.utf8)) }

extension SecretBytes {
    /// The bytes of a secret of a test.
    borrowing func revealed() -> [UInt8] { withUnsafeBytes { Array($0) } }

    /// The text of a secret of a test.
    borrowing func text() -> String { String(decoding: revealed(), as: UTF8.self) }
}

/// `count` bytes that are the same in every run: for values that would be random.
func fixedBytes(_ name: String, count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
        bytes += SHA256.hash(Array("\(name) \(bytes.count)".utf8)).array
    }
    return Array(bytes.prefix(count))
}

/// The error that `body` throws; nil where it throws none or another.
func vaultError(_ body: () throws -> Void) -> VaultError? {
    do {
        try body()
        return nil
    } catch {
        return error as? VaultError
    }
}

extension VaultID {
    /// An id of a test.
    static func fixed(_ name: String) -> VaultID {
        guard let id = VaultID(fixedBytes("id " + name, count: length)) else {
            preconditionFailure("16 bytes are an id")
        }
        return id
    }
}

extension RandomSource {
    /// Gives these values in their order, and fails where another length is asked for.
    static func scripted(_ values: [[UInt8]]) -> RandomSource {
        let rest = Rest(values)
        return RandomSource { buffer in buffer.copyBytes(from: rest.next(count: buffer.count)) }
    }

    private final class Rest {
        private var values: ArraySlice<[UInt8]>

        init(_ values: [[UInt8]]) { self.values = values[...] }

        func next(count: Int) -> [UInt8] {
            guard let value = values.popFirst(), value.count == count else {
                preconditionFailure("another value than the next was asked for")
            }
            return value
        }
    }
}

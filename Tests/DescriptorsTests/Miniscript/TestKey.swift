import Bitcoin
import Hashing
import Wire

@testable import Descriptors

/// A key that only has to be told from others.
struct TestKey: ScriptKey {
    /// As in wsh; tapscript leaves the first byte out.
    let compressed: [UInt8]

    /// A key of its own for each number.
    init(_ number: Int) {
        self.init(compressed: [2] + SHA256.hash(Array("key \(number)".utf8)).array)
    }

    private init(compressed: [UInt8]) { self.compressed = compressed }

    /// Hexadecimal digits of a compressed key, or a capital letter for a made-up one.
    init(_ text: String) throws(MiniscriptError) {
        if text.utf8.count == 1, let letter = text.utf8.first {
            self.init(Int(letter))
            return
        }
        guard let bytes = try? Hex.decode(text), bytes.count == 33, [2, 3].contains(bytes[0]) else {
            throw MiniscriptError(.invalidKey, at: 0)
        }
        self.init(compressed: bytes)
    }

    /// The key that a script shows in full.
    init(
        _ key: EncodedKey, knownKeys: [TestKey], in context: ScriptContext
    ) throws(MiniscriptError) {
        switch key {
        case .key(let bytes):
            // Made-up keys are even, those of vectors need not be.
            let known = knownKeys.first { $0.bytes(in: context) == bytes }
            guard let known else { throw MiniscriptError(.invalidKey, at: 0) }
            self = known
        case .hash(let hash):
            let known = knownKeys.first { hash160($0.bytes(in: context)).array == hash }
            guard let known else { throw MiniscriptError(.invalidKey, at: 0) }
            self = known
        }
    }

    func bytes(in context: ScriptContext) -> [UInt8] {
        context == .wsh ? compressed : Array(compressed.dropFirst())
    }
}

extension Miniscript where Key == TestKey {
    /// Reads a text whose keys are hexadecimal or one capital letter.
    init(_ text: String, in context: ScriptContext) throws {
        self = try Miniscript<Expression>(Expression(text), in: context)
            .map { key throws(MiniscriptError) in try TestKey(key.text) }
    }

    /// Its text with keys in hexadecimal.
    var text: String { text { Hex.encode($0.compressed) } }
}

/// What `body` throws.
func thrown(by body: () throws -> Void) -> (any Error)? {
    do {
        try body()
        return nil
    } catch { return error }
}

import SecretMemory
import Signing
import TestSupport
import Wire

@testable import KeyTree

// Test data is public: these open what the product keeps shut.

extension SecretBytes {
    init(_ bytes: [UInt8]) {
        self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    init(text: String) { self.init(Array(text.utf8)) }

    init(hex: String) throws { self.init(try Hex.decode(hex)) }

    var array: [UInt8] { withUnsafeBytes { Array($0) } }
    var hex: String { Hex.encode(array) }
    var text: String { String(decoding: array, as: UTF8.self) }
}

extension SecretKey {
    var hex: String { withUnsafeBytes { Hex.encode($0) } }
}

extension Mnemonic {
    init(_ text: String) throws { try self.init(text: SecretBytes(text: text)) }

    var text: String { withText { String(decoding: $0, as: UTF8.self) } }
}

extension ExtendedPrivateKey {
    init(_ text: String, _ context: borrowing SigningContext) throws {
        try self.init(text: SecretBytes(text: text), context)
    }
}

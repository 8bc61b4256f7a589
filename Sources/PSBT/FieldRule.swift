/// What is fixed about a type of field by its number alone: name, lengths and versions.
struct FieldRule: Sendable {
    /// Which versions of PSBT may have the field.
    enum Versions: Sendable {
        case any
        case only0
        case only2
    }

    /// The first bytes of key data or value that are public keys.
    enum KeyForm: Sendable {
        /// No public key, or x-only ones, which have any first byte.
        case none
        /// Compressed keys one after the other.
        case compressed
        /// One key, compressed or not.
        case compressedOrNot
    }

    let name: String
    let keyData: Length
    let value: Length
    var versions = Versions.any
    var keysInKeyData = KeyForm.none
    var keysInValue = KeyForm.none

    /// A fingerprint of 4 bytes and up to 255 steps of 4 bytes (BIP32 has no deeper keys).
    static let origin = Length.steps(first: 4, step: 4, last: 4 + 4 * 255)
    /// Leaf hashes in front of an origin; the exact shape is checked when it is read.
    static let taprootOrigin = Length.between(5, .max)
    /// A DER signature with its sighash byte.
    static let signature = Length.between(9, 73)
    /// Participant and aggregate key, and the leaf hash in script path spends (BIP373).
    static let musigKey = Length.either(66, 98)
    /// Control byte and internal key, and up to 128 hashes (BIP341).
    static let controlBlock = Length.steps(first: 33, step: 32, last: 33 + 32 * 128)
}

extension FieldRule {
    /// A rule for a field with nothing but its type in the key.
    static func single(
        _ name: String, _ value: Length, _ versions: Versions = .any
    ) -> FieldRule {
        FieldRule(name: name, keyData: .none, value: value, versions: versions)
    }

    /// A rule for a field whose key holds a compressed public key.
    static func keyed(
        _ name: String, _ value: Length, _ versions: Versions = .any, keysInValue: KeyForm = .none
    ) -> FieldRule {
        FieldRule(
            name: name, keyData: .exactly(33), value: value, versions: versions,
            keysInKeyData: .compressed, keysInValue: keysInValue)
    }

    /// A rule for a field whose key holds a public key of an ECDSA script.
    static func ecdsaKeyed(_ name: String, _ value: Length) -> FieldRule {
        FieldRule(
            name: name, keyData: .either(33, 65), value: value, keysInKeyData: .compressedOrNot)
    }

    /// A rule for the field that is free for private use (BIP174).
    static func proprietary(_ name: String) -> FieldRule {
        FieldRule(name: name, keyData: .any, value: .any)
    }
}

/// The fields of one kind of map.
protocol Field: RawRepresentable<UInt8>, CaseIterable, Hashable, Sendable {
    var rule: FieldRule { get }
}

extension Field {
    /// The rules by type number; nil for types that no BIP defines.
    static func ruleTable() -> [FieldRule?] {
        var table = [FieldRule?](repeating: nil, count: 256)
        for field in allCases { table[Int(field.rawValue)] = field.rule }
        return table
    }
}

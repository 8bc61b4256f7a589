package import SecretMemory

extension VaultBody {
    /// Lengths are multiples of this, so that the size of the file says little.
    static let step = 256
    /// The longest encoded body: the longest passphrase fits.
    static let maximumCount = 8 * step
    static let version: UInt16 = 1
    private static let entropyCounts = [16, 20, 24, 28, 32]
    private static let longestKeyText = 112

    private enum Field: UInt8 {
        case entropy = 1
        case passphrase = 2
        case extendedKey = 3
        case birthday = 4
    }

    /// The version, the fields, and zero bytes up to the next step.
    package borrowing func encoded() -> SecretBytes {
        let birthday = SecretBytes(count: birthday == nil ? 0 : 8) { out in
            if let birthday = self.birthday {
                out.storeBytes(of: birthday.littleEndian, as: UInt64.self)
            }
        }
        let needed = 2 + 4 * 3 + root.count + passphrase.count + birthday.count
        let count = (needed + VaultBody.step - 1) / VaultBody.step * VaultBody.step
        return SecretBytes(count: count) { out in
            out.storeBytes(of: VaultBody.version.littleEndian, as: UInt16.self)
            var end = 2
            func write(_ field: Field, _ value: borrowing SecretBytes) {
                guard value.count > 0 else { return }
                out[end] = field.rawValue
                out[end + 1] = UInt8(value.count & 0xFF)
                out[end + 2] = UInt8(value.count >> 8)
                value.withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(rebasing: out[(end + 3)...]).copyMemory(from: $0)
                }
                end += 3 + value.count
            }
            if kind == .phrase { write(.entropy, root) }
            write(.passphrase, passphrase)
            if kind == .extendedKey { write(.extendedKey, root) }
            write(.birthday, birthday)
        }
    }

    /// Reads an encoded body that was authentic.
    ///
    /// - Throws: `newerVersion`, `malformed`.
    package init(_ encoded: borrowing SecretBytes, of vaultKind: VaultKind) throws(VaultError) {
        let fields = try encoded.withUnsafeBytes { bytes throws(VaultError) in
            try VaultBody.fields(of: bytes)
        }
        func copy(_ field: Field) -> SecretBytes {
            encoded.slice(fields[field.rawValue] ?? 0..<0)
        }
        let kind: Kind
        switch (vaultKind, fields[Field.entropy.rawValue], fields[Field.extendedKey.rawValue]) {
        case (.wallet, .some(let entropy), nil)
        where VaultBody.entropyCounts.contains(entropy.count):
            kind = .phrase
        case (.wallet, nil, .some(let text)) where text.count <= VaultBody.longestKeyText:
            kind = .extendedKey
        case (.items, nil, nil): kind = .items
        default: throw .malformed(.body, position: 2)
        }
        if let passphrase = fields[Field.passphrase.rawValue], kind != .phrase {
            throw .malformed(.body, position: passphrase.lowerBound)
        }
        var birthday: UInt64?
        if let range = fields[Field.birthday.rawValue] {
            guard range.count == 8 else { throw .malformed(.body, position: range.lowerBound) }
            birthday = encoded.withUnsafeBytes { bytes in
                range.reversed().reduce(0) { $0 << 8 | UInt64(bytes[$1]) }
            }
        }
        self.init(
            kind, root: kind == .phrase ? copy(.entropy) : copy(.extendedKey),
            passphrase: copy(.passphrase), birthday: birthday)
    }

    /// Where each field's value stands. Fields come in the order of their numbers, none twice; behind
    /// them there are zero bytes only.
    private static func fields(
        of bytes: UnsafeRawBufferPointer
    ) throws(VaultError) -> [UInt8: Range<Int>] {
        guard bytes.count >= 2 else { throw .malformed(.body, position: 0) }
        let version = UInt16(bytes[0]) | UInt16(bytes[1]) << 8
        guard version > 0 else { throw .malformed(.body, position: 0) }
        guard version <= VaultBody.version else {
            throw .newerVersion(.body, found: version, known: VaultBody.version)
        }
        var fields: [UInt8: Range<Int>] = [:]
        var position = 2
        var last: UInt8 = 0
        while position < bytes.count, bytes[position] != 0 {
            let number = bytes[position]
            guard Field(rawValue: number) != nil, number > last, position + 3 <= bytes.count else {
                throw .malformed(.body, position: position)
            }
            let count = Int(bytes[position + 1]) | Int(bytes[position + 2]) << 8
            let start = position + 3
            guard count > 0, start + count <= bytes.count else {
                throw .malformed(.body, position: position + 1)
            }
            fields[number] = start..<start + count
            last = number
            position = start + count
        }
        if let rest = (position..<bytes.count).first(where: { bytes[$0] != 0 }) {
            throw .malformed(.body, position: rest)
        }
        return fields
    }
}

import Bitcoin
import Wire

/// A PSBT as it came from a file or a message: in binary, hexadecimal or base64, which the content
/// tells and not the name.
public struct PSBTFile: Hashable, Sendable {
    /// How a PSBT is written.
    public enum Encoding: String, Hashable, Sendable, CaseIterable {
        /// The bytes themselves.
        case binary
        /// Two digits a byte.
        case hex
        /// Four characters for three bytes (BIP174).
        case base64
    }

    /// Something harmless that other programs may stumble over.
    public enum Oddity: Hashable, Sendable {
        /// A UTF-8 byte-order mark in front.
        case byteOrderMark
        /// Text in two bytes a character, with or without a byte-order mark.
        case utf16
        /// White space between the characters.
        case lineBreaks
    }

    /// What the file holds.
    public let psbt: PSBT
    /// How it is written; an answer is written the same way.
    public let encoding: Encoding
    /// What is odd about it.
    public let oddities: Set<Oddity>

    /// No file above this is looked at: room for 16 MiB in hexadecimal with line breaks.
    public static let maximumSize = 36 << 20

    /// Reads a file. White space around and inside of text and byte-order marks do no harm and are
    /// accepted; damage is told by its name.
    public init(_ file: [UInt8]) throws(PSBTFileError) {
        guard file.count <= PSBTFile.maximumSize else {
            throw .tooLarge(found: file.count, allowed: PSBTFile.maximumSize)
        }
        guard !file.isEmpty else { throw .empty }
        if file.starts(with: PSBT.magic) {
            psbt = try PSBTFile.readBinary(file)
            (encoding, oddities) = (.binary, [])
            return
        }
        guard !file.starts(with: PSBT.magic.dropLast()) else { throw .damagedByTextConversion }
        guard let text = PSBTFileText(file) else { throw PSBTFile.reason(notReadable: file) }
        guard !text.characters.isEmpty else { throw .empty }
        oddities = text.oddities
        if let bytes = try? Hex.decode(utf8: text.characters) {
            encoding = .hex
            psbt = try PSBTFile.readDecoded(bytes, from: .hex)
        } else {
            encoding = .base64
            psbt = try PSBTFile.readDecoded(
                try PSBTFile.decodeBase64(text.characters), from: .base64)
        }
    }

    /// The file with another PSBT, for an answer in the same form.
    public func answering(_ psbt: PSBT) -> [UInt8] { psbt.encoded(as: encoding) }

    private static func readBinary(_ bytes: [UInt8]) throws(PSBTFileError) -> PSBT {
        do throws(PSBTError) { return try PSBT(bytes) } catch {
            // Undoing what text mode did is exact, so it tells damage from other errors.
            if let undone = withoutLineEndingDamage(bytes), (try? PSBT(undone)) != nil {
                throw .lineEndingsDamaged
            }
            throw .psbt(error)
        }
    }

    private static func readDecoded(
        _ bytes: [UInt8], from encoding: Encoding
    ) throws(PSBTFileError) -> PSBT {
        guard bytes.starts(with: PSBT.magic) else {
            if let inner = self.encoding(ofText: bytes) {
                throw .encodedTwice(outer: encoding, inner: inner)
            }
            throw reason(notReadable: bytes)
        }
        return try readBinary(bytes)
    }

    private static func decodeBase64(_ text: [UInt8]) throws(PSBTFileError) -> [UInt8] {
        do throws(Base64.Failure) { return try Base64.decode(utf8: text) } catch {
            // Only what starts like a PSBT is judged as one.
            if encoding(ofText: text) == .base64 { throw .base64(error) }
            if encoding(ofText: text) == .hex { throw .hex(hexFailure(text)) }
            throw .notAPSBT(start: Array(text.prefix(8)))
        }
    }

    private static func hexFailure(_ text: [UInt8]) -> Hex.Failure {
        do throws(Hex.Failure) { _ = try Hex.decode(utf8: text) } catch { return error }
        return .oddLength(text.count)
    }

    /// Which encoding the first characters of a PSBT in text show.
    private static func encoding(ofText text: [UInt8]) -> Encoding? {
        if text.starts(with: Array("cHNidP".utf8)) { return .base64 }
        let digits = text.prefix(10).map { $0 | 0x20 }
        return digits == Array("70736274ff".utf8) ? .hex : nil
    }

    /// The bytes before each line feed got a carriage return; nil where some line feed has none.
    private static func withoutLineEndingDamage(_ bytes: [UInt8]) -> [UInt8]? {
        var undone: [UInt8] = []
        undone.reserveCapacity(bytes.count)
        for byte in bytes {
            if byte == 0x0A {
                guard undone.last == 0x0D else { return nil }
                undone.removeLast()
            }
            undone.append(byte)
        }
        return undone.count == bytes.count ? nil : undone
    }

    private static func reason(notReadable bytes: [UInt8]) -> PSBTFileError {
        if let transaction = try? Transaction(bytes), !transaction.inputs.isEmpty {
            return .transaction(transaction.txid)
        }
        return .notAPSBT(start: Array(bytes.prefix(8)))
    }
}

extension PSBT {
    /// The PSBT in a form; text ends without a line break.
    public func encoded(as encoding: PSBTFile.Encoding) -> [UInt8] {
        switch encoding {
        case .binary: serialized
        case .hex: Array(Hex.encode(serialized).utf8)
        case .base64: Array(Base64.encode(serialized).utf8)
        }
    }
}

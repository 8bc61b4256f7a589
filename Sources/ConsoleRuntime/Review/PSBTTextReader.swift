import PSBT
import Wire

/// The bytes that a text stands for, read piece by piece: nothing holds the text as a whole.
///
/// Of a PSBT of 16 MiB the hexadecimal digits take 32 MiB, more than is handed over; what they stand for
/// is not too much.
struct PSBTTextReader {
    /// Why a text is not read.
    enum Problem: Error, Hashable {
        /// It does not begin as the text of a PSBT does.
        case notText
        /// Something stands in it that its encoding has not.
        case damaged(PSBTFile.Encoding)
        /// What it stands for has more bytes than this.
        case tooLarge(allowed: Int)
    }

    /// What it stands for, as far as it was read.
    private(set) var bytes: [UInt8] = []
    /// How it is written, once its beginning was seen.
    private(set) var encoding: PSBTFile.Encoding?
    private var waiting: [UInt8] = []
    private var isPadded = false
    private let limit: Int

    /// A multiple of what either encoding takes at once.
    private static let piece = 48 << 10

    init(limit: Int) { self.limit = limit }

    /// Takes the next piece. White space means nothing, nor does a byte-order mark of UTF-8 in front.
    mutating func take(_ piece: ArraySlice<UInt8>) throws(Problem) {
        for byte in piece {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: continue
            default: waiting.append(byte)
            }
        }
        if encoding == nil {
            if waiting.starts(with: [0xEF, 0xBB, 0xBF]) { waiting.removeFirst(3) }
            guard waiting.count >= 10 else { return }
            encoding = try PSBTTextReader.encoding(of: waiting)
        }
        while waiting.count >= PSBTTextReader.piece { try decode(PSBTTextReader.piece) }
    }

    /// Takes what is left.
    mutating func finish() throws(Problem) {
        guard encoding != nil else { throw .notText }
        if !waiting.isEmpty { try decode(waiting.count) }
    }

    private mutating func decode(_ count: Int) throws(Problem) {
        guard let encoding else { throw .notText }
        let text = Array(waiting[..<count])
        waiting.removeFirst(count)
        let decoded: [UInt8]?
        switch encoding {
        case .hex: decoded = try? Hex.decode(utf8: text)
        case .base64:
            decoded = isPadded ? nil : try? Base64.decode(utf8: text)
            isPadded = text.last == UInt8(ascii: "=")
        case .binary: decoded = nil
        }
        guard let decoded else { throw .damaged(encoding) }
        guard bytes.count + decoded.count <= limit else { throw .tooLarge(allowed: limit) }
        bytes += decoded
    }

    private static func encoding(of start: [UInt8]) throws(Problem) -> PSBTFile.Encoding {
        if start.starts(with: Array("cHNidP".utf8)) { return .base64 }
        let digits = start.prefix(10).map { $0 | 0x20 }
        guard digits == Array("70736274ff".utf8) else { throw .notText }
        return .hex
    }
}

extension PSBTTextReader.Problem: CustomStringConvertible {
    /// What is wrong, after the name of the file.
    var description: String {
        switch self {
        case .notText: "is no text of a PSBT"
        case .damaged(let encoding):
            "begins like a PSBT in \(encoding.rawValue), and holds something else: ask for it again"
        case .tooLarge(let allowed):
            "stands for more than \(allowed) bytes, and so many are read at most"
        }
    }
}

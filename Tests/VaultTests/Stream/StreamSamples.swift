import SecretMemory
import StateFiles
import TestSupport

@testable import Vault

/// Seals and opens whole streams in memory.
enum StreamSamples {
    static let vault: VaultID = identifier(0x11)
    static let item: ItemID = identifier(0x22)

    static func key() -> SecretBytes { secret([UInt8](repeating: 0x33, count: 32)) }

    static func header(_ seed: String = "stream") -> StreamHeader {
        StreamHeader(.item(item), of: vault, using: .fixed(seed))
    }

    /// `count` bytes that do not repeat.
    static func content(_ count: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: UInt64(count))
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    static func seal(
        _ content: [UInt8], header: StreamHeader = header(), piece: Int = .max
    ) -> [UInt8] {
        var file = header.bytes
        var writer = SealedStreamWriter(header, key: key())
        for part in pieces(content, piece) {
            part.withUnsafeBytes { writer.append($0) { file += $0 } }
        }
        writer.finish { file += $0 }
        return file
    }

    static func open(_ file: [UInt8], piece: Int = .max) throws -> [UInt8] {
        var content: [UInt8] = []
        let start = min(file.count, StreamHeader.length)
        let header = try StreamHeader(Array(file[..<start]))
        var reader = SealedStreamReader(header, key: key())
        for part in pieces(Array(file[start...]), piece) {
            try part.withUnsafeBytes { try reader.append($0) { content += $0 } }
        }
        try reader.finish { content += $0 }
        return content
    }

    static func pieces(_ bytes: [UInt8], _ length: Int) -> [[UInt8]] {
        guard length < bytes.count else { return [bytes] }
        return stride(from: 0, to: bytes.count, by: length).map {
            Array(bytes[$0..<min($0 + length, bytes.count)])
        }
    }
}

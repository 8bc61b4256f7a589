import CQREncode
import SecretMemory

/// A QR code (ISO/IEC 18004), which may hold a secret: its modules lie in locked memory.
///
/// libqrencode makes it from copies of its own in ordinary memory. The finished code is wiped before
/// it is given back; the copies inside the library end with the process, which docs/privsep.md says.
public struct QRCode: ~Copyable {
    /// Modules in a row and in a column, without the quiet zone.
    public let width: Int
    private let modules: SecretBytes

    /// The light modules around a code that the standard asks for.
    public static let quietZone = 4

    /// Encodes bytes so that 15 % of the code may be unreadable; nil for none or more than fit into
    /// the largest code, 2331.
    public init?(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, !bytes.isEmpty, bytes.count <= 2331,
            let code = QRcode_encodeData(
                Int32(bytes.count), start.assumingMemoryBound(to: UInt8.self), 0, QR_ECLEVEL_M)
        else { return nil }
        defer { QRcode_free(code) }
        guard let data = code.pointee.data else { return nil }
        width = Int(code.pointee.width)
        let found = UnsafeMutableRawBufferPointer(start: data, count: width * width)
        modules = SecretBytes(count: found.count) { target in
            // The lowest bit is the colour, the others say what the module is for.
            for index in found.indices { target[index] = found[index] & 1 }
        }
        SecretMemory.wipe(found)
    }

    /// Encodes a text that is no secret.
    public init?(_ text: String) {
        var bytes = SecretText(capacity: text.utf8.count)
        bytes.append(text)
        guard let code = bytes.finish().withUnsafeBytes({ QRCode($0) }) else { return nil }
        self = code
    }

    // DECLASSIFY: a code is made to be seen; who draws it decides where.
    /// Whether a module is dark; all outside of the code are light.
    public func isDark(column: Int, row: Int) -> Bool {
        guard (0..<width).contains(column), (0..<width).contains(row) else { return false }
        return modules.withUnsafeBytes { $0[row * width + column] } == 1
    }

    /// Columns and lines of text that the drawing takes.
    public var textSize: (columns: Int, lines: Int) {
        let side = width + 2 * Self.quietZone
        return (side, (side + 1) / 2)
    }

    /// Bytes of the drawing at most, newlines included.
    public var textCapacity: Int { textSize.lines * (textSize.columns * 3 + 1) }

    /// Draws the code in half blocks, two rows of modules a line, each line ended by `newline`.
    ///
    /// - Parameter inverted: For a terminal with light letters on a dark ground, where the light
    ///   modules have to be the ones that are printed.
    public func draw(into text: inout SecretText, inverted: Bool, newline: String = "\n") {
        let zone = Self.quietZone
        for line in 0..<textSize.lines {
            for column in -zone..<width + zone {
                let row = line * 2 - zone
                let upper = isDark(column: column, row: row) != inverted
                let lower = isDark(column: column, row: row + 1) != inverted
                text.append(Self.block(upper, lower))
            }
            text.append(newline)
        }
    }

    /// The drawing of a code that is no secret, as lines of text.
    public func lines(inverted: Bool) -> [String] {
        let zone = Self.quietZone
        return (0..<textSize.lines).map { line in
            let row = line * 2 - zone
            return (-zone..<width + zone).map { column in
                Self.block(
                    isDark(column: column, row: row) != inverted,
                    isDark(column: column, row: row + 1) != inverted)
            }.joined()
        }
    }

    private static func block(_ upper: Bool, _ lower: Bool) -> String {
        switch (upper, lower) {
        case (true, true): "\u{2588}"
        case (true, false): "\u{2580}"
        case (false, true): "\u{2584}"
        case (false, false): " "
        }
    }
}

import CHaru
import SecretMemory

/// One A4 page that libharu draws, in points from the lower left corner.
struct PDFPage: ~Copyable {
    /// The width and height of A4.
    static let size = (width: Float(595), height: Float(842))

    /// The fonts of a page; all are among the 14 that every reader of PDF has.
    enum Font: String {
        case text = "Helvetica"
        case title = "Helvetica-Bold"
        case code = "Courier-Bold"
    }

    private let document: HPDF_Doc
    private let page: HPDF_Page

    init(title: String) throws(KitDocumentError) {
        let parts = try Self.start(title)
        document = parts.document
        page = parts.page
        HPDF_Page_SetWidth(page, Self.size.width)
        HPDF_Page_SetHeight(page, Self.size.height)
    }

    private static func start(
        _ title: String
    ) throws(KitDocumentError) -> (document: HPDF_Doc, page: HPDF_Page) {
        try PDFMemory.prepare()
        let document = HPDF_NewEx(
            nil, { PDFMemory.allocate(Int($0)) }, { _ in }, 0, nil)
        guard let document else { throw .library(status: 0) }
        HPDF_SetInfoAttr(document, HPDF_INFO_TITLE, title)
        guard let page = HPDF_AddPage(document) else {
            let status = HPDF_GetError(document)
            HPDF_Free(document)
            throw .library(status: UInt(status))
        }
        return (document, page)
    }

    deinit {
        HPDF_Free(document)
        PDFMemory.wipe()
    }

    /// Writes words that are no secret.
    func write(_ text: String, _ font: Font, size: Float, x: Float, y: Float) {
        var bytes = Self.latin1(text) + [0]
        bytes.withUnsafeMutableBytes { write(terminated: .init($0), font, size: size, x: x, y: y) }
    }

    /// Writes bytes of a secret, ASCII.
    func write(secret: UnsafeRawBufferPointer, _ font: Font, size: Float, x: Float, y: Float) {
        let terminated = SecretBytes(count: secret.count + 1) { buffer in
            UnsafeMutableRawBufferPointer(rebasing: buffer[..<secret.count])
                .copyMemory(from: secret)
        }
        terminated.withUnsafeBytes { write(terminated: $0, font, size: size, x: x, y: y) }
    }

    private func write(
        terminated bytes: UnsafeRawBufferPointer, _ font: Font, size: Float, x: Float, y: Float
    ) {
        HPDF_Page_SetFontAndSize(
            page, HPDF_GetFont(document, font.rawValue, "WinAnsiEncoding"), size)
        HPDF_Page_BeginText(page)
        HPDF_Page_TextOut(page, x, y, bytes.assumingMemoryBound(to: CChar.self).baseAddress)
        HPDF_Page_EndText(page)
    }

    /// How wide words come out.
    func width(of text: String, _ font: Font, size: Float) -> Float {
        HPDF_Page_SetFontAndSize(
            page, HPDF_GetFont(document, font.rawValue, "WinAnsiEncoding"), size)
        let bytes = Self.latin1(text) + [0]
        return bytes.withUnsafeBytes {
            HPDF_Page_TextWidth(page, $0.assumingMemoryBound(to: CChar.self).baseAddress)
        }
    }

    /// Draws a QR code as black rectangles, one for each run of dark modules of a row.
    ///
    /// - Parameters:
    ///   - side: Of the square without the quiet zone.
    ///   - x: Of its lower left corner.
    ///   - y: Of its lower left corner.
    func draw(_ code: borrowing QRCode, side: Float, x: Float, y: Float) {
        let module = side / Float(code.width)
        for row in 0..<code.width {
            var column = 0
            while column < code.width {
                let first = column
                while code.isDark(column: column, row: row) { column += 1 }
                if column > first {
                    HPDF_Page_Rectangle(
                        page, x + Float(first) * module, y + side - Float(row + 1) * module,
                        Float(column - first) * module, module)
                }
                column += 1
            }
        }
        HPDF_Page_Fill(page)
    }

    /// A thin line over the whole width between the margins.
    func rule(y: Float, margin: Float) {
        HPDF_Page_SetLineWidth(page, 0.5)
        HPDF_Page_MoveTo(page, margin, y)
        HPDF_Page_LineTo(page, Self.size.width - margin, y)
        HPDF_Page_Stroke(page)
    }

    /// The document's bytes.
    func finish() throws(KitDocumentError) -> SecretBytes {
        HPDF_SaveToStream(document)
        let status = HPDF_GetError(document)
        guard status == HPDF_OK else { throw .library(status: UInt(status)) }
        HPDF_ResetStream(document)
        var size = HPDF_UINT32(HPDF_GetStreamSize(document))
        return SecretBytes(count: Int(size)) { buffer in
            HPDF_ReadFromStream(
                document, buffer.assumingMemoryBound(to: HPDF_BYTE.self).baseAddress, &size)
        }
    }

    /// The fonts have the letters of Latin-1 only; others come out as a question mark.
    private static func latin1(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { scalar in
            let isPrintable =
                (0x20...0x7E).contains(scalar.value) || (0xA0...0xFF).contains(scalar.value)
            return isPrintable ? UInt8(scalar.value) : UInt8(ascii: "?")
        }
    }
}

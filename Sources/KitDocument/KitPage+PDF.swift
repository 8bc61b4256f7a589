public import SecretMemory

extension KitPage {
    /// Takes the memory for PDFs. Call it before the process is confined.
    public static func prepare() throws(KitDocumentError) { try PDFMemory.prepare() }

    /// The kit as one A4 page, PDF 1.3 or later: text that can be selected, QR codes as rectangles.
    public borrowing func pdf() throws(KitDocumentError) -> SecretBytes {
        let page = try PDFPage(title: Words.title)
        let margin: Float = 56
        var y = PDFPage.size.height - 72
        page.write(Words.title, .title, size: 22, x: margin, y: y)
        y -= 30
        for (label, value) in heading {
            page.write(label, .title, size: 10, x: margin, y: y)
            page.write(value, .text, size: 10, x: margin + 60, y: y)
            y -= 15
        }
        y = Self.paragraph(Words.warning, .title, on: page, x: margin, y: y - 8)
        y = try Self.write(
            secretKey, Words.secretKey, Words.secretKeyUse, on: page, margin: margin, y: y)
        y = try Self.write(
            recoveryCode, Words.recoveryCode, Words.recoveryCodeUse, on: page, margin: margin, y: y)
        page.rule(y: y, margin: margin)
        y -= 20
        page.write("What to do with it", .title, size: 12, x: margin, y: y)
        y -= 18
        for (number, step) in zip(1..., Words.steps) {
            page.write("\(number).", .text, size: 10, x: margin, y: y)
            y = Self.paragraph(step, .text, on: page, x: margin + 16, y: y)
        }
        return try page.finish()
    }

    /// A secret in groups with its QR code at the right; returns the height below it.
    private static func write(
        _ secret: borrowing SecretBytes, _ title: String, _ use: String,
        on page: borrowing PDFPage, margin: Float, y top: Float
    ) throws(KitDocumentError) -> Float {
        guard let code = secret.withUnsafeBytes({ QRCode($0) }) else { throw .tooLongForCode }
        let side: Float = 128
        page.rule(y: top, margin: margin)
        page.draw(
            code, side: side, x: PDFPage.size.width - margin - side, y: top - 12 - side)
        page.write(title, .title, size: 14, x: margin, y: top - 26)
        page.write(use, .text, size: 10, x: margin, y: top - 42)
        secret.withUnsafeBytes { bytes in
            for (index, line) in GroupedText.lines(of: bytes, longest: 30).enumerated() {
                page.write(
                    secret: .init(rebasing: bytes[line]), .code, size: 15, x: margin,
                    y: top - 68 - Float(index) * 20)
            }
        }
        return top - side - 26
    }

    /// Words in lines as wide as the page; returns the height below them.
    private static func paragraph(
        _ words: String, _ font: PDFPage.Font, on page: borrowing PDFPage, x: Float, y: Float
    ) -> Float {
        let room = PDFPage.size.width - x - 56
        var line = ""
        var y = y
        for word in words.split(separator: " ") {
            let longer = line.isEmpty ? String(word) : line + " " + word
            if page.width(of: longer, font, size: 10) <= room {
                line = longer
            } else {
                page.write(line, font, size: 10, x: x, y: y)
                y -= 14
                line = String(word)
            }
        }
        page.write(line, font, size: 10, x: x, y: y)
        return y - 20
    }
}

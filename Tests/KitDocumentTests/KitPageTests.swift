import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import KitDocument

@Suite("Recovery kit", .serialized)
struct KitPageTests {
    static let secretKey =
        "K7Q2-9MZX-0AAB-4TNE-8WDV-5GHJ-1PRS-6CYK-3FX0-QZ42-7MBE-9TDA-2WVN-HJKP"
    static let recoveryCode = "R4GM-2YH8-ZK6T-0DEB-7QPX-5NWA-9CJS-3VF1-MM20"

    private func kit(name: String = "Savings") -> KitPage {
        KitPage(
            vaultID: "00112233445566778899aabbccddeeff", name: name,
            holds: "a Bitcoin wallet on mainnet", date: "2026-11-30",
            secretKey: secret(Self.secretKey), recoveryCode: secret(Self.recoveryCode))
    }

    private func withPDF<Result>(
        _ name: String = "Savings", _ body: (URL) throws -> Result
    ) throws -> Result {
        let bytes = try kit(name: name).pdf().copied()
        return try Tools.withFolder { folder in
            try Data(bytes).write(to: folder.appending(path: "kit.pdf"))
            return try body(folder)
        }
    }

    @Test("all of the PDF can be selected as text, and it is one A4 page")
    func selectable() throws {
        let (text, info) = try withPDF { folder in
            (
                try Tools.run("pdftotext", ["-layout", "kit.pdf", "-"], in: folder),
                try Tools.run("pdfinfo", ["kit.pdf"], in: folder)
            )
        }
        let plain = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for part in [
            "00112233445566778899aabbccddeeff", "Savings", "a Bitcoin wallet on mainnet",
            "2026-11-30", KitPage.Words.title, KitPage.Words.warning,
        ] { #expect(plain.contains(part), "\(part)") }
        for step in KitPage.Words.steps { #expect(plain.contains(step), "\(step)") }
        let codes = plain.replacing(" ", with: "")
        #expect(codes.contains(Self.secretKey))
        #expect(codes.contains(Self.recoveryCode))
        #expect(info.contains(/Pages:\s+1\n/))
        #expect(info.contains("(A4)"))
    }

    @Test("its two QR codes hold the secret key and the recovery code")
    func codesOfThePDF() throws {
        let found = try withPDF { folder in
            _ = try Tools.run("pdftoppm", ["-r", "150", "-png", "kit.pdf", "page"], in: folder)
            return try Tools.codes(in: "page-1.png", at: folder)
        }
        #expect(found == [Self.secretKey, Self.recoveryCode].sorted())
    }

    @Test("only fonts that every reader has, none of them embedded")
    func fonts() throws {
        let fonts = try withPDF { try Tools.run("pdffonts", ["kit.pdf"], in: $0) }
        let names = fonts.split(separator: "\n").dropFirst(2).map { $0.prefix { $0 != " " } }
        #expect(Set(names) == ["Helvetica", "Helvetica-Bold", "Courier-Bold"])
    }

    @Test("a name in letters that the fonts lack stays on its line")
    func foreignName() throws {
        let text = try withPDF("Sparbüchse 貯金") { folder in
            try Tools.run("pdftotext", ["-layout", "kit.pdf", "-"], in: folder)
        }
        #expect(text.contains("Sparbüchse ??"))
    }

    @Test("when a document is done, nothing of it is left in the library's memory")
    func wiped() throws {
        try KitPage.prepare()
        func holdsSecret() -> Bool {
            let memory = UnsafeRawBufferPointer(
                start: PDFMemory.firstByte, count: PDFMemory.capacity)
            let code = Array("R4GM-2YH8".utf8)
            return memory.indices.dropLast(code.count).contains { index in
                memory[index] == code[0] && memory[index..<index + code.count].elementsEqual(code)
            }
        }
        do {
            let page = try PDFPage(title: "control")
            secret(Self.recoveryCode).withUnsafeBytes {
                page.write(secret: $0, .code, size: 10, x: 50, y: 50)
            }
            #expect(holdsSecret(), "the positive control")
            #expect(PDFMemory.taken > 0)
        }
        #expect(!holdsSecret())
        _ = try kit().pdf()
        #expect(!holdsSecret())
        #expect(PDFMemory.taken == 0)
    }

    @Test("the text holds all of it in lines of at most 80 columns, with both QR codes")
    func text() throws {
        let text = String(decoding: try kit().text().copied(), as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.allSatisfy { $0.count <= 80 })
        let joined = text.split(whereSeparator: \.isWhitespace).joined()
        for part in [
            "00112233445566778899aabbccddeeff", "Savings", "2026-11-30", Self.secretKey,
            Self.recoveryCode,
        ] { #expect(joined.contains(part), "\(part)") }
        let drawings = lines.split { line in
            line.isEmpty || line.contains { !" \u{2588}\u{2580}\u{2584}".contains($0) }
        }
        #expect(drawings.count == 2)
        let found = try drawings.map {
            try DrawnCode.texts(in: Array($0), darkIsBlock: true)
        }
        #expect(found == [[Self.secretKey], [Self.recoveryCode]])
    }

    @Test(
        "groups are broken into lines between groups, and nothing gets lost",
        arguments: [
            ("AAAA BBBB CCCC", 9, ["AAAA BBBB", "CCCC"]),
            ("AAAA-BBBB-CCCC", 10, ["AAAA-BBBB-", "CCCC"]),
            ("AAAA-BBBB-CCCC", 100, ["AAAA-BBBB-CCCC"]),
            ("AAAABBBB", 4, ["AAAABBBB"]),
            ("A", 1, ["A"]),
            ("", 8, []),
        ])
    func groups(text: String, longest: Int, expected: [String]) {
        let bytes = Array(text.utf8)
        let lines = bytes.withUnsafeBytes { buffer in
            GroupedText.lines(of: buffer, longest: longest).map {
                String(decoding: buffer[$0], as: UTF8.self)
            }
        }
        #expect(lines == expected)
    }
}

import Foundation

/// QR codes drawn in half blocks, as zbar reads them.
public enum DrawnCode {
    /// The texts of the codes in a drawing, in order.
    public static func texts(in lines: [String], darkIsBlock: Bool) throws -> [String] {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("code-\(UUID()).pgm")
        try picture(of: lines, darkIsBlock: darkIsBlock).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["zbarimg", "--quiet", "--raw", file.path]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let found = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: found, as: UTF8.self).split(separator: "\n").map(String.init)
            .sorted()
    }

    /// Eight points a module.
    private static func picture(of lines: [String], darkIsBlock: Bool) -> Data {
        let scale = 8
        let width = lines[0].count
        var rows: [[Bool]] = []
        for line in lines {
            let blocks = Array(line)
            rows.append(blocks.map { "\u{2588}\u{2580}".contains($0) == darkIsBlock })
            rows.append(blocks.map { "\u{2588}\u{2584}".contains($0) == darkIsBlock })
        }
        var data = Data("P5 \(width * scale) \(rows.count * scale) 255\n".utf8)
        for row in rows {
            let points = row.flatMap { [UInt8](repeating: $0 ? 0 : 255, count: scale) }
            for _ in 0..<scale { data.append(contentsOf: points) }
        }
        return data
    }
}

import Foundation
import LinuxIO
import Testing

@Suite("Opening what a person named")
struct InputFileTests {
    private func opened(_ path: String, _ kind: InputFile.Kind) -> InputFile.Problem? {
        do throws(InputFile.Problem) {
            _ = try InputFile.open(path, kind)
            return nil
        } catch {
            return error
        }
    }

    @Test("nothing is waited for, and what is no ordinary file is told by its kind")
    func kinds() throws {
        let folder = "/tmp/bulkhead-input-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("x".utf8).write(to: URL(filePath: folder + "/file"))
        try #require(mkfifo(folder + "/fifo", 0o600) == 0)
        try #require(symlink("file", folder + "/link") == 0)
        try #require(symlink("none", folder + "/dangling") == 0)
        let cases: [(String, ordinary: InputFile.Problem?, anything: InputFile.Problem?)] = [
            (folder + "/file", nil, nil), (folder + "/link", nil, nil),
            (folder, .directory, .directory), (folder + "/fifo", .pipe, nil),
            ("/dev/null", .device, nil), ("/proc/version", .madeUp, .madeUp),
            (folder + "/none", .unopened(.noSuchFile), .unopened(.noSuchFile)),
            (folder + "/dangling", .unopened(.noSuchFile), .unopened(.noSuchFile)),
        ]
        for (path, ordinary, anything) in cases {
            #expect(opened(path, .ordinary) == ordinary, "\(path)")
            #expect(opened(path, .anything) == anything, "\(path)")
        }
    }
}

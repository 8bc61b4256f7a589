import Foundation

/// Runs something with the path of a folder of its own, with a slash at its end, which goes afterwards.
func withFolder(_ body: (String) throws -> Void) throws {
    let folder = "/tmp/bulkhead-files-\(UUID().uuidString)/"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
}

/// What is in a folder, hidden files too.
func names(_ folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
}

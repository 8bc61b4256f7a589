import Foundation

/// The checkout that this test was compiled from, as text.
enum SourceTree {
    /// The folder that holds `Package.swift`.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// One source file.
    struct File: Sendable {
        /// Path from the root, with `/`.
        let path: String
        let lines: [String]

        /// The folder below `Sources/` (or the first folder).
        var module: String {
            let parts = path.split(separator: "/")
            return String(parts.first == "Sources" ? parts[1] : parts[0])
        }
    }

    /// All files below `folder` whose name ends in one of `endings`, sorted by path.
    static func files(below folder: String, endings: [String]) -> [File] {
        let base = root.appending(path: folder)
        guard let walker = FileManager.default.enumerator(atPath: base.path) else { return [] }
        var found: [File] = []
        for case let name as String in walker where endings.contains(where: name.hasSuffix) {
            let url = base.appending(path: name)
            guard let text = try? String(contentsOf: url, encoding: .utf8) else { continue }
            found.append(
                File(path: folder + "/" + name, lines: text.components(separatedBy: "\n")))
        }
        return found.sorted { $0.path < $1.path }
    }

    /// The names of the folders directly below `folder`.
    static func folders(in folder: String) -> [String] {
        let base = root.appending(path: folder)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: base.path)) ?? []
        return names.filter { name in
            var isFolder: ObjCBool = false
            let path = base.appending(path: name).path
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
                && isFolder.boolValue
        }.sorted()
    }
}

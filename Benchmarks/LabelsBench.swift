import Chain
import Database
import Hashing
import Labels
import LinuxIO
import NetworkStore
import Wire

/// Figures of a file of labels that is imported, on the disk of a directory.
enum LabelsBench {
    private struct Wrong: Error {}

    static func run(count: Int, directory: String) throws {
        let lines = (0..<count).map { line($0) }
        let parts = stride(from: 0, to: count, by: 1_800).map { start in
            Array(lines[start..<min(start + 1_800, count)].joined().utf8)
        }
        var labels: [[Label]] = []
        let parsed = try seconds {
            for part in parts { labels.append(try LabelFile.read(part).labels) }
        }
        let disk = try DirectoryDisk(try Kernel.openDirectory(directory))
        let store = try NetworkStore(disk, ChainParameters(.regtest))
        let put = try seconds {
            store.beginLabels()
            for start in stride(from: 0, to: labels.count, by: 9) {
                var batch = LabelBatch()
                for part in labels[start..<min(start + 9, labels.count)] { batch.add(part) }
                while try store.prepareLabels(&batch) {}
            }
            try store.keepLabels()
        }
        let tidied = try seconds { while try store.tidyLabels() {} }
        let again = try seconds { try store.reopen() }
        print("lines parsed, \(count)                    \(parsed) s")
        print("put                                           \(put) s")
        print("tidied                                        \(tidied) s")
        print("opened again                                  \(again) s")
        let bare = try Database(
            "bare.db", on: DiskFileSystem(disk),
            limits: .init(fileSize: 1 << 30, valueSize: 1 << 20, cacheSize: 1 << 20))
        try bare.run(
            "CREATE TABLE bare (type TEXT, ref TEXT, line TEXT, PRIMARY KEY (type, ref)) STRICT")
        let inserted = try seconds {
            try bare.transaction { () throws(DatabaseError) in
                for label in labels.joined() {
                    try bare.run(
                        "INSERT OR REPLACE INTO bare VALUES (?, ?, ?)", .text(label.subject.type),
                        .text(label.subject.ref), .text(LabelFile.text(of: [label])))
                }
            }
            try bare.checkpoint()
        }
        print("bare inserts, one transaction, as they come   \(inserted) s")
    }

    private static func line(_ number: Int) -> String {
        let txid = Hex.encode(SHA256.hash(Array("\(number)".utf8)).array)
        return #"{"type":"tx","ref":"\#(txid)","label":"Payment \#(number) of many"}"# + "\n"
    }

    private static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = Kernel.timeSinceBoot()
        try body()
        return Double((Kernel.timeSinceBoot() - start).wholeNanoseconds) / 1e9
    }
}

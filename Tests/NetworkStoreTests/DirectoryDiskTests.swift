import Glibc
import LinuxIO
import NetworkCore
import NetworkStore
import StateFiles
import TestSupport
import Testing

@Suite("Directory of the network process", .serialized)
struct DirectoryDiskTests {
    /// A directory of its own, removed at the end.
    private static func inDirectory(_ body: (String) throws -> Void) throws {
        var template = Array("/tmp/bulkhead-store-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            Issue.record("no directory for the test")
            return
        }
        let path = String(
            decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer {
            let disk = try? Kernel.openDirectory(path)
            if let disk {
                for name in (try? Kernel.names(in: disk)) ?? [] { unlink(path + "/" + name) }
            }
            rmdir(path)
        }
        try body(path)
    }

    @Test("a story told on a real disk comes back, and only the five files are left")
    func realDisk() throws {
        try Self.inDirectory { path in
            let story = Story()
            var told: Snapshot?
            do {
                let disk = try DirectoryDisk(try Kernel.openDirectory(path))
                let store = try NetworkStore(disk, Story.parameters)
                for list in story.lists { try store.commit(list) }
                told = Snapshot(try store.load())
                try store.reopen()
                #expect(Snapshot(try store.load()) == told)
            }
            let disk = try DirectoryDisk(try Kernel.openDirectory(path))
            #expect(
                try disk.names(in: "").sorted() == [
                    "chain.db", "filters.db", "peers.db", "wallets-copy.db", "wallets.db",
                ])
            let store = try NetworkStore(disk, Story.parameters)
            #expect(Snapshot(try store.load()) == told)
            #expect(store.takeNotices().isEmpty)
        }
    }

    @Test("two processes never have one directory")
    func lock() throws {
        try Self.inDirectory { path in
            let first = try DirectoryDisk(try Kernel.openDirectory(path))
            let second = thrown(Errno.self) {
                try DirectoryDisk(try Kernel.openDirectory(path)).names(in: "")
            }
            #expect(second == .wouldBlock)
            _ = try first.names(in: "")
        }
    }

    @Test("a file above its limit is not read into memory")
    func ceiling() throws {
        try Self.inDirectory { path in
            for name in ["chain.db", "wallets.db"] {
                let file = open(path + "/" + name, O_RDWR | O_CREAT, 0o600)
                #expect(ftruncate(file, 1 << 40) == 0)
                close(file)
            }
            let disk = try DirectoryDisk(try Kernel.openDirectory(path))
            let refusal = thrown(StoreRefusal.self) { try NetworkStore(disk, Story.parameters) }
            guard case .lost(let problems) = refusal else {
                Issue.record("not refused")
                return
            }
            #expect(problems.map(\.file) == ["wallets.db"])
            try disk.remove("wallets.db")
            let store = try NetworkStore(disk, Story.parameters)
            #expect(store.takeNotices().contains { $0.contains("chain.db is made anew") })
        }
    }

    @Test(
        "on a file system that is full, a commit says so and the store goes on later",
        .enabled(if: geteuid() == 0, "only root may mount"))
    func fullFileSystem() throws {
        try Self.inDirectory { path in
            guard mount("bulkhead-test", path, "tmpfs", 0, "size=4m") == 0 else { return }
            defer { umount2(path, Int32(MNT_DETACH)) }
            let disk = try DirectoryDisk(try Kernel.openDirectory(path))
            let store = try NetworkStore(disk, Story.parameters)
            let ballast = Array(repeating: UInt8(1), count: 300_000)
            try disk.create("other-file")
            try disk.write(ballast, to: "other-file", at: 0)
            let story = Story()
            for list in story.lists[..<4] { try store.commit(list) }
            let before = Snapshot(try store.load())
            var fault: StoreFault?
            for part in 0..<100 where fault == nil {
                let filters = [[UInt8]](repeating: [UInt8](repeating: 7, count: 20_000), count: 5)
                fault = thrown(StoreFault.self) {
                    try store.commit([.keepFilters(from: part * 5, filters)])
                }
            }
            #expect(fault?.kind == .noSpace)
            try store.reopen()
            let full = Snapshot(try store.load())
            #expect(full.found == before.found && full.person == before.person)
            try disk.remove("other-file")
            try store.commit([.dropFilters(0...300)])
            try store.commit([.setIssued(Story.wallet, branch: 0, index: 2)])
            #expect(try store.load().wallets[0].issued[0] == 2)
        }
    }
}

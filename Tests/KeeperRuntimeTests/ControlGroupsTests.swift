import Foundation
import KeeperCore
import Testing

@testable import KeeperRuntime

@Suite("Cgroups")
struct ControlGroupsTests {
    /// A folder with the files that the kernel makes in a cgroup. The real thing takes a machine with
    /// the unified hierarchy alone.
    private func makeCgroup() throws -> URL {
        let own = URL(filePath: "/tmp/bulkhead-cgroup-\(UUID().uuidString)")
        var files = ["cgroup.subtree_control", "keeper/cgroup.procs"]
        for child in Child.allCases {
            files += ControlGroups.Limits.of(child).files.map { "\(child)/\($0.name)" }
        }
        for name in files {
            let file = own.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: file)
        }
        return own
    }

    @Test("the keeper moves aside first, and each child's limits are written")
    func dividing() throws {
        let own = try makeCgroup()
        defer { try? FileManager.default.removeItem(at: own) }
        let groups = try ControlGroups(dividing: own.path)
        func content(_ name: String) throws -> String {
            try String(contentsOf: own.appending(path: name), encoding: .utf8)
        }
        #expect(try content("keeper/cgroup.procs") == "\(getpid())")
        #expect(try content("cgroup.subtree_control") == "+memory +pids +cpu")
        #expect(try content("signer/memory.max") == "536870912")
        #expect(try content("network/memory.swap.max") == "0")
        #expect(try content("network/pids.max") == "16")
        #expect(try content("network/cpu.max") == "100000 100000")
        #expect(groups.directory(of: .signer) == own.path + "/signer")
    }

    @Test("the keeper's place is found in the unified hierarchy only")
    func place() {
        #expect(
            ControlGroups.path(inList: "0::/system.slice/b.service\n") == "/system.slice/b.service")
        #expect(ControlGroups.path(inList: "4:memory:/x\n0::/\n") == nil)
        #expect(ControlGroups.path(inList: "") == nil)
    }
}

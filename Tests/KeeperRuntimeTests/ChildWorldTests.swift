import Foundation
import TestSupport
import Testing

@Suite("World of a child", .serialized, .enabled(if: isWallTested))
struct ChildWorldTests {
    static let children = ["signer", "network"]

    @Test(
        "a child finds its descriptors, its environment and its root, and nothing else",
        arguments: Starter.available)
    func world(starter: Starter) throws {
        let keeper = try KeeperUnderTest(starter)
        try keeper.start()
        for child in Self.children {
            let world = keeper.file(child, "world").split(separator: "\n").map(String.init)
            let uid = starter == .root ? (child == "signer" ? 1 : 65534) : starter.uid
            #expect(world.count == 4)
            #expect(world[0].hasPrefix("pid 1 uid \(uid) gid \(uid) "))
            if starter == .root { #expect(world[0].hasSuffix("groups 0")) }
            // The signer's own: the place of a credential, and the figures of memory; the network
            // process's: the authorities of certificates.
            let last = child == "signer" ? 7 : hasCertificates ? 6 : 5
            #expect(world[1] == "descriptors \(Array(0...last))")
            #expect(world[2] == #"environment ["SWIFT_BACKTRACE=enable=no"]"#)
            let files = [
                "/bin", "/bin/bulkhead-\(child)", "/dev", "/dev/null", "/dev/urandom", "/lib",
                "/lib64", "/state",
            ]
            #expect(
                world[3] == "files \(files)"
                    || world[3] == "files \(files.filter { $0 != "/lib64" })")
        }
    }

    @Test(
        "a child has its own namespaces, no capabilities and the named descriptors",
        arguments: Starter.available)
    func outside(starter: Starter) throws {
        let keeper = try KeeperUnderTest(starter)
        try keeper.start()
        let signer = try #require(keeper.pid("signer"))
        let network = try #require(keeper.pid("network"))
        for name in ["mnt", "pid", "ipc"] {
            let three = Set(try [signer, network, getpid()].map { try namespace(name, of: $0) })
            #expect(three.count == 3, "\(name)")
        }
        #expect(try namespace("net", of: signer) != namespace("net", of: getpid()))
        #expect(try namespace("net", of: network) == namespace("net", of: getpid()))
        let hasOwnUsers = try namespace("user", of: signer) != namespace("user", of: getpid())
        #expect(hasOwnUsers == (starter == .ordinaryUser))

        for pid in [signer, network] {
            for set in ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"] {
                #expect(KeeperUnderTest.status(pid, set) == "0000000000000000", "\(set)")
            }
            let links = try (0...5).map { number in
                try FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/\(pid)/fd/\(number)"
                )
                .prefix { $0 != ":" }
            }
            #expect(links == ["/dev/null", "/dev/null", "pipe", "socket", "socket", "socket"])
        }
    }

    @Test(
        "a child's files are read-only, run only what is meant to run, and hold no device but two",
        arguments: Starter.available)
    func mounts(starter: Starter) throws {
        let keeper = try KeeperUnderTest(starter)
        try keeper.start()
        for child in Self.children {
            let pid = try #require(keeper.pid(child))
            let text = try ProcessFile.text(of: pid, "mountinfo")
            let rows = text.split(separator: "\n").map { $0.split(separator: " ") }
            #expect(rows.count > 5)
            for row in rows {
                let options = Set(row[5].split(separator: ","))
                let path = row[4]
                #expect(options.contains("nosuid"), "\(path)")
                #expect(options.contains("ro") == (path != "/state"), "\(path)")
                #expect(options.contains("nodev") != path.hasPrefix("/dev/"), "\(path)")
                let isProgram = path.hasPrefix("/bin/") || path.hasPrefix("/lib")
                #expect(options.contains("noexec") != isProgram, "\(path)")
            }
        }
    }

    @Test("the keeper that root started keeps five capabilities of root and one to read")
    func keeperCapabilities() throws {
        guard Starter.available.contains(.root) else { return }
        let keeper = try KeeperUnderTest(.root)
        try keeper.start()
        let pid = keeper.process.processIdentifier
        // 2 DAC_READ_SEARCH, 5 KILL, 6 SETGID, 7 SETUID, 8 SETPCAP, 21 SYS_ADMIN
        #expect(KeeperUnderTest.status(pid, "CapEff") == "00000000002001e4")
        #expect(KeeperUnderTest.status(pid, "CapBnd") == "00000000002001e4")
        #expect(KeeperUnderTest.status(pid, "NoNewPrivs") == "1")
    }

    @Test(
        "without namespaces the children still get their descriptors and users, and it is said",
        arguments: Starter.available)
    func withoutNamespaces(starter: Starter) throws {
        let keeper = try KeeperUnderTest(starter)
        try keeper.start(["--without-namespaces"])
        #expect(keeper.said.contains("weaker: no namespaces and no private roots"))
        let signer = try #require(keeper.pid("signer"))
        #expect(try namespace("pid", of: signer) == namespace("pid", of: getpid()))
        #expect(KeeperUnderTest.status(signer, "CapEff") == "0000000000000000")
        let world = keeper.file("signer", "world")
        #expect(world.contains("pid \(signer) uid \(starter == .root ? 1 : starter.uid)"))
        #expect(world.contains("descriptors [0, 1, 2, 3, 4, 5, 6, 7]\n"))
        #expect(FileManager.default.fileExists(atPath: keeper.state.path + "/made-for-development"))
    }

    @Test("the network process is handed the machine's name servers, which it cannot read")
    func nameServers() throws {
        let keeper = try KeeperUnderTest(Starter.available[0])
        try keeper.start()
        let text = try String(contentsOfFile: "/etc/resolv.conf", encoding: .utf8)
        // They come when it is ready, and it writes them down then.
        try keeper.wait("the name servers") {
            keeper.file("network", "name-servers").hasPrefix(text)
        }
    }

    private var hasCertificates: Bool {
        FileManager.default.fileExists(atPath: "/etc/ssl/certs/ca-certificates.crt")
    }

    private func namespace(_ name: String, of pid: pid_t) throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/ns/\(name)")
    }
}

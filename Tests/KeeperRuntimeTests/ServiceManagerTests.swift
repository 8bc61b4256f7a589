import Foundation
import Testing

@testable import KeeperRuntime

@Suite("Service manager")
struct ServiceManagerTests {
    /// A socket that receives what a service says of itself.
    private final class Manager {
        private let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)

        init(_ address: String) throws {
            var target = sockaddr_un()
            target.sun_family = sa_family_t(AF_UNIX)
            let bytes = Array(address.utf8)
            withUnsafeMutableBytes(of: &target.sun_path) { path in
                path.copyBytes(from: bytes)
                if bytes.first == UInt8(ascii: "@") { path[0] = 0 }
            }
            let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
            let result = withUnsafePointer(to: &target) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, length)
                }
            }
            guard result == 0 else { throw TestFailure(description: "bind: \(errno)") }
            chmod(address, 0o666)
        }

        deinit { close(descriptor) }

        /// What came so far, a text for each message.
        func messages() -> [String] {
            var texts: [String] = []
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
                guard count > 0 else { return texts }
                texts.append(String(decoding: buffer[..<count], as: UTF8.self))
            }
        }
    }

    @Test("the manager hears of the start, its status and the end", .enabled(if: isWallTested))
    func notifications() throws {
        let keeper = try KeeperUnderTest(Starter.available[0])
        let manager = try Manager(keeper.folder.path + "/notify")
        try keeper.start(environment: ["NOTIFY_SOCKET": keeper.folder.path + "/notify"])
        let signer = try #require(keeper.pid("signer"))
        let network = try #require(keeper.pid("network"))
        let first = manager.messages()
        let ready = "READY=1\nSTATUS=signer \(signer) ready, network \(network) ready"
        #expect(first.filter { $0.contains("READY=1") } == [ready])
        #expect(first.last == ready)

        kill(network, SIGKILL)
        try keeper.waitForLog("bulkhead-network is ready", count: 2)
        let second = manager.messages()
        #expect(second.first == "STATUS=signer \(signer) ready, network not ready")
        #expect(!second.joined().contains("READY=1"))

        kill(keeper.process.processIdentifier, SIGTERM)
        #expect(try keeper.end().status == 0)
        #expect(manager.messages().contains("STOPPING=1\nSTATUS=stopping"))
    }

    @Test("an abstract address works, and none, a wrong or a silent one harms nothing")
    func addresses() throws {
        let name = "@bulkhead-test-\(UUID().uuidString)"
        let manager = try Manager(name)
        ServiceManager(address: name).status("up")
        #expect(manager.messages() == ["STATUS=up"])
        for address in [nil, "", "relative", "/nowhere", String(repeating: "/", count: 500)] {
            ServiceManager(address: address).ready(status: "up")
        }
        #expect(manager.messages().isEmpty)
    }
}

import Foundation
import LinuxIO
import ScriptedPeer
import TestSupport
import Testing

@testable import NetworkTransport

@Suite("Files over HTTPS")
struct HTTPSTransfersTests {
    private let file = Fixture.path("https/SOURCE.md")

    private func server(_ mode: String = "answer") throws -> ScriptedHTTPS {
        try ScriptedHTTPS(ScriptedNames([:]), mode: mode, file: file)
    }

    /// Turns until a transfer is over.
    private func get(
        _ url: String, _ way: HTTPSTransfers.Way, longest: Int = 1 << 20,
        authority: String = "authority"
    ) throws -> Result<[UInt8], HTTPSFailure> {
        let transfers = try #require(
            HTTPSTransfers(certificates: try Fixture.bytes("https/\(authority).pem")))
        var result: Result<[UInt8], HTTPSFailure>?
        let request = HTTPSTransfers.Request(
            url, way, longest: longest, timeout: .seconds(60))
        #expect(transfers.start(request) { result = $0 })
        var set = PollSet()
        let end = Kernel.timeSinceBoot() + .seconds(120)
        while Kernel.timeSinceBoot() < end {
            if let result { return result }
            set.removeAll()
            transfers.add(to: &set)
            try set.wait(until: transfers.deadline)
            transfers.serve(set)
        }
        throw ServerError(what: "no end of the transfer")
    }

    private func here(_ port: UInt16) throws -> IPEndpoint {
        try #require(IPEndpoint(text: "127.0.0.1", port: port))
    }

    private func cause(_ result: Result<[UInt8], HTTPSFailure>) -> HTTPSFailure.Cause? {
        guard case .failure(.transfer(let cause, _)) = result else { return nil }
        return cause
    }

    @Test("A file comes whole from the address that is named, under the name of the URL")
    func direct() throws {
        let server = try server()
        let url = "https://lists.example:\(server.port)/peers"
        let result = try get(url, .direct(here(server.port)))
        #expect(try result.get() == Fixture.bytes("https/SOURCE.md"))
        #expect(server.nextLine() == "/peers get lists.example:\(server.port)")
    }

    @Test("Through a gateway the name goes along, and nothing is connected to past it")
    func gateway() throws {
        let server = try server()
        let port = server.port
        let proxy = try ScriptedProxy { _, _ in .connect(port) }
        let result = try get(
            "https://lists.example/peers", .gateway(here(proxy.listener.port)))
        #expect(try result.get() == Fixture.bytes("https/SOURCE.md"))
        #expect(proxy.requests == [.init(addressType: 3, host: "lists.example", port: 443)])

        let refusing = try ScriptedProxy { _, _ in .refuse(4) }
        let refused = try get(
            "https://lists.example:\(server.port)/peers", .gateway(here(refusing.listener.port)))
        #expect(cause(refused) == .gateway)
        let gone = refusing.listener.port
        refusing.listener.stop()
        let missing = try get("https://127.0.0.1:\(server.port)/peers", .gateway(here(gone)))
        #expect([.noConnection, .gateway].contains(cause(missing)))
        // The one through the first gateway is all that the server heard.
        #expect(server.nextLine() == "/peers get lists.example")
        _ = try get("https://127.0.0.1:\(server.port)/last", .direct(here(server.port))).get()
        #expect(server.nextLine().hasPrefix("/last get"))
    }

    @Test("A certificate for another name, or of an authority that is not trusted, ends it")
    func certificates() throws {
        let server = try server()
        let other = try get("https://other.example/", .direct(here(server.port)))
        #expect(cause(other) == .certificate)
        let stranger = try get(
            "https://lists.example/", .direct(here(server.port)), authority: "stranger")
        #expect(cause(stranger) == .certificate)
    }

    @Test("What is longer than allowed is cut off, what ends just there is not")
    func long() throws {
        let count = try Fixture.bytes("https/SOURCE.md").count
        let server = try server()
        let way = HTTPSTransfers.Way.direct(try here(server.port))
        #expect(try get("https://127.0.0.1/", way, longest: count).get().count == count)
        #expect(cause(try get("https://127.0.0.1/", way, longest: count - 1)) == .tooLong)
        let endless = try self.server("long")
        #expect(
            cause(try get("https://127.0.0.1/", .direct(here(endless.port)))) == .tooLong)
    }

    @Test("A redirect is not followed and said to be one; other answers are named by their number")
    func status() throws {
        let away = try server("redirect")
        let redirect = try get("https://127.0.0.1/peers", .direct(here(away.port)))
        #expect(redirect == .failure(.status(307)))
        #expect("\(HTTPSFailure.status(307))".contains("name the place that it leads to"))
        let broken = try server("error")
        #expect(try get("https://127.0.0.1/", .direct(here(broken.port))) == .failure(.status(500)))
        let nobody = try Listener { _ in }
        let port = nobody.port
        nobody.stop()
        #expect(cause(try get("https://127.0.0.1/", .direct(here(port)))) == .noConnection)
    }

    @Test("Only https is asked for")
    func schemes() throws {
        let server = try server()
        for url in ["http://127.0.0.1:\(server.port)/", "file:///etc/passwd"] {
            let result = try get(url, .direct(here(server.port)))
            #expect((try? result.get()) == nil)
        }
    }
}

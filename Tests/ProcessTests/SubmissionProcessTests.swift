import Foundation
import Glibc
import LinuxIO
import LocalSockets
import Messages
import Testing

/// Requests for signatures through the real network process, with the test as the signer.
@Suite("Requests through the network's process", .serialized)
struct SubmissionProcessTests {
    typealias Signer = FrameChannel<LinkRequest, LinkReply>

    private let id = RequestID(high: 5, low: 6)

    /// The network process with the test at the other end of its link, which is up.
    private func start() throws -> (child: RunningChild, signer: Signer) {
        let child = try RunningChild("bulkhead-network")
        try child.begin(as: .network)
        let signer = try Signer(
            try child.takeLink(), limits: .init(patience: .seconds(30), waitingBytes: 64 << 20))
        try signer.send(.welcome, at: Kernel.timeSinceBoot())
        try signer.waitFor { if case .witnessed = $0 { () } else { nil } }
        return (child, signer)
    }

    private func request(_ signer: Signer) throws -> (id: RequestID, file: [UInt8]) {
        try signer.waitFor { if case .request(let id, let file) = $0 { (id, file) } else { nil } }
    }

    @Test("The largest file goes there, and the largest signed one comes back")
    func large() throws {
        let (child, signer) = try start()
        let query = try child.query()
        let file = (0..<Limit.payload).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try query.send(.submit(id, file: file), at: Kernel.timeSinceBoot())
        try query.flushAll()
        let asked = try request(signer)
        #expect(asked.id == id)
        #expect(asked.file == file)
        let signed = [UInt8](repeating: 9, count: Limit.signedFile)
        for reply in [
            LinkReply.answer(id, .pending), .answer(id, .signed), .signed(id, file: signed),
        ] {
            try signer.send(reply, at: Kernel.timeSinceBoot())
        }
        try signer.flushAll()
        var states: [RequestState] = []
        let back = try query.waitFor { reply -> [UInt8]? in
            if case .answer(id, let state) = reply { states.append(state) }
            if case .signed(id, let file) = reply { return file }
            return nil
        }
        #expect(states == [.pending, .signed])
        #expect(back == signed)
    }

    @Test("A request is asked for by its id after the network process was killed")
    func networkDies() throws {
        let (first, signer) = try start()
        let query = try first.query()
        try query.send(.submit(id, file: [1]), at: Kernel.timeSinceBoot())
        _ = try request(signer)
        try signer.send(.answer(id, .pending), at: Kernel.timeSinceBoot())
        #expect(try query.wait() == [.answer(id, .pending)])
        #expect(kill(first.pid, SIGKILL) == 0)
        _ = try first.ending()
        // The next one knows nothing of it, and passes the question on.
        let (second, newLink) = try start()
        let again = try second.query()
        try again.send(.inquiry(id), at: Kernel.timeSinceBoot())
        try newLink.waitFor { if case .inquiry(id) = $0 { () } else { nil } }
        try newLink.send(.answer(id, .signed), at: Kernel.timeSinceBoot())
        try newLink.send(.signed(id, file: [2]), at: Kernel.timeSinceBoot())
        let file = try again.waitFor { if case .signed(id, let file) = $0 { file } else { nil } }
        #expect(file == [2])
        try again.send(.collected(id), at: Kernel.timeSinceBoot())
        try newLink.waitFor { if case .collected(id) = $0 { () } else { nil } }
    }

    @Test("Nothing of a request is kept on the disk")
    func nothingKept() throws {
        let (child, signer) = try start()
        let query = try child.query()
        try query.send(
            .submit(id, file: [UInt8](repeating: 0x5A, count: 4096)), at: Kernel.timeSinceBoot())
        _ = try request(signer)
        let run = Data(repeating: 0x5A, count: 64)
        let state = child.folder + "/state/"
        for name in FileManager.default.enumerator(atPath: state)?.allObjects ?? [] {
            let content = FileManager.default.contents(atPath: state + "\(name)") ?? Data()
            #expect(content.range(of: run) == nil)
        }
    }
}

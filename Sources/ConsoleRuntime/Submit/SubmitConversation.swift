import LinuxIO
import Messages
import PSBT
import Wire

/// One connection of `bulkhead submit` to the network process, in a confined child: it asks, and passes
/// on through a pipe what it hears. A signed file is passed on only when it was proven to be the file
/// that was sent with signatures added.
enum SubmitConversation {
    /// What the child passes on, each as one answer of a `Helper`.
    enum News {
        /// What became of the request.
        case state(RequestState)
        /// The file with its signatures; whether all are there.
        case signed([UInt8], isComplete: Bool)
        /// What came is not taken, for this reason.
        case untrue(String)
        /// What came is signed, and is not this file with signatures, for this reason.
        case otherFile(String)
    }

    /// The longest answer: a file of 20 MiB in hexadecimal.
    static let limit = 2 * Limit.signedFile + 64

    /// Asks about a request, or makes it, and passes on all that comes until nothing more can.
    static func start(_ job: SubmitJob, submitting: Bool) throws(ClientFailure) -> Helper {
        try Helper.start { pipe throws(ClientFailure) in
            var client = try NetworkClient(
                connectingTo: World.network.enter(job.options.runtimeDirectory))
            _ = try ConsoleConfinement.enter(keeping: [pipe, client.number])
            _ = try client.ask(.hello)
            try client.send(
                submitting ? .submit(job.id, file: job.file) : .inquiry(job.id))
            while true {
                switch try next(&client) {
                case .answer(job.id, let state):
                    let bytes = encoded(state, job.id)
                    guard !state.isFinal || state == .signed else { return bytes }
                    Helper.writeAnswer(bytes, to: pipe)
                case .signed(job.id, let file): return checked(file, job.file)
                default: throw .unexpected
                }
            }
        }
    }

    /// Says that the signed file is written, so that the signer keeps it no longer.
    static func collect(_ job: SubmitJob) {
        let helper = try? Helper.start { pipe throws(ClientFailure) in
            var client = try NetworkClient(
                connectingTo: World.network.enter(job.options.runtimeDirectory))
            _ = try ConsoleConfinement.enter(keeping: [pipe, client.number])
            _ = try client.ask(.hello)
            try client.send(.collected(job.id))
            _ = try client.ask(.ping(nonce: 1))
            return []
        }
        _ = try? helper?.answer(within: .seconds(10))
    }

    private static func next(_ client: inout NetworkClient) throws(ClientFailure) -> QueryReply {
        while true {
            if let reply = try client.received() { return reply }
            var set = PollSet()
            let place = set.add(client.number, client.interest)
            do throws(Errno) { try set.wait(until: nil) } catch { throw .ended(.failed(error)) }
            if set.canWrite(at: place) { try client.flush() }
        }
    }

    // MARK: The pipe

    private static func encoded(_ state: RequestState, _ id: RequestID) -> [UInt8] {
        [0] + QueryReply.answer(id, state).frame.body
    }

    private static func checked(_ answer: [UInt8], _ sent: [UInt8]) -> [UInt8] {
        do throws(SignedAnswerError) {
            let signed = try SignedAnswer(answer, to: sent)
            return [signed.isComplete ? 2 : 1] + signed.file
        } catch {
            let isOther = if case .different = error { true } else { false }
            return [isOther ? 4 : 3] + Array("\(error)".utf8)
        }
    }

    /// Reads what the child passed on.
    static func news(in bytes: [UInt8]) throws(HelperFailure) -> News {
        let body = Array(bytes.dropFirst())
        switch bytes.first {
        case 0:
            let reply = try? QueryReply(Frame(kind: .queryAnswer, body: body))
            guard case .answer(_, let state) = reply else { break }
            return .state(state)
        case 1: return .signed(body, isComplete: false)
        case 2: return .signed(body, isComplete: true)
        case 3: return .untrue(String(decoding: body, as: UTF8.self))
        case 4: return .otherFile(String(decoding: body, as: UTF8.self))
        default: break
        }
        throw HelperFailure(.channel, "its helper said something else")
    }
}

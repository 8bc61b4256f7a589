import LinuxIO
import NetworkCore
import PeerEncryption
import PeerMessages

/// One connection to a peer, from the first packet to the last.
///
/// It passes through the phases in their order: connecting, the gateway's conversation if there is
/// one, the exchange of keys if encryption is tried, messages. A peer that hangs up on the exchange, or
/// does not answer it, is connected to once more without.
final class PeerConnection {
    enum News {
        case opened(PeerTransport)
        case failed(DialFailure)
        case traffic(bytes: Int, skipped: Int)
        case message(PeerMessage)
        case closed(CloseReason)

        /// Whether nothing comes after it.
        var isEnd: Bool {
            switch self {
            case .failed, .closed: true
            case .opened, .traffic, .message: false
            }
        }
    }

    struct Readiness {
        let canRead: Bool
        let canWrite: Bool
    }

    private enum Phase {
        case connecting
        case gateway(SOCKS5)
        /// Messages, or keys before them.
        case framed(PeerFraming)
    }

    private let plan: DialPlan
    private let messageStart: [UInt8]
    private let limits: PeerConnections.Limits
    private var socket: FileDescriptor
    private var phase = Phase.connecting
    private var output: OutputQueue
    private var awaited = AwaitedKinds()
    private var triesEncryption: Bool
    private let dialDeadline: Duration
    /// When the peer has had its time for the exchange of keys.
    private var keyDeadline: Duration?
    private var lastReceived: Duration

    /// Begins to connect.
    ///
    /// - Parameters:
    ///   - isEncrypted: whether encryption is tried first, where this program has it.
    ///   - deadline: when the attempt has failed.
    init(
        _ plan: DialPlan, messageStart: [UInt8], isEncrypted: Bool,
        limits: PeerConnections.Limits, deadline: Duration, at now: Duration
    ) throws(DialFailure) {
        self.plan = plan
        self.messageStart = messageStart
        self.limits = limits
        dialDeadline = deadline
        lastReceived = now
        triesEncryption = isEncrypted && EncryptedConnection.isAvailable
        output = OutputQueue(limit: limits.waitingBytes)
        socket = try PeerConnection.connect(plan)
    }

    private static func connect(_ plan: DialPlan) throws(DialFailure) -> FileDescriptor {
        do throws(Errno) {
            return try TCPSocket.connect(to: plan.firstHop)
        } catch {
            throw .kernel(error, to: plan)
        }
    }

    /// The number to poll.
    var number: Int32 { socket.number }

    var interest: PollSet.Interest {
        if case .connecting = phase { return .writing }
        return output.waitingBytes > 0 ? [.reading, .writing] : .reading
    }

    /// Bytes that are held.
    var heldBytes: Int {
        guard case .framed(let framing) = phase else { return output.waitingBytes }
        return framing.heldBytes + output.waitingBytes
    }

    private var isOpen: Bool {
        if case .framed(let framing) = phase { framing.isReady } else { false }
    }

    /// When `passTime` has something to say at the latest.
    var deadline: Duration {
        guard isOpen else { return min(dialDeadline, keyDeadline ?? dialDeadline) }
        let silence = lastReceived + limits.silence
        guard let stuck = output.stuckSince else { return silence }
        return min(silence, stuck + limits.patience)
    }

    func passTime(_ now: Duration) -> [News] {
        guard now >= deadline else { return [] }
        guard isOpen else {
            return now >= dialDeadline ? [.failed(.late)] : failed(.late, at: now)
        }
        let isSilent = now >= lastReceived + limits.silence
        return [.closed(isSilent ? .silent : .notReading)]
    }

    // MARK: Sending

    func send(_ message: PeerMessage, at now: Duration) -> [News] {
        guard case .framed(var framing) = phase, framing.isReady else { return [] }
        awaited.sent(message)
        framing.wanted = awaited.kinds
        phase = .framed(framing)
        return put(framing.encode(PeerFrame(message)), at: now)
    }

    private func put(_ bytes: [UInt8], at now: Duration) -> [News] {
        guard output.append(bytes) else { return ended(.notReading, at: now) }
        return flush(at: now)
    }

    private func flush(at now: Duration) -> [News] {
        do throws(Errno) {
            return try output.flush(to: socket.number, at: now) ? [] : ended(.hungUp, at: now)
        } catch {
            return ended(.closed("\(error)"), at: now)
        }
    }

    /// The end of the connection, which before it is open is the failure of the attempt.
    private func ended(_ reason: CloseReason, at now: Duration) -> [News] {
        if isOpen { return [.closed(reason)] }
        return failed(DialFailure(.refused, reason.sentence), at: now)
    }

    /// The failure of an attempt, or one more without encryption where that may be what failed.
    private func failed(_ failure: DialFailure, at now: Duration) -> [News] {
        guard case .framed = phase, triesEncryption else { return [.failed(failure)] }
        triesEncryption = false
        keyDeadline = nil
        output = OutputQueue(limit: limits.waitingBytes)
        phase = .connecting
        do throws(DialFailure) {
            socket = try PeerConnection.connect(plan)
            return []
        } catch {
            return [.failed(error)]
        }
    }

    // MARK: Serving

    func serve(
        _ readiness: Readiness, through buffer: UnsafeMutableRawBufferPointer, at now: Duration
    ) -> [News] {
        if case .connecting = phase { return connected(at: now) }
        var news = readiness.canWrite ? flush(at: now) : []
        if news.isEmpty, readiness.canRead { news = read(through: buffer, at: now) }
        return news
    }

    private func connected(at now: Duration) -> [News] {
        if let error = TCPSocket.failure(of: socket.number) {
            return [.failed(.kernel(error, to: plan))]
        }
        guard case .gateway(_, let host, let port, let credentials) = plan else {
            return start(at: now)
        }
        do throws(SOCKS5Error) {
            let conversation = try SOCKS5(host: host, port: port, credentials: credentials)
            phase = .gateway(conversation)
            return put(conversation.greeting, at: now)
        } catch {
            return [.failed(.gateway(error, plan))]
        }
    }

    /// The way to the peer is open: messages, or keys first.
    private func start(at now: Duration) -> [News] {
        lastReceived = now
        guard triesEncryption, let keys = makeKeys() else {
            phase = .framed(PeerFraming(messageStart: messageStart, wanted: awaited.kinds))
            return [.opened(.v1)]
        }
        // Half of what is left is for the second try.
        keyDeadline = now + (dialDeadline - now) / 2
        phase = .framed(
            PeerFraming(keys, messageStart: messageStart, wanted: awaited.kinds))
        return put(keys.opening, at: now)
    }

    private func makeKeys() -> EncryptedConnection? {
        var random = SystemRandomNumberGenerator()
        return EncryptedConnection(
            role: .initiator, messageStart: messageStart, limit: PeerFraming.longestContents,
            random: &random)
    }

    private func read(
        through buffer: UnsafeMutableRawBufferPointer, at now: Duration
    ) -> [News] {
        do throws(Errno) {
            switch try Kernel.read(socket.number, into: buffer) {
            case .wouldBlock: return []
            case .ended: return ended(.hungUp, at: now)
            case .moved(let count):
                lastReceived = now
                return receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: now)
            }
        } catch {
            return ended(.closed("\(error)"), at: now)
        }
    }

    private func receive(_ bytes: UnsafeRawBufferPointer, at now: Duration) -> [News] {
        switch phase {
        case .connecting: return []
        case .gateway(var conversation):
            let step: SOCKS5.Step
            do throws(SOCKS5Error) {
                step = try conversation.receive(Array(bytes))
            } catch {
                return [.failed(.gateway(error, plan))]
            }
            phase = .gateway(conversation)
            switch step {
            case .send(let answer): return put(answer, at: now)
            case .wait: return []
            case .open(let rest):
                let opened = start(at: now)
                guard !rest.isEmpty else { return opened }
                return opened + rest.withUnsafeBytes { receive($0, at: now) }
            }
        case .framed(var framing):
            // What is held has one owner while it grows.
            phase = .connecting
            let wasReady = framing.isReady
            let receipt = framing.feed(bytes)
            phase = .framed(framing)
            // Told first, for what the kernel says of the answer may be the end of what is open.
            var news: [News] = []
            if !wasReady, let transport = framing.established { news.append(.opened(transport)) }
            news += put(receipt.answer, at: now)
            if let last = news.last, last.isEnd { return news }
            // The second try is under way.
            guard case .framed = phase else { return news }
            if framing.isReady {
                news.append(.traffic(bytes: bytes.count, skipped: receipt.skipped))
            }
            news += read(receipt.frames)
            if let last = news.last, last.isEnd { return news }
            if let end = receipt.end { news += ended(end, at: now) }
            return news
        }
    }

    private func read(_ frames: [PeerFrame]) -> [News] {
        var news: [News] = []
        for frame in frames {
            do throws(PeerMessageError) {
                let message = try frame.message()
                awaited.received(message)
                news.append(.message(message))
            } catch {
                news.append(.closed(.violation(.malformed(error))))
                return news
            }
        }
        guard case .framed(var framing) = phase else { return news }
        framing.wanted = awaited.kinds
        phase = .framed(framing)
        return news
    }
}

extension CloseReason {
    static let hungUp = CloseReason.closed("it hung up")
    /// The peer sent nothing for too long.
    static let silent = CloseReason.closed("it said nothing for too long")
    /// The peer asks for more than it reads, or reads nothing for too long.
    static let notReading = CloseReason.closed("it does not read what it is sent")

    fileprivate var sentence: String {
        switch self {
        case .closed(let sentence): sentence
        case .violation(let violation): "\(violation)"
        }
    }
}

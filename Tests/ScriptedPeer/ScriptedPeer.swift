import Chain
import Foundation
import PeerEncryption
public import PeerMessages
public import Wire

/// A peer over real TCP that serves a chain as Bitcoin Core does, unless it is told to do otherwise.
public final class ScriptedPeer: @unchecked Sendable {
    /// How it behaves.
    public struct Conduct: Sendable {
        /// What it says it offers.
        public var services: PeerServices = [.network, .witness, .compactFilters]
        /// Whether it speaks the encrypted transport (BIP324) where this build has it; if not, it hangs up
        /// on what is no message.
        public var encrypts = true
        /// What it answers in place of what a full node would; nil for the usual.
        public var instead: @Sendable (PeerMessage) -> [PeerMessage]? = { _ in nil }

        /// An honest full node that serves filters.
        public init() {}
    }

    /// Whether this build has the encrypted transport.
    public static var canEncrypt: Bool { EncryptedConnection.isAvailable }

    private let state: State
    /// Where it listens.
    public let listener: Listener

    /// Listens and serves `chain`.
    public init(
        _ chain: ServedChain, messageStart: [UInt8], conduct: Conduct = Conduct(),
        address: String = "127.0.0.1", port: UInt16 = 0
    ) throws {
        let state = State(chain, messageStart, conduct)
        self.state = state
        listener = try Listener(address: address, port: port) { state.serve($0) }
    }

    /// What it was asked so far, in order.
    public var received: [PeerMessage] { state.lock.withLock { state.received } }

    /// The number of each encrypted session so far; nil for each connection in the clear.
    public var sessions: [Bytes32?] { state.lock.withLock { state.sessions } }

    /// Serves another chain from now on and announces its tip to everybody, as a node does that has
    /// just taken it over: by the headers behind the last block that both have.
    public func take(_ chain: ServedChain) {
        state.lock.withLock {
            let common = zip(state.chain.hashes, chain.hashes).prefix { $0 == $1 }.count
            state.chain = chain
            let news = Array(chain.headers[common...].prefix(PeerLimits.headers))
            guard !news.isEmpty else { return }
            for line in state.lines { line.say(.headers(news)) }
        }
    }

    /// Says something to everybody who is connected.
    public func say(_ message: PeerMessage) {
        state.lock.withLock { for line in state.lines { line.say(message) } }
    }
}

/// What the threads of a scripted peer share.
private final class State: @unchecked Sendable {
    let lock = NSLock()
    let messageStart: [UInt8]
    let conduct: ScriptedPeer.Conduct
    var chain: ServedChain
    var received: [PeerMessage] = []
    var lines: [ScriptedLine] = []
    var sessions: [Bytes32?] = []

    init(_ chain: ServedChain, _ messageStart: [UInt8], _ conduct: ScriptedPeer.Conduct) {
        self.chain = chain
        self.messageStart = messageStart
        self.conduct = conduct
    }

    func serve(_ socket: Int32) {
        let line = ScriptedLine(socket, messageStart, encrypts: conduct.encrypts)
        defer { lock.withLock { lines.removeAll { $0 === line } } }
        while let messages = line.listen() {
            for message in messages { answer(message, line) }
        }
    }

    private func answer(_ message: PeerMessage, _ line: ScriptedLine) {
        let chain = lock.withLock {
            received.append(message)
            return self.chain
        }
        let answers = conduct.instead(message) ?? usual(message, chain, line)
        for answer in answers { line.say(answer) }
    }

    private func usual(
        _ message: PeerMessage, _ chain: ServedChain, _ line: ScriptedLine
    ) -> [PeerMessage] {
        switch message {
        case .version:
            lock.withLock { sessions.append(line.session) }
            let encryption: PeerServices =
                conduct.encrypts && ScriptedPeer.canEncrypt ? .v2Transport : []
            let version = VersionMessage(
                services: conduct.services.union(encryption),
                time: Int64(Date().timeIntervalSince1970), nonce: 7,
                userAgent: Array("/Scripted:1/".utf8), startHeight: Int32(chain.tipHeight),
                relay: true)
            return [.version(version), .wtxidrelay, .sendaddrv2, .verack]
        case .verack:
            lock.withLock { lines.append(line) }
            return [.sendheaders]
        case .ping(let nonce): return [.pong(nonce: nonce)]
        default: return chain.answers(to: message) ?? []
        }
    }
}

import LinuxIO
import NetworkCore
import PeerMessages
import ScriptedPeer

@testable import NetworkTransport

/// Connections in a loop of their own, with what was heard of them.
final class Lines {
    static let messageStart: [UInt8] = [0xFA, 0xBF, 0xB5, 0xDA]

    let connections: PeerConnections
    private(set) var heard: [LightClientEvent] = []
    /// The most bytes that were held after any turn.
    private(set) var mostHeld = 0
    /// Bytes of messages that nobody asked for.
    private(set) var skipped = 0
    private var set = PollSet()
    /// Servers that shall live as long as this.
    private var kept: [Listener] = []

    init(_ change: (inout PeerConnections.Limits) -> Void = { _ in }) {
        Kernel.ignoreBrokenPipes()
        var limits = PeerConnections.Limits()
        change(&limits)
        connections = PeerConnections(messageStart: Self.messageStart, limits: limits)
    }

    func dial(
        _ listener: Listener, _ id: UInt64 = 1, by route: DialRoute = .direct,
        isEncrypted: Bool = true, timeout: Duration = .seconds(20)
    ) {
        kept.append(listener)
        let address = IPEndpoint(text: listener.address, port: listener.port)?.address ?? []
        let host = PeerHost.ipv4(address.reduce(0) { $0 << 8 | UInt32($1) })
        connections.dial(
            DialID(id), host, port: listener.port, by: route, isEncrypted: isEncrypted,
            timeout: timeout
        ) { heard.append($0) }
    }

    /// Dials and waits until it is up.
    func connect(_ listener: Listener, _ id: UInt64 = 1) throws -> PeerID {
        dial(listener, id)
        return try dialled(id).id
    }

    /// Waits until an attempt has succeeded.
    func dialled(_ id: UInt64 = 1) throws -> LightClientEvent.DialledPeer {
        try wait { event in
            guard case .dialled(DialID(id), let result) = event else { return nil }
            return try result.get()
        }
    }

    func useGateway(_ gateway: Listener) {
        kept.append(gateway)
        connections.gateways[.tor] = IPEndpoint(text: gateway.address, port: gateway.port)
    }

    func hear(_ event: LightClientEvent) { heard.append(event) }

    func send(_ message: PeerMessage, to id: PeerID) {
        connections.send(message, to: id) { heard.append($0) }
    }

    /// One turn of the loop.
    func turn() throws {
        set.removeAll()
        connections.add(to: &set)
        let latest = Kernel.timeSinceBoot() + .seconds(1)
        try set.wait(until: min(connections.deadline ?? latest, latest))
        connections.serve(set) { heard.append($0) }
        mostHeld = max(mostHeld, connections.heldBytes)
        connections.passTime { heard.append($0) }
    }

    /// Turns until something that is looked for was heard, and forgets what came before it.
    func wait<Found>(for find: (LightClientEvent) throws -> Found?) throws -> Found {
        let end = Kernel.timeSinceBoot() + .seconds(60)
        while Kernel.timeSinceBoot() < end {
            while !heard.isEmpty {
                let event = heard.removeFirst()
                if case .traffic(_, _, let skipped) = event { self.skipped += skipped }
                if let found = try find(event) { return found }
            }
            try turn()
        }
        throw ServerError(what: "what was waited for did not come")
    }

    func message(from id: PeerID) throws -> PeerMessage {
        try wait { event in
            switch event {
            case .message(id, let message): message
            case .closed(id, let reason): throw ServerError(what: "\(reason)")
            default: nil
            }
        }
    }

    func failure(_ id: UInt64 = 1) throws -> DialFailure {
        try wait { event in
            guard case .dialled(DialID(id), .failure(let failure)) = event else { return nil }
            return failure
        }
    }

    func end(of id: PeerID) throws -> CloseReason {
        try wait { event in
            guard case .closed(id, let reason) = event else { return nil }
            return reason
        }
    }
}

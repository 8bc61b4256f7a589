import Configuration
import ConsoleCore
import Messages

/// `bulkhead status`: both sides, each asked by a helper of its own.
enum StatusCommand {
    static func run(_ options: CommandOptions) -> ExitCode {
        let status = ask(options.runtimeDirectory)
        StandardStream.out(
            (options.printsJSON ? status.json.text : status.lines.joined(separator: "\n")) + "\n")
        return switch status.verdict {
        case .complete: .success
        case .incomplete: .finding
        case .unreachable: .unreachable
        }
    }

    static func ask(_ runtimeDirectory: String) -> ApplianceStatus {
        let signer = Self.answer { pipe throws(ClientFailure) in
            try Conversation.withSigner(runtimeDirectory, [.status], pipe: pipe)
        } read: { bytes throws(HelperFailure) -> SignerStatus? in
            for reply in try Conversation.replies(in: bytes, as: ConsoleReply.self) {
                if case .status(let status) = reply { return status }
            }
            return nil
        }
        let network = Self.answer { pipe throws(ClientFailure) in
            try Conversation.withNetwork(
                runtimeDirectory, [.status, .chain(.progress), .chain(.peers)], pipe: pipe)
        } read: { bytes throws(HelperFailure) -> NetworkSide? in
            NetworkSide(try Conversation.replies(in: bytes, as: QueryReply.self))
        }
        switch network {
        case .value(let side):
            return ApplianceStatus(
                signer: signer, network: .value(side.status), chain: side.progress,
                peers: side.peers)
        case .problem(let reason):
            return ApplianceStatus(signer: signer, network: .problem(reason))
        }
    }

    private static func answer<Value>(
        _ work: (Int32) throws(ClientFailure) -> [UInt8],
        read: ([UInt8]) throws(HelperFailure) -> Value?
    ) -> Answer<Value> {
        do {
            let bytes = try Helper.start(work).answer(within: .seconds(10))
            guard let value = try read(bytes) else { return .problem("it answered something else") }
            return .value(value)
        } catch let failure as HelperFailure {
            return .problem(failure.sentence)
        } catch let failure as ClientFailure {
            return .problem(failure.sentence)
        } catch {
            return .problem("\(error)")
        }
    }
}

/// What the network process says of itself and of the light client.
private struct NetworkSide: Hashable, Sendable {
    let status: NetworkStatus
    var progress: ChainProgress?
    var peers: [PeerRow] = []

    init?(_ replies: [QueryReply]) {
        var found: NetworkStatus?
        for reply in replies {
            switch reply {
            case .status(let status): found = status
            case .chain(.progress(let progress)): self.progress = progress
            case .chain(.peers(let rows)): peers = rows.filter { $0.state == .seated }
            default: break
            }
        }
        guard let found else { return nil }
        status = found
    }
}

import ChainDesk
import LinuxIO
import Messages
import NetworkCore

/// What people ask of the light client.
extension NetworkLoop {
    func ask(_ request: ChainRequest, for id: QueryID) {
        let step = desk.take(
            request, from: id, client?.client, client?.store, reason: refusal,
            at: Kernel.timeSinceBoot())
        switch step {
        case .answer(let answer): send(.chain(answer), to: id)
        case .wait: break
        case .command(let number, let command): client?.handle(.command(number, command))
        }
    }

    /// Has the signer's wallets watched that are not watched yet.
    func watchPairings() {
        guard let client else { return }
        while let step = desk.nextPairing(client.client) {
            switch step {
            case .note(let severity, let line): handle(.note(severity, line))
            case .command(let id, let command):
                client.handle(.command(id, command))
                hearClient()
            }
        }
    }

    /// Gets on with a file of labels, a little in each turn.
    func stepLabels() {
        guard let store = client?.store, let (asker, answer) = desk.stepLabels(store) else {
            return
        }
        send(.chain(answer), to: asker)
    }

    /// The light client has done something that was asked for, or has not.
    func tell(_ id: CommandID, _ answer: ClientAnswer) {
        guard let (asker, answer) = desk.answered(id, answer) else { return }
        send(.chain(answer), to: asker)
    }
}

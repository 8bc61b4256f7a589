import Bitcoin
import Descriptors
public import Messages
public import NetworkCore
import Watch

/// The signer's wallets on their way to the light client, one after the other, so that each is
/// compared with what is watched then.
struct Pairings {
    /// What is still to be looked at, the next one last.
    private(set) var waiting: [PairedAccounts] = []
    private var current: (id: CommandID, accounts: PairedAccounts)?
    /// Lines for the log.
    var notes: [(Severity, String)] = []

    mutating func take(_ accounts: [PairedAccounts]) { waiting = accounts.reversed() }

    /// The next one, unless one is under way.
    mutating func next() -> PairedAccounts? { current == nil ? waiting.popLast() : nil }

    mutating func begin(_ accounts: PairedAccounts, _ id: CommandID) { current = (id, accounts) }

    mutating func refuse(_ reason: String) {
        notes.append((.warning, "a wallet of the signer is not watched: \(reason)"))
    }

    /// Takes what became of the one that is under way.
    mutating func settle(_ id: CommandID, _ answer: ClientAnswer) {
        guard let (expected, accounts) = current, expected == id else { return }
        current = nil
        switch answer {
        case .wallet(let wallet):
            notes.append((.information, "a wallet of the signer is watched as \(wallet.number)"))
        // A person's command came in between, or nothing could be written: once more.
        case .refused(.store), .refused(.nameTaken), .refused(.alreadyWatched):
            waiting.append(accounts)
        case .refused(let refusal): refuse(refusal.sentence)
        case .done, .address: break
        }
    }
}

/// The signer's wallets become watched wallets.
extension ChainDesk {
    /// What is to be done for the signer's wallets.
    public enum PairingStep {
        /// The light client is to do this; its answer comes back to `answered`.
        case command(CommandID, ClientCommand)
        /// The log is to have this line, which names no wallet.
        case note(Severity, String)
    }

    /// Takes the public accounts of the signer's wallets, in place of those that came before.
    ///
    /// Each becomes a watched wallet unless its accounts are watched already, under whatever name and
    /// however they are written.
    /// A wallet that the signer has no more stays watched: only a person ends that.
    public mutating func take(_ accounts: [PairedAccounts]) { pairings.take(accounts) }

    /// What to do next; nil while there is nothing, or while it waits for the light client.
    public mutating func nextPairing(_ client: LightClient) -> PairingStep? {
        if !pairings.notes.isEmpty {
            let (severity, line) = pairings.notes.removeFirst()
            return .note(severity, line)
        }
        // What cannot be written now is looked at once the light client is loaded again.
        guard client.fault == nil else { return nil }
        while let accounts = pairings.next() {
            do throws(Refusal) {
                guard let command = try command(for: accounts, client) else { continue }
                let id = nextCommand()
                pairings.begin(accounts, id)
                return .command(id, command)
            } catch {
                pairings.refuse(error.sentence)
                return nextPairing(client)
            }
        }
        return nil
    }

    /// Nil if the wallet is watched already.
    private func command(
        for accounts: PairedAccounts, _ client: LightClient
    ) throws(Refusal) -> ClientCommand? {
        let (command, _) = try watch("", Array(accounts.file.utf8), nil)
        guard case .addWallet(let name, let descriptors, let gapLimit, let birthday) = command
        else { return nil }
        let all = client.sync.wallets.all
        let identity: Set<Script>
        do throws(DerivationError) { identity = try WatchedWallet(descriptors).identity } catch {
            throw Refusal(.input, "\(error)")
        }
        guard !all.contains(where: { $0.wallet.identity.isSuperset(of: identity) }) else {
            return nil
        }
        return .addWallet(
            name: ChainDesk.freeName(name, beside: Set(all.map(\.name))), descriptors,
            gapLimit: gapLimit, birthday: birthday)
    }

    /// The name, with a number behind it if another wallet has it.
    private static func freeName(_ name: String, beside taken: Set<String>) -> String {
        guard taken.contains(name) else { return name }
        // One of these is free, for there is one more of them than of those that are taken.
        let numbered = (2...taken.count + 2).lazy.map { "\(name) (\($0))" }
        return numbered.first { !taken.contains($0) } ?? name
    }
}

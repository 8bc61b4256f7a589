import Bitcoin
import Descriptors
public import Messages
public import NetworkCore
import StateFiles
import Watch
import Wire

/// The signer's wallets on their way to the light client, one after the other, so that each is
/// compared with what is watched then.
struct Pairings {
    /// A wallet of the signer that was looked at.
    struct Known {
        let file: String
        let name: String
        /// By what its accounts are known, however they are written.
        let identity: Set<Script>
    }

    /// What the light client is doing for them.
    private enum Step {
        case watching(PairedAccounts)
        case naming(count: Int)
    }

    /// What is still to be looked at, the next one last.
    private var waiting: [PairedAccounts] = []
    private var current: (id: CommandID, step: Step)?
    /// Those that were looked at.
    private var known: [VaultID: Known] = [:]
    /// How many wallets the signer told; nil before it did.
    private var count: Int?
    private var isNamingDue = false
    /// Lines for the log.
    var notes: [(Severity, String)] = []

    mutating func take(_ accounts: [PairedAccounts]) {
        waiting = accounts.reversed()
        let files = Dictionary(
            accounts.map { ($0.vault, $0.file) }, uniquingKeysWith: { first, _ in first })
        known = known.filter { files[$0.key] == $0.value.file }
        count = accounts.count
        isNamingDue = true
    }

    /// Has the names compared once more.
    mutating func compareNames() { isNamingDue = true }

    /// The next one, unless one is under way.
    mutating func next() -> PairedAccounts? { current == nil ? waiting.popLast() : nil }

    /// Whether all were looked at and the names are to be compared, once.
    mutating func beginsNaming() -> Bool {
        guard current == nil, waiting.isEmpty else { return false }
        defer { isNamingDue = false }
        return isNamingDue
    }

    mutating func learn(_ accounts: PairedAccounts, name: String, identity: Set<Script>) {
        known[accounts.vault] = Known(file: accounts.file, name: name, identity: identity)
    }

    mutating func begin(_ accounts: PairedAccounts, _ id: CommandID) {
        current = (id, .watching(accounts))
    }

    mutating func beginNaming(_ count: Int, _ id: CommandID) {
        current = (id, .naming(count: count))
    }

    mutating func refuse(_ reason: String) {
        notes.append((.warning, "a wallet of the signer is not watched: \(reason)"))
    }

    /// Takes what became of the one that is under way.
    mutating func settle(_ id: CommandID, _ answer: ClientAnswer) {
        guard let (expected, step) = current, expected == id else { return }
        current = nil
        switch (step, answer) {
        case (.watching, .wallet(let wallet)):
            notes.append((.information, "a wallet of the signer is watched as \(wallet.number)"))
        // A person's command came in between, or nothing could be written: once more.
        case (.watching(let accounts), .refused(.store)),
            (.watching(let accounts), .refused(.nameTaken)),
            (.watching(let accounts), .refused(.alreadyWatched)):
            waiting.append(accounts)
        case (.watching, .refused(let refusal)): refuse(refusal.sentence)
        case (.naming, .refused): isNamingDue = true
        case (.naming(let count), _):
            let wallets = counted(count, "watched wallet has", "watched wallets have")
            notes.append((.information, "\(wallets) the name now that the signer gives"))
        case (.watching, .done), (.watching, .address): break
        }
    }

    // MARK: What is known of the signer's wallets

    /// The names that the signer gives exactly these accounts; it may have them twice.
    func names(of identity: Set<Script>) -> [String] {
        known.values.filter { $0.identity == identity }.map(\.name).sorted()
    }

    /// Whether a watched wallet would be watched again if it were removed: the signer has a wallet that no
    /// other one holds.
    func bringBack(_ entry: WalletBook.Entry, _ all: [WalletBook.Entry]) -> Bool {
        known.values.contains { known in
            let holders = all.filter { $0.wallet.identity.isSuperset(of: known.identity) }
            return holders.map(\.id) == [entry.id]
        }
    }

    /// Whether the signer has keys of a watched wallet.
    func keys(of identity: Set<Script>) -> WatchedWalletRow.Keys {
        if known.values.contains(where: { !identity.isDisjoint(with: $0.identity) }) {
            return .here
        }
        // It tells so many at most: a wallet that is not among them may be one more.
        guard let count, count < Limit.pairedWallets, waiting.isEmpty else { return .unknown }
        return .elsewhere
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
    /// however they are written. A watched wallet of exactly these accounts has the signer's name for
    /// them from then on.
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
        guard pairings.beginsNaming() else { return nil }
        let names = newNames(client.sync.wallets.all)
        guard !names.isEmpty else { return nil }
        let id = nextCommand()
        pairings.beginNaming(names.count, id)
        return .command(id, .nameWallets(names))
    }

    /// Nil if the wallet is watched already.
    private mutating func command(
        for accounts: PairedAccounts, _ client: LightClient
    ) throws(Refusal) -> ClientCommand? {
        let file = try pairingFile(Array(accounts.file.utf8))
        let name = try ChainDesk.keptName(file.name ?? "")
        let identity: Set<Script>
        do throws(DerivationError) {
            identity = try WatchedWallet(file.descriptors).identity
        } catch {
            throw Refusal(.input, "\(error)")
        }
        pairings.learn(accounts, name: name, identity: identity)
        let all = client.sync.wallets.all
        guard !all.contains(where: { $0.wallet.identity.isSuperset(of: identity) }) else {
            return nil
        }
        return .addWallet(
            name: ChainDesk.freeName(name, beside: Set(all.map { GivenName.looks(of: $0.name) })),
            file.descriptors, gapLimit: ChainDesk.gapLimit,
            birthday: file.birthday.map { .time($0) } ?? .unknown)
    }

    private static func keptName(_ text: String) throws(Refusal) -> String {
        do throws(GivenNameError) { return try GivenName(kept: text).text } catch {
            throw Refusal(.input, "\(error)")
        }
    }

    /// The names that watched wallets are to get, where they have others now. What a person named here comes
    /// first, then what has one of the signer's names already.
    private func newNames(_ all: [WalletBook.Entry]) -> [WalletID: String] {
        let told = all.map { (entry: $0, names: pairings.names(of: $0.wallet.identity)) }
        var taken = Set(told.filter(\.names.isEmpty).map { GivenName.looks(of: $0.entry.name) })
        var wanted: [(entry: WalletBook.Entry, name: String)] = []
        for (entry, names) in told {
            guard let name = names.first else { continue }
            let isKept =
                names.contains(entry.name)
                && taken.insert(GivenName.looks(of: entry.name)).inserted
            if !isKept { wanted.append((entry, name)) }
        }
        var new: [WalletID: String] = [:]
        for (entry, name) in wanted {
            let name = ChainDesk.freeName(name, beside: taken)
            taken.insert(GivenName.looks(of: name))
            if name != entry.name { new[entry.id] = name }
        }
        return new
    }

    /// The name, with a number behind it if another wallet has one that looks like it.
    private static func freeName(_ name: String, beside taken: Set<String>) -> String {
        guard taken.contains(GivenName.looks(of: name)) else { return name }
        // One of these is free, for there is one more of them than of those that are taken.
        let numbered = (2...taken.count + 2).lazy.map { number in
            let ending = " (\(number))"
            let room = GivenName.maximumScalars - ending.unicodeScalars.count
            return String(String.UnicodeScalarView(name.unicodeScalars.prefix(room))) + ending
        }
        return numbered.first { !taken.contains(GivenName.looks(of: $0)) } ?? name
    }
}

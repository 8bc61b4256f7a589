import Bitcoin
public import Chain
import Descriptors
import Labels
public import Messages
public import NetworkCore
public import NetworkStore
import Pairing
import PeerMessages
import StateFiles
import Wire

/// Answers what people ask of the light client, and turns what they want done into its commands.
///
/// Questions are answered at once from what the light client holds; a command is answered when the
/// light client has done it, which is after it was written.
public struct ChainDesk {
    /// What becomes of a request.
    public enum Step {
        /// This is the answer.
        case answer(ChainAnswer)
        /// The answer comes from `stepLabels`.
        case wait
        /// The light client is to do this; its answer comes back to `answered`.
        case command(CommandID, ClientCommand)
    }

    let parameters: ChainParameters
    var open: [CommandID: Asked] = [:]
    private var counter: UInt64 = 0
    var pairings = Pairings()
    var labelImport: LabelImport?
    /// What the store found and mended since the start.
    var notices: [String] = []

    /// Who asked, and for what.
    struct Asked {
        let asker: QueryID
        let request: ChainRequest
        let remarks: [String]
    }

    /// Commands that wait for the light client at most.
    static let mostOpen = 64
    /// Notices that are kept.
    private static let mostNotices = 16

    /// A desk that nobody has asked.
    public init(_ parameters: ChainParameters) { self.parameters = parameters }

    /// Takes what the store says of itself, for `status`.
    public mutating func note(_ sentences: [String]) {
        notices = Array((notices + sentences).suffix(ChainDesk.mostNotices))
    }

    /// Takes a request.
    ///
    /// - Parameters:
    ///   - client: nil while it does not run; `reason` says why.
    ///   - now: by the clock that the light client is told.
    public mutating func take(
        _ request: ChainRequest, from asker: QueryID, _ client: LightClient?,
        _ store: NetworkStore?, reason: String, at now: Duration
    ) -> Step {
        guard let client, let store else {
            guard case .progress = request else { return .answer(.refused(.notRunning, reason)) }
            var progress = ChainProgress(.storeUnusable)
            progress.remark = reason
            progress.notices = notices
            return .answer(.progress(progress))
        }
        do throws(Refusal) {
            if case .putLabels(let bytes, let firstLine, let isLast) = request {
                let part = try LabelPart(bytes, firstLine: firstLine, isLast: isLast)
                return try put(part, from: asker, store).map { .answer($0) } ?? .wait
            }
            if let answer = try look(request, client, store, at: now) { return .answer(answer) }
            let (command, remarks) = try command(for: request, client)
            guard open.count < ChainDesk.mostOpen else {
                throw Refusal(.full, "too many commands wait for the light client: try again")
            }
            let id = nextCommand()
            open[id] = Asked(asker: asker, request: request, remarks: remarks)
            return .command(id, command)
        } catch {
            return .answer(.refused(error.kind, error.sentence))
        }
    }

    mutating func nextCommand() -> CommandID {
        counter += 1
        return CommandID(counter)
    }

    /// Whoever asked is gone.
    public mutating func forget(_ asker: QueryID) {
        if labelImport?.asker == asker { labelImport = nil }
        open = open.filter { $0.value.asker != asker }
    }

    /// Takes what became of a command; who has to be told what, if anybody asked.
    public mutating func answered(
        _ id: CommandID, _ answer: ClientAnswer
    ) -> (asker: QueryID, answer: ChainAnswer)? {
        guard let asked = open.removeValue(forKey: id) else {
            pairings.settle(id, answer)
            return nil
        }
        switch answer {
        case .done:
            // A name may be free now that a wallet of the signer has there.
            if case .unwatch = asked.request { pairings.compareNames() }
            return (asked.asker, .done(asked.remarks))
        case .wallet(let wallet):
            return (asked.asker, .done(["wallet \(wallet.number) is watched"] + asked.remarks))
        case .address(let script, let index):
            let address = Address(scriptPubKey: script, network: parameters.network)
            return (asked.asker, .address(address.map { "\($0)" } ?? "", index: index))
        case .refused(let refusal):
            return (asked.asker, .refused(refusal.kind, refusal.sentence))
        }
    }

    /// The command that a request stands for.
    private func command(
        for request: ChainRequest, _ client: LightClient
    ) throws(Refusal) -> (ClientCommand, [String]) {
        switch request {
        case .addPeer(let text): return (.addPeer(try endpoint(text)), [])
        case .removePeer(let text):
            return (.removePeer(try known(try endpoint(text), client)), [])
        case .forgetPeers: return (.forgetPeers, [])
        case .watch(let name, let file, let birthday):
            return try watch(name, file, birthday, client)
        case .unwatch(let name):
            let entry = try wallet(name, client)
            guard !pairings.bringBack(entry, client.sync.wallets.all) else {
                throw Refusal(
                    .notAllowed,
                    "wallet \(entry.id.number), \(entry.name), is watched as long as the signer has it and "
                        + "tells its accounts: watch-accounts = none in the configuration ends that for all "
                        + "wallets of the signer, and one that is deleted there can be removed here"
                )
            }
            return (
                .removeWallet(entry.id),
                ["wallet \(entry.id.number), \(entry.name), is watched no more"]
            )
        case .newAddress(let name):
            return (.issueAddress(try wallet(name, client).id, branch: 0), [])
        case .rescan(let name, let from): return try rescan(name, from: Int(from), client)
        case .broadcast(let bytes): return try broadcast(bytes, client)
        case .withdrawBroadcast(let txid): return try withdraw(Txid(txid), client)
        default: throw Refusal(.input, "there is nothing to do")
        }
    }

    /// Says of each wallet what that changes: what is not searched yet is not searched again.
    private func rescan(
        _ name: String, from height: Int, _ client: LightClient
    ) throws(Refusal) -> (ClientCommand, [String]) {
        let one = name.isEmpty ? nil : try wallet(name, client)
        let entries = one.map { [$0] } ?? client.sync.wallets.all
        guard !entries.isEmpty else { throw noWallet }
        let tip = client.sync.chain.height
        let remarks =
            height > tip
            ? ["nothing is searched again: the newest block that is known here has height \(tip)"]
            : entries.prefix(8).map { entry in
                let what =
                    switch entry.progress?.scanned {
                    case nil: "is not searched yet, and begins at its birthday"
                    case let scanned? where scanned < height:
                        "is searched up to \(scanned) only, and goes on from there"
                    default: "is searched again from \(height) on: bulkhead status says how far"
                    }
                return "wallet \(entry.id.number) \(what)"
            }
        return (.rescan(one?.id, from: height), remarks)
    }

    private func endpoint(_ text: String) throws(Refusal) -> PeerEndpoint {
        do throws(PeerEndpointError) {
            return try PeerEndpoint(text, defaultPort: parameters.defaultPort)
        } catch {
            throw Refusal(.input, "\(error)")
        }
    }

    /// The same, if there is such a peer.
    private func known(
        _ endpoint: PeerEndpoint, _ client: LightClient
    ) throws(Refusal) -> PeerEndpoint {
        let isKnown =
            client.pool.book.record(endpoint) != nil
            || client.pool.seated.contains { $0.endpoint == endpoint }
        guard !isKnown else { return endpoint }
        guard client.pool.book.ban(of: endpoint) == nil else {
            throw Refusal(
                .input, "\(endpoint) is banned and not dialled: bulkhead peers forget ends all bans"
            )
        }
        throw Refusal(.input, "no peer \(endpoint) is known: bulkhead peers list shows all")
    }

    /// How many unused addresses behind the last used one are watched.
    static let gapLimit: UInt32 = 20

    private func watch(
        _ name: String, _ bytes: [UInt8], _ birthday: UInt64?, _ client: LightClient
    ) throws(Refusal) -> (ClientCommand, [String]) {
        let file = try pairingFile(bytes)
        let name = try newName(name, or: file.name, beside: client.sync.wallets.all)
        let time = birthday ?? file.birthday
        let remarks =
            time == nil
            ? ["no birthday is known, so the whole chain is searched: --birthday shortens that"]
            : []
        return (
            .addWallet(
                name: name, file.descriptors, gapLimit: ChainDesk.gapLimit,
                birthday: time.map { .time($0) } ?? .unknown), remarks
        )
    }

    /// What a wallet is called from now on: what was said, else what its file says.
    private func newName(
        _ said: String, or inFile: String?, beside all: [WalletBook.Entry]
    ) throws(Refusal) -> String {
        let text = said.isEmpty ? inFile ?? "" : said
        guard !text.isEmpty else {
            throw Refusal(.input, "the file gives the wallet no name: name it by --name")
        }
        do throws(GivenNameError) { _ = try GivenName(new: text) } catch {
            let place = said.isEmpty ? "the name in the file" : "--name"
            throw Refusal(.input, "\(place) cannot be used: \(error). Give another one by --name")
        }
        let twin = all.first { GivenName.areTwins($0.name, text) }
        if let twin {
            throw Refusal(
                .input,
                "wallet \(twin.id.number) is called \(twin.name): give another name by --name")
        }
        return text
    }

    /// A pairing file for the chain that is followed.
    func pairingFile(_ bytes: [UInt8]) throws(Refusal) -> PairingFile {
        let file: PairingFile
        do throws(PairingError) { file = try PairingFile(bytes) } catch {
            throw Refusal(.input, "\(error)")
        }
        let isOther = file.descriptors.contains { descriptor in
            descriptor.keys.contains { !$0.fits(parameters.network) }
        }
        guard !isOther else {
            throw Refusal(
                .input,
                "a key in the file is for another network than \(parameters.network): xpub, ypub and "
                    + "zpub are keys of mainnet, tpub, upub and vpub those of the test networks")
        }
        return file
    }
}

/// Why something is not done.
struct Refusal: Error {
    let kind: ChainRefusal
    let sentence: String

    init(_ kind: ChainRefusal, _ sentence: String) {
        self.kind = kind
        self.sentence = sentence
    }
}

extension KeyExpression {
    /// Whether a key may be used on a network: extended keys say for which kind they are made.
    fileprivate func fits(_ network: Network) -> Bool {
        guard case .extended(let key) = base else { return true }
        return (key.network == .main) == (network == .mainnet)
    }
}

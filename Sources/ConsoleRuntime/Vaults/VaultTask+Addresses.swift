import Accounts
import Bitcoin
import Configuration
import ConsoleCore
import Glibc
import KitDocument
import Messages
import Pairing
import StateFiles

/// Commands that need no password: what they show was derived by the signer.
extension VaultTask {
    mutating func receive() throws(CommandEnd) {
        let account = try account()
        let given = try number(.index, in: 0...Int(ChildNumber.maximumIndex))
        let row = try vault(0, .wallet)
        let range = AddressRange(account, first: UInt32(given ?? 0))
        let answer = try session.ask(.addresses(row.id, range))
        guard case .index(_, let rows) = answer else { throw .client(.unexpected) }
        // Behind the address, and for programs too, since it is they that would use it twice.
        defer {
            if given == nil { StandardStream.error(Self.mayBeUsed) }
            if let given, given >= Self.gapLimit { StandardStream.error(Self.mayBeMissed) }
        }
        guard !job.options.printsJSON else { return try print(answer) }
        // For a program that reads on: the address alone, in one piece.
        guard isatty(STDOUT_FILENO) == 1 else { return rows.forEach { say($0.value) } }
        for address in rows {
            // The drawing first: all of it and the text fit on 24 lines.
            draw(address.value)
            say("\(title(row)), \(address.title), \(address.path)")
            let groups = "    " + Self.grouped(address.value)
            for line in TextWrap.lines(groups, columns: Screen.size.columns) { say(line) }
        }
    }

    private static let mayBeUsed =
        "bulkhead: this is always the first address of the account. The signer sees no payments, so it "
        + "cannot say whether the address was used: bulkhead watch address gives out one that was not, "
        + "and --index N shows any other\n"

    /// How many addresses beyond the last used one programs look for payments.
    private static let gapLimit = 20
    private static let mayBeMissed =
        "bulkhead: programs that watch look \(gapLimit) addresses beyond the last used one (the gap limit), "
        + "so a payment to this one may not be seen until one shortly before it is used: bulkhead watch "
        + "address gives out one that is watched\n"

    /// In groups of four, as a person compares an address with another screen.
    static func grouped(_ address: String) -> String {
        var groups: [String] = []
        var rest = Substring(address)
        while !rest.isEmpty {
            groups.append(String(rest.prefix(4)))
            rest = rest.dropFirst(4)
        }
        return groups.joined(separator: " ")
    }

    mutating func verifyAddress() throws(CommandEnd) {
        let depth = try number(.depth, in: 1...20_000) ?? 1000
        let answer = try session.ask(
            .findAddress(TypedAddress.text(of: job.words.arguments), depth: UInt32(depth)))
        try print(answer)
        if case .searched(let found, _, _) = answer, found.isEmpty {
            throw .problem(.finding, "the address was not found")
        }
    }

    mutating func exportPairing() throws(CommandEnd) {
        let form: PairingForm
        do throws(CommandLineWords.Problem) {
            form =
                try job.words.choice(.form, PairingForm.allCases.map { ($0.rawValue, $0) })
                ?? .descriptors
        } catch {
            throw .problem(.usage, "\(error)")
        }
        let drawsCode = job.words.has(.qr)
        guard !drawsCode || (form == .descriptors && !job.options.printsJSON) else {
            throw .problem(
                .usage,
                "--qr draws one descriptor, which a code has room for and programs that watch read; it "
                    + "goes with --as descriptors and without --json")
        }
        let choice = try account()
        let row = try vault(0, .wallet)
        guard case .index(let fingerprint, let rows) = try session.ask(.index(row.id)),
            let wallet = PairedWallet(row, fingerprint, rows)
        else { throw .client(.unexpected) }
        guard !job.options.printsJSON else {
            return StandardStream.out(wallet.json(with: form).text + "\n")
        }
        StandardStream.out(wallet.text(as: form))
        guard drawsCode else { return }
        let kind = AccountPath(choice)
        let account = wallet.accounts.first { $0.kind == kind }
        guard let descriptor = account.flatMap({ wallet.descriptor(of: $0) }) else {
            throw .client(.unexpected)
        }
        draw(descriptor.description)
    }

    // MARK: Shared

    /// Dark on light or light on dark: readers take both, so nothing is asked of the terminal.
    private func draw(_ text: String) {
        guard isatty(STDOUT_FILENO) == 1 || job.words.has(.qr), let code = QRCode(text) else {
            return
        }
        StandardStream.out("\n" + code.lines(inverted: true).joined(separator: "\n") + "\n")
    }

    private func account() throws(CommandEnd) -> AccountChoice {
        do throws(CommandLineWords.Problem) {
            return try job.words.choice(
                .account,
                [
                    ("native", .nativeSegwit), ("taproot", .taproot), ("nested", .nestedSegwit),
                    ("legacy", .legacy),
                ]) ?? .nativeSegwit
        } catch {
            throw .problem(.usage, "\(error)")
        }
    }

    func number(
        _ flag: CommandFlag, in range: ClosedRange<Int>
    ) throws(CommandEnd) -> Int? {
        do throws(CommandLineWords.Problem) { return try job.words.number(flag, in: range) } catch {
            throw .problem(.usage, "\(error)")
        }
    }
}

extension PairedWallet {
    /// From what the signer answered; nil if that is no index of a wallet.
    fileprivate init?(_ row: VaultRow, _ fingerprint: String, _ rows: [IndexRow]) {
        guard let fingerprint = Fingerprint(hex: fingerprint),
            let network = Network(rawValue: row.chain.name)
        else { return nil }
        var accounts: [Account] = []
        for path in AccountPath.allCases where path.isBitcoin {
            let match = rows.first {
                $0.title == path.standard && $0.path == path.path(on: network).description
            }
            guard let match, let key = try? ExtendedPublicKey(match.value) else { return nil }
            accounts.append(Account(path, key))
        }
        self.init(
            name: row.name, network: network, fingerprint: fingerprint, accounts: accounts,
            birthday: row.birthday)
    }
}

import Messages
import SecretMemory
import StateFiles
import Testing
import Vault

@testable import SignerCore

@Suite("Names of vaults in the signer")
struct NamesTests {
    private static let phrase =
        [String](repeating: "abandon", count: 11).joined(separator: " ") + " about"
    private static let xprv =
        "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGt"
        + "RBeJgk33yuGBxrMPHi"
    private let password: TestMachine.Fields = [.password: TestMachine.password]

    /// All that gives a vault a name.
    enum Giving: CaseIterable, CustomTestStringConvertible {
        case wallet, items, words, xprv, rename

        var testDescription: String { "\(self)" }

        func request(_ name: String, _ own: VaultID) -> VaultRequest {
            let new = Messages.NewVault(name: name, kdf: .pbkdf2)
            return switch self {
            case .wallet: .create(new, words: 12, usesDice: false, hasPassphrase: false)
            case .items:
                .create(
                    Messages.NewVault(kind: .items, name: name, kdf: .pbkdf2), words: 0,
                    usesDice: false, hasPassphrase: false)
            case .words: .importWords(new, hasPassphrase: false)
            case .xprv: .importXprv(new)
            case .rename: .rename(own, name: name)
            }
        }
    }

    private let fields: TestMachine.Fields = [
        .password: TestMachine.password, .newPassword: TestMachine.password,
        .words: NamesTests.phrase, .xprv: NamesTests.xprv,
    ]

    /// Seals a name that was given before this rule.
    private func put(_ name: String, of id: VaultID, in machine: inout TestMachine) throws {
        let bytes = try #require(machine.state[.indexKey])
        let key = try IndexKey(SecretBytes(count: 32) { $0.copyBytes(from: bytes) })
        machine.state[.name(id)] = try VaultName(kept: name).sealed(for: id, under: key)
    }

    private func names(_ machine: inout TestMachine) throws -> [String] {
        guard case .vaults(let rows) = try machine.ask(.list) else { return [] }
        return rows.map(\.name)
    }

    @Test(
        "whatever gives a vault a name refuses one that can be taken for another vault's, and nothing is changed",
        arguments: Giving.allCases)
    func twins(_ giving: Giving) throws {
        let made = try MadeWallet.copy()
        var machine = made.machine
        let own = try machine.createItems()
        for (here, given) in [
            ("Savings", "Savings"), ("Savings", "sAVINGS"), ("My till", "My  till"),
            ("F\u{FC}r", "fu\u{308}R"), ("Sav\u{3164}ings", "savings"),
        ] {
            try put(here, of: made.id, in: &machine)
            let before = machine.state
            let refusal = refusalOf { try machine.ask(giving.request(given, own), fields) }
            #expect(refusal == .nameTaken(by: made.id, called: here), "\(given)")
            // The ledger does not tell of it either, and no attempt at a password was counted.
            #expect(machine.state == before, "\(given)")
        }
        try machine.ask(giving.request("Cellar", own), fields)
        #expect(try names(&machine).contains("Cellar"))
    }

    @Test("a vault may have its own name anew, be it in another case")
    func ownName() throws {
        var made = try MadeWallet.copy()
        try made.machine.ask(.rename(made.id, name: "SAVINGS"), password)
        try made.machine.ask(.rename(made.id, name: "SAVINGS"), password)
        #expect(try names(&made.machine) == ["SAVINGS"])
    }

    @Test("a name that cannot be verified is in nobody's way, nor that of a vault that is gone")
    func damaged() throws {
        let made = try MadeWallet.copy()
        for file in [StateFile.name(made.id), .vault(made.id)] {
            var machine = made.machine
            if file == .vault(made.id) {
                machine.state[file] = nil
            } else {
                machine.state[file]?[20] ^= 1
            }
            _ = try machine.create(name: "Savings", kdf: .pbkdf2)
        }
    }

    @Test(
        "an index that is made anew asks no other vault for the name that stands in for a lost one")
    func standIn() throws {
        var made = try MadeWallet.copy()
        let standIn = "vault \(made.id.description.prefix(8))"
        _ = try made.machine.create(name: standIn, kdf: .pbkdf2)
        made.machine.state[.name(made.id)] = nil
        try made.machine.ask(.rebuildIndex(made.id), password)
        #expect(try names(&made.machine) == [standIn, standIn])
    }

    @Test(
        "a vault comes back under a name that another one has by now: both are kept, and it is said"
    )
    func restore() throws {
        var made = try MadeWallet.copy()
        try made.machine.ask(.backup(made.id), password)
        let backup = made.machine.written
        try made.machine.ask(.delete(made.id, name: "Savings"), password)
        let other = try made.machine.create(name: "SAVINGS", kdf: .pbkdf2)
        let key: TestMachine.Fields = [.secretKey: made.secretKey]
        let told = try made.machine.ask(.restoreCheck(made.id), key, input: backup).remarks
        #expect(told.count == 1, "\(told)")
        #expect(told.first?.contains("\(other) is called SAVINGS too") == true, "\(told)")
        #expect(told.first?.contains("bulkhead wallet rename \(made.id) ") == true, "\(told)")
        #expect(told.allSatisfy { $0.utf8.count <= Limit.sentence })
        let restored = try made.machine.ask(.restore(made.id), key, input: backup)
        #expect(restored.remarks == told)
        #expect(Set(try names(&made.machine)) == ["Savings", "SAVINGS"])
        #expect(try made.machine.words(made.id) == made.words)
        // An address is still found in the one that has it, whose id is told.
        let first = AddressRange(.nativeSegwit, first: 0)
        let address = try made.machine.ask(.addresses(made.id, first)).index[0].value
        let found = try made.machine.ask(.findAddress(address, depth: 5))
        guard case .searched(let places, _, let remarks) = found else { return }
        #expect(places.map(\.vault) == [made.id])
        #expect(remarks.first?.contains("\(made.id)") == true, "\(remarks)")
        // And one of them gets another name.
        try made.machine.ask(.rename(made.id, name: "Cellar"), password)
        let again = try made.machine.ask(.restore(made.id), key, input: backup).remarks
        #expect(!again.contains { $0.contains("too. Each is known") }, "\(again)")
        #expect(Set(try names(&made.machine)) == ["Cellar", "SAVINGS"])
    }

    @Test("a plan that gives a name loads the names of all vaults, and nothing else of the others")
    func plans() throws {
        var machine = try MadeWallet.copy().machine
        let own = try machine.createItems()
        let listing = StateListing(
            files: Set(machine.state.keys), deviceKey: .safe, indexKey: .safe)
        let requests = Giving.allCases.map { $0.request("Cellar", own) }
        for request in requests + [.restoreCheck(own), .restore(own)] {
            let loaded = OperationPlan(request, in: listing).loaded
            let others = loaded.filter { $0.vault != nil && $0.vault != request.vault }
            let names = listing.vaults.filter { $0 != request.vault }.map { StateFile.name($0) }
            #expect(Set(others) == Set(names), "\(request)")
            #expect(Set(loaded).count == loaded.count, "\(request)")
        }
    }
}

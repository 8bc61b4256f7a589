import Bitcoin
import Hashing
import Messages
import StateFiles
import TestSupport
import Testing
import Vault

@Suite("Signing messages by own addresses")
struct MessageTests {
    private static let words =
        Array(repeating: "abandon", count: 11).joined(separator: " ") + " about"
    private static let message = Array("I hold this address.".utf8)
    private static let password: TestMachine.Fields = [.password: TestMachine.password]

    private func machine(_ chain: ChainName = .mainnet) throws -> (TestMachine, VaultID) {
        var machine = TestMachine()
        machine.chain = chain
        let id = try machine.ask(
            .importWords(Messages.NewVault(name: "Savings"), hasPassphrase: false),
            [.newPassword: TestMachine.password, .words: Self.words]
        ).made
        return (machine, id)
    }

    private func address(
        _ machine: inout TestMachine, _ id: VaultID, _ range: AddressRange
    ) throws -> String {
        guard case .index(_, let rows) = try machine.ask(.addresses(id, range)) else { return "" }
        return rows.first?.value ?? ""
    }

    private func signed(
        _ machine: inout TestMachine, _ id: VaultID, _ message: MessageToSign
    ) throws -> MessageSignature {
        guard
            case .messageSigned(let signature) = try machine.ask(
                .signMessage(id, message), Self.password)
        else { throw VaultRefusal.workerFailed("no signature") }
        return signature
    }

    private func verdict(_ signature: MessageSignature) throws -> MessageVerdict {
        let address = try Address(signature.row.value, network: .mainnet)
        return signature.form == .bip137
            ? LegacySignedMessage.verify(
                signature.signature, message: Self.message, address: address)
            : SignedMessage.verify(
                signature.signature, message: Self.message, scriptPubKey: address.scriptPubKey)
    }

    @Test("every account signs in every form that it has, on both branches, and each verifies")
    func forms() throws {
        var (machine, id) = try machine()
        var made: [String: Int] = [:]
        for account in AccountChoice.allCases {
            for isChange in [false, true] {
                let range = AddressRange(account, isChange: isChange, first: 7)
                let address = try address(&machine, id, range)
                for form in [nil] + MessageForm.allCases.map(Optional.some) {
                    let request = MessageToSign(
                        Self.message, address: address, form: form, depth: 8)
                    let isMissing =
                        (account, form) == (.taproot, .bip137)
                        || (account, form) == (.legacy, .bip322Simple)
                    guard !isMissing else {
                        guard
                            case .badMessage = refusalOf({
                                _ = try signed(&machine, id, request)
                            })
                        else {
                            Issue.record("\(account) \(String(describing: form))")
                            continue
                        }
                        continue
                    }
                    let signature = try signed(&machine, id, request)
                    #expect(try verdict(signature) == .valid)
                    #expect(signature.row.value == address)
                    #expect(signature.row.path.hasSuffix(isChange ? "/1/7" : "/0/7"))
                    #expect(signature.digest == SHA256.hash(Self.message))
                    made["\(account) \(signature.form)", default: 0] += 1
                }
            }
        }
        #expect(
            made == [
                "nativeSegwit bip137": 2, "nativeSegwit bip322Simple": 4,
                "nativeSegwit bip322Full": 2, "taproot bip322Simple": 4, "taproot bip322Full": 2,
                "nestedSegwit bip137": 2, "nestedSegwit bip322Simple": 4,
                "nestedSegwit bip322Full": 2, "legacy bip137": 4, "legacy bip322Full": 2,
            ])
    }

    @Test("the ledger names the address and the SHA-256 of the message; a right password resets")
    func ledger() throws {
        var (machine, id) = try machine()
        let address = try address(&machine, id, AddressRange(.nativeSegwit, first: 0))
        let request = MessageToSign(Self.message, address: address, depth: 1)
        #expect(
            refusalOf {
                try machine.ask(.signMessage(id, request), [.password: "Another horse 2"])
            } == .wrongPassword(failures: 1, wait: 0))
        #expect(
            try machine.ledger().last?.contains("a wrong password, 1 in a row now, to sign") == true
        )
        #expect(try machine.count(.signMessage(id, request)).failures == 1)
        _ = try signed(&machine, id, request)
        #expect(
            Set(machine.changes.map(\.file)) == [.attempts(id), .ledgerHead, .ledgerEntries])
        let text = try #require(try machine.ledger().last)
        #expect(text.contains("a message was signed by the address \(address)"))
        #expect(text.contains(SHA256.hash(Self.message).description))
        #expect(text.hasSuffix("(user 1000)"))
        #expect(try machine.count(.signMessage(id, request)).failures == 0)
    }

    @Test("what is refused of a message or an address is refused before an attempt counts")
    func refusals() throws {
        var (machine, id) = try machine()
        let address = try address(&machine, id, AddressRange(.nativeSegwit, first: 30))
        let digits = Array(String(repeating: "ab", count: 32).utf8)
        let rows: [(MessageToSign, VaultRefusal)] = [
            (
                MessageToSign(digits, address: address, depth: 31),
                .badMessage(MessageText.Fault.hash.description)
            ),
            (
                MessageToSign(Array("psbt".utf8) + [0xFF], address: address, depth: 31),
                .badMessage(MessageText.Fault.psbt.description)
            ),
            (
                MessageToSign(
                    [UInt8](repeating: 0x61, count: 65_537), address: address, depth: 31),
                .badMessage(MessageText.Fault.tooLong(65_537).description)
            ),
            (MessageToSign(Self.message, address: address, depth: 30), .notOwnAddress(depth: 30)),
            (MessageToSign(Self.message, address: address, depth: 0), .notOwnAddress(depth: 1)),
            (
                MessageToSign(
                    Self.message, address: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
                    depth: .max), .notOwnAddress(depth: 20_000)
            ),
        ]
        let before = machine.state
        for (message, expected) in rows {
            #expect(refusalOf { _ = try machine.count(.signMessage(id, message)) } == expected)
        }
        let foreign = MessageToSign(
            Self.message, address: "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", depth: 1)
        guard
            case .badAddress = refusalOf({ _ = try machine.count(.signMessage(id, foreign)) })
        else {
            Issue.record("an address of another network was taken")
            return
        }
        #expect(machine.state == before)
        _ = try machine.count(
            .signMessage(id, MessageToSign(Self.message, address: address, depth: 31)))
    }

    @Test("an items vault has no addresses, and another wallet's index is not believed")
    func others() throws {
        var (machine, id) = try machine()
        let items = try machine.createItems()
        let address = try address(&machine, id, AddressRange(.nativeSegwit, first: 0))
        let request = MessageToSign(Self.message, address: address, depth: 1)
        #expect(
            refusalOf { _ = try machine.count(.signMessage(items, request)) }
                == .wrongKind(items, .items))
        let other = try machine.create(name: "Other")
        #expect(
            refusalOf { _ = try machine.count(.signMessage(other, request)) }
                == .notOwnAddress(depth: 1))
        machine.state[.index(other)] = machine.state[.index(id)]
        #expect(
            refusalOf { _ = try machine.count(.signMessage(other, request)) }
                == .missing(.index(other)))
    }
}

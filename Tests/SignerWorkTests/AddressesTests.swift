import Messages
import SignerWork
import StateFiles
import TestSupport
import Testing
import Vault

@Suite("Own addresses")
struct AddressesTests {
    /// The words of BIP84 and BIP86.
    private static let words =
        Array(repeating: "abandon", count: 11).joined(separator: " ") + " about"

    private func machine() throws -> (machine: TestMachine, id: VaultID) {
        var machine = TestMachine()
        let id = try machine.ask(
            .importWords(Messages.NewVault(name: "Savings"), hasPassphrase: false),
            [.newPassword: TestMachine.password, .words: Self.words]
        ).made
        return (machine, id)
    }

    private func values(_ answer: VaultAnswer) -> [String] {
        guard case .index(_, let rows) = answer else { return [] }
        return rows.map(\.value)
    }

    @Test("the first address of each account is that of the standard")
    func first() throws {
        var (machine, id) = try machine()
        let expected: [(AccountChoice, String)] = [
            (.nativeSegwit, "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu"),
            (.taproot, "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr"),
            (.nestedSegwit, "37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf"),
            (.legacy, "1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA"),
        ]
        for (account, address) in expected {
            let answer = try machine.ask(.addresses(id, AddressRange(account, first: 0)))
            #expect(values(answer) == [address])
        }
        let keys = try machine.ask(.index(id)).index
        let shown = keys.filter { $0.title.hasPrefix("BIP") && $0.title.hasSuffix(" address") }
        #expect(Set(shown.map(\.value)) == Set(expected.map(\.1)), "among the keys, too")
        #expect(shown.first?.path == "m/84h/0h/0h/0/0")
        let change = AddressRange(.nativeSegwit, isChange: true, first: 0)
        #expect(
            values(try machine.ask(.addresses(id, change)))
                == ["bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el"])
    }

    @Test("a range has its addresses in order, with their paths, up to the last index")
    func range() throws {
        var (machine, id) = try machine()
        let answer = try machine.ask(
            .addresses(id, AddressRange(.nativeSegwit, first: 5, count: 3)))
        guard case .index(_, let rows) = answer else { return }
        #expect(rows.map(\.path) == (5..<8).map { "m/84h/0h/0h/0/\($0)" })
        let last = AddressRange(.nativeSegwit, first: (1 << 31) - 1, count: 1)
        #expect(values(try machine.ask(.addresses(id, last))).count == 1)
        let wrong = [
            AddressRange(.nativeSegwit, first: (1 << 31) - 1, count: 2),
            AddressRange(.nativeSegwit, first: 1 << 31), AddressRange(.nativeSegwit, first: .max),
            AddressRange(.nativeSegwit, first: 0, count: 0),
            AddressRange(.nativeSegwit, first: 0, count: 101),
        ]
        for range in wrong {
            #expect(throws: VaultRefusal.badRange) { try machine.ask(.addresses(id, range)) }
        }
    }

    @Test("an own address is found where it lies, on either branch, and others are not")
    func search() throws {
        var (machine, id) = try machine()
        let change = AddressRange(.taproot, isChange: true, first: 30)
        let address = try #require(values(try machine.ask(.addresses(id, change))).first)
        guard
            case .searched(let found, 40, let remarks) = try machine.ask(
                .findAddress(address, depth: 40))
        else { return }
        #expect(remarks.isEmpty)
        #expect(found.map(\.vault) == [id])
        #expect(found.map(\.name) == ["Savings"])
        #expect(found.map(\.isChange) == [true])
        #expect(found.map(\.row.path) == ["m/86h/0h/0h/1/30"])
        guard case .searched(let none, _, _) = try machine.ask(.findAddress(address, depth: 30))
        else { return }
        #expect(none.isEmpty)
        let foreign = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
        guard case .searched(let other, _, _) = try machine.ask(.findAddress(foreign, depth: 5))
        else { return }
        #expect(other.isEmpty)
    }

    @Test("what is no address of this chain, or of no single key, is refused with the reason")
    func wrong() throws {
        var (machine, _) = try machine()
        let wrong = [
            "", "bc1q", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx",
            "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3",
        ]
        for text in wrong {
            let error = thrown(VaultRefusal.self) {
                try machine.ask(.findAddress(text, depth: 1))
            }
            guard case .badAddress = error else {
                Issue.record("\(text): \(String(describing: error))")
                continue
            }
        }
    }

    @Test("a vault for items is told from a wallet whose index is lost")
    func items() throws {
        var machine = TestMachine()
        let id = try machine.createItems()
        let native = AddressRange(.nativeSegwit, first: 0)
        #expect(throws: VaultRefusal.wrongKind(id, .items)) {
            try machine.ask(.addresses(id, native))
        }
        #expect(throws: VaultRefusal.wrongKind(id, .items)) { try machine.ask(.index(id)) }
    }

    @Test("a wallet whose index was changed is not searched, and that is said")
    func damaged() throws {
        var (machine, id) = try machine()
        machine.state[.index(id)]?[100] ^= 1
        let native = AddressRange(.nativeSegwit, first: 0)
        #expect(throws: VaultRefusal.missing(.index(id))) {
            try machine.ask(.addresses(id, native))
        }
        let address = "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu"
        guard
            case .searched(let found, _, let remarks) = try machine.ask(
                .findAddress(address, depth: 5))
        else { return }
        #expect(found.isEmpty)
        #expect(remarks.count == 1)
    }
}

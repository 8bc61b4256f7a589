import Bitcoin
import Hashing
import SecretMemory
import Signing
import TestSupport
import Testing
import Wire

@testable import KeyTree

@Suite("BIP85")
struct BIP85Tests {
    @Test("every application of the BIP gives its vector")
    func vectors() throws {
        let context = SigningContext()
        let fixture = try Fixture.json("keys/bip85.json")
        let master = try ExtendedPrivateKey(fixture["master"].string, context)
        var outputs = 0
        let cases = try fixture["cases"].array
        for row in cases {
            let path = try DerivationPath(row[1].string)
            let numbers = path.steps.map(\.index)
            #expect(numbers[0] == 83_696_968)
            let node = try BIP85(master: master, Array(numbers.dropFirst()), context)
            for (name, value) in try row[2].members {
                let expected = try value.string
                if name == "key" {
                    #expect(try master.derive(path, context).key.hex == expected)
                } else if name == "entropy" {
                    #expect(entropy(node.bytes().hex, numbers).hasPrefix(expected))
                } else {
                    let found = try output(name, master, numbers, node.bytes().array, context)
                    #expect(found == expected, "\(name)")
                }
                outputs += 1
            }
        }
        #expect(cases.count == 15)
        #expect(outputs == 30)
    }

    /// The part of the 64 bytes that the BIP prints: for an extended key the second half.
    private func entropy(_ hex: String, _ numbers: [UInt32]) -> String {
        numbers[1] == 32 ? String(hex.dropFirst(64)) : hex
    }

    private func output(
        _ name: String, _ master: borrowing ExtendedPrivateKey, _ path: [UInt32],
        _ entropy: [UInt8], _ context: borrowing SigningContext
    ) throws -> String {
        let index = try #require(path.last)
        let count = Int(path[path.count - 2])
        switch name {
        case "bip39_mnemonic":
            return try BIP85.mnemonic(master: master, wordCount: count, index: index, context).text
        case "wif":
            return try BIP85.wif(master: master, index: index, context).text().text
        case "xprv":
            return try BIP85.extendedKey(master: master, index: index, context).text().text
        case "pwd" where path[1] == 707_764:
            return try BIP85.base64Password(master: master, length: count, index: index, context)
                .text
        case "pwd":
            return try BIP85.base85Password(master: master, length: count, index: index, context)
                .text
        case "rolls":
            return try BIP85.dice(
                master: master, sides: path[2], rolls: count, index: index, context
            ).text
        case "nsec":
            return try BIP85.nostrKey(
                master: master, identity: path[2], account: index, context
            ).text
        case "drng(80_bytes)":
            var stream = SHAKE256()
            entropy.withUnsafeBytes { stream.seed($0) }
            var bytes = [UInt8](repeating: 0, count: 80)
            bytes.withUnsafeMutableBytes { stream.read(into: $0) }
            return Hex.encode(bytes)
        default:
            Issue.record("no application makes \(name)")
            return ""
        }
    }

    @Test("numbers outside of what the BIP allows are refused")
    func ranges() throws {
        let context = SigningContext()
        let master = try ExtendedPrivateKey(
            seed: SecretBytes.random(count: 32), network: .main, context)
        for count in [15, 65] {
            #expect(throws: BIP85.Failure.outOfRange(found: count, allowed: 16...64)) {
                _ = try BIP85.bytes(master: master, count: count, index: 0, context)
            }
        }
        for count in [19, 87] {
            #expect(throws: BIP85.Failure.outOfRange(found: count, allowed: 20...86)) {
                _ = try BIP85.base64Password(master: master, length: count, index: 0, context)
            }
        }
        for count in [9, 81] {
            #expect(throws: BIP85.Failure.outOfRange(found: count, allowed: 10...80)) {
                _ = try BIP85.base85Password(master: master, length: count, index: 0, context)
            }
        }
        #expect(throws: BIP85.Failure.outOfRange(found: 13, allowed: 12...24)) {
            _ = try BIP85.mnemonic(master: master, wordCount: 13, index: 0, context)
        }
        #expect(throws: BIP85.Failure.self) {
            _ = try BIP85.wif(master: master, index: 1 << 31, context)
        }
        #expect(throws: BIP85.Failure.outOfRange(found: 1, allowed: 2...0x7FFF_FFFF)) {
            _ = try BIP85.dice(master: master, sides: 1, rolls: 1, index: 0, context)
        }
    }

    @Test("the longest passwords and dice of every width stay within their alphabets")
    func extremes() throws {
        let context = SigningContext()
        let master = try ExtendedPrivateKey(
            seed: SecretBytes.random(count: 32), network: .main, context)
        let long = try BIP85.base64Password(master: master, length: 86, index: 0, context).text
        let raw = try BIP85(master: master, [707_764, 86, 0], context).bytes().array
        #expect(Base64.encode(raw) == long + "==")
        #expect(try BIP85.base85Password(master: master, length: 80, index: 0, context).count == 80)
        for sides: UInt32 in [2, 3, 256, 257, 65_537, 0x7FFF_FFFF] {
            let rolls = try BIP85.dice(master: master, sides: sides, rolls: 50, index: 0, context)
                .text.split(separator: ",").compactMap { UInt32($0) }
            #expect(rolls.count == 50)
            #expect(rolls.allSatisfy { $0 < sides })
        }
    }
}

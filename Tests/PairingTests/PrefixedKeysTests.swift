import Bitcoin
import Descriptors
import Hashing
import Pairing
import TestSupport
import Testing
import Wire

@Suite("Keys under the prefixes of SLIP-132")
struct PrefixedKeysTests {
    private struct Vectors: Decodable {
        let accounts: [[String]]
    }

    private struct Nodes: Decodable {
        let nodes: [Node]

        struct Node: Decodable {
            let path: String
            let network: String
            let pub: String?
        }
    }

    /// The public key at a path, as SLIP-132 prints it.
    private static func published(_ path: String) throws -> String {
        let vectors: Vectors = try Fixture.load("keys/slip132.json")
        return try #require(vectors.accounts.first { $0[0] == path }?[2])
    }

    private static func read(_ text: String) throws -> [Descriptor] {
        try PairingFile(Array((text + "\n").utf8)).descriptors
    }

    private static func first(_ text: String, on network: Network = .mainnet) throws -> String {
        let descriptor = try #require(try read(text).first?.branch(0))
        let output = try OutputSeries(descriptor).output(at: 0)
        return output.address(on: network).map { "\($0)" } ?? ""
    }

    private static func problem(_ text: String) -> PrefixedKeyError? {
        let error = thrown(PairingError.self) { _ = try read(text) }
        guard case .key(line: 1, let problem)? = error else { return nil }
        return problem
    }

    /// The same key under another prefix.
    private static func key(
        _ text: String, as kind: ExtendedKeyVersion.ScriptKind, isPrivate: Bool = false
    ) throws -> String {
        let (key, _) = try ExtendedPublicKey.importing(text)
        let version = ExtendedKeyVersion(
            network: key.network, scriptKind: kind, isPrivate: isPrivate)
        var writer = Writer()
        writer.writeBigEndian(version.rawValue)
        writer.write(Array(key.serialized.dropFirst(4)))
        return Base58Check.encode(writer.bytes)
    }

    // The first addresses are those of BIP49 and BIP84, which have the same words as SLIP-132.
    private static let native = "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu"
    private static let nested = "37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf"

    @Test(
        "the published ypub and zpub alone are watched as the standards' addresses, both branches")
    func alone() throws {
        let (zpub, ypub) = (try Self.published("m/84'/0'/0'"), try Self.published("m/49'/0'/0'"))
        #expect(zpub.hasPrefix("zpub") && ypub.hasPrefix("ypub"))
        #expect(try Self.first(zpub) == Self.native)
        #expect(try Self.first(ypub) == Self.nested)
        #expect(try Self.first("[73c5da0a/84h/0h/0h]\(zpub)") == Self.native)
        #expect(try Self.first("[73c5da0a/49'/0'/0']\(ypub)/<0;1>/*") == Self.nested)
        let xpub = try Self.key(zpub, as: .unspecified)
        #expect(
            try Self.read("[73c5da0a/84h/0h/0h]\(zpub)")
                == [Descriptor("wpkh([73c5da0a/84h/0h/0h]\(xpub)/<0;1>/*)")])
        #expect(try Self.read("\(zpub)/0/*\n\(zpub)/1/*").count == 2)
    }

    @Test("keys of test networks are, too")
    func testNetworks() throws {
        let nodes: Nodes = try Fixture.load("keys/accounts.json")
        let node = nodes.nodes.first { $0.path == "m/49'/1'/0'" && $0.network == "test" }
        let upub = try #require(node?.pub)
        // The first address of BIP49's example.
        #expect(
            try Self.first(upub, on: .testnet3) == "2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2")
        let vpub = try Self.key(upub, as: .segwit)
        #expect(vpub.hasPrefix("vpub"))
        let tpub = try Self.key(upub, as: .unspecified)
        #expect(try Self.read(vpub) == [Descriptor("wpkh(\(tpub)/<0;1>/*)")])
    }

    @Test(
        "in a descriptor they stand for xpub and tpub, and a checksum is that of the written text")
    func descriptors() throws {
        let zpub = try Self.published("m/84'/0'/0'")
        let xpub = try Self.key(zpub, as: .unspecified)
        let shapes: [(ExtendedKeyVersion.ScriptKind, String)] = [
            (.segwit, "wpkh(KEY/<0;1>/*)"), (.nestedSegwit, "sh(wpkh(KEY/0/*))"),
            (.segwitMultisig, "wsh(sortedmulti(1,KEY/<0;1>/*,KEY/<2;3>/*))"),
            (.nestedSegwitMultisig, "sh(wsh(multi(1,KEY/0/*)))"),
        ]
        for (kind, shape) in shapes {
            func text(_ key: String) -> String {
                shape.split(separator: "KEY", omittingEmptySubsequences: false)
                    .joined(separator: key)
            }
            let prefixed = text(try Self.key(zpub, as: kind))
            let expected = [try Descriptor(text(xpub))]
            #expect(try Self.read(prefixed) == expected, "\(shape)")
            let sum = try DescriptorChecksum.compute(prefixed)
            #expect(try Self.read(prefixed + "#" + sum) == expected, "\(shape)")
            #expect(Self.problem(prefixed + "#qqqqqqqq") == .checksum, "\(shape)")
            let json = #"{"bip84":{"desc":"\#(prefixed)"}}"#
            #expect(try PairingFile(Array(json.utf8)).descriptors == expected, "\(shape)")
            for other in ExtendedKeyVersion.ScriptKind.allCases where other != kind {
                let problem = Self.problem(text(try Self.key(zpub, as: other)))
                #expect(problem == (other == .unspecified ? nil : .otherScript(other)), "\(shape)")
            }
        }
    }

    @Test("what does not say what to watch is refused with what to do")
    func refusals() throws {
        let zpub = try Self.published("m/84'/0'/0'")
        let xpub = try Self.key(zpub, as: .unspecified)
        #expect(Self.problem(xpub) == .scriptUnknown)
        #expect(Self.problem("[73c5da0a/84h/0h/0h]\(xpub)") == .scriptUnknown)
        for kind in [ExtendedKeyVersion.ScriptKind.segwitMultisig, .nestedSegwitMultisig] {
            #expect(Self.problem(try Self.key(zpub, as: kind)) == .oneOfSeveral(kind))
        }
        let sentences: [(PrefixedKeyError, String)] = [
            (.scriptUnknown, "wpkh(KEY/<0;1>/*) for bc1q"),
            (.oneOfSeveral(.segwitMultisig), "export the wallet's descriptor"),
            (.otherScript(.segwit), "write the key as xpub or tpub"),
            (.checksum, "copy the descriptor again"), (.isPrivate, "give the public one"),
        ]
        for (error, part) in sentences { #expect("\(error)".contains(part)) }
        #expect("\(PairingError.key(line: 3, .checksum))".hasPrefix("line 3: "))
    }

    @Test("a private key under any prefix is refused, and nothing of it is repeated")
    func privateKeys() throws {
        for kind in ExtendedKeyVersion.ScriptKind.allCases {
            // The 33 bytes of the key do not matter: what they are is said before them.
            let text = try Self.key(
                Self.published("m/84'/0'/0'"), as: kind, isPrivate: true)
            for shape in [text, "wpkh(\(text)/0/*)", "[73c5da0a/84h]\(text)"] {
                #expect(Self.problem(shape) == .isPrivate, "\(kind)")
                let error = thrown(PairingError.self) { _ = try Self.read(shape) }
                let said = error.map { "\($0)" } ?? ""
                #expect(!said.isEmpty && !said.contains(text.prefix(12)), "\(kind)")
            }
        }
    }
}

import Bitcoin
import KeyTree
import PSBT
import PSBTSigning
import SecretMemory
import Signing
import TestSupport
import Testing

/// The three phrases whose keys are in the recorded wallets.
enum Signer: String, CaseIterable, Sendable {
    case a =
        "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about"
    case b = "legal winner thank year wave sausage worth useful legal winner thank yellow"
    case c = "letter advice cage absurd amount doctor acoustic avoid letter advice cage above"

    /// Adds this signer's signatures to a PSBT.
    func sign(
        _ psbt: PSBT, allowing types: Set<SighashType> = [.default, .all], inputs: Set<Int>? = nil
    ) throws -> PSBT {
        try psbt.adding(records(psbt, allowing: types, inputs: inputs))
    }

    /// This signer's signatures.
    func records(
        _ psbt: PSBT, allowing types: Set<SighashType> = [.default, .all], inputs: Set<Int>? = nil
    ) throws -> [SignatureRecord] {
        let context = SigningContext()
        let words = Array(rawValue.utf8)
        let text = SecretBytes(count: words.count) { $0.copyBytes(from: words) }
        let seed = try Mnemonic(text: text).seed(passphrase: SecretBytes(count: 0))
        let master = try ExtendedPrivateKey(seed: seed, network: .test, context)
        return try PSBTSigner(psbt, allowing: types).sign(with: master, inputs: inputs, context)
    }
}

/// A PSBT that Bitcoin Core made for one of the recorded wallets, and its own transaction.
struct RecordedCase: Decodable, Sendable, CustomTestStringConvertible {
    let wallet: String
    let `case`: String
    let unsigned: String
    let finalTransaction: HexBytes
    let txid: String
    let vsize: Int

    var testDescription: String { "\(wallet) \(`case`)" }

    /// The PSBT as Core made it.
    func psbt() throws -> PSBT { try PSBTFile(Array(unsigned.utf8)).psbt }

    /// Every case but those whose only key is an aggregate of MuSig2.
    static func load() throws -> [RecordedCase] {
        try Fixture.load("psbt/core-regtest.json", as: [RecordedCase].self)
            .filter { $0.wallet != "tr-musig-2of2" && $0.wallet != "tr-musig-3of3" }
    }

    /// The first case of a wallet.
    static func first(of wallet: String) throws -> PSBT {
        guard let found = try load().first(where: { $0.wallet == wallet }) else {
            throw Missing(wallet: wallet)
        }
        return try found.psbt()
    }

    struct Missing: Error { let wallet: String }
}

import Bitcoin
import Hashing
import KeyTree
import PSBT
import Review
import SecretMemory
import Signing
import SigningWork
import StateFiles
import TestSupport
import Testing
import Vault

/// A PSBT that Bitcoin Core made for a wallet of plain accounts, and its own transaction.
struct RecordedCase: Decodable, Sendable, CustomTestStringConvertible {
    let wallet: String
    let `case`: String
    let unsigned: String
    let finalTransaction: HexBytes
    let txid: String

    var testDescription: String { "\(wallet) \(`case`)" }
    var file: [UInt8] { Array(unsigned.utf8) }

    static let all: [RecordedCase] =
        (try? Fixture.load("psbt/core-regtest.json", as: [RecordedCase].self)
            .filter { ["pkh", "sh-wpkh", "wpkh", "tr"].contains($0.wallet) }) ?? []
}

/// The wallet of the recorded cases, or another one.
enum TestWallet: String {
    case recorded = "abandon"
    case other = "zoo"

    var id: VaultID {
        guard let id = VaultID([UInt8](repeating: self == .recorded ? 1 : 2, count: 16)) else {
            preconditionFailure("16 bytes")
        }
        return id
    }

    func body() throws -> VaultBody {
        let last = self == .recorded ? "about" : "wrong"
        let words = Array(repeating: rawValue, count: 11).joined(separator: " ") + " " + last
        let text = SecretBytes(count: words.utf8.count) { $0.copyBytes(from: Array(words.utf8)) }
        return try VaultBody(
            try Mnemonic(text: text), passphrase: SecretBytes(count: 0), birthday: nil)
    }

    func master() throws -> ExtendedPrivateKey? {
        try body().masterKey(on: .regtest, SigningContext())
    }

    func known() throws -> KnownWallet {
        guard let index = try PublicIndex(of: body(), on: .regtest, SigningContext()) else {
            preconditionFailure("a wallet has an index")
        }
        return KnownWallet(id, index)
    }

    static func reviewer(_ limits: ReviewLimits = .standard) throws -> Reviewer {
        Reviewer(
            wallets: [try TestWallet.other.known(), try TestWallet.recorded.known()],
            network: .regtest, limits: limits)
    }
}

extension PSBTApproval {
    /// What a person who accepts all warnings of this review says.
    init(_ file: [UInt8], _ report: ReviewReport, by wallet: TestWallet = .recorded) {
        self.init(
            file: SHA256.hash(file), report: report.digest, wallet: wallet.id,
            accepted: Set(report.findings.map(\.check.code)))
    }
}

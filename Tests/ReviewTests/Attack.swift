import Bitcoin
import PSBT
import PSBTSigning
import Review
import Signing
import Testing
import Wire

/// A change to an honest PSBT, and what the review must make of it.
struct Attack: Sendable, CustomTestStringConvertible {
    /// What was done.
    let name: String
    /// What is spent by the honest PSBT.
    let kind: AccountKind
    /// Every check that must fail, and no other may.
    let codes: Set<ReviewCheck>
    /// What the review must say.
    let verdict: ReviewReport.Verdict
    /// Takes the honest PSBT of the kind and changes it.
    let change: @Sendable (inout Draft) throws -> Void

    init(
        _ name: String, _ kind: AccountKind, _ verdict: ReviewReport.Verdict,
        _ codes: Set<ReviewCheck>, _ change: @escaping @Sendable (inout Draft) throws -> Void
    ) {
        self.name = name
        self.kind = kind
        self.codes = codes
        self.verdict = verdict
        self.change = change
    }

    init(
        _ name: String, _ verdict: ReviewReport.Verdict, _ codes: Set<ReviewCheck>,
        _ change: @escaping @Sendable (inout Draft) throws -> Void
    ) {
        self.init(name, .bip84, verdict, codes, change)
    }

    var testDescription: String { name }

    func bytes() throws -> [UInt8] {
        var draft = try Draft.honest(kind)
        try change(&draft)
        return draft.bytes
    }

    /// The table.
    static let all = [
        file, transaction, claims, taprootClaims, coins, sighashes, signatures, forgedChange,
        change, data,
        outputs, fees,
    ].flatMap { $0 }
}

extension Draft {
    /// Spends other coins.
    mutating func spend(_ coins: [DraftCoin], paying kind: AccountKind = .bip84) throws {
        self = try Draft.honest(kind, spending: coins)
    }

    /// Adds an input of a stranger, worth 400,000 sat, which goes to output 1.
    mutating func addStranger(_ kind: AccountKind = .bip84) throws {
        try spend(
            [
                .own(kind, branch: 0, index: 3, sats: 600_000), .stranger(2, sats: 400_000),
            ], paying: kind)
    }

    /// Moves the claim of an input with ECDSA to another index.
    mutating func shiftClaim(input index: Int) { edit(input: index, 0x06) { $0[20] &+= 1 } }

    /// An own claim to any key at a path below the master key.
    static func claim(_ key: [UInt8], _ path: String) throws -> Record {
        let steps = try DerivationPath(path).steps
        return Record(
            0x06, key, Own.fingerprint.bytes + steps.flatMap { Record.little($0.rawValue) })
    }

    /// Signs one own input with a type that the file does not ask for.
    mutating func signOwn(input index: Int, _ type: SighashType) throws {
        var asking = self
        asking.set(input: index, Record(0x03, Record.little(type.rawValue)))
        let psbt = try PSBT(asking.bytes)
        let records = try PSBTSigner(psbt, allowing: [type]).sign(
            with: Own.master(), inputs: [index], SigningContext())
        let signed = try psbt.adding(records).inputs[index].records.map(Record.init)
        inputs[index] = signed.filter { $0.type != 0x03 }
    }

    /// Signs its own inputs as the signer does.
    mutating func signOwn() throws {
        let psbt = try PSBT(bytes)
        let report = try Own.reviewer().review(psbt)
        let signed = try psbt.adding(try Own.sign(psbt, report))
        inputs = signed.inputs.map { $0.records.map(Record.init) }
    }
}

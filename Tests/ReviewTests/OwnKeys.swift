import Bitcoin
import Curve
import Descriptors
import Hashing
import KeyTree
import PSBT
import PSBTSigning
import Review
import SecretMemory
import Signing
import Wire

/// The wallet of the tests: the phrase "abandon ... about" on the test networks.
enum Own {
    static let fingerprint = Fingerprint(rawValue: 0x73c5_da0a)
    static let phrase =
        "abandon abandon abandon abandon abandon abandon abandon abandon abandon "
        + "abandon abandon about"

    /// The account keys as Bitcoin Core recorded them.
    static let keys: [AccountKind: String] = [
        .bip44: "tpubDC5FSnBiZDMmhiuCmWAYsLwgLYrrT9rAqvTySfuCCrgsWz8wxMXUS9Tb9iVMvcRbvFcAHGkMD5Kx"
            + "8koh4GquNGNTfohfk7pgjhaPCdXpoba",
        .bip49: "tpubDD7tXK8KeQ3YY83yWq755fHY2JW8Ha8Q765tknUM5rSvjPcGWfUppDFMpQ1ScziKfW3ZNtZvAD7M3"
            + "u7bSs7HofjTD3KP3YxPK7X6hwV8Rk2",
        .bip84: "tpubDC8msFGeGuwnKG9Upg7DM2b4DaRqg3CUZa5g8v2SRQ6K4NSkxUgd7HsL2XVWbVm39yBA4LAxysQA"
            + "m397zwQSQoQgewGiYZqrA9DsP4zbQ1M",
        .bip86: "tpubDDfvzhdVV4unsoKt5aE6dcsNsfeWbTgmLZPi8LQDYU2xixrYemMfWJ3BaVneH3u7DBQePdTwhpyb"
            + "aKRU95pi6PMUtLPBJLVQRpzEnjfjZzX",
    ]

    private static let policies = Result {
        try AccountKind.allCases.map { kind in
            try OwnPolicy(
                kind, origin: origin(kind), key: ExtendedPublicKey(keys[kind, default: ""]))
        }
    }

    static func policy(_ kind: AccountKind) throws -> OwnPolicy {
        let index = AccountKind.allCases.firstIndex(of: kind) ?? 0
        return try policies.get()[index]
    }

    static func origin(_ kind: AccountKind) throws -> KeyOrigin {
        KeyOrigin(
            fingerprint: fingerprint, path: try DerivationPath("m/\(kind.purpose)h/1h/0h"))
    }

    static func wallet(_ kinds: [AccountKind] = AccountKind.allCases) throws -> KnownWallet {
        KnownWallet(id: [0xA1], fingerprint: fingerprint, policies: try kinds.map(policy))
    }

    static func reviewer(
        _ kinds: [AccountKind] = AccountKind.allCases, limits: ReviewLimits = .standard
    ) throws -> Reviewer {
        Reviewer(wallets: [try wallet(kinds)], network: .regtest, limits: limits)
    }

    static func output(_ kind: AccountKind, _ branch: Int, _ index: UInt32) throws -> DerivedOutput
    {
        try policy(kind).descriptor.output(at: index, branch: branch)
    }

    static func master(_ phrase: String = Own.phrase) throws -> ExtendedPrivateKey {
        let words = Array(phrase.utf8)
        let text = SecretBytes(count: words.count) { $0.copyBytes(from: words) }
        let seed = try Mnemonic(text: text).seed(passphrase: SecretBytes(count: 0))
        return try ExtendedPrivateKey(seed: seed, network: .test, SigningContext())
    }

    /// The signatures that the signer makes for the inputs that a report lets it sign.
    static func sign(_ psbt: PSBT, _ report: ReviewReport) throws -> [SignatureRecord] {
        try PSBTSigner(psbt).sign(
            with: master(), inputs: report.signableInputs(of: 0), SigningContext())
    }
}

/// Somebody else, by a number from 1.
struct Stranger {
    let number: UInt8

    init(_ number: UInt8) { self.number = number }

    func secret() throws -> SecretKey { try SecretKey(SigningContext()) { $0[31] = number } }
    func key() throws -> PublicKey { try secret().publicKey }
    func p2wpkh() throws -> Script { .p2wpkh(hash160(try key().compressed)) }
    func p2tr() throws -> Script { try TaprootOutput(internalKey: key().xOnly).scriptPubKey }

    /// A signature for an input that pays to this key by its hash.
    func sign(_ draft: Draft, input: Int, _ type: SighashType = .all) throws -> Record {
        let psbt = try PSBT(draft.bytes)
        let spend = try psbt.spend(ofInput: input)
        let digest = try psbt.sighashCalculator().segwitV0(
            input: input, scriptCode: spend.scriptCode ?? .empty, type: type)
        let signature = try secret().sign(digest, SigningContext()).der
        return Record(
            0x02, try key().compressed, signature + [UInt8(truncatingIfNeeded: type.rawValue)])
    }
}

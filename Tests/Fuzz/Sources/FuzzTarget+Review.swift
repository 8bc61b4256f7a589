import Bitcoin
import Descriptors
import PSBT
import Review

extension FuzzTarget {
    /// A PSBT before a wallet with the four plain accounts of the phrase "abandon ... about".
    ///
    /// Whatever the file says: the report is the same each time; what it calls ours is what the
    /// descriptor derives; a fee is what is left of proven amounts; and nothing may be signed that is
    /// not ours and known.
    func checkReview(_ bytes: [UInt8]) {
        let reviewer = FuzzTarget.reviewer
        let report = reviewer.review(bytes)
        expect(report.outcomes.count == ReviewCheck.allCases.count)
        expect(report.canonical.allSatisfy { (0x20...0x7E).contains($0) })
        expect(reviewer.review(bytes).digest == report.digest)
        guard let fact = report.transaction else { return expect(report.verdict == .stopped) }
        for output in report.outputs where output.role.isOwn {
            expect(output.owner.map { derived($0) } == output.scriptPubKey)
        }
        for input in report.inputs {
            if let owner = input.owner, let spent = input.spent, owner.index != nil {
                expect(derived(owner) == spent.scriptPubKey)
            }
            expect(!input.isSignable || (input.owner != nil && input.spent != nil))
        }
        if report.verdict != .stopped { expect(!report.signableInputs(of: 0).isEmpty) }
        guard case .proven(let fee) = fact.fee else { return }
        let spent = report.inputs.reduce(0) { $0 + ($1.spent?.value.sats ?? 0) }
        let paid = report.outputs.reduce(0) { $0 + $1.value.sats }
        expect(fee.sats + paid == spent)
        expect(report.inputs.allSatisfy { $0.proof == .proven || $0.proof == .committed })
    }

    private func derived(_ place: OwnPlace) -> Script? {
        let policy = FuzzTarget.reviewer.wallets[place.wallet].policies[place.policy]
        switch place.branch {
        case .receive(let index):
            return try? policy.descriptor.output(at: index, branch: 0).scriptPubKey
        case .change(let index):
            return try? policy.descriptor.output(at: index, branch: 1).scriptPubKey
        case .unusual: return nil
        }
    }

    private static let accounts: [(AccountKind, String)] = [
        (
            .bip44,
            "tpubDC5FSnBiZDMmhiuCmWAYsLwgLYrrT9rAqvTySfuCCrgsWz8wxMXUS9Tb9iVMvcRbvFcAHGkMD5Kx8koh"
                + "4GquNGNTfohfk7pgjhaPCdXpoba"
        ),
        (
            .bip49,
            "tpubDD7tXK8KeQ3YY83yWq755fHY2JW8Ha8Q765tknUM5rSvjPcGWfUppDFMpQ1ScziKfW3ZNtZvAD7M3u7b"
                + "Ss7HofjTD3KP3YxPK7X6hwV8Rk2"
        ),
        (
            .bip84,
            "tpubDC8msFGeGuwnKG9Upg7DM2b4DaRqg3CUZa5g8v2SRQ6K4NSkxUgd7HsL2XVWbVm39yBA4LAxysQAm397"
                + "zwQSQoQgewGiYZqrA9DsP4zbQ1M"
        ),
        (
            .bip86,
            "tpubDDfvzhdVV4unsoKt5aE6dcsNsfeWbTgmLZPi8LQDYU2xixrYemMfWJ3BaVneH3u7DBQePdTwhpybaKRU"
                + "95pi6PMUtLPBJLVQRpzEnjfjZzX"
        ),
    ]

    private static let reviewer: Reviewer = {
        let fingerprint = Fingerprint(rawValue: 0x73c5_da0a)
        let policies = accounts.compactMap { kind, text -> OwnPolicy? in
            guard let key = try? ExtendedPublicKey(text),
                let path = try? DerivationPath("m/\(kind.purpose)h/1h/0h")
            else { return nil }
            return try? OwnPolicy(
                kind, origin: KeyOrigin(fingerprint: fingerprint, path: path), key: key)
        }
        guard policies.count == accounts.count else { fatalError("an account is no account") }
        let wallet = KnownWallet(id: [1], fingerprint: fingerprint, policies: policies)
        return Reviewer(wallets: [wallet], network: .regtest)
    }()
}

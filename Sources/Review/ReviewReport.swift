public import Bitcoin
import Hashing
public import Wire

/// What a review found: facts, findings and the outcome of every check. Equal input gives an equal
/// report, whoever makes it.
public struct ReviewReport: Hashable, Sendable {
    /// What the findings together mean.
    public enum Verdict: String, Hashable, Sendable, CaseIterable {
        /// It may be signed.
        case ready
        /// It may be signed by a person who accepts the warnings.
        case warned
        /// It must not be signed.
        case stopped
    }

    /// SHA-256 of the PSBT that was reviewed.
    public let psbtHash: Bytes32
    /// The network of this signer.
    public let network: Network
    /// What was known of own wallets.
    public let wallets: [ReportedWallet]
    /// The limits that were applied.
    public let limits: ReviewLimits
    /// The transaction; nil where the file does not describe one.
    public let transaction: TransactionFact?
    /// The inputs in their order.
    public let inputs: [InputFact]
    /// The outputs in their order.
    public let outputs: [OutputFact]
    /// What a person should know, the gravest first, else in the order of the checks that found it; at
    /// most `Finding.maximumListed` of one check.
    public let findings: [Finding]
    /// The outcome of every check, in the order of `ReviewCheck.allCases`.
    public let outcomes: [CheckOutcome]

    /// The outcome of one check.
    public func outcome(of check: ReviewCheck) -> CheckOutcome {
        zip(ReviewCheck.allCases, outcomes).first { $0.0 == check }?.1
            ?? .notApplicable("the check is not known")
    }

    /// What the findings together mean.
    public var verdict: Verdict {
        switch findings.lazy.map(\.check.severity).max() {
        case .stop: .stopped
        case .warn: .warned
        case .note, nil: .ready
        }
    }

    /// The inputs that may get a signature of a wallet; none where the review stops.
    public func signableInputs(of wallet: Int) -> Set<Int> {
        guard verdict != .stopped else { return [] }
        return Set(
            inputs.indices.filter {
                inputs[$0].isSignable && inputs[$0].owner?.wallet == wallet
            })
    }

    /// SHA-256 of `canonical`: what an approval names.
    public var digest: Bytes32 { SHA256.hash(canonical) }
}

/// What a report says of a known wallet.
public struct ReportedWallet: Hashable, Sendable {
    /// What the signer calls it.
    public let id: [UInt8]
    /// The fingerprint of its master key.
    public let fingerprint: Fingerprint
    /// Its accounts: kind, path from the master key, and the identifier of the descriptor.
    public let accounts: [ReportedAccount]

    init(_ wallet: KnownWallet) {
        id = wallet.id
        fingerprint = wallet.fingerprint
        accounts = wallet.policies.map {
            ReportedAccount(
                kind: $0.kind, path: $0.origin.path, identifier: $0.descriptor.identifier)
        }
    }
}

/// What a report says of an account.
public struct ReportedAccount: Hashable, Sendable {
    /// Which kind of account.
    public let kind: AccountKind
    /// The path from the master key.
    public let path: DerivationPath
    /// Names the descriptor.
    public let identifier: Bytes32
}

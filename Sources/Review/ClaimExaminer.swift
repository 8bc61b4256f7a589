import Bitcoin
import Curve
import Descriptors
import PSBT
import Wire

/// The claims of one map about where its keys come from.
struct Claims {
    /// A key as the record has it.
    enum Key: Hashable {
        case ecdsa([UInt8])
        case taproot(Bytes32)
    }

    struct Claim {
        let key: Key
        let origin: KeyOrigin
    }

    let all: [Claim]

    init(_ ecdsa: [PSBT.Derivation], _ taproot: [PSBT.TaprootDerivation]) {
        all =
            ecdsa.map { Claim(key: .ecdsa($0.publicKey), origin: $0.origin) }
            + taproot.map { Claim(key: .taproot($0.publicKey), origin: $0.origin) }
    }

    init(_ input: PSBT.Input) { self.init(input.derivations, input.taprootDerivations) }

    init(_ output: PSBT.Output) { self.init(output.derivations, output.taprootDerivations) }
}

/// What the claims of a map are worth.
struct Ownership {
    /// Where the script lies in an own wallet, if it was derived again and is the same.
    var place: OwnPlace?
    /// What was derived.
    var output: DerivedOutput?
    /// Whether a claim has a fingerprint of ours.
    var isClaimed = false
    /// Whether the claim that was proven names our fingerprint, as signing needs.
    var namesFingerprint = false
    /// The key of the claim that was proven.
    var key: Claims.Key?
}

/// Derives again what is claimed to be ours, and believes nothing else.
struct ClaimExaminer {
    let index: WalletIndex
    let network: Network
    let limits: ReviewLimits

    /// Judges the claims of a map about a script; nil where the script is not known.
    func examine(
        _ claims: Claims, script: Script?, at place: PSBT.Place, log: inout FindingLog
    ) -> Ownership {
        let own = claims.all.filter { index.fingerprints.contains($0.origin.fingerprint) }
        guard !own.isEmpty else { return examineNameless(claims, script: script, at: place, &log) }
        var ownership = Ownership()
        ownership.isClaimed = true
        guard !hasBothMaps(own, at: place, &log) else { return ownership }
        guard UInt64(own.count) <= limits.claimsOfMap else {
            log.record(.claimSurplus, place, "\(own.count) keys are said to be this wallet's")
            return ownership
        }
        for claim in own {
            switch examine(claim, script: script, at: place, &log) {
            case .ours(let account, let steps, let output):
                ownership.place = ownPlace(account, steps, claim.origin.path)
                ownership.output = output
                ownership.namesFingerprint = true
                ownership.key = claim.key
            case .unknown: continue
            // One lie, and nothing in this map is believed.
            case .refuted: return Ownership(isClaimed: true)
            }
        }
        return ownership
    }

    private enum Judgement {
        case ours(WalletIndex.Account, ArraySlice<ChildNumber>, DerivedOutput)
        case unknown
        case refuted
    }

    private func examine(
        _ claim: Claims.Claim, script: Script?, at place: PSBT.Place, _ log: inout FindingLog
    ) -> Judgement {
        let path = claim.origin.path
        guard UInt64(path.steps.count) <= limits.pathSteps else {
            log.record(
                .claimPath, place, "the path of an own key has \(counted(path.steps.count, "step"))"
            )
            return .refuted
        }
        guard let (account, steps) = index.account(of: claim.origin) else {
            if isOfOtherNetwork(path) {
                log.record(
                    .otherNetwork, place, "an own key at \(path) belongs to another network")
                return .refuted
            }
            log.record(
                .claimAccountUnknown, place,
                "the key at \(path) of \(claim.origin.fingerprint) lies in no known account")
            return .unknown
        }
        guard !steps.contains(where: \.isHardened) else {
            log.record(.claimPath, place, "the path \(path) is hardened below its account")
            return .refuted
        }
        guard isWorthDeriving(steps, at: place, log) else { return .unknown }
        guard let output = index.policy(account).output(at: steps), output.has(claim.key) else {
            log.record(
                .claimFalse, place, "a key is said to be this wallet's at \(path) and it is not")
            return .refuted
        }
        guard let script else { return .ours(account, steps, output) }
        guard output.scriptPubKey == script else {
            log.record(
                .claimOtherScript, place,
                "the key at \(path) is this wallet's, but the script is not the one of its account")
            return .refuted
        }
        return .ours(account, steps, output)
    }

    /// A file that lies a hundred times gets no more work, and an output at an unusual path is shown as
    /// leaving, whether or not the path leads to it: a hundred of them are told apart from lies.
    private func isWorthDeriving(
        _ steps: ArraySlice<ChildNumber>, at place: PSBT.Place, _ log: FindingLog
    ) -> Bool {
        guard log.count(.claimFalse) < Finding.maximumListed else { return false }
        guard case .output = place, steps.count != 2 || (steps.first?.rawValue ?? 0) > 1 else {
            return true
        }
        return log.count(.changePathUnusual) < Finding.maximumListed
    }

    /// Some wallets write 00000000 for a fingerprint that they do not know. Where the key is ours all
    /// the same, the path is a hint like any other.
    private func examineNameless(
        _ claims: Claims, script: Script?, at place: PSBT.Place, _ log: inout FindingLog
    ) -> Ownership {
        guard claims.all.count == 1, claims.all[0].origin.fingerprint == .none, let script else {
            return Ownership()
        }
        let claim = claims.all[0]
        for fingerprint in index.fingerprints.sorted(by: { $0.rawValue < $1.rawValue }) {
            let origin = KeyOrigin(fingerprint: fingerprint, path: claim.origin.path)
            guard let (account, steps) = index.account(of: origin),
                UInt64(claim.origin.path.steps.count) <= limits.pathSteps,
                !steps.contains(where: \.isHardened),
                let output = index.policy(account).output(at: steps), output.has(claim.key),
                output.scriptPubKey == script
            else { continue }
            log.record(
                .claimFingerprintZero, place,
                "the key at \(origin.path) is this wallet's, but stands there without the "
                    + "fingerprint \(fingerprint)")
            return Ownership(
                place: ownPlace(account, steps, origin.path), output: output, isClaimed: true,
                namesFingerprint: false, key: claim.key)
        }
        return Ownership()
    }

    private func hasBothMaps(
        _ own: [Claims.Claim], at place: PSBT.Place, _ log: inout FindingLog
    ) -> Bool {
        var ecdsa: Set<Bytes32> = []
        for case .ecdsa(let key) in own.map(\.key) {
            if let x = Bytes32(key.dropFirst().prefix(32)) { ecdsa.insert(x) }
        }
        for case .taproot(let key) in own.map(\.key) where ecdsa.contains(key) {
            log.record(.claimBothMaps, place, "the key \(key) is claimed for ECDSA and for taproot")
            return true
        }
        return false
    }

    /// A path of BIPs 44 to 86 with another coin type than that of the network.
    private func isOfOtherNetwork(_ path: DerivationPath) -> Bool {
        let purposes: Set<UInt32> = [44, 45, 48, 49, 84, 86, 87]
        guard path.steps.count >= 2, path.steps[0].isHardened, path.steps[1].isHardened,
            purposes.contains(path.steps[0].index)
        else { return false }
        return path.steps[1].index != network.coinType && path.steps[1].index <= 1
    }

    private func ownPlace(
        _ account: WalletIndex.Account, _ steps: ArraySlice<ChildNumber>, _ path: DerivationPath
    ) -> OwnPlace {
        var branch = OwnPlace.Branch.unusual
        if steps.count == 2, let first = steps.first, let last = steps.last {
            if first.rawValue == 0 { branch = .receive(last.index) }
            if first.rawValue == 1 { branch = .change(last.index) }
        }
        return OwnPlace(
            wallet: account.wallet, policy: account.policy, path: path, branch: branch)
    }
}

extension DerivedOutput {
    /// Whether the claimed key is the one that was derived, in a form that its scripts use.
    fileprivate func has(_ key: Claims.Key) -> Bool {
        form.keys.contains { derived in
            switch key {
            case .ecdsa(let bytes): derived.bytes == bytes
            case .taproot(let bytes): derived.publicKey.xOnly.bytes == bytes
            }
        }
    }
}

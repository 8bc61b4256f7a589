import Bitcoin
import Descriptors
import PSBT

extension Review {
    /// Finds own inputs by deriving them again, and what they lack to be signed.
    mutating func examineInputs(_ transaction: Transaction) {
        for (index, input) in psbt.inputs.enumerated() {
            let spent = input.utxo.output
            let ownership = examiner.examine(
                Claims(input), script: spent?.scriptPubKey, at: .input(index), log: &log)
            hasClaims = hasClaims || ownership.isClaimed
            var fact = InputFact(
                outpoint: input.outpoint, sequence: input.sequence, spent: spent, proof: .missing,
                owner: ownership.place, isSignable: false, verifiedSignatures: 0,
                sighashType: input.sighashType)
            let (spend, error) = readSpend(index)
            spends.append(spend)
            ownKeys.append(ownership.place == nil ? nil : ownership.key)
            if let place = ownership.place {
                fact.isSignable = examineOwn(index, place, ownership, spend, error)
            } else if !bindsEverything(input.sighashType ?? .all) {
                log.record(
                    .sighashForeign, .input(index),
                    "its owner is asked for the sighash type \(input.sighashType ?? .all)")
            }
            inputs.append(fact)
        }
        requireAllCoinsForTaproot()
    }

    /// A taproot signature commits to the coins of all inputs, so that none can be made where one is
    /// not known.
    private mutating func requireAllCoinsForTaproot() {
        let taproot = inputs.indices.filter {
            inputs[$0].isSignable && isTaproot($0)
        }
        guard !taproot.isEmpty, let unknown = inputs.firstIndex(where: { $0.spent == nil }) else {
            return
        }
        if !log.has(.coinMissing, at: .input(unknown)) {
            log.record(
                .coinMissing, .input(unknown),
                "its coin is not known, which own taproot inputs sign too")
        }
        for index in taproot { inputs[index].isSignable = false }
    }

    func isTaproot(_ index: Int) -> Bool {
        if case .taproot? = spends[index]?.kind { return true }
        return false
    }

    private func readSpend(_ index: Int) -> (Spend?, SpendError?) {
        do throws(SpendError) { return (try psbt.spend(ofInput: index), nil) } catch {
            return (nil, error)
        }
    }

    func bindsEverything(_ type: SighashType) -> Bool { type == .all || type == .default }

    /// Whether an own input can be signed now.
    private mutating func examineOwn(
        _ index: Int, _ place: OwnPlace, _ ownership: Ownership, _ spend: Spend?,
        _ error: SpendError?
    ) -> Bool {
        let input = psbt.inputs[index]
        if place.branch == .unusual {
            log.record(.inputPathUnusual, .input(index), "its coin lies at \(place.path)")
        }
        var isReady = ownership.namesFingerprint && !input.isFinal
        if let error {
            let check: ReviewCheck =
                switch error {
                case .utxoMissing: .coinMissing
                case .previousTransactionMissing: .legacyUnproven
                default: .spendScripts
                }
            log.record(check, .input(index), "\(error)")
            isReady = false
        }
        if input.utxo.output?.value == .zero {
            log.record(.coinEmpty, .input(index), "an own coin of 0 sat is spent")
            isReady = false
        }
        let kind = reviewer.index.policy(place.account).kind
        let isRight = examineClaimForm(index, kind, ownership)
        let isBinding = examineSighash(index, kind)
        guard isReady, isRight, isBinding, spend != nil else { return false }
        guard !isSigned(input, by: ownership.key) else {
            log.record(.alreadySigned, .input(index), "it carries this wallet's signature already")
            return false
        }
        return true
    }

    /// Whether the claim stands in the map of its kind of signature, with what taproot needs.
    private mutating func examineClaimForm(
        _ index: Int, _ kind: AccountKind, _ ownership: Ownership
    ) -> Bool {
        let input = psbt.inputs[index]
        switch (ownership.key, kind) {
        case (.taproot(let key), .bip86):
            let leaves = input.taprootDerivations.first { $0.publicKey == key }?.leafHashes ?? []
            guard input.taprootMerkleRoot == nil, leaves.isEmpty, input.taprootLeafScripts.isEmpty
            else {
                log.record(
                    .taprootFields, .input(index), "scripts are claimed for a coin that has none")
                return false
            }
            guard let named = input.taprootInternalKey else {
                log.record(.internalKeyMissing, .input(index), "its internal key is not named")
                return false
            }
            guard named == ownership.output?.taproot?.internalKey.bytes else {
                log.record(
                    .taprootFields, .input(index), "another internal key is named than its own")
                return false
            }
            return true
        case (.ecdsa, .bip44), (.ecdsa, .bip49), (.ecdsa, .bip84): return true
        default:
            log.record(
                .claimWrongMap, .input(index),
                "an own key is claimed for the other kind of signature")
            return false
        }
    }

    private mutating func examineSighash(_ index: Int, _ kind: AccountKind) -> Bool {
        guard let type = psbt.inputs[index].sighashType else { return true }
        guard type == .all || (type == .default && kind == .bip86) else {
            log.record(
                .sighashNotAllowed, .input(index), "a signature of the type \(type) is asked for")
            return false
        }
        return true
    }

    func isSigned(_ input: PSBT.Input, by key: Claims.Key?) -> Bool {
        switch key {
        case .ecdsa(let bytes): input.partialSignatures.contains { $0.publicKey == bytes }
        case .taproot: input.taprootKeySignature != nil
        case nil: false
        }
    }

    /// What concerns the inputs together, once each is known.
    mutating func judgeInputs() {
        let own = inputs.compactMap(\.owner)
        let foreign = inputs.count - own.count
        if foreign > 0, !own.isEmpty {
            log.record(
                .inputsForeign, .global, "\(foreign) of \(inputs.count) inputs are not ours")
        }
        let accounts = Set(own.map(\.account))
        if Set(own.map(\.wallet)).count > 1 {
            log.record(
                .walletsMixed, .global,
                "coins of \(Set(own.map(\.wallet)).count) own wallets are spent together")
        } else if accounts.count > 1 {
            log.record(
                .accountsMixed, .global,
                "coins of \(accounts.count) own accounts are spent together")
        }
        guard !inputs.contains(where: \.isSignable) else { return }
        let reason = reasonForNothing(own.count)
        log.record(.nothingToSign, .global, reason)
    }

    private func reasonForNothing(_ own: Int) -> String {
        if own > 0 {
            return log.count(.alreadySigned) > 0
                ? "all own inputs are signed already" : "no own input can be signed as it is"
        }
        let named = Set(
            psbt.inputs.prefix(Finding.maximumListed).flatMap { Claims($0).all.prefix(20) }
                .map(\.origin.fingerprint)
        ).sorted { $0.rawValue < $1.rawValue }
        let ours = reviewer.index.fingerprints.sorted { $0.rawValue < $1.rawValue }
        let list = named.prefix(3).map(\.description).joined(separator: ", ")
        return "no input is ours: the file names keys of "
            + (named.isEmpty ? "nobody" : list + (named.count > 3 ? " and others" : ""))
            + ", the known wallets are "
            + (ours.isEmpty ? "none" : ours.prefix(3).map(\.description).joined(separator: ", "))
    }
}

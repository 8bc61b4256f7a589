import Bitcoin
import Hashing
import KeyTree
import Messages
import PSBT
import Review
import SecretMemory
import Signing
import SigningWork
import StateFiles
import Vault
import Wire

extension VaultWork {
    // MARK: Before the password

    /// Makes the review again and compares it with what was approved. No secret is there but the index
    /// key, which is gone before the PSBT is looked at.
    func checkApproval(_ approval: PSBTApproval) throws(VaultRefusal) -> ApprovedPSBT {
        let wallets: [KnownWallet]
        do throws(PortFailure) {
            wallets = try OwnWallets.read(
                order.files, on: order.chain, hasKey: order.indexKey == .present, through: ports)
        } catch {
            throw .unsafeKey(.indexKey, error.reason)
        }
        let reviewer = Reviewer(
            wallets: wallets, network: Network(order.chain),
            limits: ReviewLimits(order.reviewLimits))
        return try signing { () throws(SigningRefusal) in
            try ApprovedPSBT(order.psbt, as: approval, by: reviewer)
        }
    }

    // MARK: Signing

    /// Signs what a person approved. The review is made again before any key of the vault or a password
    /// is read; what leaves are signatures that verify, and the entry of the ledger.
    func sign(_ approval: PSBTApproval) throws(VaultRefusal) -> VaultResult {
        let approved = try checkApproval(approval)
        var own = order
        own.indexKey = .absent
        let keys = try WorkKeys.read(own, ports)
        return try keys.withDevice { device throws(VaultRefusal) in
            let ledger = try WorkLedger.open(order, device)
            let secrets = try ports.secrets(for: order.request)
            do throws(VaultRefusal) {
                let signatures = try sign(approved, by: approval.wallet, device, secrets)
                let told = record(
                    .approved(
                        LedgerApproval(
                            approved.report, approval, order.chain,
                            origin: order.isForLink ? .link : .console)),
                    of: approval.wallet)
                let entries = try ledger.changes([told], at: order.time)
                return .signed(signatures, [resetAttempts(approval.wallet, device)] + entries)
            } catch {
                return .refused(error, try changes(after: error, device, ledger))
            }
        }
    }

    private func sign(
        _ approved: ApprovedPSBT, by id: VaultID, _ device: borrowing DeviceKey,
        _ secrets: borrowing SecretFields
    ) throws(VaultRefusal) -> [UInt8] {
        let context = SigningContext()
        let master = try masterKey(
            of: try body(id, try open(id, device, secrets)), id, context)
        let records = try signing { () throws(SigningRefusal) in
            try approved.sign(with: master, context)
        }
        guard let signatures = SignatureList.encode(records), signatures.count <= Limit.signatures
        else { throw .notSigned(.tooLarge, "it has too many signatures for one file") }
        return signatures
    }

    private func masterKey(
        of body: borrowing VaultBody, _ id: VaultID, _ context: borrowing SigningContext
    ) throws(VaultRefusal) -> ExtendedPrivateKey {
        let key: ExtendedPrivateKey?
        do throws(ExtendedKeyError) {
            key = try body.masterKey(on: Network(order.chain), context)
        } catch {
            throw .notSigned(.otherKeys, "the keys of the vault cannot be used: \(error)")
        }
        switch consume key {
        case .some(let key): return key
        case .none: throw .wrongKind(id, .items)
        }
    }

    // MARK: Putting the signatures in

    /// Puts signatures into the file and proves that nothing else changed. Neither keys nor passwords are
    /// there, and the signatures are not believed.
    func merge(
        _ signatures: [UInt8], wantsTransaction: Bool
    ) throws(VaultRefusal) -> VaultResult {
        let records: [SignatureRecord]
        do throws(WireError) {
            records = try SignatureList.decode(signatures)
        } catch {
            throw .notSigned(.signature, "the signatures cannot be read: \(error)")
        }
        let merged = try signing { () throws(SigningRefusal) in
            try MergedPSBT(order.psbt, adding: records)
        }
        let room = min(order.psbt.count + Limit.signatures, Limit.signedFile)
        guard merged.file.count <= room else {
            throw .notSigned(
                .tooLarge,
                "the signed file has \(merged.file.count) bytes, at most \(room) are sent")
        }
        var answer = SigningAnswer(
            entry: EntryID(0), signatures: UInt32(clamping: records.count),
            txid: merged.transaction.map { $0.txid.bytes },
            fileBytes: UInt32(clamping: merged.file.count))
        let transaction =
            wantsTransaction
            ? merged.transaction.map { Array(Hex.encode($0.serialized()).utf8) } ?? [] : []
        if order.isForLink { try give(merged.file) }
        do throws(VaultRefusal) {
            try merged.file.lend { bytes throws(VaultRefusal) in try ports.write(bytes) }
            try transaction.lend { bytes throws(VaultRefusal) in try ports.write(bytes) }
            answer.transactionBytes = UInt32(clamping: transaction.count)
        } catch {
            guard order.isForLink else { throw error }
            if error != .notHandedOver(.output) { answer.remarks.append(error.sentence) }
        }
        return .done(.signed(answer), [])
    }

    private func give(_ file: [UInt8]) throws(VaultRefusal) {
        try file.lend { bytes throws(VaultRefusal) in
            do throws(PortFailure) {
                try ports.giveFile(bytes)
            } catch {
                throw .workerFailed("the signed file was not taken: \(error.reason)")
            }
        }
    }
}

/// Runs what signs, and says in a person's words why it did not.
private func signing<Result: ~Copyable>(
    _ body: () throws(SigningRefusal) -> Result
) throws(VaultRefusal) -> Result {
    do throws(SigningRefusal) {
        return try body()
    } catch {
        throw .notSigned(error.fault, "\(error)")
    }
}

extension SigningRefusal {
    fileprivate var fault: SigningFault {
        switch self {
        case .changed(.file): .otherFile
        case .changed(.report): .otherReport
        case .unreadable: .unreadable
        case .stopped: .stopped
        case .notAccepted: .notAccepted
        case .unknownWallet: .unknownWallet
        case .nothingToSign: .nothingToSign
        case .otherMaster: .otherKeys
        case .signing, .incomplete, .transaction, .insertion, .signature, .answer, .otherSignatures:
            .signature
        }
    }
}

extension LedgerApproval {
    /// What the ledger keeps of an approval.
    fileprivate init(
        _ report: ReviewReport, _ approval: PSBTApproval, _ chain: ChainName,
        origin: LedgerRefusal.Origin
    ) {
        let network = Network(chain)
        var fee: UInt64?
        if case .proven(let amount) = report.transaction?.fee { fee = amount.sats }
        let leaving = report.outputs.filter { !$0.role.isOwn }
        self.init(
            txid: report.transaction?.unsignedTxid.bytes ?? .zero,
            sent: report.transaction?.paid.sats ?? 0, fee: fee,
            destinations: leaving.map { output in
                Destination(
                    amount: output.value.sats,
                    address: Address(scriptPubKey: output.scriptPubKey, network: network).map {
                        "\($0)"
                    }
                        ?? Hex.encode(output.scriptPubKey.bytes))
            }, file: approval.file, report: approval.report, origin: origin)
    }
}

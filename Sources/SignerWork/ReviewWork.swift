import Bitcoin
import Hashing
public import Messages
import PSBT
import Review
import SigningWork
public import StateFiles
import Wire

/// All that a worker is forked with for one review. Nothing in it is secret.
public struct ReviewOrder: Sendable {
    /// The PSBT as it came.
    public var psbt: [UInt8]
    /// The chain of this instance.
    public var chain: ChainName
    /// Limits of reviews that are not the standard ones.
    public var limits: [ReviewLimit]
    /// The files that tell what the own wallets are.
    public var files: [StateFile: [UInt8]]
    /// Whether the index key is there; its descriptor is passed then.
    public var hasIndexKey: Bool
    /// How the report is written to the output; nil where only the summary is wanted.
    public var form: ReviewForm?

    /// An order by its fields.
    public init(
        psbt: [UInt8], chain: ChainName, limits: [ReviewLimit] = [],
        files: [StateFile: [UInt8]], hasIndexKey: Bool, form: ReviewForm? = nil
    ) {
        self.psbt = psbt
        self.chain = chain
        self.limits = limits
        self.files = files
        self.hasIndexKey = hasIndexKey
        self.form = form
    }
}

/// What happens inside a worker that reviews: the first to look at bytes from outside, without any
/// secret.
public enum ReviewWork {
    /// Reviews a PSBT and writes the report to the output, if it is wanted.
    public static func perform(
        _ order: ReviewOrder, through ports: any WorkPorts
    ) -> Result<ReviewSummary, EntryRefusal> {
        Result { () throws(EntryRefusal) in
            let wallets = try wallets(order, ports)
            let reviewer = Reviewer(
                wallets: wallets, network: Network(order.chain),
                limits: ReviewLimits(order.limits))
            let psbt: PSBT
            do throws(PSBTFileError) { psbt = try PSBTFile(order.psbt).psbt } catch {
                throw .unreadable("\(error)")
            }
            let report = reviewer.review(psbt)
            let canonical = report.canonical
            switch order.form {
            case nil: break
            case .json: try write(canonical, ports)
            case .text(let columns): try write(report, Int(columns), ports)
            case .transaction: try writeTransaction(of: psbt, report, ports)
            }
            return ReviewSummary(
                report, file: SHA256.hash(order.psbt), digest: SHA256.hash(canonical))
        }
    }

    private static func wallets(
        _ order: ReviewOrder, _ ports: any WorkPorts
    ) throws(EntryRefusal) -> [KnownWallet] {
        do throws(PortFailure) {
            return try OwnWallets.read(
                order.files, on: order.chain, hasKey: order.hasIndexKey, through: ports)
        } catch {
            throw .reviewFailed(
                "the key of the wallets' public data cannot be read: \(error.reason)")
        }
    }

    private static func write(
        _ report: ReviewReport, _ columns: Int, _ ports: any WorkPorts
    ) throws(EntryRefusal) {
        for (place, block) in report.textBlocks(columns: columns).enumerated() {
            var text = place == 0 ? "" : "\n"
            for line in block { text += line + "\n" }
            try write(Array(text.utf8), ports)
        }
    }

    private static func writeTransaction(
        of psbt: PSBT, _ report: ReviewReport, _ ports: any WorkPorts
    ) throws(EntryRefusal) {
        let complete: CompletePSBT
        do throws(IncompletePSBT) {
            complete = try CompletePSBT(psbt, reviewedAs: report)
        } catch {
            throw .notComplete("\(error)")
        }
        try write(Array("\(complete.transaction.txid)\n".utf8), ports)
        try write(Array(Hex.encode(complete.transaction.serialized()).utf8), ports)
    }

    private static func write(
        _ bytes: [UInt8], _ ports: any WorkPorts
    ) throws(EntryRefusal) {
        let result = bytes.withUnsafeBytes { buffer in
            Result { () throws(PortFailure) in try ports.writeOutput(buffer) }
        }
        do throws(PortFailure) { try result.get() } catch {
            throw error == .notThere ? .noOutput : .outputFailed
        }
    }
}

extension ReviewSummary {
    /// What the broker keeps of a report.
    init(_ report: ReviewReport, file: Bytes32, digest: Bytes32) {
        self.init(file: file, report: digest, verdict: ReviewVerdict(report.verdict))
        warnings = report.codes(.warn)
        stops = report.codes(.stop)
        inputs = UInt32(clamping: report.inputs.count)
        payments = UInt32(
            clamping: report.outputs.count { !$0.role.isOwn })
        returns = UInt32(clamping: report.outputs.count { $0.role.isOwn })
        signers = report.wallets.indices.filter { !report.signableInputs(of: $0).isEmpty }
            .compactMap { VaultID(report.wallets[$0].id) }
        guard let transaction = report.transaction else { return }
        sent = transaction.paid.sats
        if case .proven(let amount) = transaction.fee { fee = amount.sats }
    }
}

extension ReviewReport {
    /// The codes of the findings of one severity, each once, in the order of the report.
    fileprivate func codes(_ severity: ReviewCheck.Severity) -> [String] {
        var codes: [String] = []
        for finding in findings where finding.check.severity == severity {
            if !codes.contains(finding.check.code) { codes.append(finding.check.code) }
        }
        return codes
    }
}

extension ReviewVerdict {
    fileprivate init(_ verdict: ReviewReport.Verdict) {
        self =
            switch verdict {
            case .ready: .ready
            case .warned: .warned
            case .stopped: .stopped
            }
    }
}

import Bitcoin
import Descriptors
import Glibc
import Hashing
import KeyTree
import LinuxIO
import PSBT
import PSBTSigning
import Review
import SecretMemory
import Signing
import SigningWork
import StateFiles

/// Figures of a file's way to the signed file, as the workers go it: review, review again before the
/// signing, signatures, merge with its proof. The derivation of a password is no part of it, nor are
/// processes and pipes (`bulkhead-bench keel`). Beside it the library alone: read, sign, write.
enum PipelineBench {
    private static let vault: VaultID = {
        guard let id = VaultID([UInt8](repeating: 1, count: VaultID.length)) else {
            preconditionFailure("as many bytes as an id has")
        }
        return id
    }()

    static func run() throws {
        let context = SigningContext()
        print(
            "file to signed file, in ms        MB  review  approve    sign   merge     all library  more"
        )
        for (kind, account, count) in [
            (WalletFixture.Kind.p2wpkh, AccountKind.bip84, 1), (.p2wpkh, .bip84, 1_000),
            (.p2tr, .bip86, 1_000),
        ] {
            try sign(kind, account, try WalletFixture.psbt(kind, inputs: count, context), context)
        }
        let large = try WalletFixture.psbt(.p2wpkh, inputs: 520, others: 1_000, context)
        try sign(.p2wpkh, .bip84, large, context)
        let multisig = try WalletFixture.psbt(.p2wsh, inputs: 200, context).serialized
        let reviewer = try reviewer(.bip84, context)
        let time = LibraryBench.time { _ = reviewer.review(multisig).canonical }
        print("review of 200 inputs, 3-of-5: \(milliseconds(time)) ms")
    }

    private static func sign(
        _ kind: WalletFixture.Kind, _ account: AccountKind, _ psbt: PSBT,
        _ context: borrowing SigningContext
    ) throws {
        let file = psbt.serialized
        let reviewer = try reviewer(account, context)
        let master = try WalletFixture.master(context)
        var best = [Duration](repeating: .seconds(1000), count: 5)
        for _ in 0..<3 {
            let times = try round(file, reviewer, master, context)
            for (place, time) in times.enumerated() { best[place] = min(best[place], time) }
        }
        let all = best[0] + best[1] + best[2] + best[3]
        let figures = [best[0], best[1], best[2], best[3], all, best[4], all - best[4]]
        print(
            LibraryBench.pad("\(kind.rawValue), \(psbt.inputs.count) inputs", 30),
            LibraryBench.pad("\(file.count / 1_000_000)", -5),
            figures.map { LibraryBench.pad(milliseconds($0), -7) }.joined(separator: " "))
        let held = memory()
        let peaks = try peak(file, reviewer)
        print(
            "  memory in MiB: \(held) held before, peak of review \(peaks.0), of signing and merge \(peaks.1)"
        )
    }

    /// One way through all steps, and through the library alone.
    private static func round(
        _ file: [UInt8], _ reviewer: Reviewer, _ master: borrowing ExtendedPrivateKey,
        _ context: borrowing SigningContext
    ) throws -> [Duration] {
        var marks = [Kernel.timeSinceBoot()]
        let report = reviewer.review(try PSBTFile(file).psbt)
        let approval = PSBTApproval(
            file: SHA256.hash(file), report: report.digest, wallet: vault,
            accepted: Set(report.findings.map(\.check.code)))
        marks.append(Kernel.timeSinceBoot())
        let approved = try ApprovedPSBT(file, as: approval, by: reviewer)
        marks.append(Kernel.timeSinceBoot())
        let records = try approved.sign(with: master, context)
        marks.append(Kernel.timeSinceBoot())
        _ = try MergedPSBT(file, adding: records)
        marks.append(Kernel.timeSinceBoot())
        try library(file, master, context)
        marks.append(Kernel.timeSinceBoot())
        return zip(marks.dropFirst(), marks).map { $0 - $1 }
    }

    /// The library alone: read, sign, write.
    static func library(
        _ file: [UInt8], _ master: borrowing ExtendedPrivateKey, _ context: borrowing SigningContext
    ) throws {
        let psbt = try PSBTFile(file).psbt
        _ = try psbt.adding(PSBTSigner(psbt).sign(with: master, context)).serialized
    }

    private static func reviewer(
        _ kind: AccountKind, _ context: borrowing SigningContext
    ) throws -> Reviewer {
        let master = try WalletFixture.master(context)
        let path = try DerivationPath("m/\(kind.purpose)h/0h/0h")
        let policy = try OwnPolicy(
            kind, origin: KeyOrigin(fingerprint: master.fingerprint, path: path),
            key: master.derive(path, context).publicKey)
        let wallet = KnownWallet(
            id: vault.bytes, fingerprint: master.fingerprint, policies: [policy])
        return Reviewer(wallets: [wallet], network: .mainnet)
    }

    // MARK: Memory

    /// The peak of a review alone, and of what follows, each in a process of its own as the workers are.
    private static func peak(_ file: [UInt8], _ reviewer: Reviewer) throws -> (Int, Int) {
        let report = reviewer.review(try PSBTFile(file).psbt)
        let approval = PSBTApproval(
            file: SHA256.hash(file), report: report.digest, wallet: vault,
            accepted: Set(report.findings.map(\.check.code)))
        let review = try inChild { _ = reviewer.review(try PSBTFile(file).psbt).canonical }
        let signing = try inChild {
            // Secrets are not inherited over a fork.
            try SecretMemory.prepare()
            let context = SigningContext()
            let master = try WalletFixture.master(context)
            let approved = try ApprovedPSBT(file, as: approval, by: reviewer)
            _ = try MergedPSBT(file, adding: try approved.sign(with: master, context))
        }
        return (review, signing)
    }

    /// The peak of resident memory, in MiB, of a child that does this. What it was forked with counts.
    private static func inChild(_ body: () throws -> Void) throws -> Int {
        let pipe = try Pipe()
        let child = try Kernel.fork()
        if child == 0 {
            let isDone = (try? body()) != nil
            let answer = [UInt8(isDone ? min(255, memory() / 4) : 0)]
            _ = answer.withUnsafeBytes { try? Kernel.write(pipe.writing.number, $0) }
            Kernel.exit(0)
        }
        var answer: [UInt8] = [0]
        _ = try answer.withUnsafeMutableBytes { try Kernel.read(pipe.reading.number, into: $0) }
        while try Kernel.reap(child) == nil {}
        return Int(answer[0]) * 4
    }

    private static func memory() -> Int {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return usage.ru_maxrss / 1_024
    }

    static func milliseconds(_ duration: Duration) -> String {
        let hundredths = duration.wholeNanoseconds / 10_000
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}

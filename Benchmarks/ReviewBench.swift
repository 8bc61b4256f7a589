import Bitcoin
import Descriptors
import Glibc
import KeyTree
import LinuxIO
import PSBT
import Review
import Signing
import Wire

/// Figures of reviews, beside deriving the same addresses alone.
enum ReviewBench {
    static func run(largest: Int) throws {
        let context = SigningContext()
        print(
            "review, a wallet's inputs            inputs     MB   inputs/s   derive/s  ratio  report"
        )
        for (kind, account) in [
            (WalletFixture.Kind.p2wpkh, AccountKind.bip84), (.p2tr, .bip86), (.p2pkh, .bip44),
        ] {
            for count in [1, 200, 1_000, 10_000] where count <= largest {
                try review(kind, account, count, context)
            }
        }
        print("")
        try large(context)
    }

    private static func reviewer(
        _ kind: AccountKind, _ context: borrowing SigningContext
    ) throws -> Reviewer {
        let master = try WalletFixture.master(context)
        let path = try DerivationPath("m/\(kind.purpose)h/0h/0h")
        let policy = try OwnPolicy(
            kind, origin: KeyOrigin(fingerprint: master.fingerprint, path: path),
            key: master.derive(path, context).publicKey)
        let wallet = KnownWallet(id: [1], fingerprint: master.fingerprint, policies: [policy])
        return Reviewer(wallets: [wallet], network: .mainnet)
    }

    private static func review(
        _ kind: WalletFixture.Kind, _ account: AccountKind, _ count: Int,
        _ context: borrowing SigningContext
    ) throws {
        let bytes = try WalletFixture.psbt(kind, inputs: count, context).serialized
        let reviewer = try reviewer(account, context)
        let series = try OutputSeries(WalletFixture.descriptor(kind, context))
        var best: (Duration, Duration) = (.seconds(1000), .seconds(1000))
        var size = 0
        for _ in 0..<3 {
            let ours = LibraryBench.time { size = reviewer.review(bytes).canonical.count }
            let bare = try LibraryBench.time {
                _ = try series.scriptPubKeys(in: 0..<UInt32(count))
            }
            best = (min(best.0, ours), min(best.1, bare))
        }
        let (our, other) = (best.0.wholeNanoseconds, best.1.wholeNanoseconds)
        print(
            LibraryBench.pad("review " + kind.rawValue, 34),
            LibraryBench.pad("\(count)", -8),
            LibraryBench.pad("\(bytes.count / 1_000_000)", -6),
            LibraryBench.pad("\(Int64(count) * 1_000_000_000 / our)", -10),
            LibraryBench.pad("\(Int64(count) * 1_000_000_000 / other)", -10),
            LibraryBench.pad(LibraryBench.ratio(our, other), -6),
            LibraryBench.pad("\(size / 1_000) kB", -8))
    }

    /// 16 MB, most of it previous transactions with 1,000 outputs each.
    private static func large(_ context: borrowing SigningContext) throws {
        let bytes = try WalletFixture.psbt(.p2wpkh, inputs: 520, others: 1_000, context).serialized
        let reviewer = try reviewer(.bip84, context)
        let before = peakMemory()
        var inputs = 0
        let duration = LibraryBench.time { inputs = reviewer.review(bytes).inputs.count }
        print(
            "review of \(inputs) inputs in \(bytes.count / 1_000_000) MB:",
            "\(duration.wholeNanoseconds / 1_000_000) ms, peak memory \(before) to",
            "\(peakMemory()) MiB")
    }

    private static func peakMemory() -> Int {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return usage.ru_maxrss / 1_024
    }
}

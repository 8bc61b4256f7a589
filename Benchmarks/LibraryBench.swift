import Bitcoin
import Curve
import Descriptors
import Glibc
import Hashing
import KeyTree
import LinuxIO
import PSBT
import PSBTSigning
import Signing
import Wire

/// Figures of the library, each beside the bare cost of the same operations in the same run.
enum LibraryBench {
    static func run(largest: Int) throws {
        let raw = RawCurve()
        let context = SigningContext()
        print("operation                                      Bulkhead        bare       ratio")
        try primitives(raw, context)
        print("")
        print("signing, a wallet's inputs                      inputs    inputs/s  bare/s  ratio")
        for kind in WalletFixture.Kind.allCases {
            for count in [200, 1_000, 10_000] where count <= largest {
                // A signature from before segwit hashes the whole transaction: 10,000 are 4 GB.
                guard kind != .p2pkh || count < 10_000 else { continue }
                try sign(kind, count, raw, context)
            }
        }
        print("")
        print(
            "parsing and writing PSBTs                       inputs        MB  parse MB/s  write MB/s"
        )
        for kind in WalletFixture.Kind.allCases {
            for count in [200, 1_000, 10_000] where count <= largest {
                try parse(kind, count, context)
            }
        }
    }

    // MARK: Primitives

    private static func primitives(
        _ raw: RawCurve, _ context: borrowing SigningContext
    ) throws {
        let header = [UInt8](repeating: 1, count: 80)
        compare("header, double SHA-256", 20_000) { _ in
            _ = SHA256.doubleHash(header)
        } bare: { _ in
            raw.doubleHash(header)
        }

        let master = try WalletFixture.master(context)
        compare("BIP32 child key, private", 2_000) { number in
            _ = try? master.derive(ChildNumber(rawValue: number), context)
        } bare: { number in
            raw.childKey(after: [UInt8](repeating: 2, count: 37), number)
        }

        let digest = SHA256.hash([1])
        compare("ECDSA, low R, verified", 2_000) { number in
            _ = try? master.key.sign(Self.digest(digest, number), context)
        } bare: {
            raw.signECDSA($0)
        }

        let series = try OutputSeries(WalletFixture.descriptor(.p2wpkh, context))
        var parent = raw.point()
        var next: UInt32 = 0
        compare("addresses of a P2WPKH descriptor, each", 100) { _ in
            _ = try? series.scriptPubKeys(in: next..<next + 100)
            next += 100
        } bare: { number in
            for child in 0..<100 { raw.childAddress(&parent, number * 100 + UInt32(child)) }
        }
    }

    private static func digest(_ digest: Bytes32, _ number: UInt32) -> Bytes32 {
        var bytes = digest.array
        bytes[0] = UInt8(truncatingIfNeeded: number)
        bytes[1] = UInt8(truncatingIfNeeded: number >> 8)
        return Bytes32(bytes) ?? digest
    }

    /// Times both in turns, five rounds each, and prints the fastest of each in nanoseconds.
    private static func compare(
        _ name: String, _ times: UInt32, _ ours: (UInt32) -> Void, bare: (UInt32) -> Void
    ) {
        var best: (Duration, Duration) = (.seconds(1000), .seconds(1000))
        for _ in 0..<5 {
            best.0 = min(best.0, time { for number in 0..<times { ours(number) } })
            best.1 = min(best.1, time { for number in 0..<times { bare(number) } })
        }
        let each = Int64(times)
        let (our, other) = (best.0.wholeNanoseconds / each, best.1.wholeNanoseconds / each)
        print(
            pad(name, 44), pad("\(our) ns", -12), pad("\(other) ns", -11),
            pad(ratio(our, other), -9))
    }

    /// How long a processor works for this process while `body` runs: what it takes by the clock where
    /// nothing else wants the processor.
    static func time(_ body: () throws -> Void) rethrows -> Duration {
        let start = processorTime()
        try body()
        return processorTime() - start
    }

    private static func processorTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    // MARK: PSBTs

    private static func sign(
        _ kind: WalletFixture.Kind, _ count: Int, _ raw: RawCurve,
        _ context: borrowing SigningContext
    ) throws {
        let psbt = try WalletFixture.psbt(kind, inputs: count, context)
        let master = try WalletFixture.master(context)
        var best: (Duration, Duration) = (.seconds(1000), .seconds(1000))
        for _ in 0..<(count < 10_000 ? 3 : 1) {
            let ours = try time {
                let records = try PSBTSigner(psbt).sign(with: master, context)
                guard records.count == count else { throw Wrong(found: records.count) }
            }
            let bare = time {
                for number in 0..<UInt32(count) {
                    kind == .p2tr ? raw.signInputSchnorr(number) : raw.signInputECDSA(number)
                }
            }
            best = (min(best.0, ours), min(best.1, bare))
        }
        let (our, other) = (best.0.wholeNanoseconds, best.1.wholeNanoseconds)
        print(
            pad("sign " + kind.rawValue, 44), pad("\(count)", -9),
            pad("\(Int64(count) * 1_000_000_000 / our)", -11),
            pad("\(Int64(count) * 1_000_000_000 / other)", -7), pad(ratio(our, other), -6))
    }

    private static func parse(
        _ kind: WalletFixture.Kind, _ count: Int, _ context: borrowing SigningContext
    ) throws {
        let psbt = try WalletFixture.psbt(kind, inputs: count, context)
        let bytes = psbt.serialized
        var best: (Duration, Duration) = (.seconds(1000), .seconds(1000))
        for _ in 0..<5 {
            best.0 = min(best.0, try time { _ = try PSBT(bytes) })
            best.1 = min(best.1, time { _ = psbt.serialized })
        }
        let size = Int64(bytes.count)
        print(
            pad(kind.rawValue, 44), pad("\(count)", -9), pad(tenths(size / 100_000), -10),
            pad("\(size * 1000 / best.0.wholeNanoseconds)", -11),
            pad("\(size * 1000 / best.1.wholeNanoseconds)", -11))
    }

    private struct Wrong: Error { let found: Int }

    // MARK: Printing

    static func ratio(_ ours: Int64, _ bare: Int64) -> String {
        let hundredths = ours * 100 / max(1, bare)
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }

    private static func tenths(_ number: Int64) -> String { "\(number / 10).\(number % 10)" }

    /// Spaces after the text, or before it for a negative width.
    static func pad(_ text: String, _ width: Int) -> String {
        let spaces = String(repeating: " ", count: max(0, abs(width) - text.count))
        return width < 0 ? spaces + text : text + spaces
    }
}

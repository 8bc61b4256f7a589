import Glibc
import LinuxIO
import Messages
import Signing

/// Figures of a file's way to the signed file through the real signer and its workers, as somebody at
/// its socket sees it: time on the clock, and memory, beside the library alone. What the password's
/// derivation takes is measured by itself and taken off. `bulkhead-bench pipeline` has the same work in
/// one process, step by step.
enum SignBench {
    static func run(directory: String) throws {
        let context = SigningContext()
        print(
            "in ms through the processes       MB  review  approve    open     all library    more  "
                + "MiB: broker worker"
        )
        for (kind, count, others) in [
            (WalletFixture.Kind.p2wpkh, 1, 1), (.p2wpkh, 1_000, 1), (.p2tr, 1_000, 1),
            (.p2wpkh, 520, 1_000),
        ] {
            let psbt = try WalletFixture.psbt(kind, inputs: count, others: others, context)
            try sign("\(kind.rawValue), \(count) inputs", psbt.serialized, directory, context)
        }
        let multisig = try WalletFixture.psbt(.p2wsh, inputs: 200, context)
        try review("review of 200 inputs, 3-of-5", multisig.serialized, directory)
    }

    /// `open` is the password's derivation alone; `all` is without it.
    private static func sign(
        _ name: String, _ file: [UInt8], _ directory: String, _ context: borrowing SigningContext
    ) throws {
        let library = try library(file, context)
        try withSigner(in: directory) { signer in
            var best = [Duration](repeating: .seconds(1000), count: 3)
            for _ in 0..<5 {
                let start = Kernel.timeSinceBoot()
                let entry = try signer.submit(file)
                let reviewed = Kernel.timeSinceBoot()
                _ = try signer.approve(entry)
                let signed = Kernel.timeSinceBoot()
                try signer.open()
                let times = [reviewed - start, signed - reviewed, Kernel.timeSinceBoot() - signed]
                for (place, time) in times.enumerated() { best[place] = min(best[place], time) }
            }
            signer.watchesWorkers = true
            _ = try signer.approve(signer.submit(file))
            let all = best[0] + best[1] - best[2]
            let figures = (best + [all, library, all - library]).map {
                LibraryBench.pad(PipelineBench.milliseconds($0), -7)
            }
            let memory = [try signer.mostOfBroker(), signer.mostOfWorkers].map {
                LibraryBench.pad("\($0 >> 10)", -7)
            }
            print(
                LibraryBench.pad(name, 30), LibraryBench.pad("\(file.count / 1_000_000)", -5),
                (figures + memory).joined(separator: " "))
        }
    }

    /// The fastest of five times that the library signs it in this process.
    private static func library(
        _ file: [UInt8], _ context: borrowing SigningContext
    ) throws -> Duration {
        let master = try WalletFixture.master(context)
        var best = Duration.seconds(1000)
        for _ in 0..<5 {
            let start = Kernel.timeSinceBoot()
            try PipelineBench.library(file, master, context)
            best = min(best, Kernel.timeSinceBoot() - start)
        }
        return best
    }

    private static func review(_ name: String, _ file: [UInt8], _ directory: String) throws {
        try withSigner(in: directory) { signer in
            var best = Duration.seconds(1000)
            for _ in 0..<5 {
                let start = Kernel.timeSinceBoot()
                try signer.withdraw(signer.submit(file))
                best = min(best, Kernel.timeSinceBoot() - start)
            }
            print("\(name): \(PipelineBench.milliseconds(best)) ms")
        }
    }

    /// A signer of its own, so that its peaks of memory are of nothing else.
    static func withSigner(
        in directory: String, _ body: (SignerChild) throws -> Void
    ) throws {
        let path = "\(directory)/signer-\(Kernel.timeSinceBoot().wholeNanoseconds)"
        guard mkdir(path, 0o700) == 0, mkdir(path + "/state", 0o700) == 0 else {
            throw ChildProgram.Failure(what: "\(directory) must be a directory to write in")
        }
        let signer = try SignerChild(in: path)
        try body(signer)
        try signer.stop()
    }
}

import CSodium
import Glibc
import LinuxIO
import SecretMemory
import StateFiles
import Vault

/// Figures of sealed streams, logs and backups, the streams beside bare libsodium in the same run.
enum ItemsBench {
    private static let piece = 1 << 16
    private static let vault = id(VaultID.self, 1)

    static func run(mebibytes: Int, directory: String?) throws {
        print("\(mebibytes) MiB in pieces of 64 KiB                Bulkhead  libsodium    ratio")
        try stream(bytes: mebibytes << 20)
        print("")
        try log(entries: 10_000)
        try backup(items: 1_000, of: 100_000)
        guard let directory else { return }
        print("")
        try SignBench.withSigner(in: directory) { signer in
            try throughSigner(signer, directory + "/original", bytes: mebibytes << 20)
        }
    }

    // MARK: Through the processes

    /// A file into the real signer and out again, as somebody at its socket sees it. What the password's
    /// derivation takes is measured by itself and taken off; the file is in the memory of the machine
    /// when it goes in, and everything is on the disk when the signer says so.
    private static func throughSigner(
        _ signer: SignerChild, _ path: String, bytes: Int
    ) throws {
        try write(bytes, to: path)
        let vault = try signer.createItems()
        signer.watchesWorkers = true
        var best = [Times](repeating: Times(), count: 3)
        for _ in 0..<3 {
            var item: ItemID?
            let parts = [
                try times(signer) { try signer.listItems(of: vault) },
                try times(signer) {
                    item = try signer.addItem(from: path, bytes: bytes, to: vault)
                },
                try times(signer) {
                    if let item { try signer.getItem(item, of: vault, into: path + ".copy") }
                },
            ]
            for (place, part) in parts.enumerated() { best[place] = best[place].least(part) }
        }
        for (name, times) in [("into", best[1]), ("out of", best[2])] {
            let clock = times.clock - best[0].clock
            let work = times.work - best[0].work
            print(
                "\(bytes >> 20) MiB \(name) the signer: \(rate(bytes, clock)) MB/s on the clock, "
                    + "\(rate(bytes, work)) MB/s of its processor time")
        }
        print(
            "broker \(try signer.mostOfBroker() >> 10) MiB at most, workers "
                + "\(signer.mostOfWorkers >> 10) MiB with what they were forked with")
    }

    private struct Times {
        var clock = Duration.seconds(100_000)
        var work = Duration.seconds(100_000)

        func least(_ other: Times) -> Times {
            Times(clock: min(clock, other.clock), work: min(work, other.work))
        }
    }

    private static func times(
        _ signer: SignerChild, _ body: () throws -> Void
    ) throws -> Times {
        let (start, worked) = (Kernel.timeSinceBoot(), try signer.processorTime())
        try body()
        return Times(
            clock: Kernel.timeSinceBoot() - start, work: try signer.processorTime() - worked)
    }

    private static func write(_ bytes: Int, to path: String) throws {
        let number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw ChildProgram.Failure(what: "\(path): \(Errno(errno))") }
        let file = FileDescriptor(owning: number)
        let piece = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for _ in 0..<bytes >> 20 {
            _ = try piece.withUnsafeBytes { try Kernel.write(file.number, $0) }
        }
    }

    // MARK: Streams

    private static func stream(bytes: Int) throws {
        let header = StreamHeader(.item(id(ItemID.self, 2)), of: vault)
        let key = SecretBytes.random(count: 32)
        let content = [UInt8](repeating: 7, count: piece)
        var sealed: [UInt8] = []
        sealed.reserveCapacity(bytes + bytes / 16)
        for run in 0..<3 {
            sealed.removeAll(keepingCapacity: true)
            let sealing = LibraryBench.time {
                var writer = SealedStreamWriter(header, key: key)
                for _ in 0..<bytes / piece {
                    content.withUnsafeBytes { writer.append($0) { sealed += $0 } }
                }
                writer.finish { sealed += $0 }
            }
            var opened = 0
            let opening = try LibraryBench.time {
                var reader = SealedStreamReader(header, key: key)
                for start in stride(from: 0, to: sealed.count, by: piece) {
                    try sealed[start..<min(start + piece, sealed.count)].withUnsafeBytes {
                        try reader.append($0) { opened += $0.count }
                    }
                }
                try reader.finish { opened += $0.count }
            }
            precondition(opened == bytes)
            // The first run warms up.
            guard run > 0 else { continue }
            let bare = bareTimes(bytes)
            row("seal", bytes, sealing, bare.seal)
            row("open", bytes, opening, bare.open)
        }
    }

    private static func bareTimes(_ bytes: Int) -> (seal: Duration, open: Duration) {
        let key = [UInt8](repeating: 1, count: 32)
        let nonce = [UInt8](repeating: 2, count: 24)
        let plain = [UInt8](repeating: 7, count: piece)
        var sealed = [UInt8](repeating: 0, count: piece + 16)
        var opened = plain
        let seal = LibraryBench.time {
            for _ in 0..<bytes / piece {
                _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
                    &sealed, nil, plain, UInt64(piece), nonce, 24, nil, nonce, key)
            }
        }
        let open = LibraryBench.time {
            for _ in 0..<bytes / piece {
                _ = crypto_aead_xchacha20poly1305_ietf_decrypt(
                    &opened, nil, nil, sealed, UInt64(sealed.count), nonce, 24, nonce, key)
            }
        }
        precondition(opened == plain)
        return (seal, open)
    }

    private static func row(_ name: String, _ bytes: Int, _ ours: Duration, _ bare: Duration) {
        print(
            LibraryBench.pad(name, 30), LibraryBench.pad("\(rate(bytes, ours)) MB/s", -15),
            LibraryBench.pad("\(rate(bytes, bare)) MB/s", -11),
            LibraryBench.pad(
                LibraryBench.ratio(ours.wholeNanoseconds, bare.wholeNanoseconds), -8))
    }

    // MARK: Logs and backups

    private static func log(entries count: Int) throws {
        let key = LogKey.newLedger()
        let record = LogRecord(.vault(vault), [UInt8](repeating: 1, count: 150))
        var entries: [UInt8] = []
        var head: LogHead?
        let appending = try LibraryBench.time {
            for number in 0..<count {
                let step = try key.append([record], time: UInt64(number), after: head)
                entries += step.entries
                head = step.head
            }
        }
        var problems: [LogProblem] = []
        let reading = LibraryBench.time {
            var reader = LogReader(key.name, publicKey: key.publicKey)
            entries.withUnsafeBytes { reader.append($0, keys: key) { _, _ in } }
            problems = reader.finish(head: head)
        }
        precondition(problems.isEmpty)
        let each = Int64(count) * 1000
        print(
            "ledger of \(count) entries: \(appending.wholeNanoseconds / each) us to append one with "
                + "a signed head, \(reading.wholeNanoseconds / each) us to check one")
    }

    private static func backup(items count: Int, of size: Int) throws {
        let content = [UInt8](repeating: 7, count: size)
        let item = StreamHeader(.item(id(ItemID.self, 2)), of: vault)
        let key = SecretBytes.random(count: 32)
        var file = item.bytes
        let sealing = LibraryBench.time {
            for _ in 0..<count {
                file = item.bytes
                var writer = SealedStreamWriter(item, key: key)
                content.withUnsafeBytes { writer.append($0) { file += $0 } }
                writer.finish { file += $0 }
            }
        }
        var total = 0
        let writing = try LibraryBench.time {
            var writer = BackupWriter(of: vault, key: .random())
            let information = BackupInformation(
                vault: vault, madeAt: 0, ledger: id(LedgerID.self, 3), ledgerCounter: 0)
            try writer.add(.information, information.bytes) { total += $0.count }
            try writer.add(.vault, content.prefix(732).map { $0 }) { total += $0.count }
            for number in 0..<count {
                try writer.add(.item(id(ItemID.self, number)), file) { total += $0.count }
            }
            try writer.finish { total += $0.count }
        }
        print(
            "\(count) items of \(size) bytes: sealed in \(milliseconds(sealing)) ms, a backup of "
                + "them (\(total / 1_000_000) MB) in \(milliseconds(writing)) ms")
    }

    // MARK: Parts

    private static func rate(_ bytes: Int, _ time: Duration) -> Int64 {
        Int64(bytes) * 1000 / max(1, time.wholeNanoseconds)
    }

    private static func milliseconds(_ time: Duration) -> Int64 {
        time.wholeNanoseconds / 1_000_000
    }

    private static func id<Named>(_ type: Identifier<Named>.Type, _ number: Int) -> Identifier<
        Named
    > {
        let bytes = withUnsafeBytes(of: (UInt64(0), UInt64(number).bigEndian)) { Array($0) }
        guard let id = Identifier<Named>(bytes) else { preconditionFailure("16 bytes") }
        return id
    }
}

import Bitcoin
import Chain
import Hashing
import Wire

/// Figures of the light client's foundations, each beside a plain way to do the same.
enum ChainBench {
    private struct Wrong: Error {}

    static func run(headers count: Int) throws {
        try headers(count)
        try filters()
    }

    // MARK: Headers

    private static func headers(_ count: Int) throws {
        let messages = mine(count)
        let raw = RawCurve()
        var best: (Duration, Duration) = (.seconds(1000), .seconds(1000))
        for _ in 0..<5 {
            best.0 = min(
                best.0,
                try LibraryBench.time {
                    var chain = HeaderChain(ChainParameters(.regtest))
                    var download: HeaderDownload?
                    for message in messages {
                        var reader = Reader(message)
                        var headers: [BlockHeader] = []
                        headers.reserveCapacity(2_000)
                        while !reader.isAtEnd { headers.append(try BlockHeader(from: &reader)) }
                        _ = chain.receive(headers, &download, clock: .max)
                    }
                    guard chain.height == count else { throw Wrong() }
                })
            let header = Array(messages[0][..<80])
            best.1 = min(
                best.1, LibraryBench.time { for _ in 0..<count { raw.doubleHash(header) } })
        }
        let (ours, bare) = (best.0.wholeNanoseconds, best.1.wholeNanoseconds)
        print("headers read, checked and indexed               headers/s   bare double hash/s")
        print(
            LibraryBench.pad("\(count) headers", 44),
            LibraryBench.pad("\(Int64(count) * 1_000_000_000 / ours)", -12),
            LibraryBench.pad("\(Int64(count) * 1_000_000_000 / bare)", -20))
        print("")
    }

    /// Headers of regtest in messages of 2,000.
    private static func mine(_ count: Int) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        var writer = Writer(capacity: 160_000)
        var header = Network.regtest.genesis
        var hash = header.hash
        for number in 1...count {
            header = BlockHeader(
                version: 4, previous: hash, merkleRoot: hash.bytes, time: header.time + 600,
                bits: header.bits, nonce: 0)
            hash = header.hash
            while !header.provesWork(hash: hash, limit: Network.regtest.proofOfWorkLimit) {
                header.nonce += 1
                hash = header.hash
            }
            header.write(to: &writer)
            if number % 2_000 == 0 || number == count {
                messages.append(writer.bytes)
                writer = Writer(capacity: 160_000)
            }
        }
        return messages
    }

    // MARK: Filters

    private static func filters() throws {
        let size = 7_400
        let block = Block(header: Network.mainnet.genesis, transactions: [])
        let hash = block.header.hash
        let filter = CompactFilter(block: block, spent: scripts(size, tag: 0))
        let plain = PlainFilter(filter.bytes, start: 3, count: size, block: hash)
        print(
            "filters of \(size) elements                         Bulkhead       plain       ratio")
        compare(
            "decode, each element", times: 200, each: size, unit: "ps",
            { try? filter.check() }, { plain.decode() })
        for count in [24, 1_000, 10_000] {
            let scripts = scripts(count, tag: 1)
            let bytes = scripts.map(\.bytes)
            var matcher = FilterMatcher(WatchedScripts(scripts))
            guard try !matcher.matches(filter, block: hash), !plain.matches(bytes) else {
                throw Wrong()
            }
            compare(
                "match \(count) scripts, each filter", times: 200, each: 1, unit: "ns",
                { try? matcher.matches(filter, block: hash) }, { plain.matches(bytes) })
        }
    }

    /// Scripts of the two most common kinds, three P2WPKH for one P2TR.
    private static func scripts(_ count: Int, tag: UInt8) -> [Script] {
        (0..<count).map { number in
            var writer = Writer()
            writer.write(UInt32(number))
            writer.write(tag)
            let digest = SHA256.hash(writer.bytes)
            return number % 4 == 3
                ? .p2tr(outputKey: digest) : .p2wpkh(Bytes20(digest.array[..<20]) ?? .zero)
        }
    }

    /// Times both in turns and prints the fastest of each; `ps` prints hundredths of nanoseconds.
    private static func compare<A, B>(
        _ name: String, times: Int, each: Int, unit: String, _ ours: () -> A, _ plain: () -> B
    ) {
        var best: (Duration, Duration) = (.seconds(1000), .seconds(1000))
        for _ in 0..<times {
            best.0 = min(best.0, LibraryBench.time { _ = ours() })
            best.1 = min(best.1, LibraryBench.time { _ = plain() })
        }
        let scale: Int64 = unit == "ps" ? 100 : 1
        let (our, other) = (
            best.0.wholeNanoseconds * scale / Int64(each),
            best.1.wholeNanoseconds * scale / Int64(each)
        )
        func text(_ value: Int64) -> String {
            let cents = value % 100
            return unit == "ps"
                ? "\(value / 100).\(cents < 10 ? "0" : "")\(cents) ns" : "\(value) ns"
        }
        print(
            LibraryBench.pad(name, 44), LibraryBench.pad(text(our), -12),
            LibraryBench.pad(text(other), -11), LibraryBench.pad(LibraryBench.ratio(our, other), -9)
        )
    }
}

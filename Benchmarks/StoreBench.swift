import Bitcoin
import Chain
import LinuxIO
import NetworkCore
import NetworkStore
import Wire

/// Figures of what the network process keeps, on the disk of a directory.
enum StoreBench {
    private struct Wrong: Error {}

    static func run(headers count: Int, directory: String) throws {
        let parameters = ChainParameters(.regtest)
        let headers = mine(count, after: parameters.genesis)
        let hashes = (0...count).map { height in
            FilterHeader(headers[max(0, height - 1)].merkleRoot)
        }
        let filter = [UInt8](repeating: 0x5A, count: 20_000)
        let filters = min(count, 5_000)
        let store = try open(directory, parameters)
        let written = try seconds {
            var next = 0
            while next < count {
                let end = min(next + 2_000, count)
                try store.commit([.appendHeaders(from: next + 1, Array(headers[next..<end]))])
                try store.commit([
                    .appendFilterHeaders(
                        from: next == 0 ? 0 : next + 1,
                        Array(hashes[(next == 0 ? 0 : next + 1)...end]))
                ])
                next = end
            }
        }
        let kept = try seconds {
            for start in stride(from: 1, to: filters, by: 100) {
                try store.commit([
                    .keepFilters(from: start, [[UInt8]](repeating: filter, count: 100))
                ])
            }
        }
        try store.reopen()
        var height = 0
        let loaded = try seconds { height = try store.load().headers.height }
        guard height == count else { throw Wrong() }
        let read = try seconds {
            for start in stride(from: 1, to: filters, by: 100) {
                guard store.readFilters(start...start + 99).allSatisfy({ $0 == filter }) else {
                    throw Wrong()
                }
            }
        }
        print("headers and filter headers written            \(rate(count, written)) a second")
        print(
            "store opened and loaded, \(count) headers     \(loaded) s, \(rate(count, loaded)) a second"
        )
        print("filters of 20 kB kept, \(filters)             \(rate(filters / 50, kept)) MB/s")
        print("filters read                                  \(rate(filters / 50, read)) MB/s")
    }

    private static func open(
        _ directory: String, _ parameters: ChainParameters
    ) throws -> NetworkStore {
        try NetworkStore(
            try DirectoryDisk(try Kernel.openDirectory(directory)), parameters)
    }

    private static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = Kernel.timeSinceBoot()
        try body()
        return Double((Kernel.timeSinceBoot() - start).wholeNanoseconds) / 1e9
    }

    private static func rate(_ count: Int, _ seconds: Double) -> Int {
        Int(Double(count) / max(seconds, 1e-9))
    }

    /// Headers of regtest.
    private static func mine(_ count: Int, after genesis: BlockHeader) -> [BlockHeader] {
        var headers: [BlockHeader] = []
        headers.reserveCapacity(count)
        var last = genesis
        var hash = genesis.hash
        for _ in 0..<count {
            var header = BlockHeader(
                version: 4, previous: hash, merkleRoot: hash.bytes, time: last.time + 600,
                bits: last.bits, nonce: 0)
            hash = header.hash
            while !header.provesWork(hash: hash, limit: Network.regtest.proofOfWorkLimit) {
                header.nonce += 1
                hash = header.hash
            }
            headers.append(header)
            last = header
        }
        return headers
    }
}

import Bitcoin
import Chain
import Foundation
import LinuxIO
import NetworkCore
import NetworkStore
import Testing
import Wire

@Suite("The file of filters of a process that is killed", .serialized)
struct FilterFileProcessTests {
    private let folder = ChildFolder()
    private static let small = (1...40).map { [UInt8](repeating: UInt8($0), count: 300) }

    private func headers() -> [BlockHeader] {
        var headers: [BlockHeader] = []
        var last = ChainParameters(.regtest).genesis
        for _ in 0..<40 {
            var header = BlockHeader(
                version: 0x2000_0000, previous: last.hash, merkleRoot: .zero,
                time: last.time + 600, bits: last.bits, nonce: 0)
            while !header.provesWork(hash: header.hash, limit: .max) { header.nonce += 1 }
            headers.append(header)
            last = header
        }
        return headers
    }

    private func length(_ state: ClientState) throws -> Int {
        let path = state.directory + "/filters.db"
        return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }

    @Test("Killed while its file of filters gets shorter, it goes on, and the rest is whole")
    func shrinking() throws {
        let state = try ClientState(in: folder)
        do {
            let store = try state.open()
            try store.commit([
                .appendHeaders(from: 1, headers()),
                .appendFilterHeaders(from: 0, (0...40).map { _ in FilterHeader(.zero) }),
                .keepFilters(from: 1, Self.small),
            ])
            let large = [UInt8](repeating: 9, count: 100_000)
            for start in stride(from: 41, to: 1_241, by: 60) {
                try store.commit([.keepFilters(from: start, Array(repeating: large, count: 60))])
            }
            try store.commit([.dropFilters(41...1_240)])
        }
        let full = try length(state)
        #expect(full > 115_000_000)
        var between = 0
        for pause in [0, 5, 20, 0, 50, 10, 100] as [UInt32] {
            let before = try length(state)
            let child = try RunningChild("bulkhead-network", in: folder)
            try child.begin(as: .network)
            if pause == 0, before > 75_000_000 {
                try RunningChild.until("a shorter file") { try length(state) < before }
            }
            usleep(pause * 1000)
            _ = try Kernel.killAndReap(child.pid)
            let after = try length(state)
            if after < full, after > 70_000_000 { between += 1 }
        }
        #expect(between > 0)
        let child = try RunningChild("bulkhead-network", in: folder)
        try child.begin(as: .network)
        try RunningChild.until("the shortest file") { try length(state) < 70_000_000 }
        try child.order(.stop)
        #expect(try child.ending() == .exited(0))
        let store = try state.open()
        #expect(try store.load().keptFilters.runs.map(\.heights) == [1...40])
        #expect(store.readFilters(1...40) == Self.small.map { $0 })
        #expect(store.takeNotices().isEmpty)
    }
}

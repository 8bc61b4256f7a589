import Foundation
import Glibc
import LinuxIO
import Messages
import TestSupport
import Testing

/// What a large PSBT costs in memory, on its way through the real signer.
@Suite("Memory of large PSBTs", .serialized)
struct SigningMemoryTests {
    /// Looks at the signer and its workers all the time and keeps the largest figures.
    private final class Gauge: @unchecked Sendable {
        private let child: RunningChild
        private let lock = NSLock()
        private var isOver = false
        private var largest: (broker: Int, worker: Int) = (0, 0)
        private let done = DispatchSemaphore(value: 0)

        init(_ child: RunningChild) {
            self.child = child
            Thread.detachNewThread { [self] in
                while !lock.withLock({ isOver }) {
                    look()
                    usleep(500)
                }
                done.signal()
            }
        }

        private func look() {
            let broker = resident(child.pid)
            let workers = ((try? child.children()) ?? []).dropFirst().map(resident)
            lock.withLock {
                largest.broker = max(largest.broker, broker)
                largest.worker = max(largest.worker, workers.max() ?? 0)
            }
        }

        private func resident(_ pid: Int32) -> Int {
            // One that has just ended has no such line.
            let text = (try? ProcessFile.text(of: pid, "status")) ?? ""
            let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
            return line?.split(whereSeparator: \.isWhitespace).dropFirst().first
                .flatMap { Int($0) } ?? 0
        }

        /// Kibibytes.
        func end() -> (broker: Int, worker: Int) {
            lock.withLock { isOver = true }
            done.wait()
            return lock.withLock { largest }
        }
    }

    @Test(
        "16 MiB are reviewed, signed and merged with broker and workers under 64 MiB each",
        arguments: [(1, 16_700_000), (1000, 16_500)])
    func large(inputs: Int, filling: Int) throws {
        let recorded = try #require(
            CorePSBT.all.first { $0.wallet == "wpkh" && $0.case == "one-recipient" })
        let file = try LargePSBT(recorded).bytes(inputs: inputs, filling: filling)
        #expect(file.count > 16 << 20 - 200_000)
        #expect(file.count <= Limit.payload)
        let scene = try SigningScene()
        let gauge = Gauge(scene.child)
        let entry = try scene.submit(file).get()
        #expect(entry.summary.inputs == UInt32(inputs))
        #expect(entry.summary.signers == [scene.wallet], "\(entry.summary.stops)")
        let output = try LinuxIO.Pipe()
        let reader = Collected(output.reading)
        try scene.console.hand(.output, output.writing)
        let answer = try scene.console.operate(
            .approve(entry.id, scene.approval(entry.summary), wantsTransaction: false),
            secrets: Person.fields([(.password, Person.password)]))
        guard case .success(.signed(let signed)) = answer else {
            throw Missing(what: "a signature: \(answer)")
        }
        #expect(signed.signatures == UInt32(inputs))
        #expect(reader.wait().count == Int(signed.fileBytes))
        let largest = gauge.end()
        #expect(largest.broker < 64 << 10, "the broker took \(largest.broker) KiB")
        #expect(largest.worker < 64 << 10, "a worker took \(largest.worker) KiB")
    }
}

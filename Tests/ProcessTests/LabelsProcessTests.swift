import Labels
import LinuxIO
import Messages
import NetworkStore
import Testing

@Suite("Labels in the light client's process", .serialized)
struct LabelsProcessTests {
    private let folder = ChildFolder()

    private func lines(_ numbers: Range<Int>, _ text: String) -> [UInt8] {
        Array(
            numbers.map { #"{"type":"x","ref":"r\#($0)","label":"\#(text)"}"# + "\n" }.joined()
                .utf8)
    }

    private func put(_ lines: [UInt8], isLast: Bool) -> QueryRequest {
        .chain(.putLabels(lines, firstLine: 1, isLast: isLast))
    }

    private func texts(_ store: NetworkStore) throws -> [String?: Int] {
        var counts: [String?: Int] = [:]
        var last: Label.Subject?
        while true {
            let page = try store.labels(after: last, limit: 200)
            guard let end = page.last else { return counts }
            for label in page { counts[label.text, default: 0] += 1 }
            last = end.subject
        }
    }

    private func start() throws -> RunningChild {
        let child = try RunningChild("bulkhead-network", in: folder)
        try child.begin(as: .network)
        return child
    }

    /// Parts of a file, the last of which was not sent: two full batches and a little more.
    private func sendMost(_ child: RunningChild) throws {
        let query = try child.query()
        for part in 0..<9 {
            let answer = try query.ask(
                put(lines(part * 4_000..<(part + 1) * 4_000, "imported"), isLast: false))
            #expect(answer == .chain(.labelsPut(kept: 4_000, leftOut: 0, [])))
        }
        // Of the next batch, chance says how much is written.
        for part in 9..<14 {
            try query.send(
                put(lines(part * 4_000..<(part + 1) * 4_000, "imported"), isLast: false),
                at: Kernel.timeSinceBoot())
        }
        try query.flushAll()
    }

    @Test(
        "An import that is cut, by its sender's end or the process's, leaves the labels of before")
    func cut() throws {
        let state = try ClientState(in: folder)
        try state.open().putLabels(
            try LabelFile.read(lines(0..<100, "before")).labels)
        for kills in [true, false, true] {
            let child = try start()
            try sendMost(child)
            if kills {
                _ = try Kernel.killAndReap(child.pid)
            } else {
                // The sender is gone; whoever comes then is served while all that is taken away.
                let query = try child.query()
                #expect(try query.ask(put(lines(0..<1, "set"), isLast: true)) != .pong(nonce: 0))
                try child.order(.stop)
                #expect(try child.ending() == .exited(0))
            }
            let expected: [String?: Int] = kills ? ["before": 100] : ["set": 1, "before": 99]
            let store = try state.open()
            #expect(try texts(store) == expected)
            try store.putLabels(try LabelFile.read(lines(0..<1, "before")).labels)
        }
        let child = try start()
        let query = try child.query()
        #expect(try query.ask(put(lines(0..<4_000, "a"), isLast: false)) != .pong(nonce: 0))
        #expect(
            try query.ask(put(lines(4_000..<8_000, "a"), isLast: true))
                == .chain(.labelsPut(kept: 4_000, leftOut: 0, [])))
        _ = try Kernel.killAndReap(child.pid)
        #expect(try texts(state.open()) == ["a": 8_000])
    }
}

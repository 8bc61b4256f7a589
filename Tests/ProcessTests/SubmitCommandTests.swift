import Foundation
import Glibc
import LinuxIO
import LocalSockets
import Messages
import Testing

/// `bulkhead submit` with the real network process, and the real signer or the test in its place.
@Suite("bulkhead submit", .serialized)
struct SubmitCommandTests {
    /// A folder with `network.sock` in it and a PSBT beside it.
    private final class Desk {
        let folder: String
        let file: String

        init(_ network: RunningChild, _ content: [UInt8]) throws {
            folder =
                FileManager.default.temporaryDirectory.path + "/bulkhead-desk-\(UUID().uuidString)"
            file = folder + "/payment.psbt"
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            try Data(content).write(to: URL(fileURLWithPath: file))
            try show(network)
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        /// Where the socket of this process is from now on.
        func show(_ network: RunningChild) throws {
            unlink(folder + "/network.sock")
            try FileManager.default.createSymbolicLink(
                atPath: folder + "/network.sock", withDestinationPath: network.socket)
        }

        func content(_ name: String) -> [UInt8]? {
            FileManager.default.contents(atPath: folder + "/" + name).map { Array($0) }
        }

        /// Starts the command; what it says is in `said` when it has ended.
        func start(_ arguments: [String]) throws -> Run {
            try Run(["submit", file, "--runtime-directory", folder] + arguments)
        }
    }

    private final class Run {
        private let process = Process()
        private let output = Foundation.Pipe()

        init(_ arguments: [String]) throws {
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
                .deletingLastPathComponent().appendingPathComponent("bulkhead")
            process.arguments = arguments
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = output
            try process.run()
        }

        /// Waits for its end: the status and what it said.
        func end() -> (status: Int32, said: String) {
            let data = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return (process.terminationStatus, String(decoding: data, as: UTF8.self))
        }
    }

    private func file() throws -> RecordedPSBT {
        try #require(RecordedPSBT.load().first { $0.wallet == "wpkh" })
    }

    /// The id in the first line.
    private func id(_ said: String) throws -> String {
        let line = try #require(said.split(separator: "\n").first { $0.hasPrefix("request ") })
        return String(line.dropFirst(8))
    }

    @Test(
        "A file is approved in another terminal and lies signed beside it; nothing is overwritten")
    func signed() throws {
        let both = try BothProcesses()
        let console = try both.signer.console()
        let wallet = try both.importWallet(console)
        let psbt = try file()
        let desk = try Desk(both.network, psbt.file)
        let run = try desk.start([])
        let entry = try #require(both.pending(console).first)
        try both.approve(entry, wallet, console)
        let ended = run.end()
        #expect(ended.status == 0, "\(ended.said)")
        #expect(ended.said.contains("waiting for approval at the console"))
        #expect(ended.said.contains("payment-signed.psbt"))
        let written = try #require(desk.content("payment-signed.psbt"))
        #expect(written.starts(with: Array("cHNidP8".utf8)))
        #expect(written.count > psbt.file.count)
        let again = try desk.start(["--json"]).end()
        #expect(again.status == 10, "\(again.said)")
        #expect(again.said.contains("is there already"))
        // The signer keeps it no longer.
        #expect(try both.pending(console, count: 0) == [])
        let later = try desk.start(["--id", try id(ended.said)])
        unlink(desk.folder + "/payment-signed.psbt")
        #expect(later.end().status == 10)
    }

    @Test("The network process dies and comes back while the command waits")
    func networkRestarts() throws {
        let both = try BothProcesses()
        let console = try both.signer.console()
        let wallet = try both.importWallet(console)
        let desk = try Desk(both.network, try file().file)
        let run = try desk.start([])
        let entry = try #require(both.pending(console).first)
        try both.restartNetwork()
        try desk.show(both.network)
        try both.approve(entry, wallet, console)
        let ended = run.end()
        #expect(ended.status == 0, "\(ended.said)")
        #expect(ended.said.contains("asked again"))
        #expect(desk.content("payment-signed.psbt") != nil)
    }

    @Test("It ends when a person is awaited, or after a time, and collects later by the id")
    func later() throws {
        let both = try BothProcesses()
        let console = try both.signer.console()
        let wallet = try both.importWallet(console)
        let desk = try Desk(both.network, try file().file)
        let first = try desk.start(["--no-wait"]).end()
        #expect(first.status == 0, "\(first.said)")
        let id = try id(first.said)
        let second = try desk.start(["--id", id, "--wait", "2"]).end()
        #expect(second.status == 18, "\(second.said)")
        let later = "--id \(id)"
        #expect(second.said.contains(later))
        try both.approve(try #require(both.pending(console).first), wallet, console)
        let third = try desk.start(["--id", id, "--json"]).end()
        #expect(third.status == 0, "\(third.said)")
        #expect(third.said.contains(#""state": "signed""#))
        #expect(desk.content("payment-signed.psbt") != nil)
    }

    @Test("A rejection ends it with the person's reason, and a lost request with what to do")
    func rejectedAndForgotten() throws {
        let both = try BothProcesses()
        let console = try both.signer.console()
        _ = try both.importWallet(console)
        let desk = try Desk(both.network, try file().file)
        let rejected = try desk.start([])
        let entry = try #require(both.pending(console).first)
        _ = try console.ask(.reject(entry.id, reason: "call me\u{1B}[2J first"))
        var ended = rejected.end()
        #expect(ended.status == 9, "\(ended.said)")
        #expect(ended.said.contains("call me"))
        #expect(!ended.said.contains("\u{1B}"))
        let lost = try desk.start([])
        _ = try both.pending(console)
        try both.restartSigner()
        ended = lost.end()
        #expect(ended.status == 19, "\(ended.said)")
        #expect(ended.said.contains("submit the file again"))
        #expect(desk.content("payment-signed.psbt") == nil)
        #expect(desk.content("payment-part.psbt") == nil)
    }

    @Test("An id that was used for another file is told as that, and nothing is written")
    func otherFile() throws {
        let both = try BothProcesses()
        let console = try both.signer.console()
        let wallet = try both.importWallet(console)
        let desk = try Desk(both.network, try file().file)
        let id = try id(try desk.start(["--no-wait"]).end().said)
        try both.approve(try #require(both.pending(console).first), wallet, console)
        let others = try RecordedPSBT.load().filter { $0.wallet == "wpkh" }
        let other = try #require(others.last)
        try #require(others.count > 1)
        try Data(other.file).write(to: URL(fileURLWithPath: desk.folder + "/other.psbt"))
        let wrong = try Run([
            "submit", desk.folder + "/other.psbt", "--runtime-directory", desk.folder, "--id", id,
            "--json",
        ]).end()
        #expect(wrong.status == 10, "\(wrong.said)")
        #expect(wrong.said.contains("this id was used for another PSBT"), "\(wrong.said)")
        #expect(wrong.said.contains(#""state": "other-file""#), "\(wrong.said)")
        #expect(desk.content("other-signed.psbt") == nil && desk.content("other-part.psbt") == nil)
        // It waits for the one that was submitted.
        let right = try desk.start(["--id", id]).end()
        #expect(right.status == 0, "\(right.said)")
        #expect(desk.content("payment-signed.psbt") != nil)
    }

    @Test("A network process or signer that lies about the file writes nothing")
    func lies() throws {
        let psbt = try file()
        let others = try RecordedPSBT.load().filter { $0.unsigned != psbt.unsigned }
        let foreign = Array(try #require(others.first?.signed["all"]).utf8)
        for answer in [foreign, psbt.file, [1, 2, 3], []] {
            let child = try RunningChild("bulkhead-network")
            try child.begin(as: .network)
            let signer = try FrameChannel<LinkRequest, LinkReply>(try child.takeLink())
            let desk = try Desk(child, psbt.file)
            let run = try desk.start([])
            try signer.send(.welcome, at: Kernel.timeSinceBoot())
            let id: RequestID = try signer.waitFor {
                if case .request(let id, _) = $0 { id } else { nil }
            }
            try signer.send(.answer(id, .signed), at: Kernel.timeSinceBoot())
            try signer.send(.signed(id, file: answer), at: Kernel.timeSinceBoot())
            let ended = run.end()
            #expect(ended.status == 11, "\(ended.said)")
            #expect(ended.said.contains("Nothing was written"))
            #expect(desk.content("payment-signed.psbt") == nil)
            #expect(desk.content("payment-part.psbt") == nil)
        }
    }
}

public import Bitcoin
import Foundation
import Wire

/// Bitcoin Core's own script engine, asked through `Tests/Consensus/verify_spends.py`.
public enum ScriptEngine {
    /// A finished transaction and the outputs that it spends, in input order.
    public struct Spend {
        let name: String
        let transaction: Transaction
        /// The outputs that it spends, in input order.
        public let prevouts: [TransactionOutput]

        /// A transaction under a name that says which it is.
        public init(name: String, transaction: Transaction, prevouts: [TransactionOutput]) {
            self.name = name
            self.transaction = transaction
            self.prevouts = prevouts
        }
    }

    /// What the script engine said: its exit status and the lines that it printed.
    public static func verify(_ spends: [Spend]) throws -> (status: Int32, lines: [String]) {
        let lines = try spends.map { spend in
            let object: [String: Any] = [
                "name": spend.name, "tx": Hex.encode(spend.transaction.serialized()),
                "prevouts": spend.prevouts.map {
                    [Int($0.value.sats), Hex.encode($0.scriptPubKey.bytes)] as [Any]
                },
            ]
            return try JSONSerialization.data(withJSONObject: object) + [UInt8(ascii: "\n")]
        }
        let input = FileManager.default.temporaryDirectory
            .appendingPathComponent("spends-\(UUID()).jsonl")
        try lines.reduce(Data(), +).write(to: input)
        defer { try? FileManager.default.removeItem(at: input) }
        let process = Process()
        process.executableURL = try python()
        process.arguments = [root.appendingPathComponent("Tests/Consensus/verify_spends.py").path]
        process.standardInput = try FileHandle(forReadingFrom: input)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: printed, as: UTF8.self)
        return (process.terminationStatus, text.split(separator: "\n").map(String.init))
    }

    struct NotInstalled: Error, CustomStringConvertible {
        let description =
            "Bitcoin Core's script engine is not installed: run scripts/test, which does"
    }

    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func python() throws -> URL {
        let python = root.appendingPathComponent(".build/python/bin/python3")
        guard FileManager.default.isExecutableFile(atPath: python.path) else {
            throw NotInstalled()
        }
        return python
    }
}

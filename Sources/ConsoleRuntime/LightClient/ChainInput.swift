import Configuration
import ConsoleCore
import Glibc
import JSON
import Messages
import Wire

/// What a command line says to the light client.
enum ChainInput {
    static func request(_ words: CommandLineWords) throws(CommandEnd) -> ChainRequest {
        let first = words.arguments.first ?? ""
        switch words.row.command {
        case .sync: return .progress
        case .balance: return .balance(first)
        case .history:
            guard let text = words.value(.txid) else { return .history(first, from: 0) }
            return .transaction(try txid(text, "--txid"))
        case .coins: return .coins(first, from: 0)
        case .watchImport: return try watch(words)
        case .watchList: return .wallets
        case .watchRemove: return .unwatch(first)
        case .watchAddress: return .newAddress(first)
        case .rescan:
            guard let text = words.value(.from) else {
                throw .problem(.usage, "a rescan needs the first height: --from HEIGHT")
            }
            guard let height = UInt32(text), height < UInt32(Int32.max) else {
                throw .problem(.usage, "--from: a height is a number from 0 to 2147483646")
            }
            return .rescan(first, from: height)
        case .broadcast: return .broadcast(try transaction(first))
        case .broadcastList: return .broadcasts
        case .broadcastWithdraw: return .withdrawBroadcast(try txid(first, "TXID"))
        case .labelsSet:
            return .putLabels(
                try label(words.arguments), firstLine: 1, isLast: true)
        case .peersList: return .peers
        case .peersAdd: return .addPeer(first)
        case .peersRemove: return .removePeer(first)
        default: return .forgetPeers
        }
    }

    private static func watch(_ words: CommandLineWords) throws(CommandEnd) -> ChainRequest {
        let file = try InputBytes.read(words.arguments[0], limit: ChainRequest.fileLimit)
        return .watch(
            name: words.value(.name) ?? "", file: file,
            birthday: try words.birthday(now: UInt64(max(0, time(nil)))))
    }

    /// A transaction's id, as people write it.
    private static func txid(_ text: String, _ what: String) throws(CommandEnd) -> Bytes32 {
        guard let bytes = try? Hex.decode(text), let txid = Bytes32(bytes.reversed()) else {
            throw .problem(.usage, "\(what): a transaction's id has 64 hexadecimal digits")
        }
        return txid
    }

    /// How a PSBT begins: as it is, in hexadecimal digits and in base64 (BIP174).
    private static let psbtStarts = ["psbt", "70736274", "cHNidP"].map { Array($0.utf8) }

    /// A transaction as it is, or in hexadecimal digits.
    private static func transaction(_ path: String) throws(CommandEnd) -> [UInt8] {
        let bytes = try InputBytes.read(path, limit: 8 << 20)
        let shown = VisibleText(path, limit: 200)
        let start = bytes.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard !psbtStarts.contains(where: { start.starts(with: $0) }) else {
            throw .problem(
                .input,
                "\(shown) is a PSBT, and no transaction yet. bulkhead sign \(shown) --final writes the "
                    + "transaction beside it (-final.txn): it signs what is to be signed here, and asks for "
                    + "no password where the file has all signatures")
        }
        let text = bytes.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let isText = text.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte)
                || (0x61...0x66).contains(byte)
        }
        let raw = isText ? (try? Hex.decode(String(decoding: text, as: UTF8.self))) ?? [] : bytes
        guard !raw.isEmpty, raw.count <= 4_000_000 else {
            throw .problem(
                .input,
                "\(shown) is no transaction: it has \(raw.count) bytes, or an odd number of digits")
        }
        return raw
    }

    /// What BIP329 gives labels to.
    private static let labelTypes = ["tx", "addr", "pubkey", "input", "output", "xpub"]

    private static func label(_ words: [String]) throws(CommandEnd) -> [UInt8] {
        guard words.count == 3 else { throw .problem(.usage, "a label needs TYPE, REF and TEXT") }
        // A file may bring others, which belong to other wallets; by hand they are slips.
        guard labelTypes.contains(words[0]) else {
            throw .problem(
                .usage,
                "TYPE is one of \(labelTypes.joined(separator: ", ")), not "
                    + VisibleText(words[0], limit: 60).description)
        }
        let members: [JSONValue.Member] = [
            .init("type", .string(words[0])), .init("ref", .string(words[1])),
            .init("label", .string(words[2])),
        ]
        return Array(JSONValue.object(members).line.utf8)
    }

    /// Lines that fit into a message.
    struct LabelLines: Hashable {
        /// The number that the first of them has in the file, counted from 1.
        let firstLine: UInt32
        fileprivate(set) var bytes: [UInt8]
    }

    /// The lines of a file in parts that fit into a message each; no part begins with an empty line.
    static func parts(
        of bytes: [UInt8], limit: Int = ChainRequest.labelLimit
    ) -> [LabelLines] {
        var parts: [LabelLines] = []
        var number: UInt32 = 0
        var room = 0
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
            // A line that no message holds is none that a label has; it is said to be left out.
            let line = rest[..<end].prefix(limit - 1)
            rest = rest[end...].dropFirst()
            number += 1
            if line.count >= room {
                if line.isEmpty { continue }
                parts.append(LabelLines(firstLine: number, bytes: []))
                room = limit
            }
            parts[parts.count - 1].bytes += line
            parts[parts.count - 1].bytes.append(0x0A)
            room -= line.count + 1
        }
        return parts
    }

    /// A file of labels as what is asked for, part by part.
    static func puts(of bytes: [UInt8]) -> [ChainRequest] {
        let parts = parts(of: bytes)
        return parts.enumerated().map { place, part in
            .putLabels(
                part.bytes, firstLine: part.firstLine, isLast: place == parts.count - 1)
        }
    }

    /// What to ask for behind these lines.
    static func labels(after lines: [UInt8]) -> ChainRequest? {
        guard let last = lines.split(separator: 0x0A).last,
            let value = try? JSONReader.read(Array(last)), let type = value["type"]?.string,
            let ref = value["ref"]?.string
        else { return nil }
        return .labels(afterType: type, ref: ref)
    }
}

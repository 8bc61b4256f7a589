import Bitcoin
public import Chain
import Hashing
public import PeerMessages
public import Wire

/// A list of peers whose publisher signed it (docs/light-client.md, "Signed lists of peers"). A signature
/// says who made the list, not that its peers are honest.
public struct SignedPeerList: Hashable, Sendable {
    /// The day it was made, in days since 1970-01-01.
    public let day: Int
    /// The height of the chain then.
    public let height: Int
    /// The peers.
    public let peers: [PeerEndpoint]

    /// The longest file in bytes.
    public static let longest = 4 << 20
    /// The fewest peers that a list has: fewer would make the publisher choose for everybody.
    public static let fewest = 50
    /// The most peers of one overlay.
    public static let mostOfOverlay = 2000
    /// For how many days a list is used.
    public static let days = 7
    /// How far the height may be from our own.
    public static let heightDifference = 100
    /// What is signed is this, a zero byte, and the file up to the line of the signature.
    static let label = Array("bulkhead/1/peer-list".utf8)

    /// Checks a file: form, signature, age, height.
    ///
    /// - Parameters:
    ///   - trusted: keys of publishers; none means that no list is taken.
    ///   - clock: seconds since 1970.
    ///   - tip: the height of our own chain; nil while it is not known to be current.
    public init(
        _ file: [UInt8], for chain: ChainParameters, trusted: Set<Bytes32>, clock: Int64, tip: Int?
    ) throws(SignedListError) {
        guard file.count <= SignedPeerList.longest else { throw .tooLong(file.count) }
        guard !trusted.isEmpty else { throw .noKeys }
        let (body, key, signature) = try SignedPeerList.split(file)
        guard trusted.contains(key) else { throw .unknownKey(key) }
        // Before anything of it is read.
        guard Ed25519.isValid(signature, of: SignedPeerList.label + [0] + body, by: key) else {
            throw .wrongSignature
        }
        var lines = ListLines(body)
        try lines.expect("bulkhead-peer-list 1")
        let network = try lines.value("network")
        guard network == chain.network.rawValue, chain == ChainParameters(chain.network) else {
            throw .otherNetwork(network)
        }
        let date = try lines.value("date")
        guard let day = SignedPeerList.day(date) else { throw .line(lines.number) }
        guard let height = Int(try lines.value("height")), (1...Int(Int32.max)).contains(height)
        else { throw .line(lines.number) }
        self.day = day
        self.height = height
        peers = try SignedPeerList.readPeers(&lines)
        let today = Int(clamping: clock / 86400)
        guard day <= today else { throw .fromTheFuture(date) }
        guard today - day <= SignedPeerList.days else { throw .tooOld(date) }
        if let tip, abs(height - tip) > SignedPeerList.heightDifference {
            throw .otherHeight(found: height, ours: tip)
        }
    }

    /// The file without its last line, and the two values of that line.
    private static func split(
        _ file: [UInt8]
    ) throws(SignedListError) -> ([UInt8], Bytes32, [UInt8]) {
        guard file.last == UInt8(ascii: "\n") else { throw .noSignature }
        let start = file.dropLast().lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let words = file[start...].dropLast().split(
            separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3, words[0].elementsEqual("signature".utf8),
            let keyBytes = try? Hex.decode(utf8: Array(words[1])), let key = Bytes32(keyBytes),
            let signature = try? Hex.decode(utf8: Array(words[2])),
            signature.count == Ed25519.signatureSize
        else { throw .noSignature }
        return (Array(file[..<start]), key, signature)
    }

    private static func readPeers(
        _ lines: inout ListLines
    ) throws(SignedListError) -> [PeerEndpoint] {
        var peers: [PeerEndpoint] = []
        var seen: Set<PeerEndpoint> = []
        var blocks: Set<PeerGroup> = []
        var counts: [PeerNetwork: Int] = [:]
        while !lines.isAtEnd {
            let text = try lines.value("peer")
            let number = lines.number
            guard let peer = try? PeerEndpoint(text, defaultPort: 0), let network = peer.host.way,
                peer.host.isPublic
            else { throw .line(number) }
            guard seen.insert(peer).inserted else { throw .twice(peer) }
            if let block = Diversity.netblock(peer.host), !blocks.insert(block).inserted {
                throw .sameNetblock(peer)
            }
            counts[network, default: 0] += 1
            guard !network.isOverlay || counts[network, default: 0] <= mostOfOverlay else {
                throw .tooMany(network)
            }
            peers.append(peer)
        }
        guard peers.count >= fewest else { throw .tooFew(peers.count) }
        return peers
    }

    /// Days since 1970-01-01 of a date as `YYYY-MM-DD`; nil for a day that no year has.
    static func day(_ text: String) -> Int? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2],
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
            year >= 1970, (1...12).contains(month), day >= 1
        else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard day <= lengths[month - 1] else { return nil }
        let before = year - 1
        let leapDays = before / 4 - before / 100 + before / 400
        let days = before * 365 + leapDays + lengths[..<(month - 1)].reduce(0, +) + day - 1
        // Days from the year 1 to 1970.
        return days - 719_162
    }
}

/// The lines of a list, each read once.
private struct ListLines {
    private let bytes: [UInt8]
    private var position = 0
    private(set) var number = 0
    /// The longest line that a list has.
    private static let longest = 128

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    private mutating func next() throws(SignedListError) -> String {
        number += 1
        let window = bytes[position...].prefix(ListLines.longest)
        guard let end = window.firstIndex(of: UInt8(ascii: "\n")),
            bytes[position..<end].allSatisfy({ (0x20...0x7E).contains($0) })
        else { throw .line(number) }
        defer { position = end + 1 }
        return String(decoding: bytes[position..<end], as: UTF8.self)
    }

    mutating func expect(_ line: String) throws(SignedListError) {
        guard try next() == line else { throw .line(number) }
    }

    /// What follows a word and a space.
    mutating func value(_ word: String) throws(SignedListError) -> String {
        let line = try next()
        guard line.hasPrefix(word + " "), line.utf8.count > word.utf8.count + 1 else {
            throw .line(number)
        }
        return String(line.dropFirst(word.count + 1))
    }
}

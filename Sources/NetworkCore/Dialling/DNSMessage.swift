import Wire

/// A question to a resolver and its answer (RFC 1035), as far as addresses of one name need it: the
/// body of DNS over HTTPS (RFC 8484), and of a datagram.
public enum DNSMessage {
    /// What is asked for.
    public enum RecordType: UInt16, CaseIterable, Hashable, Sendable {
        /// IPv4 addresses.
        case a = 1
        /// IPv6 addresses (RFC 3596).
        case aaaa = 28

        var addressLength: Int { self == .a ? 4 : 16 }
    }

    /// The longest answer that is looked at, as resolvers send them over HTTPS.
    public static let longestAnswer = 65535
    /// Addresses that are taken from one answer.
    public static let mostAddresses = 256
    /// The longest name in bytes, as it stands in a message (RFC 1035, 2.3.4).
    static let longestName = 255
    private static let longestLabel = 63

    /// The question, recursion desired. Over HTTPS the id is 0, so that answers can be cached.
    ///
    /// - Throws: `name` if it is none that a host can have.
    public static func question(
        _ name: String, _ type: RecordType, id: UInt16 = 0
    ) throws(DNSError) -> [UInt8] {
        var writer = Writer()
        writer.writeBigEndian(id)
        // Recursion desired; one question, nothing else.
        for number: UInt16 in [0x0100, 1, 0, 0, 0] { writer.writeBigEndian(number) }
        writer.write(try encoded(name))
        writer.writeBigEndian(type.rawValue)
        writer.writeBigEndian(UInt16(1))
        return writer.bytes
    }

    /// The labels of a host's name: letters, digits, hyphens and underscores.
    private static func encoded(_ name: String) throws(DNSError) -> [UInt8] {
        let text = name.hasSuffix(".") ? String(name.dropLast()) : name
        var bytes: [UInt8] = []
        for label in text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        {
            let isHost = label.allSatisfy {
                switch $0 {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
                default: false
                }
            }
            guard (1...longestLabel).contains(label.count), isHost else { throw .name(name) }
            bytes.append(UInt8(label.count))
            bytes += label
        }
        bytes.append(0)
        guard bytes.count <= longestName else { throw .name(name) }
        return bytes
    }

    /// The addresses in an answer to this question, 4 or 16 bytes each, in its order. Aliases are not
    /// followed from here: a resolver puts the records of the last name into the same answer, and
    /// those are taken.
    public static func addresses(
        in answer: [UInt8], to name: String, _ type: RecordType, id: UInt16 = 0
    ) throws(DNSError) -> [[UInt8]] {
        guard answer.count <= longestAnswer else { throw .malformed(position: longestAnswer) }
        let asked = try encoded(name)
        var reader = Reader(answer)
        do {
            let count = try readHeader(&reader, id: id)
            try readQuestion(&reader, asked, type)
            return try readAnswers(&reader, count, type)
        } catch let error as DNSError {
            throw error
        } catch {
            throw .malformed(position: reader.position)
        }
    }

    private static func readHeader(_ reader: inout Reader, id: UInt16) throws -> Int {
        guard try reader.readUInt16BigEndian() == id else { throw DNSError.otherQuestion }
        let flags = try reader.readUInt16BigEndian()
        // An answer, an ordinary query, not cut off.
        guard flags & 0x8000 != 0, flags & 0x7800 == 0 else { throw DNSError.otherQuestion }
        guard flags & 0x0200 == 0 else { throw DNSError.cutOff }
        let code = UInt8(flags & 0x000F)
        guard code == 0 else { throw DNSError.refused(code: code) }
        guard try reader.readUInt16BigEndian() == 1 else { throw DNSError.otherQuestion }
        let answers = Int(try reader.readUInt16BigEndian())
        _ = try reader.skip(4)
        return answers
    }

    private static func readQuestion(
        _ reader: inout Reader, _ asked: [UInt8], _ type: RecordType
    ) throws {
        let name = try reader.read(asked.count)
        let isSame = zip(name, asked).allSatisfy { lowercase($0) == lowercase($1) }
        guard isSame, try reader.readUInt16BigEndian() == type.rawValue,
            try reader.readUInt16BigEndian() == 1
        else { throw DNSError.otherQuestion }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    private static func readAnswers(
        _ reader: inout Reader, _ count: Int, _ type: RecordType
    ) throws -> [[UInt8]] {
        var addresses: [[UInt8]] = []
        for _ in 0..<count where addresses.count < mostAddresses {
            try skipName(&reader)
            let found = try reader.readUInt16BigEndian()
            let family = try reader.readUInt16BigEndian()
            _ = try reader.skip(4)
            let length = Int(try reader.readUInt16BigEndian())
            let data = try reader.read(length)
            guard found == type.rawValue, family == 1 else { continue }
            guard length == type.addressLength else {
                throw DNSError.malformed(position: reader.position - length)
            }
            addresses.append(data)
        }
        return addresses
    }

    /// Moves over a name. Where it points to is not followed, because nothing depends on it.
    private static func skipName(_ reader: inout Reader) throws {
        let start = reader.position
        while true {
            let length = Int(try reader.readUInt8())
            switch length {
            case 0: return
            case 1...longestLabel: _ = try reader.skip(length)
            case 0xC0...:
                _ = try reader.skip(1)
                return
            default: throw DNSError.malformed(position: reader.position - 1)
            }
            guard reader.position - start < longestName else {
                throw DNSError.malformed(position: start)
            }
        }
    }
}

/// Why a name has no addresses.
public enum DNSError: Error, Hashable, Sendable {
    /// No host can have this name.
    case name(String)
    /// The answer is damaged at this byte.
    case malformed(position: Int)
    /// The answer is to another question.
    case otherQuestion
    /// The answer did not fit.
    case cutOff
    /// The resolver's code, RFC 1035 4.1.1.
    case refused(code: UInt8)
}

extension DNSError: CustomStringConvertible {
    /// What is wrong.
    public var description: String {
        switch self {
        case .name: "no host can have this name"
        case .malformed(let position): "the resolver's answer is damaged at byte \(position)"
        case .otherQuestion: "the resolver answered another question"
        case .cutOff: "the resolver's answer was cut off"
        case .refused(2): "the resolver failed"
        case .refused(3): "there is no such name"
        case .refused(5): "the resolver refuses"
        case .refused(let code): "the resolver answered with code \(code)"
        }
    }
}

public import Bitcoin
public import Descriptors
public import JSON

/// What a program that watches takes from a pairing file: descriptors, and what the file says
/// besides.
///
/// Read are lines of descriptors with or without comments, lines of keys whose prefix says of which
/// scripts they are (SLIP-132's ypub, zpub, upub and vpub), Bitcoin Core's `listdescriptors` and
/// `importdescriptors`, and the generic JSON export. Which of them it is shows by its content.
public struct PairingFile: Hashable, Sendable {
    /// The longest file in bytes.
    public static let maximumLength = 1 << 20
    /// The most descriptors of a file.
    public static let maximumDescriptors = 256

    /// In the order of the file, each once.
    public private(set) var descriptors: [Descriptor] = []
    /// The name that the file gives the wallet.
    public private(set) var name: String?
    /// The earliest time at which the wallet may have been used, in seconds since 1970.
    public private(set) var birthday: UInt64?

    /// Reads a file. Throws what is wrong with it, and where.
    public init(_ bytes: [UInt8]) throws(PairingError) {
        guard bytes.count <= Self.maximumLength else { throw .tooLong(bytes.count) }
        let start = bytes.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        switch start.first {
        case nil: throw .nothing
        case UInt8(ascii: "{"): try read(json: bytes)
        // A list of objects, or a line that begins with a key's origin.
        case UInt8(ascii: "[") where !start.dropFirst(1).prefix(8).allSatisfy(\.isHexDigit):
            try read(json: bytes)
        default: try read(lines: bytes)
        }
        guard !descriptors.isEmpty else { throw .nothing }
    }

    private mutating func add(_ text: String, line: Int?) throws(PairingError) {
        let meant: String?
        do throws(PrefixedKeyError) { meant = try PrefixedKeys.descriptor(for: text) } catch {
            throw .key(line: line, error)
        }
        let descriptor: Descriptor
        do throws(DescriptorError) {
            descriptor = try Descriptor(meant ?? text)
        } catch {
            throw .descriptor(line: line, error)
        }
        guard !descriptors.contains(descriptor) else { return }
        guard descriptors.count < Self.maximumDescriptors else { throw .tooMany }
        descriptors.append(descriptor)
    }

    // MARK: Lines

    private mutating func read(lines bytes: [UInt8]) throws(PairingError) {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let text = String(decoding: line, as: UTF8.self).trimmed
            guard text.utf8.count <= line.count else { throw .notText(line: index + 1) }
            if text.isEmpty { continue }
            if text.first == "#" {
                note(String(text.dropFirst()).trimmed)
            } else {
                try add(text, line: index + 1)
            }
        }
    }

    /// A comment says nothing that matters for what is watched.
    private mutating func note(_ comment: String) {
        if let value = comment.value(of: "wallet") { name = value }
        if let value = comment.value(of: "birthday") { birthday = UInt64(value) }
    }

    // MARK: JSON

    private mutating func read(json bytes: [UInt8]) throws(PairingError) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(bytes)
        } catch {
            throw .json(error)
        }
        switch value {
        case .array(let entries): try read(core: entries)
        case .object(let members):
            name = value["wallet_name"]?.string ?? value["name"]?.string
            if case .array(let entries)? = value["descriptors"] {
                try read(core: entries)
            } else {
                for member in members {
                    guard let text = member.value["desc"]?.string else { continue }
                    try add(text, line: nil)
                }
            }
        default: throw .nothing
        }
    }

    private mutating func read(core entries: [JSONValue]) throws(PairingError) {
        var times: [UInt64] = []
        for entry in entries {
            guard let text = entry["desc"]?.string else { throw .noDescriptor }
            try add(text, line: nil)
            times.append(entry["timestamp"]?.integer.flatMap { UInt64(exactly: $0) } ?? 0)
        }
        birthday = times.min().flatMap { $0 > 1 ? $0 : nil }
    }
}

/// Why a pairing file cannot be used.
public enum PairingError: Error, Hashable, Sendable {
    /// More bytes than such a file has.
    case tooLong(Int)
    /// It is no JSON.
    case json(JSONError)
    /// A line is not text.
    case notText(line: Int)
    /// A descriptor is wrong; in JSON its line is not known.
    case descriptor(line: Int?, DescriptorError)
    /// An extended key does not say what to watch; in JSON its line is not known.
    case key(line: Int?, PrefixedKeyError)
    /// An entry of a list has none.
    case noDescriptor
    /// More descriptors than `PairingFile.maximumDescriptors`.
    case tooMany
    /// There is no descriptor in it.
    case nothing
}

extension PairingError: CustomStringConvertible {
    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .tooLong(let count):
            "\(count) bytes are too many for a pairing file (at most \(PairingFile.maximumLength))"
        case .json(let error): "\(error)"
        case .notText(let line): "line \(line) is not UTF-8 text"
        case .descriptor(let line?, let error): "line \(line): \(error)"
        case .descriptor(nil, let error): "a member \"desc\": \(error)"
        case .key(let line?, let error): "line \(line): \(error)"
        case .key(nil, let error): "a member \"desc\": \(error)"
        case .noDescriptor: "an entry of the list has no member \"desc\""
        case .tooMany: "more than \(PairingFile.maximumDescriptors) descriptors"
        case .nothing:
            "there is no descriptor in it; bulkhead pair export writes such a file, and so do "
                + "Bitcoin Core's listdescriptors and the JSON exports of other wallets"
        }
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        (0x30...0x39).contains(self) || (0x41...0x46).contains(self)
            || (0x61...0x66).contains(self)
    }
}

extension String {
    fileprivate var trimmed: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\r\n" }
        var rest = self[...]
        while let first = rest.first, isSpace(first) { rest.removeFirst() }
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return String(rest)
    }

    /// The rest of `name: value`.
    fileprivate func value(of name: String) -> String? {
        guard hasPrefix(name + ": ") else { return nil }
        let value = String(dropFirst(name.count + 2)).trimmed
        return value.isEmpty ? nil : value
    }
}

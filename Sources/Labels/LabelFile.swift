public import JSON

/// A file of labels, one JSON object a line (BIP329, "JSON Lines").
public enum LabelFile {
    /// The longest file in bytes.
    public static let maximumLength = 64 << 20
    /// The longest line in bytes.
    public static let maximumLine = 64 << 10

    /// A line that is left out, and why.
    public struct Problem: Hashable, Sendable {
        /// Counted from 1.
        public let line: Int
        /// What is wrong.
        public let reason: LabelError
    }

    /// The text of a file.
    public static func text(of labels: [Label]) -> String {
        labels.map { $0.json.line + "\n" }.joined()
    }

    /// Reads a file: the labels in order, and the lines that are none. Whoever imports shows the
    /// problems first; nothing is repaired.
    ///
    /// - Parameter firstLine: what the first line counts as, where these are lines out of a file.
    public static func read(
        _ bytes: [UInt8], firstLine: UInt32 = 1
    ) throws(LabelError) -> (labels: [Label], problems: [Problem]) {
        guard bytes.count <= maximumLength else { throw .fileTooLong(bytes.count) }
        var labels: [Label] = []
        var problems: [Problem] = []
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (place, line) in lines.enumerated() {
            if line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { continue }
            do throws(LabelError) {
                labels.append(try Label(line: line))
            } catch {
                problems.append(Problem(line: Int(firstLine) + place, reason: error))
            }
        }
        return (labels, problems)
    }
}

/// Why a file or a line holds no labels.
public enum LabelError: Error, Hashable, Sendable {
    /// The file is longer than `LabelFile.maximumLength`.
    case fileTooLong(Int)
    /// The line is longer than `LabelFile.maximumLine`.
    case lineTooLong(Int)
    /// The line is no JSON object.
    case json(JSONError)
    /// The line is JSON, but no object.
    case noObject
    /// A member is missing or of the wrong kind.
    case member(String)
    /// The reference is none of that type.
    case reference(type: String)
    /// More Unicode scalars than `Label.maximumLength`.
    case textTooLong(Int)
}

extension LabelError: CustomStringConvertible {
    /// What is wrong.
    public var description: String {
        switch self {
        case .fileTooLong(let count):
            "\(count) bytes are too many (at most \(LabelFile.maximumLength)): split the file"
        case .lineTooLong: "the line is longer than \(LabelFile.maximumLine) bytes"
        case .json(let error): "\(error)"
        case .noObject: "it is no JSON object"
        case .member(let name): "the member \"\(name)\" is missing or of another kind"
        case .reference(let type): "its reference is no \"\(type)\""
        case .textTooLong(let count):
            "a label of \(count) characters is too long (at most \(Label.maximumLength))"
        }
    }
}

extension Label {
    /// Reads one line.
    init(line: ArraySlice<UInt8>) throws(LabelError) {
        guard line.count <= LabelFile.maximumLine else { throw .lineTooLong(line.count) }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(Array(line))
        } catch {
            throw .json(error)
        }
        guard case .object(var members) = value else { throw .noObject }
        let type = try Label.take("type", from: &members, { $0.string })
        let ref = try Label.take("ref", from: &members, { $0.string })
        guard let type else { throw .member("type") }
        guard let ref else { throw .member("ref") }
        guard let subject = Subject(type: type, ref: ref) else { throw .reference(type: type) }
        let text = try Label.take("label", from: &members, { $0.string })
        if let text, text.unicodeScalars.count > Label.maximumLength {
            throw .textTooLong(text.unicodeScalars.count)
        }
        var origin: String?
        if type == "tx" { origin = try Label.take("origin", from: &members, { $0.string }) }
        var isSpendable: Bool?
        if type == "output" {
            isSpendable = try Label.take("spendable", from: &members) {
                if case .bool(let value) = $0 { value } else { nil }
            }
        }
        self.init(subject, text: text, origin: origin, isSpendable: isSpendable, rest: members)
    }

    private static func take<Value>(
        _ name: String, from members: inout [JSONValue.Member], _ read: (JSONValue) -> Value?
    ) throws(LabelError) -> Value? {
        guard let place = members.firstIndex(where: { $0.name == name }) else { return nil }
        guard let value = read(members.remove(at: place).value) else { throw .member(name) }
        return value
    }

    /// The object of its line.
    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("type", .string(subject.type)), .init("ref", .string(subject.ref)),
        ]
        if let text { members.append(.init("label", .string(text))) }
        if let origin { members.append(.init("origin", .string(origin))) }
        if let isSpendable { members.append(.init("spendable", .bool(isSpendable))) }
        return .object(members + rest)
    }
}

import Foundation
import Wire

extension Fixture {
    /// A JSON file below `Tests/Vectors` whose rows have no fixed form.
    public static func json(_ path: String) throws -> JSON {
        try JSON(parsing: bytes(path), name: path)
    }

    /// The lines of a text file below `Tests/Vectors` that are not empty.
    public static func lines(_ path: String) throws -> [String] {
        String(decoding: try bytes(path), as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

/// A JSON value that throws where a fixture has not the expected form, so that no case is skipped.
public struct JSON: @unchecked Sendable {
    private let value: Any
    /// Where in which file, for messages.
    public let path: String

    /// What a fixture should hold and does not.
    public struct Mismatch: Error, CustomStringConvertible {
        /// One sentence: where and what.
        public let description: String
    }

    private init(_ value: Any, _ path: String) {
        self.value = value
        self.path = path
    }

    /// Parses a text.
    public init(parsing bytes: [UInt8], name: String) throws {
        value = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
        path = name
    }

    private func cast<T>(_ type: T.Type) throws -> T {
        guard let value = value as? T else { throw Mismatch(description: "\(path) is no \(type)") }
        return value
    }

    /// The member `key` of an object; an error if there is none.
    public subscript(key: String) -> JSON {
        get throws {
            guard let member = try cast([String: Any].self)[key] else {
                throw Mismatch(description: "\(path) has no \(key)")
            }
            return JSON(member, "\(path).\(key)")
        }
    }

    /// The member `key` of an object; nil if there is none or it is null.
    public func optional(_ key: String) throws -> JSON? {
        let member = try cast([String: Any].self)[key]
        guard let member, !(member is NSNull) else { return nil }
        return JSON(member, "\(path).\(key)")
    }

    /// The element at `index` of an array; an error if there is none.
    public subscript(index: Int) -> JSON {
        get throws {
            let elements = try array
            guard elements.indices.contains(index) else {
                throw Mismatch(description: "\(path) has \(elements.count) elements")
            }
            return elements[index]
        }
    }

    /// The members of an object, by name.
    public var members: [(key: String, value: JSON)] {
        get throws {
            try cast([String: Any].self).sorted { $0.key < $1.key }
                .map { ($0.key, JSON($0.value, "\(path).\($0.key)")) }
        }
    }

    /// The elements of an array.
    public var array: [JSON] {
        get throws {
            try cast([Any].self).enumerated().map { JSON($0.element, "\(path)[\($0.offset)]") }
        }
    }

    /// A text.
    public var string: String { get throws { try cast(String.self) } }

    /// A whole number.
    public var int: Int { get throws { try cast(Int.self) } }

    /// A number.
    public var double: Double { get throws { try cast(Double.self) } }

    /// True or false.
    public var bool: Bool { get throws { try cast(Bool.self) } }

    /// Whether it is null.
    public var isNull: Bool { value is NSNull }

    /// The bytes of a hexadecimal text.
    public var hex: [UInt8] { get throws { try Hex.decode(string) } }
}

import Foundation
import Wire

/// Reads the test vectors of `Tests/Vectors`.
public enum Fixture {
    /// Decodes a JSON file below `Tests/Vectors`, such as `"bip32/vectors.json"`.
    public static func load<Value: Decodable>(
        _ path: String, as type: Value.Type = Value.self
    ) throws -> Value {
        try JSONDecoder().decode(type, from: data(path))
    }

    /// The bytes of a file below `Tests/Vectors`.
    public static func bytes(_ path: String) throws -> [UInt8] { [UInt8](try data(path)) }

    /// Where a file below `Tests/Vectors` is.
    public static func path(_ path: String) -> String {
        let tests = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
        return tests.appendingPathComponent("Vectors/" + path).path
    }

    private static func data(_ path: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: self.path(path)))
    }
}

/// A byte string that stands as hexadecimal digits in a JSON file.
public struct HexBytes: Decodable, Hashable, Sendable {
    /// The bytes.
    public let bytes: [UInt8]

    /// Decodes the digits of a JSON string.
    public init(from decoder: any Decoder) throws {
        bytes = try Hex.decode(decoder.singleValueContainer().decode(String.self))
    }
}

extension Settings {
    /// The longest configuration file, in bytes.
    public static let largestFile = 65_536

    /// Takes the settings of a configuration file's text.
    ///
    /// One `key = value` a line; empty lines and lines that start with `#` say nothing.
    public mutating func read(file: String, bytes: [UInt8]) throws(FileError) {
        guard bytes.count <= Settings.largestFile else {
            throw FileError(file: file, line: 1, problem: .tooLong(limit: Settings.largestFile))
        }
        var setOnLine: [Setting: Int] = [:]
        let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
        for (number, line) in zip(1..., lines) {
            do throws(FileError.Problem) {
                guard let (setting, value) = try parse(line) else { continue }
                if let earlier = setOnLine.updateValue(number, forKey: setting) {
                    throw .repeatedKey(setting.rawValue, firstLine: earlier)
                }
                do throws(BadValue) {
                    try set(setting, to: value)
                } catch {
                    throw .badValue(key: setting.rawValue, error)
                }
            } catch {
                throw FileError(file: file, line: number, problem: error)
            }
        }
    }

    private func parse(
        _ line: ArraySlice<UInt8>
    ) throws(FileError.Problem) -> (Setting, String)? {
        guard let text = String(validating: line, as: UTF8.self) else { throw .notUTF8 }
        let trimmed = text.trimmed
        guard !trimmed.isEmpty, !trimmed.hasPrefix("#") else { return nil }
        let parts = trimmed.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw .notKeyAndValue(String(trimmed)) }

        let key = String(parts[0].trimmed)
        guard let setting = Setting(rawValue: key) else {
            let keys = Setting.allCases.filter(\.isAllowedInFile).map(\.rawValue)
            throw .unknownKey(key, nearest: keys.nearest(to: key), allowed: keys)
        }
        guard setting.isAllowedInFile else { throw .onlyAsFlag(key) }
        return (setting, String(parts[1].trimmed))
    }
}

extension StringProtocol {
    /// Without the spaces, tabs and carriage returns at both ends.
    var trimmed: Substring {
        let isSpace = { (character: Character) in [" ", "\t", "\r", "\r\n"].contains(character) }
        let start = Substring(self).drop(while: isSpace)
        return start.prefix(start.lastIndex { !isSpace($0) }.map { start[...$0].count } ?? 0)
    }
}

/// What is wrong with a configuration file, and where.
public struct FileError: Error, Equatable, CustomStringConvertible {
    /// The file's path.
    public let file: String
    /// The line, from 1.
    public let line: Int
    /// What is wrong with it.
    public let problem: Problem

    /// What is wrong with a line.
    public enum Problem: Error, Equatable {
        case tooLong(limit: Int)
        case notUTF8
        case notKeyAndValue(String)
        case unknownKey(String, nearest: String?, allowed: [String])
        case onlyAsFlag(String)
        case repeatedKey(String, firstLine: Int)
        case badValue(key: String, BadValue)
    }

    /// The sentence for a person.
    public var description: String { "\(file), line \(line): \(problem)" }
}

extension FileError.Problem: CustomStringConvertible {
    /// The sentence for a person.
    public var description: String {
        switch self {
        case .tooLong(let limit): "the file is longer than \(limit) bytes"
        case .notUTF8: "the line is not UTF-8"
        case .notKeyAndValue(let text): "expected key = value, found \(quoted(text))"
        case .unknownKey(let key, let nearest?, _):
            "unknown key \(quoted(key)); did you mean \(nearest)?"
        case .unknownKey(let key, nil, let allowed):
            "unknown key \(quoted(key)); allowed: \(allowed.joined(separator: ", "))"
        case .onlyAsFlag(let key): "\(key) can only be given as a flag, --\(key)"
        case .repeatedKey(let key, let first): "\(key) is already set on line \(first)"
        case .badValue(let key, let problem): "\(key): \(problem)"
        }
    }
}

import CDrill
import Glibc

/// C strings and byte arrays of the goals, which Swift sees as tuples.
extension World {
    func text<Field>(_ field: KeyPath<drill_goals, Field>) -> String {
        withUnsafeBytes(of: goals[keyPath: field]) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    func bytes<Canary>(_ canary: KeyPath<drill_canaries, Canary>) -> [UInt8] {
        withUnsafeBytes(of: canaries[keyPath: canary]) { Array($0) }
    }

    func set<Field>(_ field: WritableKeyPath<drill_goals, Field>, _ text: String) {
        Self.fill(&goals[keyPath: field], with: text)
    }

    static func fill<Field>(_ field: inout Field, with text: String) {
        withUnsafeMutableBytes(of: &field) { buffer in
            precondition(text.utf8.count < buffer.count)
            for index in buffer.indices { buffer[index] = 0 }
            buffer.copyBytes(from: text.utf8)
        }
    }

    /// Whether a process runs; one that nobody has reaped yet does not.
    static func isAlive(_ pid: pid_t) -> Bool {
        guard let file = fopen("/proc/\(pid)/stat", "r") else { return false }
        defer { fclose(file) }
        // The state follows the name, which stands in parentheses.
        let fields = firstLine(of: file).split(separator: ")").last?.split(separator: " ")
        return fields?.first != "Z"
    }

    /// Runs a program of the system and waits for it; whether it succeeded.
    @discardableResult
    static func run(_ words: String...) -> Bool {
        var pid: pid_t = 0
        let argv = words.map { strdup($0) } + [nil]
        defer { for word in argv { free(word) } }
        guard posix_spawnp(&pid, words[0], nil, nil, argv, environ) == 0 else { return false }
        var status: Int32 = -1
        return waitpid(pid, &status, 0) == pid && status == 0
    }
}

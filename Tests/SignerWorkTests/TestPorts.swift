import Messages
import SecretMemory
import SignerWork
import StateFiles
import Vault

/// The ports of a worker, over arrays.
final class TestPorts: WorkPorts {
    private let state: [StateFile: [UInt8]]
    private var secrets: [UInt8]?
    private var input: [UInt8]
    private var written: [UInt8] = []
    private var fed: [(StateFile, [UInt8])]
    private var current: [UInt8] = []
    private var open: StateFile?
    /// Files written aside, and new keys.
    private(set) var staged: [StateFile: [UInt8]] = [:]

    init(_ machine: TestMachine, _ fields: [SecretFields.Tag: String], _ input: [UInt8]) {
        state = machine.state
        secrets = fields.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { tag, text in
            let bytes = Array(text.utf8)
            return [tag.rawValue, UInt8(bytes.count & 0xFF), UInt8(bytes.count >> 8)] + bytes
        }
        self.input = input
        fed = state.filter { $0.key.isLarge }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The output as fields, where it is that.
    func fields() throws -> [SecretFields.Tag: String] {
        guard !written.isEmpty else { return [:] }
        let bytes = written
        let read = try SecretFields(SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes) })
        var fields: [SecretFields.Tag: String] = [:]
        for tag in read.tags {
            guard let value = read.copy(tag) else { continue }
            fields[tag] = value.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }
        return fields
    }

    func readDeviceKey() throws(PortFailure) -> SecretBytes { try key(.deviceKey) }

    func readIndexKey() throws(PortFailure) -> SecretBytes { try key(.indexKey) }

    private func key(_ file: StateFile) throws(PortFailure) -> SecretBytes {
        guard let bytes = state[file] else { throw .notThere }
        return SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    func writeNewKey(_ file: StateFile, _ key: borrowing SecretBytes) throws(PortFailure) {
        staged[file] = key.withUnsafeBytes { Array($0) }
    }

    func readSecrets() throws(PortFailure) -> SecretBytes {
        guard let bytes = secrets else { throw .notThere }
        secrets = nil
        return SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    func writeOutput(_ bytes: UnsafeRawBufferPointer) throws(PortFailure) { written += bytes }

    func readInput(into buffer: UnsafeMutableRawBufferPointer) throws(PortFailure) -> Int {
        take(from: &input, into: buffer)
    }

    func nextFedFile() throws(PortFailure) -> (file: StateFile, size: UInt64)? {
        guard !fed.isEmpty else { return nil }
        let (file, bytes) = fed.removeFirst()
        current = bytes
        return (file, UInt64(bytes.count))
    }

    func readFed(into buffer: UnsafeMutableRawBufferPointer) throws(PortFailure) -> Int {
        take(from: &current, into: buffer)
    }

    private func take(
        from bytes: inout [UInt8], into buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
        let count = min(bytes.count, buffer.count)
        buffer.copyBytes(from: bytes[..<count])
        bytes.removeFirst(count)
        return count
    }

    func beginStaged(_ file: StateFile) throws(PortFailure) {
        open = file
        staged[file] = []
    }

    func writeStaged(_ bytes: UnsafeRawBufferPointer) throws(PortFailure) {
        guard let open else { throw .notThere }
        staged[open, default: []] += bytes
    }

    func endStaged() throws(PortFailure) { open = nil }
}

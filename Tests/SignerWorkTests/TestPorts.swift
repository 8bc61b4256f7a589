import Messages
import SecretMemory
import SignerWork
import StateFiles
import Vault

/// The ports of a worker, over arrays. They give a few bytes at a time.
final class TestPorts: WorkPorts {
    private let state: [StateFile: [UInt8]]
    private var secrets: [UInt8]?
    private var input: [UInt8]?
    private var fed: [(StateFile, [UInt8])]
    private var current: [UInt8] = []
    private var open: StateFile?
    /// The output.
    private(set) var written: [UInt8] = []
    /// So many bytes of output are taken, and then its reader is gone.
    var outputLimit = Int.max
    /// Files written aside, and new keys.
    private(set) var staged: [StateFile: [UInt8]] = [:]

    private static let pieceCount = 10_007

    init(
        _ state: [StateFile: [UInt8]], feeding files: [StateFile], _ fields: TestMachine.Fields?,
        _ input: [UInt8]?
    ) {
        self.state = state
        secrets = fields?.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { tag, text in
            let bytes = Array(text.utf8)
            return [tag.rawValue, UInt8(bytes.count & 0xFF), UInt8(bytes.count >> 8)] + bytes
        }
        self.input = input
        fed = files.compactMap { file in state[file].map { (file, $0) } }
    }

    func readDeviceKey() throws(PortFailure) -> SecretBytes {
        hasReadSecrets = true
        return try key(.deviceKey)
    }

    func readIndexKey() throws(PortFailure) -> SecretBytes { try key(.indexKey) }

    func closeIndexKey() { onIndexKeyClosed() }

    /// Called when nothing is read of the index key any more.
    var onIndexKeyClosed: () -> Void = {}
    /// What was given to the broker as a signed file.
    private(set) var given: [UInt8] = []
    /// Whether the device key or the secrets were read.
    private(set) var hasReadSecrets = false

    func giveFile(_ bytes: UnsafeRawBufferPointer) throws(PortFailure) { given += bytes }

    private func key(_ file: StateFile) throws(PortFailure) -> SecretBytes {
        guard let bytes = state[file] else { throw .notThere }
        return SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    func writeNewKey(_ file: StateFile, _ key: borrowing SecretBytes) throws(PortFailure) {
        staged[file] = key.withUnsafeBytes { Array($0) }
    }

    func readSecrets() throws(PortFailure) -> SecretBytes {
        guard let bytes = secrets else { throw .notThere }
        hasReadSecrets = true
        secrets = nil
        return SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    var hasWritten: Bool { !written.isEmpty }

    func writeOutput(_ bytes: UnsafeRawBufferPointer) throws(PortFailure) {
        written += bytes.prefix(outputLimit - written.count)
        guard written.count < outputLimit else { throw .ended }
    }

    func readInput(into buffer: UnsafeMutableRawBufferPointer) throws(PortFailure) -> Int {
        guard var bytes = input else { throw .notThere }
        defer { input = bytes }
        return take(from: &bytes, into: buffer)
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
        let count = min(bytes.count, buffer.count, TestPorts.pieceCount)
        buffer.copyBytes(from: bytes[..<count])
        bytes.removeFirst(count)
        return count
    }

    func beginStaged(_ file: StateFile) throws(PortFailure) {
        guard staged[file] == nil else { throw .failed("\(file) was staged already") }
        open = file
        staged[file] = []
    }

    func writeStaged(_ bytes: UnsafeRawBufferPointer) throws(PortFailure) {
        guard let open else { throw .notThere }
        staged[open, default: []] += bytes
    }

    func endStaged() throws(PortFailure) { open = nil }
}

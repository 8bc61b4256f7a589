import LinuxIO
import SecretMemory
import SignerWork
import StateFiles
import Wire

/// A worker's ports over its descriptors.
final class DescriptorPorts: WorkPorts {
    private var ends: WorkerEnds
    private let secretPace: TransferPace
    private let outputPace = TransferPace(DescriptorPorts.patience)
    private let inputPace = TransferPace(DescriptorPorts.patience)
    private var secretsAreRead = false
    private(set) var hasWritten = false
    /// Bytes that the file under way still has.
    private var fedLeft: UInt64 = 0
    private var feedIsOver = false

    /// The most that secrets take together.
    static let longestSecrets = 8 << 10
    /// How long nothing may move at the broker's ends before the worker gives up; and the time in which
    /// 64 KiB of the person's input or output must move.
    static let patience = Duration.seconds(60)

    init(_ ends: WorkerEnds, secretTime: Duration) {
        self.ends = ends
        secretPace = TransferPace(secretTime)
    }

    // MARK: Keys

    func readDeviceKey() throws(PortFailure) -> SecretBytes { try readKey(ends.deviceKey) }

    func readIndexKey() throws(PortFailure) -> SecretBytes { try readKey(ends.indexKey) }

    func closeIndexKey() {
        guard let number = ends.indexKey else { return }
        _ = FileDescriptor(owning: number)
        ends.indexKey = nil
    }

    private func readKey(_ number: Int32?) throws(PortFailure) -> SecretBytes {
        guard let number else { throw .notThere }
        return try SecretBytes(count: StateFile.deviceKey.limit) { buffer throws(PortFailure) in
            let count: Int
            do throws(Errno) {
                count = try Kernel.read(number, at: 0, into: buffer)
            } catch {
                throw .failed("\(error)")
            }
            guard count == buffer.count else { throw .ended }
        }
    }

    func writeNewKey(_ file: StateFile, _ key: borrowing SecretBytes) throws(PortFailure) {
        let number = file == .deviceKey ? ends.newDeviceKey : ends.newIndexKey
        let pipe = try WorkerPipe(number, patience: Self.patience)
        try key.withUnsafeBytes { bytes throws(PortFailure) in
            try pipe.write(bytes, inPartsOf: bytes.count)
        }
    }

    // MARK: The person's ends

    func readSecrets() throws(PortFailure) -> SecretBytes {
        let pipe = try WorkerPipe(ends.secrets, pace: secretPace)
        guard !secretsAreRead else { throw .notThere }
        secretsAreRead = true
        return try SecretBytes(capacity: Self.longestSecrets + 1) { buffer throws(PortFailure) in
            let count = try pipe.readAll(into: buffer)
            guard count < buffer.count else { throw .tooLong }
            guard count > 0 else { throw .ended }
            return count
        }
    }

    func writeOutput(_ bytes: UnsafeRawBufferPointer) throws(PortFailure) {
        let pipe = try WorkerPipe(ends.output, pace: outputPace)
        hasWritten = true
        try pipe.write(bytes, inPartsOf: ends.outputIsPipe ? 4 << 10 : 64 << 10)
    }

    func giveFile(_ bytes: UnsafeRawBufferPointer) throws(PortFailure) {
        try WorkerPipe(ends.file, patience: Self.patience).write(bytes, inPartsOf: 4 << 10)
    }

    func readInput(into buffer: UnsafeMutableRawBufferPointer) throws(PortFailure) -> Int {
        try WorkerPipe(ends.input, pace: inputPace).readSome(into: buffer)
    }

    // MARK: What the broker feeds

    func nextFedFile() throws(PortFailure) -> (file: StateFile, size: UInt64)? {
        guard !feedIsOver else { return nil }
        let pipe = try WorkerPipe(ends.feed, patience: Self.patience)
        try skipFed(pipe)
        let length = Int(try pipe.read(1)[0])
        guard length > 0 else {
            feedIsOver = true
            return nil
        }
        var header = Reader(try pipe.read(length + 8))
        guard let path = try? header.read(length), let size = try? header.readUInt64(),
            let file = StateFile(path: String(decoding: path, as: UTF8.self))
        else { throw .failed("what was fed has no name") }
        fedLeft = size
        return (file, size)
    }

    private func skipFed(_ pipe: WorkerPipe) throws(PortFailure) {
        while fedLeft > 0 {
            let part = min(fedLeft, 64 << 10)
            fedLeft -= UInt64(try pipe.read(Int(part)).count)
        }
    }

    func readFed(into buffer: UnsafeMutableRawBufferPointer) throws(PortFailure) -> Int {
        guard fedLeft > 0 else { return 0 }
        let pipe = try WorkerPipe(ends.feed, patience: Self.patience)
        let part = Int(min(fedLeft, UInt64(buffer.count)))
        let count = try pipe.readSome(
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<part]))
        guard count > 0 else { throw .ended }
        fedLeft -= UInt64(count)
        return count
    }

    // MARK: What the broker stages

    func beginStaged(_ file: StateFile) throws(PortFailure) {
        var header = Writer()
        file.encode(into: &header)
        try stage(header.bytes)
    }

    func writeStaged(_ bytes: UnsafeRawBufferPointer) throws(PortFailure) {
        guard !bytes.isEmpty else { return }
        try stage(Self.chunkHeader(bytes.count))
        try WorkerPipe(ends.stage, patience: Self.patience).write(bytes, inPartsOf: 4 << 10)
    }

    func endStaged() throws(PortFailure) { try stage(Self.chunkHeader(0)) }

    private static func chunkHeader(_ count: Int) -> [UInt8] {
        var header = Writer()
        header.write(UInt32(count))
        return header.bytes
    }

    private func stage(_ bytes: [UInt8]) throws(PortFailure) {
        let pipe = try WorkerPipe(ends.stage, patience: Self.patience)
        let result = bytes.withUnsafeBytes { buffer in
            Result { () throws(PortFailure) in try pipe.write(buffer, inPartsOf: 4 << 10) }
        }
        try result.get()
    }
}

import LinuxIO
import Messages

/// The file `ledger-head` in the network process's directory: the newest head of the signer's ledger.
///
/// It is replaced in one step. The file beside it, which a power cut may leave, is written over.
struct WitnessFile: ~Copyable {
    private static let name = "ledger-head"
    private static let temporaryName = "ledger-head.new"

    private let directory: FileDescriptor

    /// Keeps a head below an open directory.
    init(in directory: consuming FileDescriptor) { self.directory = directory }

    /// The head that is kept; nil if there is none, or if what is there is not as long as a head.
    borrowing func read() throws(Errno) -> LedgerWitness? {
        do throws(Errno) {
            let file = try Kernel.open(Self.name, in: directory, for: .reading)
            guard try Kernel.facts(of: file).isFile else { return nil }
            return LedgerWitness(
                try Kernel.read(file.number, at: 0, count: LedgerWitness.length + 1))
        } catch .noSuchFile {
            return nil
        }
    }

    /// Keeps a head; whatever fails, the one before is there.
    borrowing func keep(_ head: LedgerWitness) throws(Errno) {
        let file = try openTemporary()
        try Kernel.write(head.bytes, to: file, at: 0)
        try Kernel.flush(file)
        try Kernel.rename(Self.temporaryName, to: Self.name, in: directory)
        try Kernel.flush(directory)
    }

    private borrowing func openTemporary() throws(Errno) -> FileDescriptor {
        do throws(Errno) {
            return try Kernel.open(Self.temporaryName, in: directory, for: .creating)
        } catch .fileExists {
            return try Kernel.open(Self.temporaryName, in: directory, for: .writing)
        }
    }
}

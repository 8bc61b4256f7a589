public import SecretMemory
public import StateFiles

/// Why something could not be moved through a port.
public enum PortFailure: Error, Hashable, Sendable {
    /// Nobody handed over this end, or the plan of the request has none.
    case notThere
    /// It did not come or go in time, or hardly moved.
    case tooSlow
    /// More came than may.
    case tooLong
    /// It ended too early, or nobody takes what is written.
    case ended
    /// The kernel reported this error.
    case failed(String)
}

/// What a worker may read and write: the ends that its operation was given, and nothing else.
///
/// In the signer they are descriptors; in tests they are arrays.
public protocol WorkPorts: AnyObject {
    /// The 32 bytes of the device key, read anew each time.
    func readDeviceKey() throws(PortFailure) -> SecretBytes

    /// The 32 bytes of the index key, read anew each time.
    func readIndexKey() throws(PortFailure) -> SecretBytes

    /// Closes the descriptor of the index key, which nothing is read from any more.
    func closeIndexKey()

    /// Fills a new key file.
    func writeNewKey(_ file: StateFile, _ key: borrowing SecretBytes) throws(PortFailure)

    /// What comes through the pipe for secrets, to its end, at most 8 KiB; a second time nothing is
    /// there.
    func readSecrets() throws(PortFailure) -> SecretBytes

    /// Writes all of it to the output, which the person alone sees and must take at some pace.
    func writeOutput(_ bytes: UnsafeRawBufferPointer) throws(PortFailure)

    /// Gives a signed file to the broker.
    func giveFile(_ bytes: UnsafeRawBufferPointer) throws(PortFailure)

    /// Whether anything was written to the output, or begun to be.
    var hasWritten: Bool { get }

    /// Reads a part of the input, which must come at some pace; 0 at its end.
    func readInput(into buffer: UnsafeMutableRawBufferPointer) throws(PortFailure) -> Int

    /// The next large file that the broker feeds, and its bytes; nil after the last. What is left of
    /// the one before is skipped.
    func nextFedFile() throws(PortFailure) -> (file: StateFile, size: UInt64)?

    /// Reads a part of the file that is fed; 0 at its end.
    func readFed(into buffer: UnsafeMutableRawBufferPointer) throws(PortFailure) -> Int

    /// Begins to write a file aside; the change that adopts it makes it the file. One at a time,
    /// and each file once.
    func beginStaged(_ file: StateFile) throws(PortFailure)

    /// Writes all of it to the staged file that was begun last.
    func writeStaged(_ bytes: UnsafeRawBufferPointer) throws(PortFailure)

    /// Ends the staged file that was begun last.
    func endStaged() throws(PortFailure)
}

import Messages
import SecretMemory
import StateFiles

/// The large files of the state that come through a port, one after the other.
final class FedFiles {
    private let ports: any WorkPorts
    /// The file whose turn it is; nil before the first and behind the last.
    private var next: (file: StateFile, size: UInt64)?
    private var hasBegun = false
    /// Whether the reader of the file whose turn it is gave up before its end.
    private var isInside = false

    /// Pieces that files are moved in.
    static let pieceCount = 1 << 15

    init(_ ports: any WorkPorts) { self.ports = ports }

    /// The bytes of a file, if it is the one whose turn it is.
    ///
    /// - Throws: `diskUnread`.
    func size(of file: StateFile) throws(VaultRefusal) -> UInt64? {
        if !hasBegun { try advance() }
        hasBegun = true
        return next?.file == file ? next?.size : nil
    }

    /// Gives a file to `body`, piece by piece; gives nothing if it is not the one whose turn it is.
    ///
    /// - Throws: `diskUnread`, and what `body` throws.
    func read(
        _ file: StateFile, _ body: (UnsafeRawBufferPointer) throws(VaultRefusal) -> Void
    ) throws(VaultRefusal) {
        guard let size = try size(of: file) else { return }
        var piece = SecretBytes(count: FedFiles.pieceCount)
        var left = size
        isInside = true
        while left > 0 {
            let count = try fill(&piece)
            guard count > 0, count <= left else {
                throw .diskUnread("\(file) ended before its last byte")
            }
            left -= UInt64(count)
            try piece.withUnsafeBytes { bytes throws(VaultRefusal) in
                try body(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            }
        }
        try advance()
    }

    /// Goes on to the next file where `body` ended the last one early.
    ///
    /// - Throws: `diskUnread`.
    func skipRest() throws(VaultRefusal) {
        if isInside { try advance() }
    }

    /// Goes on behind a file, if it is the one whose turn it is.
    ///
    /// - Throws: `diskUnread`.
    func skip(_ file: StateFile) throws(VaultRefusal) {
        if try size(of: file) != nil { try advance() }
    }

    private func fill(_ piece: inout SecretBytes) throws(VaultRefusal) -> Int {
        do throws(PortFailure) {
            return try piece.withUnsafeMutableBytes { buffer throws(PortFailure) in
                try ports.readFed(into: buffer)
            }
        } catch {
            throw .diskUnread(error.reason)
        }
    }

    private func advance() throws(VaultRefusal) {
        isInside = false
        do throws(PortFailure) {
            next = try ports.nextFedFile()
        } catch {
            throw .diskUnread(error.reason)
        }
    }
}

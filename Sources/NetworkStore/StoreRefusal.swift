import Database
import NetworkCore

/// Why the files of the network process are not used. None of them was changed.
public enum StoreRefusal: Error, Hashable, Sendable {
    /// Another process has them.
    case inUse
    /// A newer version of this program wrote the file.
    case newer(file: String, found: Int64, known: Int64)
    /// The file is for another chain.
    case otherChain(file: String, found: String, expected: String)
    /// What a person entered can be read from neither of the two files that hold it.
    case lost([StoreProblem])
    /// The disk, or SQLite, refuses.
    case unusable(String)
}

/// What is wrong with a file, and why.
public struct StoreProblem: Hashable, Sendable {
    /// Its name in the network process's directory.
    public let file: String
    /// What is wrong, as a part of a sentence.
    public let reason: String
}

extension StoreRefusal: CustomStringConvertible {
    /// What is so, and what to do.
    public var description: String {
        switch self {
        case .inUse:
            "another process uses the network process's directory: end it, or give this instance "
                + "another --state-directory"
        case .newer(let file, let found, let known):
            "\(file) was written by a newer Bulkhead (version \(found) of its tables, this one knows "
                + "\(known)): start the newer one"
        case .otherChain(let file, let found, let expected):
            "\(file) is for \(found), not \(expected): each chain needs a state directory of its own"
        case .lost(let problems):
            "the watched wallets and labels cannot be read: "
                + problems.map { "\($0.file): \($0.reason)" }.joined(separator: "; ")
                + ". Move these files out of network/ in the state directory and keep them, then import "
                + "the wallets and labels again; the chain is kept"
        case .unusable(let reason): "the network process's directory cannot be used: \(reason)"
        }
    }
}

extension StoreFault {
    init(_ error: DatabaseError) {
        let text = "\(error)"
        switch error {
        case .noSpace:
            self.init(.noSpace, text + ": free some room; it goes on by itself then")
        case .disk, .noMemory, .refused:
            self.init(.device, text + "; it is tried again")
        case .damagedPage, .damaged, .tooBig:
            self.init(.damaged, text + "; the next start says what is made anew")
        }
    }
}

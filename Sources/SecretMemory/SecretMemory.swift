import Glibc

/// The pages that every secret of this process lies in: locked into memory, left out of core
/// dumps, emptied in a forked child, with an unreadable page at either side.
public enum SecretMemory {
    /// The bytes that all secrets of a process share.
    public static let capacity = 1 << 19

    /// Takes the pages and locks them. Call it before confinement, and again in a forked child:
    /// a lock is not inherited and what was in the pages is not either. A second call in one
    /// process only locks again.
    ///
    /// The first secret calls it where nobody has, and traps where it fails: a secret is never put
    /// into memory that may be swapped out.
    public static func prepare() throws(SecretMemoryError) {
        try SecretPool.withLock { pool throws(SecretMemoryError) in try pool.prepare() }
    }

    /// Fills memory from the kernel's generator.
    public static func fillWithRandomBytes(_ buffer: UnsafeMutableRawBufferPointer) {
        for start in stride(from: 0, to: buffer.count, by: 256) {
            let part = UnsafeMutableRawBufferPointer(
                rebasing: buffer[start..<min(start + 256, buffer.count)])
            guard let address = part.baseAddress, getentropy(address, part.count) == 0 else {
                preconditionFailure("the kernel gives no random bytes")
            }
        }
    }

    /// Overwrites memory with zeros in a way that a compiler cannot leave out.
    public static func wipe(_ buffer: UnsafeMutableRawBufferPointer) {
        guard let address = buffer.baseAddress else { return }
        explicit_bzero(address, buffer.count)
    }
}

/// Why secrets have no place.
public enum SecretMemoryError: Error, Hashable, Sendable {
    /// The kernel gives no pages.
    case cannotMap(errno: Int32)
    /// The kernel does not lock the pages; `RLIMIT_MEMLOCK` is below the need.
    case cannotLock(errno: Int32, needed: Int)
    /// The kernel does not keep the pages out of core dumps or forked children.
    case cannotAdvise(errno: Int32)
}

extension SecretMemoryError: CustomStringConvertible {
    /// One sentence: what failed, and what to do.
    public var description: String {
        switch self {
        case .cannotMap(let number): "no memory for secrets (error \(number))"
        case .cannotLock(let number, let needed):
            "memory for secrets cannot be locked (error \(number)): allow this user to lock "
                + "\(needed) bytes (ulimit -l, LimitMEMLOCK=)"
        case .cannotAdvise(let number):
            "memory for secrets cannot be kept out of core dumps (error \(number))"
        }
    }
}

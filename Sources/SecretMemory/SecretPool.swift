import Glibc

/// Hands out slots of the locked pages. Sizes are powers of two, so that a slot given back fits
/// the next secret of its size; the lists of free slots lie outside the pages.
struct SecretPool {
    private var start: UnsafeMutableRawPointer?
    private var used = 0
    /// Free offsets, by the exponent of the slot size.
    private var free = [[Int]](repeating: [], count: Int.bitWidth)

    /// The largest page of the machines this runs on (ARM64), and a multiple of all others.
    private static let pageSize = 1 << 16
    private static let smallestSlot = 64

    /// Threads exist in tests only, but there they share the pool.
    nonisolated(unsafe) private static let mutex: UnsafeMutablePointer<pthread_mutex_t> = {
        let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        return mutex
    }()
    nonisolated(unsafe) private static var shared = SecretPool()

    static func withLock<Result, Failure>(
        _ body: (inout SecretPool) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&shared)
    }

    /// How large a slot is for `count` bytes.
    static func slotSize(_ count: Int) -> Int {
        precondition(count >= 0 && count <= SecretMemory.capacity, "a secret of \(count) bytes")
        let size = max(count, smallestSlot)
        return 1 << (Int.bitWidth - (size - 1).leadingZeroBitCount)
    }

    mutating func prepare() throws(SecretMemoryError) {
        let start = if let start { start } else { try SecretPool.map() }
        self.start = start
        guard mlock(start, SecretMemory.capacity) == 0 else {
            throw .cannotLock(errno: errno, needed: SecretMemory.capacity)
        }
    }

    /// Maps the pages between two that nobody can touch.
    private static func map() throws(SecretMemoryError) -> UnsafeMutableRawPointer {
        let length = SecretMemory.capacity + 2 * pageSize
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        guard let region = mmap(nil, length, PROT_NONE, flags, -1, 0), region != MAP_FAILED else {
            throw .cannotMap(errno: errno)
        }
        let start = region + pageSize
        guard
            mmap(
                start, SecretMemory.capacity, PROT_READ | PROT_WRITE, flags | MAP_FIXED, -1, 0)
                == start
        else { throw .cannotMap(errno: errno) }
        for advice in [MADV_DONTDUMP, MADV_WIPEONFORK] {
            guard madvise(start, SecretMemory.capacity, Int32(advice)) == 0 else {
                throw .cannotAdvise(errno: errno)
            }
        }
        return start
    }

    /// Zeroed bytes, `slotSize(count)` of them.
    mutating func take(_ count: Int) -> UnsafeMutableRawPointer {
        let size = SecretPool.slotSize(count)
        if let offset = free[size.trailingZeroBitCount].popLast() {
            return base + offset
        }
        precondition(used + size <= SecretMemory.capacity, "the memory for secrets is full")
        let slot = base + used
        used += size
        return slot
    }

    /// Takes wiped bytes back.
    mutating func giveBack(_ slot: UnsafeMutableRawPointer, size: Int) {
        free[size.trailingZeroBitCount].append(slot - base)
    }

    private var base: UnsafeMutableRawPointer {
        mutating get {
            if start == nil {
                do throws(SecretMemoryError) {
                    try prepare()
                } catch {
                    preconditionFailure(error.description)
                }
            }
            guard let start else { preconditionFailure("prepared above") }
            return start
        }
    }
}

import Glibc

/// The memory that the PDF library works in: locked, left out of core dumps, wiped as a whole when a
/// document is done. One document at a time, on one thread.
///
/// The library asks for memory by two functions without a context, so the place is a global one.
enum PDFMemory {
    /// What one page takes, about ten times: nothing that is freed is used again.
    static let capacity = 2 << 20

    nonisolated(unsafe) private static var start: UnsafeMutableRawPointer?
    nonisolated(unsafe) private static var used = 0

    /// Takes the pages. Call it before confinement, which lets nothing be locked.
    static func prepare() throws(KitDocumentError) {
        guard start == nil else { return }
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        guard let pages = mmap(nil, capacity, PROT_READ | PROT_WRITE, flags, -1, 0),
            pages != MAP_FAILED
        else { throw .noMemory(errno: errno) }
        guard mlock(pages, capacity) == 0, madvise(pages, capacity, MADV_DONTDUMP) == 0 else {
            let number = errno
            munmap(pages, capacity)
            throw .noMemory(errno: number)
        }
        start = pages
    }

    /// Zeroed bytes, or nil when there are no more; aligned for every type of C.
    static func allocate(_ size: Int) -> UnsafeMutableRawPointer? {
        let rounded = (size + 15) & ~15
        guard let start, size >= 0, rounded <= capacity - used else { return nil }
        let place = start + used
        used += rounded
        return place
    }

    /// The bytes that the document took so far.
    static var taken: Int { used }

    /// Where the pages begin, once they are taken.
    static var firstByte: UnsafeMutableRawPointer? { start }

    /// Forgets everything that the library wrote.
    static func wipe() {
        guard let start else { return }
        explicit_bzero(start, used)
        used = 0
    }
}

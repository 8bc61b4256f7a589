import Glibc
import LinuxIO

/// What the drill tells an attacker of channels and hears from it: a page of memory that both see,
/// so that the attacker needs no system call for it under its walls.
final class Orders {
    enum Outcome: Int64 {
        case running
        /// The victim ended the channel.
        case ended
        /// The channel was still good when the attack was over.
        case kept
        /// The attacker ended the channel, or itself.
        case left
        /// The attack could not be made as it should have been.
        case unmade
    }

    private enum Word: Int {
        case ordered, taken, assault, milliseconds, frames, outcome
    }

    private static let length = 4096
    private let words: UnsafeMutablePointer<Int64>

    /// Memory that a forked child shares.
    convenience init() throws {
        try self.init(mapping: -1, flags: MAP_SHARED | MAP_ANONYMOUS)
    }

    /// Memory that whoever opens the same file shares.
    convenience init(file path: String, creating: Bool) throws {
        let number = open(path, O_RDWR | O_CLOEXEC | (creating ? O_CREAT : 0), 0o600)
        guard number >= 0 else { throw Errno(errno) }
        defer { close(number) }
        var facts = stat()
        if creating { ftruncate(number, Self.length) }
        guard fstat(number, &facts) == 0, facts.st_size == Self.length else { throw Errno(ENODATA) }
        try self.init(mapping: number, flags: MAP_SHARED)
    }

    private init(mapping number: Int32, flags: Int32) throws {
        let memory = mmap(nil, Self.length, PROT_READ | PROT_WRITE, flags, number, 0)
        guard let memory, memory != UnsafeMutableRawPointer(bitPattern: -1) else {
            throw Errno(errno)
        }
        words = memory.assumingMemoryBound(to: Int64.self)
    }

    deinit { munmap(words, Self.length) }

    private subscript(word: Word) -> Int64 {
        get { words[word.rawValue] }
        set { words[word.rawValue] = newValue }
    }

    // MARK: The drill's side

    func order(_ assault: Assault, milliseconds: Int) {
        self[.assault] = Int64(Assault.allCases.firstIndex(of: assault) ?? 0)
        self[.milliseconds] = Int64(milliseconds)
        self[.frames] = 0
        self[.outcome] = Outcome.running.rawValue
        self[.ordered] += 1
    }

    var outcome: Outcome {
        get { Outcome(rawValue: self[.outcome]) ?? .unmade }
        set { self[.outcome] = newValue.rawValue }
    }

    // MARK: The attacker's side

    var isPending: Bool { self[.ordered] != self[.taken] }
    var assault: Assault { Assault.allCases[Int(self[.assault])] }
    var time: Duration { .milliseconds(self[.milliseconds]) }
    func take() { self[.taken] = self[.ordered] }

    /// Frames that were sent, whole or in part.
    var frames: Int64 {
        get { self[.frames] }
        set { self[.frames] = newValue }
    }
}

/// An open descriptor with one owner, closed when its owner lets it go.
public struct FileDescriptor: ~Copyable, Sendable {
    /// The number by which the kernel knows it; valid as long as this value lives.
    ///
    /// Computed, because Swift 6.0.3 takes a value apart where another module reads a stored part of it.
    public var number: Int32 { value }

    private let value: Int32

    /// Takes over an open descriptor; from here on nobody else may close it.
    ///
    /// - Precondition: the number is not negative.
    public init(owning number: Int32) {
        precondition(number >= 0)
        value = number
    }

    /// Takes over a descriptor that a parent process promised, if it is open at all.
    public init?(inherited number: Int32) {
        guard Kernel.isOpen(number) else { return nil }
        self.init(owning: number)
    }

    deinit { Kernel.close(value) }

    /// Gives up ownership without closing; the caller owns the number now.
    public consuming func take() -> Int32 {
        let number = value
        discard self
        return number
    }

    /// Reads and writes on it return at once from now on; the setting belongs to the open file, so
    /// everyone who shares it sees it.
    public borrowing func setNonblocking(_ on: Bool = true) throws(Errno) {
        try Kernel.setNonblocking(number, on)
    }
}

extension FileDescriptor {
    /// Another descriptor of the same open file (close-on-exec). No confined process may ask for one.
    public borrowing func duplicate() throws(Errno) -> FileDescriptor {
        FileDescriptor(owning: try Kernel.duplicate(number))
    }
}

/// A descriptor that was passed to this process and waits in a table for who takes it; closed if
/// nobody does.
public final class PassedDescriptor {
    private var descriptor: FileDescriptor?

    /// Nil if nothing was passed.
    public init?(_ descriptor: consuming FileDescriptor?) {
        guard let descriptor = consume descriptor else { return nil }
        self.descriptor = consume descriptor
    }

    /// Gives it away; nil the second time.
    public func take() -> FileDescriptor? { descriptor.take() }
}

/// The two ends of a pipe, both close-on-exec and blocking.
///
/// Other modules take it apart by its functions: Swift 6.0.3 stops where they do it by its fields.
@frozen public struct Pipe: ~Copyable, Sendable {
    /// Where bytes come out.
    public var reading: FileDescriptor
    /// Where bytes go in.
    public var writing: FileDescriptor

    /// A new pipe.
    public init() throws(Errno) {
        let ends = try Kernel.pipe()
        reading = FileDescriptor(owning: ends.reading)
        writing = FileDescriptor(owning: ends.writing)
    }

    /// The writing end; the reading end is closed.
    ///
    /// A forked child takes its end with this and `take()`: a pipe of which only the number was read
    /// would be closed before the number is used.
    public consuming func onlyWriting() -> FileDescriptor { writing }

    /// Both ends by their numbers, which the caller owns now: for a plan that is kept over a fork.
    public consuming func take() -> (reading: Int32, writing: Int32) {
        let ends = (reading: reading.take(), writing: writing.take())
        return ends
    }

    /// The reading end; the writing end is closed.
    public consuming func onlyReading() -> FileDescriptor { reading }
}

import CLinux
import Glibc

/// Every call to the kernel that moves bytes, waits or ends a child.
///
/// Numbers go in and out here; ownership is `FileDescriptor`'s. A call that a signal interrupts is
/// made again. EBADF and EFAULT can only be mistakes of ours, so they stop the process.
public enum Kernel {
    /// How a nonblocking read or write went.
    public enum Transfer: Hashable, Sendable {
        /// That many bytes were moved, at least one.
        case moved(Int)
        /// Nothing can be moved now; wait for the descriptor to become ready.
        case wouldBlock
        /// The other end is closed: nothing will ever come (or go) any more.
        case ended
    }

    // MARK: Bytes

    /// `read`: at most as many bytes as the buffer holds.
    ///
    /// - Precondition: the buffer is not empty.
    public static func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
    ) throws(Errno) -> Transfer {
        precondition(!buffer.isEmpty)
        return try transfer { Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
    }

    /// `write`: as many of the bytes as fit now.
    ///
    /// - Precondition: the buffer is not empty, and SIGPIPE is ignored (`ignoreBrokenPipes`).
    public static func write(
        _ descriptor: Int32, _ buffer: UnsafeRawBufferPointer
    ) throws(Errno) -> Transfer {
        precondition(!buffer.isEmpty)
        return try transfer { Glibc.write(descriptor, buffer.baseAddress, buffer.count) }
    }

    /// What `receive` found beside the bytes.
    public enum Arrival: Hashable, Sendable {
        /// Bytes only.
        case nothing
        /// An open descriptor that the caller owns from here on.
        case descriptor(Int32)
        /// More than the one descriptor that can be allowed; all of it is closed.
        case unwelcome
    }

    /// `recvmsg`: bytes and at most one descriptor from a local socket.
    ///
    /// The bytes end with those that the descriptor was attached to.
    ///
    /// - Precondition: the buffer is not empty.
    public static func receive(
        _ socket: Int32, into buffer: UnsafeMutableRawBufferPointer
    ) throws(Errno) -> (transfer: Transfer, arrival: Arrival) {
        precondition(!buffer.isEmpty)
        var found = linux_arrival(descriptor: -1, unwelcome: 0)
        let moved = try transfer {
            linux_receive(socket, buffer.baseAddress, buffer.count, &found)
        }
        if found.unwelcome != 0 { return (moved, .unwelcome) }
        return (moved, found.descriptor < 0 ? .nothing : .descriptor(found.descriptor))
    }

    /// `sendmsg`: as many of the bytes as fit now, the descriptor attached to the first of them.
    ///
    /// If anything was moved, the descriptor was.
    ///
    /// - Precondition: the buffer is not empty.
    public static func send(
        _ socket: Int32, _ buffer: UnsafeRawBufferPointer, passing descriptor: Int32
    ) throws(Errno) -> Transfer {
        precondition(!buffer.isEmpty)
        return try transfer {
            linux_send_descriptor(socket, buffer.baseAddress, buffer.count, descriptor)
        }
    }

    private static func transfer(_ call: () -> Int) throws(Errno) -> Transfer {
        do throws(Errno) {
            let count = try retrying(call)
            return count == 0 ? .ended : .moved(count)
        } catch {
            switch error {
            case .wouldBlock: return .wouldBlock
            case .brokenPipe, .connectionReset: return .ended
            default: throw error
            }
        }
    }

    // MARK: Descriptors

    static func close(_ descriptor: Int32) {
        // Linux has closed the descriptor even where it reports EINTR or EIO, so once is enough.
        _ = Glibc.close(descriptor)
    }

    /// Whether the number stands for an open descriptor.
    public static func isOpen(_ descriptor: Int32) -> Bool { linux_is_open(descriptor) != 0 }

    static func setNonblocking(_ descriptor: Int32, _ on: Bool) throws(Errno) {
        _ = try retrying { linux_set_nonblocking(descriptor, on ? 1 : 0) }
    }

    static func duplicate(_ descriptor: Int32) throws(Errno) -> Int32 {
        try retrying { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
    }

    static func pipe() throws(Errno) -> (reading: Int32, writing: Int32) {
        var ends: (Int32, Int32) = (-1, -1)
        _ = try retrying {
            withUnsafeMutableBytes(of: &ends) { buffer in
                linux_pipe(buffer.assumingMemoryBound(to: Int32.self).baseAddress)
            }
        }
        return (ends.0, ends.1)
    }

    /// Whether it is a pipe or FIFO (`fstat`).
    public static func isPipe(_ descriptor: Int32) throws(Errno) -> Bool {
        try retrying { linux_is_pipe(descriptor) } == 1
    }

    /// Whether it is a pipe, a FIFO or an ordinary file (`fstat`).
    public static func isPipeOrFile(_ descriptor: Int32) throws(Errno) -> Bool {
        try retrying { linux_is_pipe_or_file(descriptor) } == 1
    }

    /// Whether it was opened for reading (`F_GETFL`).
    public static func isReadable(_ descriptor: Int32) throws(Errno) -> Bool {
        try retrying { linux_is_readable(descriptor) } == 1
    }

    /// Whether it was opened for writing (`F_GETFL`).
    public static func isWritable(_ descriptor: Int32) throws(Errno) -> Bool {
        try retrying { linux_is_writable(descriptor) } == 1
    }

    /// Renames a file where nothing has the new name yet (`renameat2`).
    ///
    /// - Throws: `fileExists`; `invalidArgument` on a file system that cannot do it.
    public static func renameNew(_ from: String, to: String) throws(Errno) {
        _ = try retrying { linux_rename_new(from, to) }
    }

    /// Whether it is a socket (`fstat`).
    public static func isSocket(_ descriptor: Int32) throws(Errno) -> Bool {
        try retrying { linux_is_socket(descriptor) } == 1
    }

    /// Closes every descriptor in the range; numbers that are not open do not matter.
    ///
    /// - Precondition: no `FileDescriptor` in the range lives on, or the process ends before it dies.
    public static func closeAll(in range: ClosedRange<UInt32>) throws(Errno) {
        _ = try retrying { linux_close_range(range.lowerBound, range.upperBound) }
    }

    /// A connection waiting at a listening socket, nonblocking; nil if none is waiting.
    public static func accept(_ listener: Int32) throws(Errno) -> FileDescriptor? {
        do throws(Errno) {
            return FileDescriptor(owning: try retrying { linux_accept(listener) })
        } catch {
            // A client that gave up while it waited is no failure of the listener.
            guard error == .wouldBlock || error == .connectionAborted else { throw error }
            return nil
        }
    }

    /// Who connected, as the kernel recorded it (SO_PEERCRED).
    public static func peer(of socket: Int32) throws(Errno) -> Peer {
        var peer = linux_peer()
        _ = try retrying { linux_peer_credentials(socket, &peer) }
        return Peer(pid: peer.pid, uid: peer.uid, gid: peer.gid)
    }

    // MARK: Waiting

    // A wait that a signal cut short reports nothing ready: the caller's deadline may have come.
    static func poll(_ entries: inout [pollfd], timeoutNanoseconds: Int64) throws(Errno) {
        guard linux_poll(&entries, entries.count, timeoutNanoseconds) < 0 else { return }
        let error = Errno(errno)
        guard error == .interrupted else { throw error }
        for index in entries.indices { entries[index].revents = 0 }
    }

    /// Time since boot, sleep included, which no clock setting moves (CLOCK_BOOTTIME).
    public static func timeSinceBoot() -> Duration {
        var time = timespec()
        let result = clock_gettime(CLOCK_BOOTTIME, &time)
        precondition(result == 0, "CLOCK_BOOTTIME is in every kernel since 2.6.39")
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Seconds since 1970, as the machine's clock has them (CLOCK_REALTIME).
    public static func secondsSince1970() -> Int64 {
        var time = timespec()
        let result = clock_gettime(CLOCK_REALTIME, &time)
        precondition(result == 0, "CLOCK_REALTIME is in every kernel")
        return Int64(time.tv_sec)
    }

    // MARK: Processes

    /// From here on, memory of large frames goes back to the kernel when it is freed.
    public static func returnLargeBlocks() { linux_return_large_blocks() }

    /// Gives freed memory back to the kernel that lies between memory in use (`malloc_trim`).
    public static func returnFreedMemory() { linux_return_freed_memory() }

    /// The pid in the own PID namespace, and the effective user id.
    public static func identity() -> (pid: UInt32, uid: UInt32) {
        (UInt32(bitPattern: getpid()), geteuid())
    }

    /// Ends this process by SIGALRM after a while, whatever it is doing then.
    public static func endLatest(after time: Duration) throws(Errno) {
        let (seconds, attoseconds) = time.components
        var timer = itimerval()
        timer.it_value.tv_sec = Int(seconds)
        timer.it_value.tv_usec = Int(attoseconds / 1_000_000_000_000)
        _ = try retrying { setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil) }
    }

    /// From here on, a write to a closed pipe or socket fails instead of ending the process.
    public static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

    /// Puts /dev/null in the place of standard streams that a program was started without.
    ///
    /// Else the next file that it opens takes such a number, and what is printed lands in that file.
    /// The first thing that a program does.
    public static func holdStandardDescriptors() throws(Errno) {
        _ = try retrying { linux_hold_standard_descriptors() }
    }

    /// Splits this single-threaded process in two; 0 in the child, the child's PID in the parent.
    public static func fork() throws(Errno) -> Int32 { try retrying { Glibc.fork() } }

    /// How a child ended.
    public enum Ending: Hashable, Sendable {
        /// It ended by itself with this status.
        case exited(Int32)
        /// A signal ended it.
        case killed(signal: Int32)
    }

    /// How a child ended, which takes it out of the kernel's table; nil while it still runs.
    public static func reap(_ pid: Int32) throws(Errno) -> Ending? {
        try ending { linux_wait(pid, 0) }
    }

    /// Kills a child that was not reaped yet.
    public static func kill(_ pid: Int32) throws(Errno) {
        precondition(pid > 0)
        _ = try retrying { Glibc.kill(pid, SIGKILL) }
    }

    /// Kills a child that was not reaped yet and says how it ended.
    public static func killAndReap(_ pid: Int32) throws(Errno) -> Ending? {
        try kill(pid)
        return try ending { linux_wait(pid, 1) }
    }

    private static func ending(_ call: () -> Int32) throws(Errno) -> Ending? {
        while true {
            let status = call()
            switch status {
            case -1 where errno == EINTR: continue
            case -1: throw Errno(errno)
            case -2: return nil
            case 129...: return .killed(signal: status - 128)
            default: return .exited(status)
            }
        }
    }

    /// Ends this process at once: no handlers, no buffers, no deinitialisers.
    public static func exit(_ status: Int32) -> Never { _exit(status) }

    // MARK: The one loop

    /// Makes a call that returns -1 on failure, again as long as a signal interrupts it.
    static func retrying<T: FixedWidthInteger & SignedInteger>(
        _ call: () -> T
    ) throws(Errno) -> T {
        while true {
            let result = call()
            guard result == -1 else { return result }
            let error = Errno(errno)
            precondition(error.number != EBADF && error.number != EFAULT, "a mistake of ours")
            if error != .interrupted { throw error }
        }
    }
}

/// The process that connected to a local socket.
///
/// The pid may be gone or reused by now; the ids stand.
public struct Peer: Hashable, Sendable {
    /// Its pid in our PID namespace; 0 if it has none there.
    public let pid: Int32
    /// Its effective user id at connect.
    public let uid: UInt32
    /// Its effective group id at connect.
    public let gid: UInt32

    /// A peer by what the kernel said.
    public init(pid: Int32, uid: UInt32, gid: UInt32) {
        self.pid = pid
        self.uid = uid
        self.gid = gid
    }
}

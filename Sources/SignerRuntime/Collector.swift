import LinuxIO

/// Takes a signed file from a worker's pipe, up to a limit that was set before it came.
final class Collector {
    private var pipe: FileDescriptor?
    private let limit: Int
    private var part = [UInt8](repeating: 0, count: 64 << 10)

    /// What has come.
    private(set) var bytes: [UInt8] = []
    /// Whether more came than may; nothing more is taken then.
    private(set) var isTooLong = false

    init(_ pipe: consuming FileDescriptor, limit: Int) throws(Errno) {
        try pipe.setNonblocking()
        self.limit = limit
        self.pipe = consume pipe
    }

    /// The number to poll; nil at the end.
    var number: Int32? { pipe?.number }

    /// Takes what is there, one buffer of it; false when nothing more is there now.
    @discardableResult
    func receive() -> Bool {
        guard let number = pipe?.number else { return false }
        let result = part.withUnsafeMutableBytes { buffer in
            try? Kernel.read(number, into: buffer)
        }
        switch result {
        case .moved(let count):
            guard count <= limit - bytes.count else {
                isTooLong = true
                pipe = nil
                return false
            }
            bytes += part[..<count]
            return true
        case .wouldBlock: return false
        case .ended, nil:
            pipe = nil
            return false
        }
    }

    /// Takes all that is left in the pipe of a worker that has ended.
    func drain() { while receive() {} }
}

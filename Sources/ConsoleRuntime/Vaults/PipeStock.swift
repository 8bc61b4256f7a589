import LinuxIO

/// Pipes that are made before confinement, which lets none be made.
struct PipeStock {
    private var pipes: [(reading: Int32, writing: Int32)] = []

    init(_ count: Int) throws(Errno) {
        for _ in 0..<count {
            let pipe = try Pipe()
            pipes.append(pipe.take())
        }
    }

    /// The numbers to keep open.
    var numbers: Set<Int32> { Set(pipes.flatMap { [$0.reading, $0.writing] }) }

    /// How many are left.
    var count: Int { pipes.count }

    /// A fresh pipe.
    ///
    /// - Precondition: as many were made as a command needs.
    mutating func take() -> (reading: Int32, writing: Int32) {
        guard let pipe = pipes.popLast() else {
            preconditionFailure("a command takes the pipes that it asked for")
        }
        return pipe
    }
}

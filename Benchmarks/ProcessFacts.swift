import Glibc

/// What the kernel says of a process.
struct ProcessFacts {
    struct Missing: Error { let what: String }

    let pid: Int32

    init(_ pid: Int32) { self.pid = pid }

    /// A line of `/proc/PID/status` that counts kibibytes: VmRSS, what is resident, or VmHWM, the most that
    /// ever was.
    func kibibytes(_ name: String) throws -> Int {
        let line = try text("status").split(separator: "\n").first { $0.hasPrefix(name + ":") }
        guard let count = line?.split(separator: " ").compactMap({ Int($0) }).first else {
            throw Missing(what: "\(name) of process \(pid)")
        }
        return count
    }

    /// What it and its children that have ended have taken of the processor.
    func processorTime() throws -> Duration {
        // Behind the name, which may hold anything, the state is the first field.
        let fields = try text("stat").split(separator: ")").last?.split(separator: " ") ?? []
        let ticks = fields.dropFirst(11).prefix(4).compactMap { Int($0) }
        guard ticks.count == 4 else { throw Missing(what: "times of process \(pid)") }
        return .milliseconds(ticks.reduce(0, +) * 1000 / sysconf(Int32(_SC_CLK_TCK)))
    }

    /// The name of its program, at most 15 bytes.
    func name() throws -> String { String(try text("comm").dropLast()) }

    func children() throws -> [ProcessFacts] {
        try text("task/\(pid)/children").split(separator: " ").compactMap { Int32($0) }
            .map(ProcessFacts.init)
    }

    private func text(_ file: String) throws -> String {
        let path = "/proc/\(pid)/\(file)"
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw Missing(what: path) }
        defer { close(number) }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = read(number, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}

import LinuxIO
import SecretMemory

/// The keys of a terminal whose mode somebody has already set: nothing echoed, one byte at a time.
final class KeyInput {
    /// After so long without a key everything typed is dropped; measured by a clock that counts on
    /// while the machine sleeps.
    static let idleLimit = Duration.seconds(120)
    /// The same while a person writes something down, which needs no key.
    static let readingLimit = Duration.seconds(3600)

    let descriptor: Int32
    private let idleLimit: Duration
    /// A pipe that ends with whoever has to give the terminal back.
    private let leash: Int32?
    private let clock: () -> Duration
    private var decoder = KeyDecoder()
    private var buffer = SecretBytes(count: 64)
    private var waiting = 0..<0

    init(
        _ descriptor: Int32, idleLimit: Duration = KeyInput.idleLimit, leash: Int32? = nil,
        clock: @escaping () -> Duration = Kernel.timeSinceBoot
    ) {
        self.descriptor = descriptor
        self.idleLimit = idleLimit
        self.leash = leash
        self.clock = clock
    }

    /// Waits for the next key.
    func next() throws(PromptEnd) -> Key { try next(within: idleLimit) }

    /// Waits for the next key, so long at most.
    func next(within limit: Duration) throws(PromptEnd) -> Key {
        while true {
            if waiting.isEmpty { try fill(within: limit) }
            let place = waiting.lowerBound
            waiting = place + 1..<waiting.upperBound
            let byte = buffer.withUnsafeMutableBytes { buffer in
                defer { buffer[place] = 0 }
                return buffer[place]
            }
            if let key = decoder.take(byte) { return key }
        }
    }

    private func fill(within limit: Duration) throws(PromptEnd) {
        let deadline = clock() + limit
        while true {
            var set = PollSet()
            set.add(descriptor, .reading)
            let end = leash.map { set.add($0, .reading) }
            guard (try? set.wait(until: deadline)) != nil else { throw .gone }
            // Before the keys: a terminal that is the shell's again must not be read from.
            if let end, set.isEnded(at: end) { throw .gone }
            // While the machine sleeps the wait stands still and the clock goes on: what is typed when it
            // wakes up comes too late for what was typed before.
            guard clock() < deadline else { throw .idle(seconds: limit.components.seconds) }
            guard set.canRead(at: 0) else { continue }
            let descriptor = descriptor
            let transfer = buffer.withUnsafeMutableBytes { buffer in
                try? Kernel.read(descriptor, into: buffer)
            }
            switch transfer {
            case .moved(let count):
                waiting = 0..<count
                return
            case .wouldBlock: continue
            case .ended, nil: throw .gone
            }
        }
    }
}

import Glibc
import LinuxIO

/// Resident memory of a process in KiB, as the kernel counts it.
func residentKilobytes(_ pid: pid_t) throws -> Int {
    guard let file = fopen("/proc/\(pid)/statm", "r") else { throw Errno(errno) }
    defer { fclose(file) }
    let words = firstLine(of: file).split(separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * Int(getpagesize()) / 1024 : 0
}

/// The first line of a file of /proc, at most 255 bytes of it.
func firstLine(of file: UnsafeMutablePointer<FILE>) -> String {
    var text = [CChar](repeating: 0, count: 256)
    guard fgets(&text, Int32(text.count), file) != nil else { return "" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// How long a thread has waited for a processor in all, as the kernel counts it; zero where it does not.
func waitedForProcessor(_ pid: pid_t) -> Duration {
    guard let file = fopen("/proc/\(pid)/schedstat", "r") else { return .zero }
    defer { fclose(file) }
    let words = firstLine(of: file).split(separator: " ")
    return words.count > 1 ? .nanoseconds(Int64(words[1]) ?? 0) : .zero
}

/// The longest that pings took while a channel was attacked.
struct PingTimes {
    /// By the clock.
    private(set) var worst = Duration.zero
    /// Without the time in which the victim or the drill could have run and got no processor. A busy
    /// machine starves both for as long as it likes; what is left is what the victim itself did first:
    /// worked for the attacker, slept, or stood still for him.
    private(set) var worstOfVictim = Duration.zero

    /// Takes the time of one ping, which `ask` sends to the victim and returns.
    mutating func add(of victim: pid_t, _ ask: () throws -> Duration) rethrows {
        let before = Self.waited(victim)
        let time = try ask()
        let waited = max(.zero, Self.waited(victim) - before)
        worst = max(worst, time)
        worstOfVictim = max(worstOfVictim, time - waited)
    }

    private static func waited(_ victim: pid_t) -> Duration {
        waitedForProcessor(victim) + waitedForProcessor(getpid())
    }
}

func milliseconds(_ time: Duration) -> Int64 {
    time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000
}

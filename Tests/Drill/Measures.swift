import Glibc
import LinuxIO

/// Resident memory of a process in KiB, as the kernel counts it.
func residentKilobytes(_ pid: pid_t) throws -> Int {
    guard let file = fopen("/proc/\(pid)/statm", "r") else { throw Errno(errno) }
    defer { fclose(file) }
    var text = [CChar](repeating: 0, count: 128)
    fgets(&text, 128, file)
    let words = String(cString: text).split(separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * Int(getpagesize()) / 1024 : 0
}

/// How long pings took, on a quiet channel and while another was attacked.
struct PingTimes {
    private var quiet: [Duration] = []
    private var attacked: [Duration] = []

    mutating func add(_ time: Duration, isQuiet: Bool) {
        if isQuiet { quiet.append(time) } else { attacked.append(time) }
    }

    /// The longest of the attacked.
    var worst: Duration { attacked.max() ?? .zero }

    /// How much longer the attacked took, from middle to middle.
    var slowdown: Double {
        let (usual, now) = (Self.middle(quiet), Self.middle(attacked))
        return usual > .zero ? now / usual : 0
    }

    private static func middle(_ times: [Duration]) -> Duration {
        times.isEmpty ? .zero : times.sorted()[times.count / 2]
    }
}

func milliseconds(_ time: Duration) -> Int64 {
    time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000
}

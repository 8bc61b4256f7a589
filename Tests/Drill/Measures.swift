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

func milliseconds(_ time: Duration) -> Int64 {
    time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000
}

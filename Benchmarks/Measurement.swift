import LinuxIO

/// Repeats something and prints how long it took: the middle, the fastest and the slowest.
func measure(_ name: String, times: Int, _ body: () throws -> Void) rethrows {
    try body()
    var durations: [Duration] = []
    for _ in 0..<times {
        let start = Kernel.timeSinceBoot()
        try body()
        durations.append(Kernel.timeSinceBoot() - start)
    }
    durations.sort()
    let figures = [durations[times / 2], durations[0], durations[times - 1]].map(microseconds)
    let label = name + String(repeating: " ", count: max(1, 44 - name.count))
    print("\(label)\(figures[0]) us (\(figures[1]) to \(figures[2]), \(times) times)")
}

private func microseconds(_ duration: Duration) -> String {
    let tenths = duration.wholeNanoseconds / 100
    return "\(tenths / 10).\(tenths % 10)"
}

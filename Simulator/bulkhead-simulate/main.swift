import Bitcoin
import Descriptors
import Glibc
import SimulatedNetwork

/// Runs random stories of the light client: `bulkhead-simulate --seeds N [--seed FIRST] [--story]`.
func number(_ name: String) -> UInt64? {
    guard let place = CommandLine.arguments.firstIndex(of: name),
        place + 1 < CommandLine.arguments.count
    else { return nil }
    return UInt64(CommandLine.arguments[place + 1])
}

guard let count = number("--seeds") else {
    print("usage: bulkhead-simulate --seeds N [--seed FIRST] [--story]")
    exit(2)
}
let first = number("--seed") ?? 1
let tellsStory = CommandLine.arguments.contains("--story")
let setting = try SimulationSetting()
var failed = 0
var steps = 0
for seed in first..<first + count {
    let report = setting.run(seed: seed)
    steps += report.steps
    if tellsStory { for line in report.story { print("seed \(seed): \(line)") } }
    guard !report.failures.isEmpty else { continue }
    failed += 1
    for failure in report.failures { print("seed \(seed): \(failure)") }
}
print("\(count) seeds from \(first), \(steps) events, \(failed) failed")
exit(failed == 0 ? 0 : 1)

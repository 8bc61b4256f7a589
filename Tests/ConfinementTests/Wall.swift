import CWallTests
import Foundation

@testable import Confinement

/// What the suites share that need the kernel's walls.
enum Wall {
    /// Off only by `scripts/test --without-wall`; a machine without the walls fails these suites.
    static let isTested = ProcessInfo.processInfo.environment["BULKHEAD_WITHOUT_WALL"] != "1"

    /// How a process ended that made one call under a filter.
    enum Ending: Equatable {
        case passed
        case killedBySeccomp
        /// By another signal, as `rt_sigreturn` without a frame does: the filter let it pass.
        case signal(Int32)
        case filterRefused(Int32)
        case status(Int32)
    }

    /// Makes one call under `filter` in a process of its own.
    static func call(_ number: Int32, _ registers: [UInt64], under filter: SeccompFilter) -> Ending
    {
        let status = filter.program.withUnsafeBytes { program in
            wall_call(program.baseAddress, UInt16(filter.program.count), Int(number), registers)
        }
        if status < 0 { return .filterRefused(-status) }
        let signal = wall_signal(status)
        if signal == SIGSYS { return .killedBySeccomp }
        if signal != 0 { return .signal(signal) }
        return wall_ended_well(status) == 1 ? .passed : .status(status)
    }

    /// A register value that no call can do harm with: no descriptor, no process, no address, and
    /// as an exit status zero.
    static let harmless: UInt64 = 0x7FFF_FF00

    /// Registers that meet the conditions of a rule, harmless where it has none.
    static func registers(
        meeting rule: SeccompRule, on architecture: Architecture = .native
    ) -> [UInt64] {
        var registers = [UInt64](repeating: harmless, count: 6)
        for condition in rule.conditions {
            registers[condition.argument.index] = condition.comparison(on: architecture).value
        }
        return registers
    }
}

/// A policy from text that stands in a test.
func policy(_ text: String, beside others: [String: String] = [:]) throws(PolicyError)
    -> SeccompPolicy
{
    try SeccompPolicy("test") { name in
        (name == "test" ? text : others[name]).map { Array($0.utf8) }
    }
}

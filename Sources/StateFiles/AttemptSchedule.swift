/// How long to wait after wrong passwords.
public enum AttemptSchedule: UInt8, CaseIterable, Hashable, Sendable {
    /// Nothing after 1 to 4 failures, then 2 s, doubled each time, at most 5 minutes.
    case standard = 1
    /// Nothing after 1 to 5 failures, then 30 s, 1, 5, 15 and 60 minutes, and 60 from then on.
    case strict = 2

    /// The schedule by its name in the configuration.
    public init?(name: String) {
        guard let schedule = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
        self = schedule
    }

    /// Seconds to wait after so many failures in a row.
    public func wait(after failures: UInt32) -> UInt32 {
        switch (self, failures) {
        case (.standard, ..<5), (.strict, ..<6): 0
        case (.standard, 5..<13): min(1 << (failures - 4), 300)
        case (.standard, _): 300
        case (.strict, 6): 30
        case (.strict, 7): 60
        case (.strict, 8): 300
        case (.strict, 9): 900
        case (.strict, _): 3600
        }
    }
}

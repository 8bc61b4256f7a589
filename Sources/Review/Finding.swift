public import PSBT

/// One thing that a person should know before signing.
public struct Finding: Hashable, Sendable {
    /// Which check found it.
    public let check: ReviewCheck
    /// Where.
    public let place: PSBT.Place
    /// What was found, without the place and without a full stop.
    public let text: String

    /// Where, what, and what to do.
    public var sentence: String {
        let start: String? =
            switch place {
            case .input(let index): "Input \(index): "
            case .output(let index): "Output \(index): "
            case .file, .global: nil
            }
        let what = start.map { $0 + text } ?? text.prefix(1).uppercased() + text.dropFirst()
        return "\(what). \(check.advice)"
    }

    /// So many findings of one check are listed; all are counted.
    public static let maximumListed = 100
}

/// Whether a check holds.
public enum CheckOutcome: Hashable, Sendable {
    /// What it asks for is so.
    case passed
    /// So many findings.
    case failed(Int)
    /// It has no meaning for this transaction, and why.
    case notApplicable(String)
}

/// Collects findings.
struct FindingLog {
    private(set) var findings: [Finding] = []
    private var counts: [ReviewCheck: Int] = [:]

    mutating func record(
        _ check: ReviewCheck, _ place: PSBT.Place, _ text: @autoclosure () -> String
    ) {
        let count = counts[check, default: 0]
        counts[check] = count + 1
        guard count < Finding.maximumListed else { return }
        findings.append(Finding(check: check, place: place, text: text()))
    }

    func count(_ check: ReviewCheck) -> Int { counts[check, default: 0] }

    func has(_ check: ReviewCheck, at place: PSBT.Place) -> Bool {
        findings.contains { $0.check == check && $0.place == place }
    }
}

import Bitcoin

/// Reads `/0h/<0;1>/*`: the steps below a key, or those of an origin.
struct PathParser {
    private let text: ArraySlice<UInt8>
    private let offset: Int
    /// What was read.
    private(set) var steps: [KeyExpression.Step] = []
    /// The last step, if it is `*`, `*h` or `*'`.
    private(set) var wildcard = KeyExpression.Wildcard.none

    /// `offset` is added to the indices of `text` in errors.
    init(text: ArraySlice<UInt8>, offset: Int) {
        self.text = text
        self.offset = offset
    }

    mutating func parse() throws(DescriptorError) {
        var position = text.startIndex
        while position < text.endIndex {
            let start = position + 1
            let end = text[start...].firstIndex(of: UInt8(ascii: "/")) ?? text.endIndex
            try read(text[start..<end])
            position = end
        }
    }

    private mutating func read(_ step: ArraySlice<UInt8>) throws(DescriptorError) {
        let position = step.startIndex + offset
        guard wildcard == .none else { throw DescriptorError(.wildcardNotLast, at: position) }
        if step.first == UInt8(ascii: "*") {
            guard let wildcard = PathParser.wildcard(step) else {
                throw DescriptorError(.pathStep, at: position)
            }
            self.wildcard = wildcard
        } else if step.first == UInt8(ascii: "<"), step.last == UInt8(ascii: ">") {
            for case .branches in steps { throw DescriptorError(.severalMultipaths, at: position) }
            steps.append(.branches(try readBranches(step.dropFirst().dropLast())))
        } else {
            steps.append(.child(try readNumber(step)))
        }
    }

    private static func wildcard(_ step: ArraySlice<UInt8>) -> KeyExpression.Wildcard? {
        switch step.count {
        case 1: .unhardened
        case 2 where isHardenedMark(step[step.startIndex + 1]): .hardened
        default: nil
        }
    }

    private func readBranches(_ list: ArraySlice<UInt8>) throws(DescriptorError) -> [ChildNumber] {
        let items = list.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let allowed = 2...KeyExpression.maximumBranches
        guard allowed.contains(items.count) else {
            let found = list.isEmpty ? 0 : items.count
            throw DescriptorError(
                .multipathCount(found: found, allowed: allowed), at: list.startIndex + offset)
        }
        var numbers: [ChildNumber] = []
        for item in items {
            let number = try readNumber(item)
            guard !numbers.contains(number) else {
                throw DescriptorError(.multipathDuplicate, at: item.startIndex + offset)
            }
            numbers.append(number)
        }
        return numbers
    }

    private func readNumber(_ step: ArraySlice<UInt8>) throws(DescriptorError) -> ChildNumber {
        let position = step.startIndex + offset
        let isHardened = step.last.map(PathParser.isHardenedMark) ?? false
        let digits = isHardened ? step.dropLast() : step
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }),
            digits.count == 1 || digits.first != 0x30
        else { throw DescriptorError(.pathStep, at: position) }
        var index: UInt32 = 0
        for digit in digits {
            let (tens, overflow) = index.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.addingReportingOverflow(UInt32(digit - 0x30))
            guard !overflow, !carry, sum <= ChildNumber.maximumIndex else {
                throw DescriptorError(.pathStepRange, at: position)
            }
            index = sum
        }
        guard let number = isHardened ? ChildNumber(hardened: index) : ChildNumber(index) else {
            throw DescriptorError(.pathStepRange, at: position)
        }
        return number
    }

    private static func isHardenedMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "h") || byte == UInt8(ascii: "'")
    }
}

extension KeyExpression {
    /// Branches that `<...>` may list; wallets have two.
    public static let maximumBranches = 1_000
}

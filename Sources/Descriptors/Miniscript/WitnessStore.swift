/// One way to satisfy or dissatisfy an expression, with what decides whether it is chosen.
struct Candidate: Sendable {
    /// Its items in the store.
    let stack: Int
    /// Bytes of its items, each with its length.
    var size = 0
    /// Whether it holds a signature, which nobody else can make.
    var hasSignature = false
    /// Whether somebody else could turn it into another one that does as well.
    var isMalleable = false

    /// The one to take of two, if any (BIP379, "satisfaction and malleability").
    static func choose(_ left: Candidate?, _ right: Candidate?) -> Candidate? {
        guard var left, var right else { return left ?? right }
        // Whoever sees a signature in one could leave it out and take the other, so that other
        // is the only choice that stands.
        if left.hasSignature != right.hasSignature { return left.hasSignature ? right : left }
        if left.hasSignature {
            if left.isMalleable != right.isMalleable { return left.isMalleable ? right : left }
        } else {
            (left.isMalleable, right.isMalleable) = (true, true)
        }
        return left.size <= right.size ? left : right
    }
}

/// Witness stacks that share their parts, so that joining two costs nothing.
struct WitnessStore: Sendable {
    private enum Entry {
        case empty
        case item([UInt8])
        case join(below: Int, above: Int)
    }

    private var entries: [Entry] = [.empty]

    /// No item.
    let none = Candidate(stack: 0)

    /// One item.
    mutating func item(_ bytes: [UInt8]) -> Candidate {
        entries.append(.item(bytes))
        // No item is longer than 75 bytes, so its length takes one byte.
        return Candidate(stack: entries.count - 1, size: bytes.count + 1)
    }

    /// Two stacks on each other; nil where one is missing.
    mutating func join(_ below: Candidate?, _ above: Candidate?) -> Candidate? {
        guard let below, let above else { return nil }
        entries.append(.join(below: below.stack, above: above.stack))
        return Candidate(
            stack: entries.count - 1, size: below.size + above.size,
            hasSignature: below.hasSignature || above.hasSignature,
            isMalleable: below.isMalleable || above.isMalleable)
    }

    /// The items, bottom first.
    func items(of candidate: Candidate) -> [[UInt8]] {
        var items: [[UInt8]] = []
        var stacks = [candidate.stack]
        while let stack = stacks.popLast() {
            switch entries[stack] {
            case .empty: break
            case .item(let bytes): items.append(bytes)
            case .join(let below, let above): stacks += [above, below]
            }
        }
        return items
    }
}

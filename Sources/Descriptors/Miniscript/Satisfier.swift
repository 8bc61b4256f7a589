/// The best way to satisfy an expression and the best to dissatisfy it, where there are any.
struct Choices: Sendable {
    let satisfied: Candidate?
    let dissatisfied: Candidate?

    init(_ satisfied: Candidate?, _ dissatisfied: Candidate?) {
        self.satisfied = satisfied
        self.dissatisfied = dissatisfied
    }
}

/// Finds the smallest satisfaction that nobody else can change, from the leaves up (BIP379).
struct Satisfier<Source: SatisfactionSource> {
    let source: Source
    let context: ScriptContext
    var store = WitnessStore()

    init(_ source: Source, _ context: ScriptContext) {
        self.source = source
        self.context = context
    }

    mutating func choices(
        for fragment: Fragment<Source.Key>, _ arguments: ArraySlice<Choices>
    ) -> Choices {
        let arguments = Array(arguments)
        switch fragment {
        case .zero: return Choices(nil, store.none)
        case .one: return Choices(store.none, nil)
        case .pkK(let key): return Choices(signature(key), store.item([]))
        case .pkH(let key):
            guard let shown = source.bytes(of: key, in: context) else { return Choices(nil, nil) }
            let bytes = store.item(shown)
            return Choices(
                store.join(signature(key), bytes), store.join(store.item([]), bytes))
        case .older(let value): return Choices(source.isMet(older: value) ? store.none : nil, nil)
        case .after(let value): return Choices(source.isMet(after: value) ? store.none : nil, nil)
        case .hash(let lock):
            // Any 32 other bytes dissatisfy as well.
            var other = store.item([UInt8](repeating: 0, count: 32))
            other.isMalleable = true
            return Choices(source.preimage(of: lock).map { store.item($0.array) }, other)
        case .wrap(let wrapper): return choices(for: wrapper, arguments[0])
        case .andOr: return andOr(arguments[0], arguments[1], arguments[2])
        case .thresh(let needed, _): return thresh(needed, arguments)
        case .multi(let needed, let keys): return multi(needed, keys)
        case .multiA(let needed, let keys): return multiA(needed, keys)
        case .andV, .andB, .orB, .orC, .orD, .orI:
            return choices(forPair: fragment, arguments[0], arguments[1])
        }
    }

    private mutating func signature(_ key: Source.Key) -> Candidate? {
        guard let signature = source.signature(for: key) else { return nil }
        var candidate = store.item(signature)
        candidate.hasSignature = true
        return candidate
    }

    private mutating func choices(for wrapper: Wrapper, _ x: Choices) -> Choices {
        switch wrapper {
        case .alt, .swap, .check, .zeroNotEqual: return x
        case .verify: return Choices(x.satisfied, nil)
        case .dupIf: return Choices(store.join(x.satisfied, store.item([1])), store.item([]))
        case .nonZero:
            // If X can be dissatisfied with something nonzero on top, so can this. Whether it can
            // is not tracked, so it is assumed wherever no signature prevents it.
            var zero = store.item([])
            zero.isMalleable = x.dissatisfied.map { !$0.hasSignature } ?? false
            return Choices(x.satisfied, zero)
        }
    }

    private mutating func choices(
        forPair fragment: Fragment<Source.Key>, _ x: Choices, _ y: Choices
    ) -> Choices {
        let both = store.join(y.satisfied, x.satisfied)
        let neither = store.join(y.dissatisfied, x.dissatisfied)
        let onlyX = store.join(y.dissatisfied, x.satisfied)
        let onlyY = store.join(y.satisfied, x.dissatisfied)
        switch fragment {
        case .andV: return Choices(both, onlyX)
        case .andB:
            let half = Candidate.choose(malleable(onlyY), malleable(onlyX))
            return Choices(both, .choose(neither, half))
        case .orB:
            // With both satisfied, others can dissatisfy either of them.
            return Choices(.choose(.choose(onlyX, onlyY), malleable(both)), neither)
        case .orC: return Choices(.choose(x.satisfied, onlyY), nil)
        case .orD: return Choices(.choose(x.satisfied, onlyY), neither)
        default:
            let (first, second) = (store.item([1]), store.item([]))
            return Choices(
                .choose(store.join(x.satisfied, first), store.join(y.satisfied, second)),
                .choose(store.join(x.dissatisfied, first), store.join(y.dissatisfied, second)))
        }
    }

    private func malleable(_ candidate: Candidate?) -> Candidate? {
        guard var candidate else { return nil }
        candidate.isMalleable = true
        return candidate
    }

    private mutating func andOr(_ x: Choices, _ y: Choices, _ z: Choices) -> Choices {
        Choices(
            .choose(
                store.join(y.satisfied, x.satisfied), store.join(z.satisfied, x.dissatisfied)),
            .choose(
                store.join(y.dissatisfied, x.satisfied),
                store.join(z.dissatisfied, x.dissatisfied)))
    }

    private mutating func thresh(_ needed: Int, _ arguments: [Choices]) -> Choices {
        // The best stacks for the arguments so far, from the last one (whose items lie deepest),
        // that satisfy as many of them as their place says.
        var stacks: [Candidate?] = [store.none]
        for argument in arguments.reversed() {
            stacks.append(nil)
            for count in stacks.indices.reversed() {
                let same = store.join(stacks[count], argument.dissatisfied)
                let more =
                    count == 0 ? nil : store.join(stacks[count - 1], argument.satisfied)
                stacks[count] = .choose(same, more)
            }
        }
        // Any other number than the one needed dissatisfies; others can leave out what is above 0.
        var dissatisfied: Candidate?
        for count in stacks.indices where count != needed {
            let candidate = count == 0 ? stacks[count] : malleable(stacks[count])
            dissatisfied = .choose(dissatisfied, candidate)
        }
        return Choices(stacks[needed], dissatisfied)
    }

    /// The places of the keys whose signatures to show: the smallest ones, of equal ones those that
    /// come first in `order`; nil if there are too few.
    private func signers(
        _ needed: Int, _ signatures: [Candidate?], order: some Collection<Int>
    ) -> Set<Int>? {
        let available = order.filter { signatures[$0] != nil }
        guard available.count >= needed else { return nil }
        let bySize = available.enumerated()
            .sorted {
                (signatures[$0.element]?.size ?? 0, $0.offset)
                    < (signatures[$1.element]?.size ?? 0, $1.offset)
            }
            .map(\.element)
        return Set(bySize.prefix(needed))
    }

    private mutating func multi(_ needed: Int, _ keys: [Source.Key]) -> Choices {
        let signatures = keys.map { signature($0) }
        let zero = store.item([])
        var dissatisfied: Candidate? = zero
        for _ in 0..<needed { dissatisfied = store.join(dissatisfied, zero) }
        guard let signers = signers(needed, signatures, order: keys.indices) else {
            return Choices(nil, dissatisfied)
        }
        // OP_CHECKMULTISIG takes one item too many.
        var satisfied: Candidate? = zero
        for place in keys.indices where signers.contains(place) {
            satisfied = store.join(satisfied, signatures[place])
        }
        return Choices(satisfied, dissatisfied)
    }

    private mutating func multiA(_ needed: Int, _ keys: [Source.Key]) -> Choices {
        let signatures = keys.map { signature($0) }
        // Bitcoin Core takes the last of equal ones here, so finalised PSBTs are the same.
        let signers = signers(needed, signatures, order: keys.indices.reversed())
        let zero = store.item([])
        var satisfied = signers == nil ? nil : store.none
        var dissatisfied: Candidate? = store.none
        // The first key looks at the top of the stack.
        for place in keys.indices.reversed() {
            let shown = signers?.contains(place) == true ? signatures[place] : zero
            satisfied = store.join(satisfied, shown)
            dissatisfied = store.join(dissatisfied, zero)
        }
        return Choices(satisfied, dissatisfied)
    }
}

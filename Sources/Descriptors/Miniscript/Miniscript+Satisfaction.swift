/// A witness for a miniscript, without the script itself and what follows it.
public struct Satisfaction: Hashable, Sendable {
    /// The items, bottom of the stack first.
    public let items: [[UInt8]]
    /// Whether somebody without keys could turn it into another valid one.
    public let isMalleable: Bool
    /// Whether it holds a signature.
    public let hasSignature: Bool
}

extension Miniscript {
    /// The smallest witness that nobody else can change, bottom of the stack first; the script (and in
    /// taproot the control block) comes after it.
    ///
    /// For a sane miniscript it exists as soon as its conditions are met.
    ///
    /// - Throws: `Unsatisfied<Key>`. Swift 6.0.3 cannot compile that as the type of the throw.
    public func satisfaction<Source: SatisfactionSource<Key>>(
        from source: Source
    ) throws -> [[UInt8]] {
        if let best = satisfactionThatMayBeMalleable(from: source) {
            guard best.hasSignature, !best.isMalleable else {
                throw Unsatisfied<Key>.onlyMalleable
            }
            return best.items
        }
        throw missing(from: source).map(Unsatisfied.missing) ?? .impossible
    }

    /// The witness that the same search ends with where others may change it too. To analyse scripts;
    /// not to be published.
    public func satisfactionThatMayBeMalleable<Source: SatisfactionSource<Key>>(
        from source: Source
    ) -> Satisfaction? {
        var satisfier = Satisfier(source, context)
        let choices = fold { node, arguments in satisfier.choices(for: node.fragment, arguments) }
        return choices.satisfied.map {
            Satisfaction(
                items: satisfier.store.items(of: $0), isMalleable: $0.isMalleable,
                hasSignature: $0.hasSignature)
        }
    }

    /// The fewest things that would have to come for this to be satisfied: none if everything is at
    /// hand, nil if nothing can ever satisfy it.
    public func missing<Source: SatisfactionSource<Key>>(from source: Source) -> [Requirement<Key>]?
    {
        fold { node, arguments in
            Shortfall(of: node.fragment, Array(arguments), source: source)
        }.requirements
    }
}

/// What an expression lacks to be satisfied.
private struct Shortfall<Key: Hashable & Sendable> {
    /// The fewest requirements; nil if it can never be satisfied.
    let requirements: [Requirement<Key>]?
    let count: Int

    init(_ requirements: [Requirement<Key>]?) {
        self.requirements = requirements
        count = requirements?.reduce(0) { $0 + $1.count } ?? .max
    }

    init<Source: SatisfactionSource<Key>>(
        of fragment: Fragment<Key>, _ arguments: [Shortfall], source: Source
    ) {
        switch fragment {
        case .zero: self.init(nil)
        case .one: self.init([])
        case .pkK(let key), .pkH(let key): self.init(1, of: [key], source)
        case .multi(let needed, let keys), .multiA(let needed, let keys):
            self.init(needed, of: keys, source)
        case .older(let value): self.init(source.isMet(older: value) ? [] : [.older(value)])
        case .after(let value): self.init(source.isMet(after: value) ? [] : [.after(value)])
        case .hash(let lock): self.init(source.preimage(of: lock) == nil ? [.preimage(lock)] : [])
        case .wrap: self = arguments[0]
        case .andV, .andB: self.init(all: arguments)
        case .orB, .orC, .orD, .orI: self = Shortfall.fewest(arguments[0], arguments[1])
        case .andOr:
            self = Shortfall.fewest(Shortfall(all: Array(arguments.prefix(2))), arguments[2])
        case .thresh(let needed, _):
            let order = arguments.indices.sorted {
                (arguments[$0].count, $0) < (arguments[$1].count, $1)
            }
            self.init(all: order.prefix(needed).sorted().map { arguments[$0] })
        }
    }

    private init<Source: SatisfactionSource<Key>>(
        _ needed: Int, of keys: [Key], _ source: Source
    ) {
        let unsigned = keys.filter { source.signature(for: $0) == nil }
        let lacking = needed - (keys.count - unsigned.count)
        self.init(lacking > 0 ? [.signatures(lacking, of: unsigned)] : [])
    }

    private init(all parts: [Shortfall]) {
        var all: [Requirement<Key>]? = []
        for part in parts {
            guard let requirements = part.requirements else {
                all = nil
                break
            }
            all?.append(contentsOf: requirements)
        }
        self.init(all)
    }

    private static func fewest(_ left: Shortfall, _ right: Shortfall) -> Shortfall {
        left.count <= right.count ? left : right
    }
}

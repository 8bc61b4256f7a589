/// What an argument of a fragment must be and is not.
struct TypeMismatch: Error {
    /// Which argument, from 0.
    let argument: Int
    /// Any of these basic types, with all of these properties.
    let needed: MiniscriptType
}

/// The type rules of BIP379: the type of a fragment from the types of its arguments.
extension MiniscriptType {
    /// - Precondition: there are as many arguments as the fragment takes.
    init<Key>(
        of fragment: Fragment<Key>, arguments: ArraySlice<MiniscriptType>, in context: ScriptContext
    ) throws(TypeMismatch) {
        let rules = TypeRules(arguments)
        switch fragment {
        case .zero: self = [.B, .z, .u, .d, .e, .m, .s, .x, .k]
        case .one: self = [.B, .z, .u, .f, .m, .x, .k]
        case .pkK: self = [.K, .o, .n, .u, .d, .e, .m, .s, .x, .k]
        case .pkH: self = [.K, .n, .u, .d, .e, .m, .s, .x, .k]
        case .older(let value):
            self = [.B, .z, .f, .m, .x, .k, value & 1 << 22 != 0 ? .g : .h]
        case .after(let value):
            self = [.B, .z, .f, .m, .x, .k, value >= 500_000_000 ? .i : .j]
        case .hash: self = [.B, .o, .n, .u, .d, .m, .k]
        case .multi: self = [.B, .n, .u, .d, .e, .m, .s, .k]
        case .multiA: self = [.B, .u, .d, .e, .m, .s, .k]
        case .wrap(let wrapper): self = try rules.wrap(wrapper, context)
        case .andV: self = try rules.andV()
        case .andB: self = try rules.andB()
        case .orB: self = try rules.orB()
        case .orC: self = try rules.orC()
        case .orD: self = try rules.orD()
        case .orI: self = try rules.orI()
        case .andOr: self = try rules.andOr()
        case .thresh(let needed, _): self = try rules.thresh(needed)
        }
    }
}

private struct TypeRules {
    let arguments: ArraySlice<MiniscriptType>

    init(_ arguments: ArraySlice<MiniscriptType>) { self.arguments = arguments }

    private func argument(_ index: Int) -> MiniscriptType {
        arguments[arguments.startIndex + index]
    }

    /// The argument if it has one of the basic types named and all of the properties named.
    private func take(
        _ index: Int, _ basic: MiniscriptType, _ properties: MiniscriptType = []
    ) throws(TypeMismatch) -> MiniscriptType {
        let type = argument(index)
        guard !type.isDisjoint(with: basic), type.isSuperset(of: properties) else {
            throw TypeMismatch(argument: index, needed: basic.union(properties))
        }
        return type
    }

    /// Whether satisfying all of these at once never asks for a lock by time and one by height.
    private func unmixed(_ x: MiniscriptType, _ y: MiniscriptType) -> Bool {
        let both = x.intersection(y).contains(.k)
        let mixed =
            x.contains(.g) && y.contains(.h) || x.contains(.h) && y.contains(.g)
            || x.contains(.i) && y.contains(.j) || x.contains(.j) && y.contains(.i)
        return both && !mixed
    }

    func wrap(
        _ wrapper: Wrapper, _ context: ScriptContext
    ) throws(TypeMismatch) -> MiniscriptType {
        let locks = MiniscriptType.locks.union(.k)
        switch wrapper {
        case .alt:
            let x = try take(0, .B)
            return [.W, .x, x.intersection(locks), x.intersection([.u, .d, .f, .e, .m, .s])]
        case .swap:
            let x = try take(0, .B, .o)
            return [.W, x.intersection(locks), x.intersection([.u, .d, .f, .e, .m, .s, .x])]
        case .check:
            let x = try take(0, .K)
            return [.B, .u, .s, x.intersection(locks), x.intersection([.o, .n, .d, .f, .e, .m])]
        case .dupIf:
            let x = try take(0, .V, .z)
            // The item that OP_IF takes is exactly 1 by consensus in tapscript, by policy in P2WSH.
            return [
                .B, .o, .n, .d, .x, .u.when(context == .tapscript), .e.when(x.contains(.f)),
                x.intersection(locks), x.intersection([.m, .s]),
            ]
        case .verify:
            let x = try take(0, .B)
            return [.V, .f, .x, x.intersection(locks), x.intersection([.z, .o, .n, .m, .s])]
        case .nonZero:
            let x = try take(0, .B, .n)
            return [
                .B, .n, .d, .x, .e.when(x.contains(.f)), x.intersection(locks),
                x.intersection([.o, .u, .m, .s]),
            ]
        case .zeroNotEqual:
            let x = try take(0, .B)
            return [
                .B, .u, .x, x.intersection(locks), x.intersection([.z, .o, .n, .d]),
                x.intersection(.malleability),
            ]
        }
    }

    /// z, o and n of X followed by Y.
    private func sequence(_ x: MiniscriptType, _ y: MiniscriptType) -> MiniscriptType {
        [
            x.intersection(y).intersection(.z),
            .o.when(x.contains(.o) && y.contains(.z) || x.contains(.z) && y.contains(.o)),
            .n.when(x.contains(.n) || x.contains(.z) && y.contains(.n)),
        ]
    }

    func andV() throws(TypeMismatch) -> MiniscriptType {
        let x = try take(0, .V)
        let y = try take(1, [.B, .V, .K])
        return [
            y.intersection([.B, .V, .K]), sequence(x, y), x.intersection(y).intersection([.d, .m]),
            x.union(y).intersection(.s), .f.when(y.contains(.f) || x.contains(.s)),
            y.intersection([.u, .x]), x.union(y).intersection(.locks), .k.when(unmixed(x, y)),
        ]
    }

    func andB() throws(TypeMismatch) -> MiniscriptType {
        let x = try take(0, .B)
        let y = try take(1, .W)
        let both = x.intersection(y)
        return [
            .B, .u, .x, sequence(x, y), both.intersection([.d, .m]),
            .e.when(both.isSuperset(of: [.e, .s])),
            .f.when(
                both.contains(.f) || x.isSuperset(of: [.s, .f]) || y.isSuperset(of: [.s, .f])),
            x.union(y).intersection(.s), x.union(y).intersection(.locks), .k.when(unmixed(x, y)),
        ]
    }

    func orB() throws(TypeMismatch) -> MiniscriptType {
        let x = try take(0, .B, .d)
        let z = try take(1, .W, .d)
        let both = x.intersection(z)
        return [
            .B, .d, .u, .x, sequence(x, z).subtracting(.n),
            .m.when(both.isSuperset(of: [.m, .e]) && x.union(z).contains(.s)),
            both.intersection([.s, .e, .k]), x.union(z).intersection(.locks),
        ]
    }

    /// What `or_c` and `or_d` share.
    private func orNotIf(_ x: MiniscriptType, _ z: MiniscriptType) -> MiniscriptType {
        let both = x.intersection(z)
        return [
            .x, .o.when(x.contains(.o) && z.contains(.z)), both.intersection([.z, .s, .k]),
            .m.when(both.contains(.m) && x.contains(.e) && x.union(z).contains(.s)),
            x.union(z).intersection(.locks),
        ]
    }

    func orC() throws(TypeMismatch) -> MiniscriptType {
        let x = try take(0, .B, [.d, .u])
        let z = try take(1, .V)
        return [.V, .f, orNotIf(x, z)]
    }

    func orD() throws(TypeMismatch) -> MiniscriptType {
        let x = try take(0, .B, [.d, .u])
        let z = try take(1, .B)
        return [.B, z.intersection([.u, .f, .d, .e]), orNotIf(x, z)]
    }

    func orI() throws(TypeMismatch) -> MiniscriptType {
        let x = try take(0, [.B, .V, .K])
        let z = try take(1, x.intersection(.basic))
        let both = x.intersection(z)
        let either = x.union(z)
        return [
            both.intersection([.B, .V, .K, .u, .f, .s, .k]), .x, .o.when(both.contains(.z)),
            .e.when(x.contains(.e) && z.contains(.f) || x.contains(.f) && z.contains(.e)),
            .m.when(both.contains(.m) && either.contains(.s)), either.intersection(.d),
            either.intersection(.locks),
        ]
    }

    func andOr() throws(TypeMismatch) -> MiniscriptType {
        let x = try take(0, .B, [.d, .u])
        let y = try take(1, [.B, .V, .K])
        let z = try take(2, y.intersection(.basic))
        let branches = y.intersection(z)
        let all = x.intersection(branches)
        let forced = x.contains(.s) || y.contains(.f)
        return [
            branches.intersection([.B, .V, .K, .u]), .x, all.intersection(.z),
            .o.when(
                x.contains(.o) && branches.contains(.z) || x.contains(.z) && branches.contains(.o)),
            z.intersection(.d), z.intersection([.f, .e]).when(forced),
            .m.when(all.contains(.m) && x.contains(.e) && x.union(y).union(z).contains(.s)),
            .s.when(z.contains(.s) && x.union(y).contains(.s)),
            x.union(y).union(z).intersection(.locks), .k.when(unmixed(x, y) && z.contains(.k)),
        ]
    }

    func thresh(_ needed: Int) throws(TypeMismatch) -> MiniscriptType {
        var taken = 0
        var safe = 0
        var all: MiniscriptType = [.e, .m]
        var locks: MiniscriptType = .k
        for index in 0..<arguments.count {
            let type = try take(index, index == 0 ? .B : .W, [.d, .u])
            taken += type.contains(.z) ? 0 : type.contains(.o) ? 1 : 2
            safe += type.contains(.s) ? 1 : 0
            all.formIntersection(type)
            let unmixed =
                needed > 1 ? unmixed(locks, type) : locks.intersection(type).contains(.k)
            locks = [locks.union(type).intersection(.locks), .k.when(unmixed)]
        }
        let unsafe = arguments.count - safe
        return [
            .B, .d, .u, locks, .z.when(taken == 0), .o.when(taken == 1),
            .e.when(all.contains(.e) && unsafe == 0),
            .m.when(all.isSuperset(of: [.e, .m]) && unsafe <= needed), .s.when(unsafe < needed),
        ]
    }
}

extension Fragment {
    /// Bytes of the script of an expression with this fragment as its root.
    ///
    /// - Precondition: `arguments` are the roots of as many arguments as it takes.
    func scriptSize(arguments: [Miniscript<Key>.Node], in context: ScriptContext) -> Int {
        arguments.reduce(ownSize(arguments.first?.type ?? [], context)) { $0 + $1.scriptSize }
    }

    private func ownSize(_ first: MiniscriptType, _ context: ScriptContext) -> Int {
        let pushedKey = 1 + context.keyLength
        switch self {
        case .zero, .one: return 1
        case .pkK: return pushedKey
        case .pkH: return 24
        case .older(let value), .after(let value):
            return pushedNumberSize(Int(value)) + 1
        case .hash(let lock): return 7 + lock.digest.count
        case .wrap(.verify): return first.contains(.x) ? 1 : 0
        case .wrap(.swap), .wrap(.check), .wrap(.zeroNotEqual): return 1
        case .wrap(.alt): return 2
        case .wrap(.dupIf): return 3
        case .wrap(.nonZero): return 4
        case .andV: return 0
        case .andB, .orB: return 1
        case .orC: return 2
        case .orD, .orI, .andOr: return 3
        case .thresh(let needed, let count): return count + pushedNumberSize(needed)
        case .multi(let needed, let keys):
            return pushedNumberSize(needed) + keys.count * pushedKey
                + pushedNumberSize(keys.count) + 1
        case .multiA(let needed, let keys):
            return keys.count * (pushedKey + 1) + pushedNumberSize(needed) + 1
        }
    }

    /// Bytes of the shortest push of a positive number.
    private func pushedNumberSize(_ value: Int) -> Int {
        value <= 16 ? 1 : 1 + (value.bitWidth - value.leadingZeroBitCount) / 8 + 1
    }
}

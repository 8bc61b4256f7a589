import Wire

extension Miniscript {
    /// Its text in the one form that Bitcoin Core prints too: with all sugar (`pk`, `pkh`, `and_n`,
    /// `t:`, `l:`, `u:`) and lower-case digits. `key` writes the keys.
    public func text(key: (Key) -> String) -> String {
        var text = ""
        // What is still to write, the next at the end.
        var tasks: [PrintTask] = [.node(nodes.count - 1, wrapped: false)]
        while let task = tasks.popLast() {
            switch task {
            case .text(let piece): text += piece
            case .node(let index, let wrapped):
                tasks += (wrapper(at: index) ?? call(at: index, wrapped, key)).reversed()
            }
        }
        return text
    }

    /// Letter and argument, where the node is written as a wrapper.
    private func wrapper(at index: Int) -> [PrintTask]? {
        let roots = arguments(of: index)
        func isFragment(_ argument: Int, _ fragment: Fragment<Key>) -> Bool {
            nodes[roots[argument]].fragment == fragment
        }
        func wrap(_ letter: Character, _ argument: Int) -> [PrintTask] {
            [.text(String(letter)), .node(roots[argument], wrapped: true)]
        }
        switch nodes[index].fragment {
        case .wrap(.check):
            switch nodes[roots[0]].fragment {
            case .pkK, .pkH: return nil
            default: return wrap("c", 0)
            }
        case .wrap(let wrapper): return wrap(wrapper.letter, 0)
        case .andV where isFragment(1, .one): return wrap("t", 0)
        case .orI where isFragment(0, .zero): return wrap("l", 1)
        case .orI where isFragment(1, .zero): return wrap("u", 0)
        default: return nil
        }
    }

    private func call(at index: Int, _ wrapped: Bool, _ key: (Key) -> String) -> [PrintTask] {
        let roots = arguments(of: index)
        let fragment = nodes[index].fragment
        let colon = wrapped ? ":" : ""
        func list(_ name: String, _ words: [String], _ roots: [Int] = []) -> [PrintTask] {
            var tasks: [PrintTask] = [.text("\(colon)\(name)(\(words.joined(separator: ","))")]
            if !words.isEmpty && !roots.isEmpty { tasks.append(.text(",")) }
            for (place, root) in roots.enumerated() {
                if place > 0 { tasks.append(.text(",")) }
                tasks.append(.node(root, wrapped: false))
            }
            return tasks + [.text(")")]
        }
        switch fragment {
        case .zero, .one: return [.text(colon + fragment.name)]
        case .pkK(let value), .pkH(let value): return list(fragment.name, [key(value)])
        case .wrap:
            // Only c:pk_k and c:pk_h are no wrapper when written.
            let inner = nodes[roots[0]].fragment
            let name = if case .pkK = inner { "pk" } else { "pkh" }
            return list(name, inner.keys.map(key))
        case .older(let value), .after(let value): return list(fragment.name, [String(value)])
        case .hash(let lock): return list(fragment.name, [Hex.encode(lock.digest)])
        case .multi(let needed, let keys), .multiA(let needed, let keys):
            return list(fragment.name, [String(needed)] + keys.map(key))
        case .thresh(let needed, _): return list(fragment.name, [String(needed)], roots)
        case .andOr where nodes[roots[2]].fragment == .zero:
            return list("and_n", [], Array(roots.prefix(2)))
        case .andV, .andB, .orB, .orC, .orD, .orI, .andOr: return list(fragment.name, [], roots)
        }
    }
}

private enum PrintTask {
    case text(String)
    case node(Int, wrapped: Bool)
}

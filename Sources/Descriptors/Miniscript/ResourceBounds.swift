/// What a miniscript may cost at most, over all satisfactions that a non-malleable satisfier may
/// choose.
public struct ResourceBounds: Hashable, Sendable {
    /// Opcodes above `OP_16` that may run, keys of `OP_CHECKMULTISIG` counted (at most 201 in P2WSH).
    public let opcodes: Int
    /// Witness items before the script (at most 100 relay in P2WSH).
    public let witnessItems: Int
    /// Items on both stacks at any moment (at most 1,000).
    public let stackItems: Int
    /// Bytes of those witness items, each with its length; neither their count nor the script.
    public let witnessSize: Int
}

/// What a run through a part of a script costs at most.
struct Trace: Hashable, Sendable {
    /// Keys of the `OP_CHECKMULTISIG`s that run.
    var multisigKeys = 0
    /// Items on the stack before it less those after it.
    var netItems = 0
    /// Items on the stack at the fullest moment less those after it.
    var peakItems = 0
    /// Bytes of the witness items that it takes, each with its length.
    var witnessSize = 0

    static let empty = Trace()
    static let push = Trace(netItems: -1)
    /// An opcode that takes two items and leaves one, or takes one and leaves none.
    static let takeOne = Trace(netItems: 1, peakItems: 1)
    static let takeTwo = Trace(netItems: 2, peakItems: 2)

    /// `OP_IF` or `OP_NOTIF` on an item of the witness, the empty one or one byte.
    static func branch(on item: Bool) -> Trace {
        Trace(netItems: 1, peakItems: 1, witnessSize: item ? 2 : 1)
    }

    /// Parts one after another; nil stands for no run at all.
    static func run(_ parts: Trace?...) -> Trace? {
        var whole = Trace.empty
        for part in parts {
            guard let part else { return nil }
            whole = Trace(
                multisigKeys: whole.multisigKeys + part.multisigKeys,
                netItems: whole.netItems + part.netItems,
                peakItems: max(part.peakItems, part.netItems + whole.peakItems),
                witnessSize: whole.witnessSize + part.witnessSize)
        }
        return whole
    }

    /// The worse of two runs in each respect; nil stands for no run at all.
    static func worse(_ left: Trace?, _ right: Trace?) -> Trace? {
        guard let left, let right else { return left ?? right }
        return Trace(
            multisigKeys: max(left.multisigKeys, right.multisigKeys),
            netItems: max(left.netItems, right.netItems),
            peakItems: max(left.peakItems, right.peakItems),
            witnessSize: max(left.witnessSize, right.witnessSize))
    }
}

extension Miniscript {
    /// What it may cost at most; nil if nothing can satisfy it.
    public var resourceBounds: ResourceBounds? {
        let traces = fold { node, arguments in
            Traces(of: node.fragment, Array(arguments), in: context)
        }
        guard let satisfied = traces.satisfied else { return nil }
        return ResourceBounds(
            opcodes: staticOpcodes + satisfied.multisigKeys, witnessItems: satisfied.netItems + 1,
            stackItems: satisfied.peakItems + 1, witnessSize: satisfied.witnessSize)
    }

    /// Opcodes above `OP_16` in the script, executed or not, as consensus counts them.
    private var staticOpcodes: Int {
        nodes.indices.reduce(0) { sum, index in
            let own: Int
            switch nodes[index].fragment {
            case .zero, .one, .pkK, .andV: own = 0
            case .older, .after, .andB, .orB, .multi: own = 1
            case .wrap(.swap), .wrap(.check), .wrap(.zeroNotEqual): own = 1
            case .wrap(.alt), .orC: own = 2
            case .pkH, .wrap(.dupIf), .orD, .orI, .andOr: own = 3
            case .hash, .wrap(.nonZero): own = 4
            case .wrap(.verify): own = nodes[index - 1].type.contains(.x) ? 1 : 0
            case .thresh(_, let count): own = count
            case .multiA(_, let keys): own = keys.count + 1
            }
            return sum + own
        }
    }
}

/// The worst run of an expression that satisfies it, and the worst that dissatisfies it.
private struct Traces {
    let satisfied: Trace?
    let dissatisfied: Trace?

    init(_ satisfied: Trace?, _ dissatisfied: Trace?) {
        self.satisfied = satisfied
        self.dissatisfied = dissatisfied
    }

    init<Key>(of fragment: Fragment<Key>, _ arguments: [Traces], in context: ScriptContext) {
        if fragment.arity == 0 {
            self.init(leaf: fragment, in: context)
            return
        }
        let x = arguments[0]
        switch fragment {
        case .wrap(let wrapper): self.init(wrapper, x)
        case .thresh(let needed, _): self.init(thresh: needed, arguments)
        case .andOr:
            let (y, z) = (arguments[1], arguments[2])
            self.init(
                .worse(
                    .run(x.satisfied, .takeOne, y.satisfied),
                    .run(x.dissatisfied, .takeOne, z.satisfied)),
                .run(x.dissatisfied, .takeOne, z.dissatisfied))
        default: self.init(pair: fragment, x, arguments[1])
        }
    }

    private init<Key>(leaf fragment: Fragment<Key>, in context: ScriptContext) {
        let signature = 1 + context.maximumSignatureLength
        let key = 1 + context.keyLength
        switch fragment {
        case .one, .older, .after: self.init(.push, nil)
        case .pkK:
            self.init(
                Trace(netItems: -1, witnessSize: signature), Trace(netItems: -1, witnessSize: 1))
        case .pkH:
            // OP_DUP OP_HASH160 <hash> leave two more than OP_EQUALVERIFY takes off again.
            let run = Trace.run(.push, .push, .takeTwo)
            self.init(
                .run(run, Trace(witnessSize: signature + key)),
                .run(run, Trace(witnessSize: 1 + key)))
        case .hash:
            // OP_SIZE <32> OP_EQUALVERIFY, then hash, push, OP_EQUAL.
            let run = Trace.run(.push, .push, .takeTwo, .push, .takeOne)
            self.init(.run(run, Trace(witnessSize: 33)), nil)
        case .multi(let needed, let keys):
            func run(witnessSize: Int) -> Trace {
                Trace(
                    multisigKeys: keys.count, netItems: needed,
                    peakItems: needed + keys.count + 2, witnessSize: witnessSize)
            }
            self.init(run(witnessSize: 1 + needed * signature), run(witnessSize: 1 + needed))
        case .multiA(let needed, let keys):
            func run(witnessSize: Int) -> Trace {
                Trace(
                    netItems: keys.count - 1, peakItems: keys.count, witnessSize: witnessSize)
            }
            self.init(
                run(witnessSize: keys.count - needed + needed * signature),
                run(witnessSize: keys.count))
        default: self.init(nil, .push)
        }
    }

    private init(_ wrapper: Wrapper, _ x: Traces) {
        switch wrapper {
        case .alt, .swap, .zeroNotEqual: self = x
        case .check: self.init(.run(x.satisfied, .takeOne), .run(x.dissatisfied, .takeOne))
        case .verify: self.init(.run(x.satisfied, .takeOne), nil)
        case .dupIf:
            self.init(
                .run(.push, .branch(on: true), x.satisfied), .run(.push, .branch(on: false)))
        case .nonZero:
            self.init(
                .run(.push, .takeOne, x.satisfied),
                .run(.push, .takeOne, Trace(witnessSize: 1)))
        }
    }

    private init<Key>(pair fragment: Fragment<Key>, _ x: Traces, _ y: Traces) {
        let both = Trace.run(x.satisfied, y.satisfied)
        let neither = Trace.run(x.dissatisfied, y.dissatisfied)
        switch fragment {
        case .andV: self.init(both, nil)
        case .andB: self.init(.run(both, .takeOne), .run(neither, .takeOne))
        case .orB:
            let one = Trace.worse(
                .run(x.satisfied, y.dissatisfied), .run(x.dissatisfied, y.satisfied))
            self.init(.run(one, .takeOne), .run(neither, .takeOne))
        case .orC:
            self.init(
                .worse(
                    .run(x.satisfied, .takeOne), .run(x.dissatisfied, .takeOne, y.satisfied)),
                nil)
        case .orD:
            self.init(
                .worse(
                    .run(x.satisfied, .push, .takeOne),
                    .run(x.dissatisfied, .takeOne, y.satisfied)),
                .run(x.dissatisfied, .takeOne, y.dissatisfied))
        default:
            let (first, second) = (Trace.branch(on: true), Trace.branch(on: false))
            self.init(
                .worse(.run(first, x.satisfied), .run(second, y.satisfied)),
                .worse(.run(first, x.dissatisfied), .run(second, y.dissatisfied)))
        }
    }

    private init(thresh needed: Int, _ arguments: [Traces]) {
        // The worst runs so far that satisfy as many arguments as their place says.
        var runs: [Trace?] = [.empty]
        for (place, argument) in arguments.enumerated() {
            let end = place == 0 ? Trace.empty : .takeOne
            runs.append(nil)
            for count in runs.indices.reversed() {
                let fewer = count == 0 ? nil : Trace.run(runs[count - 1], argument.satisfied)
                let same = Trace.run(runs[count], argument.dissatisfied)
                runs[count] = .run(.worse(same, fewer), end)
            }
        }
        let end = Trace.run(.push, .takeOne)
        self.init(.run(runs[needed], end), .run(runs[0], end))
    }
}

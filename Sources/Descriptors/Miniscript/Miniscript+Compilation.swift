public import Bitcoin
import Hashing

/// A key that can stand in a script.
public protocol ScriptKey: Hashable, Sendable {
    /// The bytes that a script pushes: 33 (compressed) in wsh, 32 (x-only) in tapscript.
    func bytes(in context: ScriptContext) -> [UInt8]
}

extension Miniscript where Key: ScriptKey {
    /// The script, of exactly `scriptSize` bytes.
    public var script: Script {
        var builder = ScriptBuilder()
        let verified = nodesBeforeVerify
        // What is still to write, the next at the end.
        var tasks: [CompileTask] = [.node(nodes.count - 1)]
        while let task = tasks.popLast() {
            switch task {
            case .opcode(let opcode): builder.append(opcode)
            case .number(let number): builder.push(number: Int64(number))
            case .node(let index):
                let node = nodes[index]
                if node.fragment.arity == 0 {
                    write(node.fragment, verified[index], to: &builder)
                } else {
                    tasks += combine(index, verified[index]).reversed()
                }
            }
        }
        return builder.script
    }

    /// Which nodes end right before an `OP_VERIFY`, which their last opcode then takes in.
    private var nodesBeforeVerify: [Bool] {
        var verified = [Bool](repeating: false, count: nodes.count)
        // Parents come after their arguments, and only the last argument, next to its parent, can
        // be the end of the parent's script.
        for index in nodes.indices.reversed() {
            switch nodes[index].fragment {
            case .wrap(.verify): verified[index - 1] = true
            case .wrap(.swap), .andV: verified[index - 1] = verified[index]
            default: break
            }
        }
        return verified
    }

    private func combine(_ index: Int, _ verified: Bool) -> [CompileTask] {
        let roots = arguments(of: index)
        func x(_ argument: Int = 0) -> CompileTask { .node(roots[argument]) }
        switch nodes[index].fragment {
        case .wrap(.alt): return [.opcode(.toAltStack), x(), .opcode(.fromAltStack)]
        case .wrap(.swap): return [.opcode(.swap), x()]
        case .wrap(.check): return [x(), .opcode(verified ? .checkSigVerify : .checkSig)]
        case .wrap(.dupIf): return [.opcode(.dup), .opcode(.if), x(), .opcode(.endIf)]
        case .wrap(.verify):
            return nodes[roots[0]].type.contains(.x) ? [x(), .opcode(.verify)] : [x()]
        case .wrap(.nonZero):
            return [
                .opcode(.size), .opcode(.zeroNotEqual), .opcode(.if), x(), .opcode(.endIf),
            ]
        case .wrap(.zeroNotEqual): return [x(), .opcode(.zeroNotEqual)]
        case .andV: return [x(), x(1)]
        case .andB: return [x(), x(1), .opcode(.boolAnd)]
        case .orB: return [x(), x(1), .opcode(.boolOr)]
        case .orC: return [x(), .opcode(.notIf), x(1), .opcode(.endIf)]
        case .orD: return [x(), .opcode(.ifDup), .opcode(.notIf), x(1), .opcode(.endIf)]
        case .orI: return [.opcode(.if), x(), .opcode(.else), x(1), .opcode(.endIf)]
        case .andOr:
            return [x(), .opcode(.notIf), x(2), .opcode(.else), x(1), .opcode(.endIf)]
        case .thresh(let needed, _):
            var tasks: [CompileTask] = [x()]
            for root in roots.dropFirst() { tasks += [.node(root), .opcode(.add)] }
            return tasks + [.number(needed), .opcode(verified ? .equalVerify : .equal)]
        default: return []
        }
    }

    /// Writes a fragment that takes no miniscript.
    private func write(
        _ fragment: Fragment<Key>, _ verified: Bool, to builder: inout ScriptBuilder
    ) {
        switch fragment {
        case .zero: builder.append(.zero)
        case .one: builder.append(.one)
        case .pkK(let key): builder.push(key.bytes(in: context))
        case .pkH(let key):
            builder.append(.dup)
            builder.append(.hash160)
            builder.push(hash160(key.bytes(in: context)))
            builder.append(.equalVerify)
        case .older(let value):
            builder.push(number: Int64(value))
            builder.append(.checkSequenceVerify)
        case .after(let value):
            builder.push(number: Int64(value))
            builder.append(.checkLockTimeVerify)
        case .hash(let lock):
            builder.append(.size)
            builder.push(number: 32)
            builder.append(.equalVerify)
            builder.append(lock.function.opcode)
            builder.push(lock.digest)
            builder.append(verified ? .equalVerify : .equal)
        case .multi(let needed, let keys):
            builder.push(number: Int64(needed))
            for key in keys { builder.push(key.bytes(in: context)) }
            builder.push(number: Int64(keys.count))
            builder.append(verified ? .checkMultiSigVerify : .checkMultiSig)
        case .multiA(let needed, let keys):
            for (place, key) in keys.enumerated() {
                builder.push(key.bytes(in: context))
                builder.append(place == 0 ? .checkSig : .checkSigAdd)
            }
            builder.push(number: Int64(needed))
            builder.append(verified ? .numEqualVerify : .numEqual)
        default: break
        }
    }
}

private enum CompileTask {
    case node(Int)
    case number(Int)
    case opcode(Opcode)
}

extension HashLock.Function {
    /// The opcode that computes it.
    var opcode: Opcode {
        switch self {
        case .sha256: .sha256
        case .hash256: .hash256
        case .ripemd160: .ripemd160
        case .hash160: .hash160
        }
    }
}

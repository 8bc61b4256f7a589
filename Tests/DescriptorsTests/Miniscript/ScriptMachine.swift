import Bitcoin
import Hashing

@testable import Descriptors

/// Runs the opcodes that miniscripts are made of, with the rules that nodes relay by (minimal IF,
/// null dummy, null fail), and counts what it spends.
struct ScriptMachine {
    enum Failure: Error {
        case truncated, unknownOpcode, emptyStack, verify, notMinimalIf, nullDummy, nullFail
        case unbalanced, number, lock, leftovers
    }

    let world: TestWorld
    private(set) var stack: [[UInt8]]
    private(set) var opcodes = 0
    private(set) var peak = 0
    private var altStack: [[UInt8]] = []
    private var branches: [Bool] = []

    init(_ world: TestWorld, witness: [[UInt8]]) {
        self.world = world
        stack = witness
    }

    /// Whether the script leaves nothing but true.
    static func accepts(_ script: Script, _ witness: [[UInt8]], _ world: TestWorld) -> Bool {
        var machine = ScriptMachine(world, witness: witness)
        return (try? machine.run(script)) == true
    }

    /// Whether the one item that is left is true; throws where the script fails.
    mutating func run(_ script: Script) throws -> Bool {
        peak = stack.count
        for instruction in try script.instructions() {
            if instruction.opcode > .sixteen { opcodes += 1 }
            try execute(instruction)
            peak = max(peak, stack.count + altStack.count)
        }
        guard branches.isEmpty else { throw Failure.unbalanced }
        guard stack.count == 1 else { throw Failure.leftovers }
        return ScriptMachine.isTrue(stack[0])
    }

    private static func isTrue(_ item: [UInt8]) -> Bool {
        guard let last = item.last else { return false }
        return last & 0x7F != 0 || item.dropLast().contains { $0 != 0 }
    }

    private mutating func pop() throws -> [UInt8] {
        guard let item = stack.popLast() else { throw Failure.emptyStack }
        return item
    }

    private mutating func popNumber() throws -> Int64 {
        guard let number = ScriptNumber.decode(try pop(), maximumSize: 4) else {
            throw Failure.number
        }
        return number
    }

    private mutating func push(_ value: Bool) { stack.append(value ? [1] : []) }

    private mutating func verify() throws {
        guard ScriptMachine.isTrue(try pop()) else { throw Failure.verify }
    }

    private mutating func execute(_ instruction: ScriptInstruction) throws {
        let opcode = instruction.opcode
        switch opcode {
        case .if, .notIf:
            guard branches.allSatisfy({ $0 }) else { return branches.append(false) }
            let item = try pop()
            guard item == [] || item == [1] else { throw Failure.notMinimalIf }
            return branches.append((item == [1]) == (opcode == .if))
        case .else:
            guard let branch = branches.popLast() else { throw Failure.unbalanced }
            return branches.append(!branch)
        case .endIf:
            guard branches.popLast() != nil else { throw Failure.unbalanced }
            return
        default: break
        }
        // An ELSE within a branch that does not run flips nothing that matters: the outer one
        // is false.
        guard branches.allSatisfy({ $0 }) else { return }
        if let pushed = instruction.pushed { return stack.append(pushed) }
        if try executeStack(opcode) { return }
        if try executeCrypto(opcode) { return }
        try executeArithmetic(opcode)
    }

    private mutating func executeStack(_ opcode: Opcode) throws -> Bool {
        switch opcode {
        case .verify: try verify()
        case .toAltStack: altStack.append(try pop())
        case .fromAltStack:
            guard let item = altStack.popLast() else { throw Failure.emptyStack }
            stack.append(item)
        case .dup, .ifDup:
            guard let item = stack.last else { throw Failure.emptyStack }
            if opcode == .dup || ScriptMachine.isTrue(item) { stack.append(item) }
        case .swap:
            let top = try pop()
            let below = try pop()
            stack += [top, below]
        case .size:
            guard let item = stack.last else { throw Failure.emptyStack }
            stack.append(ScriptNumber.encode(Int64(item.count)))
        case .checkLockTimeVerify, .checkSequenceVerify:
            guard let item = stack.last,
                let number = ScriptNumber.decode(item, maximumSize: 5),
                let value = UInt32(exactly: number)
            else { throw Failure.number }
            let isMet =
                opcode == .checkSequenceVerify
                ? world.isMet(older: value) : world.isMet(after: value)
            guard isMet else { throw Failure.lock }
        default: return false
        }
        return true
    }

    private mutating func executeArithmetic(_ opcode: Opcode) throws {
        switch opcode {
        case .equal, .equalVerify: push(try pop() == pop())
        case .zeroNotEqual: push(try popNumber() != 0)
        case .add: stack.append(ScriptNumber.encode(try popNumber() + popNumber()))
        case .boolAnd:
            let (y, x) = (try popNumber(), try popNumber())
            push(x != 0 && y != 0)
        case .boolOr:
            let (y, x) = (try popNumber(), try popNumber())
            push(x != 0 || y != 0)
        case .numEqual, .numEqualVerify: push(try popNumber() == popNumber())
        default: throw Failure.unknownOpcode
        }
        if opcode == .equalVerify || opcode == .numEqualVerify { try verify() }
    }

    private mutating func executeCrypto(_ opcode: Opcode) throws -> Bool {
        switch opcode {
        case .sha256: stack.append(TestWorld.digest(.sha256, of: try pop()))
        case .hash256: stack.append(TestWorld.digest(.hash256, of: try pop()))
        case .ripemd160: stack.append(TestWorld.digest(.ripemd160, of: try pop()))
        case .hash160: stack.append(TestWorld.digest(.hash160, of: try pop()))
        case .checkSig, .checkSigVerify:
            let key = try pop()
            push(try isValid(try pop(), key))
            if opcode == .checkSigVerify { try verify() }
        case .checkSigAdd:
            let key = try pop()
            let count = try popNumber()
            let isValid = try isValid(try pop(), key)
            stack.append(ScriptNumber.encode(count + (isValid ? 1 : 0)))
        case .checkMultiSig, .checkMultiSigVerify:
            try checkMultisig()
            if opcode == .checkMultiSigVerify { try verify() }
        default: return false
        }
        return true
    }

    private func isValid(_ signature: [UInt8], _ key: [UInt8]) throws -> Bool {
        guard !signature.isEmpty else { return false }
        guard signature == TestWorld.signature(of: key, in: world.context) else {
            throw Failure.nullFail
        }
        return true
    }

    private mutating func checkMultisig() throws {
        let keyCount = Int(try popNumber())
        opcodes += keyCount
        var keys: [[UInt8]] = []
        for _ in 0..<keyCount { keys.append(try pop()) }
        let needed = Int(try popNumber())
        var signatures: [[UInt8]] = []
        for _ in 0..<needed { signatures.append(try pop()) }
        guard try pop().isEmpty else { throw Failure.nullDummy }
        var remaining = signatures[...]
        for key in keys where remaining.first == TestWorld.signature(of: key, in: world.context) {
            remaining.removeFirst()
        }
        guard remaining.isEmpty || signatures.allSatisfy(\.isEmpty) else { throw Failure.nullFail }
        push(remaining.isEmpty)
    }
}

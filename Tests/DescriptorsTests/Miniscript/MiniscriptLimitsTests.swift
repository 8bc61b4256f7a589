import Bitcoin
import Testing

@testable import Descriptors

@Suite("Miniscript limits")
struct MiniscriptLimitsTests {
    /// `and_b(first,a:and_b(first,a:...last))` with as many `and_b` as `first` has fragments.
    private func nest(
        _ first: [[Fragment<TestKey>]], _ last: [Fragment<TestKey>], in context: ScriptContext
    ) throws(MiniscriptError) -> Miniscript<TestKey> {
        var builder = MiniscriptBuilder<TestKey>(context: context)
        for fragments in first + [last] {
            for fragment in fragments { try builder.append(fragment) }
        }
        for _ in first {
            try builder.append(.wrap(.alt))
            try builder.append(.andB)
        }
        return try builder.finish()
    }

    private func pk(_ number: Int) -> [Fragment<TestKey>] {
        [.pkK(TestKey(number)), .wrap(.check)]
    }

    @Test(
        "99, 110 and 200 keys nest in tapscript and are too large for wsh",
        arguments: [99, 110, 200])
    func manyKeys(count: Int) throws {
        let first = (1..<count).map(pk)
        let miniscript = try nest(first, pk(count), in: .tapscript)
        let bounds = try #require(miniscript.resourceBounds)
        #expect(bounds.opcodes == count + (count - 1) * 3)
        #expect(bounds.witnessItems == count)
        #expect(bounds.stackItems == count + 1)
        #expect(miniscript.isSane)
        let world = TestWorld(context: .tapscript, signers: Set(miniscript.keys))
        let witness = try miniscript.satisfaction(from: world)
        #expect(ScriptMachine.accepts(miniscript.script, witness, world))
        let error = thrown { _ = try nest(first, pk(count), in: .wsh) } as? MiniscriptError
        guard case .scriptTooLarge(_, allowed: 3_600) = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("1,000 items on the stack are sane, 1,001 are not")
    func stackItems() throws {
        let full = try nest(
            [[Fragment<TestKey>]](repeating: [.older(1)], count: 998), pk(1), in: .tapscript)
        #expect(full.resourceBounds?.stackItems == 1_000)
        #expect(full.resourceBounds?.opcodes == 4 * 998 + 1)
        #expect(full.resourceBounds?.witnessItems == 1)
        #expect(full.isSane)
        let over = try nest(
            [[Fragment<TestKey>]](repeating: [.older(1)], count: 999), pk(1), in: .tapscript)
        #expect(throws: InsaneMiniscript(.stackItems(found: 1_001, allowed: 1_000), at: 0)) {
            try over.checkSanity()
        }
    }

    @Test("more than 201 opcodes are not sane in wsh")
    func opcodes() throws {
        let miniscript = try nest((1..<60).map(pk), pk(60), in: .wsh)
        #expect(throws: InsaneMiniscript(.opcodes(found: 237, allowed: 201), at: 0)) {
            try miniscript.checkSanity()
        }
    }

    @Test("more than 100 witness items are not sane in wsh")
    func witnessItems() throws {
        var builder = MiniscriptBuilder<TestKey>(context: .wsh)
        for group in 0..<5 {
            let keys = (1...20).map { TestKey(group * 20 + $0) }
            try builder.append(.multi(20, keys))
            if group < 4 { try builder.append(.wrap(.verify)) }
        }
        for _ in 0..<4 { try builder.append(.andV) }
        let miniscript = try builder.finish()
        #expect(throws: InsaneMiniscript(.witnessItems(found: 105, allowed: 100), at: 0)) {
            try miniscript.checkSanity()
        }
    }

    @Test("multi takes 20 keys, multi_a 999, thresh 999 arguments")
    func arguments() throws {
        let keys = (0...999).map { TestKey($0) }
        var builder = MiniscriptBuilder<TestKey>(context: .wsh)
        try builder.append(.multi(20, Array(keys.prefix(20))))
        #expect(throws: MiniscriptError(.argumentCount(found: 21, allowed: 1...20), at: 0)) {
            try builder.append(.multi(20, Array(keys.prefix(21))))
        }
        #expect(throws: MiniscriptError(.notInContext("multi_a", .wsh), at: 0)) {
            try builder.append(.multiA(1, Array(keys.prefix(1))))
        }
        var tapscript = MiniscriptBuilder<TestKey>(context: .tapscript)
        try tapscript.append(.multiA(999, Array(keys.prefix(999))))
        #expect(throws: MiniscriptError(.argumentCount(found: 1_000, allowed: 1...999), at: 0)) {
            try tapscript.append(.multiA(1, keys))
        }
        #expect(throws: MiniscriptError(.argumentCount(found: 1_000, allowed: 1...999), at: 0)) {
            try tapscript.append(.thresh(1, of: 1_000))
        }
        #expect(throws: MiniscriptError(.threshold(found: 3, of: 2), at: 0)) {
            try tapscript.append(.multiA(3, Array(keys.prefix(2))))
        }
    }

    @Test("multi_a of 999 keys compiles, decodes and is satisfied")
    func largeMultiA() throws {
        let keys = (0..<999).map { TestKey($0) }
        var builder = MiniscriptBuilder<TestKey>(context: .tapscript)
        try builder.append(.multiA(2, keys))
        let miniscript = try builder.finish()
        try expectFixedPoints(miniscript)
        let world = TestWorld(context: .tapscript, signers: [keys[0], keys[998]])
        let witness = try miniscript.satisfaction(from: world)
        #expect(witness.count == 999)
        #expect(ScriptMachine.accepts(miniscript.script, witness, world))
    }

    @Test("10,000 fragments on top of each other exhaust no stack, one more is refused")
    func deep() throws {
        var builder = MiniscriptBuilder<TestKey>(context: .tapscript)
        for fragment in pk(1) { try builder.append(fragment) }
        for _ in 2..<Miniscript<TestKey>.maximumNodes { try builder.append(.wrap(.zeroNotEqual)) }
        #expect(throws: MiniscriptError(.tooManyFragments(allowed: 10_000), at: 7)) {
            try builder.append(.wrap(.zeroNotEqual), at: 7)
        }
        let miniscript = try builder.finish()
        #expect(miniscript.text.hasPrefix("nnnn"))
        #expect(miniscript.scriptSize == 33 + 9_999)
        #expect(try Miniscript<EncodedKey>(miniscript.script, in: .tapscript).nodes.count == 10_000)
        let world = TestWorld(context: .tapscript, signers: Set(miniscript.keys))
        #expect(try miniscript.satisfaction(from: world).count == 1)
        #expect(miniscript.isSane)
    }

    @Test("the largest thresh is analysed and satisfied")
    func largeThresh() throws {
        var builder = MiniscriptBuilder<TestKey>(context: .tapscript)
        for number in 0..<999 {
            for fragment in pk(number) { try builder.append(fragment) }
            if number > 0 { try builder.append(.wrap(.swap)) }
        }
        try builder.append(.thresh(1, of: 999))
        let miniscript = try builder.finish()
        #expect(miniscript.isSane)
        let world = TestWorld(context: .tapscript, signers: [TestKey(500)])
        let witness = try miniscript.satisfaction(from: world)
        #expect(ScriptMachine.accepts(miniscript.script, witness, world))
    }

    @Test("arguments must come before what takes them, and one expression be left")
    func builder() throws {
        var builder = MiniscriptBuilder<TestKey>(context: .wsh)
        #expect(throws: MiniscriptError(.missingArguments("and_v"), at: 3)) {
            try builder.append(.andV, at: 3)
        }
        try builder.append(.one)
        try builder.append(.one)
        let two = builder
        #expect(throws: MiniscriptError(.severalExpressions(found: 2), at: 0)) {
            try two.finish()
        }
        var key = MiniscriptBuilder<TestKey>(context: .wsh)
        try key.append(.pkK(TestKey(1)), at: 5)
        let whole = key
        let error = thrown { _ = try whole.finish() } as? MiniscriptError
        #expect(error?.position == 5)
        #expect(error?.description.contains("must be of type B, it is K") == true)
    }
}

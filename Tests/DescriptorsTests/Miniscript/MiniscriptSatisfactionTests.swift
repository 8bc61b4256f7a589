import Bitcoin
import TestSupport
import Testing
import Wire

@testable import Descriptors

@Suite("Miniscript satisfaction")
struct MiniscriptSatisfactionTests {
    private static let contexts = [ScriptContext.wsh, .tapscript]

    /// Runs a check on random miniscripts and worlds; the count says how many cases it judged.
    private func forRandomCases(
        _ context: ScriptContext, count: Int, seed: UInt64,
        _ check: (Miniscript<TestKey>, TestWorld) throws -> Bool
    ) throws -> Int {
        var generator = RandomMiniscript(seed: seed, context)
        var judged = 0
        for index in 0..<count {
            let miniscript = try generator.next(depth: index % 5)
            for _ in 0..<3 where try check(miniscript, generator.world(for: miniscript)) {
                judged += 1
            }
        }
        return judged
    }

    @Test("a satisfaction passes the script and stays within the bounds", arguments: contexts)
    func satisfied(context: ScriptContext) throws {
        let judged = try forRandomCases(context, count: 800, seed: 1) { miniscript, world in
            guard let witness = try? miniscript.satisfaction(from: world) else { return false }
            var machine = ScriptMachine(world, witness: witness)
            #expect(try machine.run(miniscript.script), "\(miniscript.text)")
            let bounds = try #require(miniscript.resourceBounds)
            #expect(witness.count <= bounds.witnessItems, "\(miniscript.text)")
            #expect(machine.peak <= bounds.stackItems, "\(miniscript.text)")
            #expect(machine.opcodes <= bounds.opcodes, "\(miniscript.text)")
            let size = witness.reduce(0) { $0 + 1 + $1.count }
            #expect(size <= bounds.witnessSize, "\(miniscript.text)")
            return true
        }
        #expect(judged > 250)
    }

    @Test("a satisfaction that may be malleable exists just when nothing is missing, and passes")
    func malleable() throws {
        let judged = try forRandomCases(.wsh, count: 600, seed: 2) { miniscript, world in
            let best = miniscript.satisfactionThatMayBeMalleable(from: world)
            let missing = miniscript.missing(from: world)
            #expect((best != nil) == (missing == []), "\(miniscript.text)")
            guard let best else { return false }
            #expect(ScriptMachine.accepts(miniscript.script, best.items, world))
            return true
        }
        #expect(judged > 250)
    }

    @Test("a sane miniscript is satisfied without malleability as soon as nothing is missing")
    func sane() throws {
        var judged = 0
        for context in Self.contexts {
            judged += try forRandomCases(context, count: 800, seed: 3) { miniscript, world in
                guard miniscript.isSane, miniscript.missing(from: world) == [] else { return false }
                _ = try miniscript.satisfaction(from: world)
                return true
            }
        }
        #expect(judged > 100)
    }

    @Test("with exactly what was reported missing it is satisfied", arguments: contexts)
    func missing(context: ScriptContext) throws {
        let judged = try forRandomCases(context, count: 500, seed: 4) { miniscript, world in
            guard let missing = miniscript.missing(from: world), !missing.isEmpty else {
                return false
            }
            var world = world
            for requirement in missing { world.add(requirement) }
            #expect(miniscript.missing(from: world) == [], "\(miniscript.text)")
            #expect(miniscript.satisfactionThatMayBeMalleable(from: world) != nil)
            return true
        }
        #expect(judged > 250)
    }

    @Test(
        "a dissatisfaction leaves false, with no signature where the type promises one",
        arguments: contexts)
    func dissatisfied(context: ScriptContext) throws {
        let judged = try forRandomCases(context, count: 500, seed: 5) { miniscript, world in
            var satisfier = Satisfier(world, context)
            let choices = miniscript.fold { satisfier.choices(for: $0.fragment, $1) }
            if miniscript.type.contains(.d) {
                #expect(choices.dissatisfied?.hasSignature == false, "\(miniscript.text)")
            }
            if miniscript.type.isSuperset(of: [.e, .m]) {
                #expect(choices.dissatisfied?.isMalleable == false, "\(miniscript.text)")
            }
            guard let dissatisfied = choices.dissatisfied else { return false }
            let items = satisfier.store.items(of: dissatisfied)
            var machine = ScriptMachine(world, witness: items)
            let passes = try machine.run(miniscript.script)
            #expect(!passes, "\(miniscript.text)")
            return true
        }
        #expect(judged > 150)
    }

    @Test("what needs a signature is not satisfied without one", arguments: contexts)
    func unsigned(context: ScriptContext) throws {
        let judged = try forRandomCases(context, count: 500, seed: 6) { miniscript, world in
            guard miniscript.needsSignature else { return false }
            var world = world
            world.signers = []
            #expect(miniscript.satisfactionThatMayBeMalleable(from: world) == nil)
            #expect(throws: Unsatisfied<TestKey>.self) {
                try miniscript.satisfaction(from: world)
            }
            return true
        }
        #expect(judged > 250)
    }

    @Test("the type letters z, o, n and s hold for what the satisfier finds")
    func types() throws {
        let judged = try forRandomCases(.wsh, count: 500, seed: 7) { miniscript, world in
            guard let best = miniscript.satisfactionThatMayBeMalleable(from: world) else {
                return false
            }
            let type = miniscript.type
            if type.contains(.z) { #expect(best.items.isEmpty, "\(miniscript.text)") }
            if type.contains(.o) { #expect(best.items.count == 1, "\(miniscript.text)") }
            if type.contains(.n) { #expect(best.items.last?.isEmpty == false) }
            if type.contains(.s) { #expect(best.hasSignature, "\(miniscript.text)") }
            if type.contains(.m) { #expect(!best.isMalleable || !best.hasSignature) }
            return true
        }
        #expect(judged > 250)
    }

    @Test(
        "nobody without keys can change a witness into another one that passes",
        arguments: contexts)
    func nonMalleable(context: ScriptContext) throws {
        var generator = RandomMiniscript(seed: 8, context)
        var judged = 0
        while judged < 100 {
            let miniscript = try generator.next(depth: 1 + judged % 3)
            let world = generator.world(for: miniscript)
            guard let witness = try? miniscript.satisfaction(from: world) else { continue }
            guard miniscript.isNonMalleable, miniscript.type.contains(.k) else { continue }
            judged += 1
            let others = otherWitnesses(to: witness, miniscript, world)
            #expect(others.isEmpty, "\(miniscript.text)")
        }
    }

    /// Every stack of up to three items that passes the script in place of `witness`, made of the
    /// signatures shown, the keys, the preimages at hand and constants.
    private func otherWitnesses(
        to witness: [[UInt8]], _ miniscript: Miniscript<TestKey>, _ world: TestWorld
    ) -> [[[UInt8]]] {
        var items: Set<[UInt8]> = [[], [1], [0], [UInt8](repeating: 0, count: 32)]
        items.formUnion(witness)
        for node in miniscript.nodes {
            if case .hash = node.fragment {
                items.formUnion(world.preimages.map { TestWorld.preimage($0).array })
            }
            if case .pkH(let key) = node.fragment { items.insert(key.bytes(in: world.context)) }
        }
        let script = miniscript.script
        var stacks: [[[UInt8]]] = [[]]
        var passing: [[[UInt8]]] = []
        for length in 0...min(3, witness.count + 1) {
            for stack in stacks where stack != witness {
                if ScriptMachine.accepts(script, stack, world) { passing.append(stack) }
            }
            guard length < 3 else { break }
            stacks = stacks.flatMap { stack in items.map { stack + [$0] } }
        }
        return passing
    }

    @Test("the smallest of the signatures at hand are shown")
    func smallest() throws {
        let keys = (1...6).map { TestKey($0) }
        var builder = MiniscriptBuilder<TestKey>(context: .wsh)
        try builder.append(.multi(2, keys))
        let miniscript = try builder.finish()
        let world = TestWorld(context: .wsh, signers: Set(keys))
        let witness = try miniscript.satisfaction(from: world)
        let sizes = keys.map { TestWorld.signature(of: $0.compressed, in: .wsh).count }.sorted()
        #expect(witness.map(\.count) == [0] + witness.dropFirst().map(\.count))
        #expect(witness.dropFirst().map(\.count).sorted() == Array(sizes.prefix(2)))
        #expect(ScriptMachine.accepts(miniscript.script, witness, world))
    }

    @Test("of two ways to spend the smaller is taken, and none that others could turn into")
    func smallerBranch() throws {
        let text = "or_d(multi(2,A,B),and_v(v:pk(C),older(144)))"
        let miniscript = try Miniscript<TestKey>(text, in: .wsh)
        var world = TestWorld(context: .wsh, signers: Set(try ["A", "B", "C"].map(TestKey.init)))
        #expect(try miniscript.satisfaction(from: world).count == 3)
        world.olderMet = [144]
        // One signature and three empty items are smaller than two signatures and one.
        #expect(try miniscript.satisfaction(from: world).count == 4)
    }

    @Test("a person learns what is missing")
    func shortfall() throws {
        let text = "or_d(multi(2,A,B,C),and_v(v:pkh(D),older(144)))"
        let miniscript = try Miniscript<TestKey>(text, in: .wsh)
        let keys = try ["A", "B", "C", "D"].map(TestKey.init)
        let world = TestWorld(context: .wsh, signers: [keys[0]])
        let missing: [Requirement<TestKey>] = [.signatures(1, of: [keys[1], keys[2]])]
        #expect(throws: Unsatisfied.missing(missing)) { try miniscript.satisfaction(from: world) }
        let names = Dictionary(uniqueKeysWithValues: zip(keys, ["Ann", "Bob", "Cy", "Dee"]))
        #expect(missing[0].text { names[$0] ?? "" } == "1 signature of Bob, Cy")
        let late = TestWorld(context: .wsh, signers: [keys[3]])
        #expect(miniscript.missing(from: late) == [.older(144)])
        let lock = Requirement<TestKey>.older(144).text { _ in "" }
        #expect(lock == "144 blocks since the output was confirmed")
    }

    @Test("what can be satisfied only so that others may change it is refused by name")
    func onlyMalleable() throws {
        let digest = TestWorld.lock(.sha256, 0).map { Hex.encode($0.digest) } ?? ""
        let miniscript = try Miniscript<TestKey>("sha256(\(digest))", in: .wsh)
        let world = TestWorld(context: .wsh, preimages: [0])
        #expect(throws: Unsatisfied<TestKey>.onlyMalleable) {
            try miniscript.satisfaction(from: world)
        }
        let never = try Miniscript<TestKey>("and_v(v:pk(A),0)", in: .wsh)
        #expect(throws: Unsatisfied<TestKey>.impossible) { try never.satisfaction(from: world) }
    }
}

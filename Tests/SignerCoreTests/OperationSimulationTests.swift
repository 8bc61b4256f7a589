import Messages
import Testing

/// Operations whose consoles vanish, whose workers die, whose disk fails and whose machine restarts.
@Suite("Operations in simulations")
struct OperationSimulationTests {
    @Test(
        "Whatever happens, a count never goes down and a wait is never shortened",
        arguments: 0..<60 as Range<UInt64>)
    func simulate(seed: UInt64) {
        var world = OperationWorld(seed: seed)
        for _ in 0..<300 { world.step() }
        world.settle()
    }

    @Test("The simulation meets what it is about")
    func coverage() {
        var counts = (answers: 0, waits: 0, wrong: 0, cuts: 0)
        for seed in 0..<20 as Range<UInt64> {
            var world = OperationWorld(seed: seed)
            for _ in 0..<300 { world.step() }
            counts.answers += world.answers
            counts.waits += world.waits
            counts.wrong += world.wrongPasswords
            counts.cuts += world.powerCuts
        }
        #expect(counts.answers > 300)
        #expect(counts.waits > 20)
        #expect(counts.wrong > 50)
        #expect(counts.cuts > 20)
    }
}

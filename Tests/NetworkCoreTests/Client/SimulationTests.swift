import SimulatedNetwork
import Testing

@Suite("Random stories of the light client")
struct SimulationTests {
    /// `bulkhead-simulate --seeds 1 --seed N --story` tells one again.
    @Test("No payment is missed or invented, nobody honest is banned, whatever happens")
    func seeds() throws {
        let setting = try SimulationSetting()
        var count = 0
        for seed in 1...200 as ClosedRange<UInt64> {
            let report = setting.run(seed: seed)
            let comment = Comment(rawValue: "seed \(seed)")
            #expect(report.failures == [], comment)
            count += 1
        }
        #expect(count == 200)
    }

    @Test("The same seed tells the same story")
    func replay() throws {
        let setting = try SimulationSetting()
        let (first, second) = (setting.run(seed: 7), setting.run(seed: 7))
        #expect(first.story == second.story)
        #expect(first.steps == second.steps)
        #expect(first.duration == second.duration)
    }
}

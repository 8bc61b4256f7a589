import Bitcoin
import TestSupport
import Testing
import Wire

@Suite("Scripts: Bitcoin Core's vectors")
struct CoreScriptTests {
    @Test("2,416 scripts read; those that break off are exactly 3, and the rest writes back")
    func corpus() throws {
        let rows = try Fixture.json("scripts/core.json").array
        #expect(rows.count == 1_208)
        var truncated = 0
        for row in rows {
            for script in try [Script(row[0].hex), Script(row[1].hex)] {
                _ = script.template
                guard let instructions = try? script.instructions() else {
                    #expect(try row[2].string != "OK")
                    truncated += 1
                    continue
                }
                #expect(rebuilt(instructions) == script.bytes)
                let isPushOnly = instructions.allSatisfy { $0.opcode.rawValue <= 0x60 }
                #expect(script.isPushOnly == isPushOnly)
            }
        }
        #expect(truncated == 3)
    }

    @Test("Rows that fail for a push in a longer form than needed have one, in either script")
    func minimalData() throws {
        var count = 0
        for row in try Fixture.json("scripts/core.json").array
        where try row[2].string == "MINIMALDATA" {
            let instructions = try [row[0], row[1]].flatMap { try Script($0.hex).instructions() }
            let longPush = instructions.contains { $0.opcode <= .sixteen && !$0.isMinimalPush }
            let longNumber = instructions.contains { instruction in
                instruction.pushed.map { ScriptNumber.decode($0, maximumSize: 5) == nil } ?? false
            }
            #expect(longPush || longNumber, "\(row.path)")
            count += 1
        }
        #expect(count == 21)
    }

    private func rebuilt(_ instructions: [ScriptInstruction]) -> [UInt8] {
        instructions.flatMap { instruction -> [UInt8] in
            let count = UInt32(instruction.data.count)
            let length = withUnsafeBytes(of: count.littleEndian) { Array($0) }
            let lengthSize = [0x4C: 1, 0x4D: 2, 0x4E: 4][Int(instruction.opcode.rawValue)] ?? 0
            return [instruction.opcode.rawValue] + length.prefix(lengthSize) + instruction.data
        }
    }

    @Test("Random bytes and mutated scripts never trap")
    func mutations() throws {
        var generator = SeededGenerator(seed: 7)
        for row in try Fixture.json("scripts/core.json").array {
            let bytes = try row[1].hex
            for _ in 0..<5 {
                let script = Script(generator.mutated(bytes))
                let instructions = try? script.instructions()
                #expect((instructions != nil) == !script.description.hasSuffix("[error]"))
                _ = script.template
                _ = script.deleting(pushOf: Array(bytes.prefix(4)))
            }
        }
    }
}

import Bitcoin
import Testing
import Wire

@Suite("Scripts")
struct ScriptTests {
    static let key = [UInt8](repeating: 0, count: 31) + [1]

    @Test("Every template is recognised from what its constructor made")
    func templates() throws {
        let hash20 = try #require(Bytes20([UInt8](1...20)))
        let hash32 = try #require(Bytes32([UInt8](1...32)))
        let key = [2] + Self.key
        let long = [4] + Self.key + Self.key
        #expect(Script.p2pk(key).template == .p2pk(key))
        #expect(Script.p2pk(long).template == .p2pk(long))
        #expect(Script.p2pkh(hash20).template == .p2pkh(hash20))
        #expect(Script.p2sh(hash20).template == .p2sh(hash20))
        #expect(Script.p2wpkh(hash20).template == .p2wpkh(hash20))
        #expect(Script.p2wsh(hash32).template == .p2wsh(hash32))
        #expect(Script.p2tr(outputKey: hash32).template == .p2tr(hash32))
        #expect(Script.p2a.template == .p2a)
        for total in 1...20 {
            let keys = [[UInt8]](repeating: key, count: total)
            let script = Script.multisig(required: (total + 1) / 2, keys: keys)
            #expect(script.template == .multisig(required: (total + 1) / 2, keys: keys))
        }
        let unknown = try #require(Script.witnessProgram(version: 16, [1, 2]))
        #expect(unknown.template == .unknownWitness(version: 16, program: [1, 2]))
        #expect(Script.witnessProgram(version: 17, [1, 2]) == nil)
        #expect(Script.witnessProgram(version: 1, [1]) == nil)
    }

    @Test("What is almost a template is none")
    func almost() throws {
        let key = [2] + Self.key
        let multisig = Script.multisig(required: 2, keys: [key, key, key]).bytes
        #expect(Script(Array(multisig.dropLast())).template == .nonstandard)
        #expect(Script([0x54] + multisig.dropFirst()).template == .nonstandard)
        #expect(Script([0x00] + multisig.dropFirst()).template == .nonstandard)
        #expect(Script.p2pk([5] + Self.key).template == .nonstandard)
        #expect(Script([0x00, 0x15] + [UInt8](repeating: 1, count: 21)).template == .nonstandard)
        #expect(Script([0x51, 0x21] + key).template == .unknownWitness(version: 1, program: key))
        #expect(Script.empty.template == .nonstandard)
        #expect(Script([0xAE]).template == .nonstandard)
    }

    @Test("Rows 86 and 87: OP_RETURN alone, with an empty push, with data, in any push form")
    func opReturn() {
        #expect(Script([0x6A]).template == .opReturn([]))
        #expect(Script([0x6A, 0x00]).template == .opReturn([[]]))
        #expect(Script.opReturn([1, 2, 3], []).template == .opReturn([[1, 2, 3], []]))
        #expect(Script([0x6A, 0x4C, 0x01, 0x07]).template == .opReturn([[7]]))
        #expect(Script([0x6A, 0x51]).template == .opReturn([[1]]))
        #expect(Script([0x6A, 0x05]).template == .nonstandard)
        #expect(Script([0x6A, 0xAC]).template == .nonstandard)
        #expect(Script([0x6A, 0x05]).isUnspendable)
    }

    @Test("Reading never traps: every script of two bytes, and pushes that break off")
    func everyShortScript() throws {
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                let script = Script([first, second])
                let read = try? script.instructions()
                #expect((read == nil) == script.description.contains("[error]"))
                _ = script.template
            }
        }
        #expect(
            throws: ScriptError.truncatedPush(offset: 0, needed: 0xFFFF_FFFF, available: 0)
        ) { try Script([0x4E, 0xFF, 0xFF, 0xFF, 0xFF]).instructions() }
        #expect(throws: ScriptError.truncatedPush(offset: 1, needed: 2, available: 1)) {
            try Script([0x51, 0x4D, 0x01]).instructions()
        }
    }

    @Test("The builder's pushes are minimal at every border, and read back")
    func minimalPushes() throws {
        for length in [0, 1, 2, 75, 76, 255, 256, 65_535, 65_536] {
            let data = [UInt8](repeating: 0x55, count: length)
            let instruction = try #require(try Script.build { $0.push(data) }.instructions().first)
            #expect(instruction.pushed == data)
            #expect(instruction.isMinimalPush)
        }
        for value in Int64(-1)...16 {
            let script = Script.build { $0.push(number: value) }
            #expect(script.bytes.count == 1)
            #expect(try script.instructions().first?.number == value)
        }
        #expect(try Script([0x01, 0x05]).instructions().first?.isMinimalPush == false)
        #expect(try Script([0x4C, 0x01, 0x55]).instructions().first?.isMinimalPush == false)
    }

    @Test("Script numbers take their shortest form and no other is read")
    func numbers() {
        for value: Int64 in [
            0, 1, -1, 127, 128, -128, 255, 256, 32_767, 32_768, -8_388_608,
            2_147_483_647, -2_147_483_647, 500_000_000,
        ] {
            let read = ScriptNumber.decode(ScriptNumber.encode(value), maximumSize: 5)
            #expect(read == Optional(value))
        }
        #expect(ScriptNumber.encode(-255) == [0xFF, 0x80])
        #expect(ScriptNumber.decode([0x80], maximumSize: 4) == nil)
        #expect(ScriptNumber.decode([0x01, 0x00], maximumSize: 4) == nil)
        #expect(ScriptNumber.decode([0, 0, 0, 0, 1], maximumSize: 4) == nil)
        let smallest = Int64.min + 1
        let read = ScriptNumber.decode(ScriptNumber.encode(smallest), maximumSize: 8)
        #expect(read == Optional(smallest))
    }
}

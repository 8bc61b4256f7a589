import Bitcoin
import TestSupport
import Testing
import Wire

@testable import Descriptors

@Suite("Miniscript text and script")
struct MiniscriptParsingTests {
    private typealias Reason = MiniscriptError.Reason

    private func error(_ text: String, in context: ScriptContext = .wsh) throws -> MiniscriptError?
    {
        let expression = try Expression(text)
        do throws(MiniscriptError) {
            _ = try Miniscript<Expression>(expression, in: context)
            return nil
        } catch { return error }
    }

    @Test("what is no miniscript is refused with reason and place")
    func errors() throws {
        let locks: ClosedRange<UInt32> = 1...0x7FFF_FFFF
        let cases: [(String, Reason, Int)] = [
            ("", .unknownFragment, 0), ("2", .unknownFragment, 0), ("nope(A)", .unknownFragment, 0),
            ("and_v(v:pk(A),frob(1))", .unknownFragment, 14), (":pk(A)", .unknownFragment, 0),
            ("v:", .unknownFragment, 2), ("vv:", .unknownFragment, 3),
            ("vx:pk(A)", .unknownWrapper("x"), 1), ("A:pk(A)", .unknownWrapper("A"), 0),
            ("pk()", .argumentCount(found: 0, allowed: 1...1), 0),
            ("pk(A,B)", .argumentCount(found: 2, allowed: 1...1), 0),
            ("and_v(v:1)", .argumentCount(found: 1, allowed: 2...2), 0),
            ("andor(1,1)", .argumentCount(found: 2, allowed: 3...3), 0),
            ("multi(1)", .argumentCount(found: 1, allowed: 2...1_000), 0),
            ("pk(older(1))", .keyExpected, 3), ("pk_h({A,B})", .keyExpected, 5),
            ("multi(1,A,)", .keyExpected, 10), ("older(0)", .number(allowed: locks), 6),
            ("older(2147483648)", .number(allowed: locks), 6),
            ("older(01)", .number(allowed: locks), 6), ("after(+1)", .number(allowed: locks), 6),
            ("after(99999999999999999999)", .number(allowed: locks), 6),
            ("after(1(2))", .number(allowed: locks), 6),
            ("thresh(0,pk(A))", .number(allowed: 1...1), 7),
            ("multi(3,A,B)", .number(allowed: 1...2), 6),
            ("sha256(00)", .digest(length: 32), 7), ("hash160(zz)", .digest(length: 20), 8),
            ("multi_a(1,A)", .notInContext("multi_a", .wsh), 0),
            (
                "and_b(pk(A),pk(B))",
                .wrongType(
                    "and_b", argument: 2, needed: .W,
                    found: [.B, .o, .n, .d, .u, .e, .m, .s, .k]), 0
            ),
        ]
        for (text, reason, position) in cases {
            #expect(try error(text) == MiniscriptError(reason, at: position), "\(text)")
        }
        #expect(try error("pk_k(A)")?.position == 0)
        #expect(
            try error("multi(1,A)", in: .tapscript)?.reason == .notInContext("multi", .tapscript))
    }

    @Test("an error never repeats what stood in a wrong place, such as a private key")
    func silence() throws {
        let secret = "KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn"
        for text in [
            "\(secret)(A)", "older(\(secret))", "sha256(\(secret))", "\(secret)",
            "and_v(\(secret),1)",
            "thresh(\(secret),pk(A))", "wif:\(secret)",
        ] {
            let description = try #require(try error(text)).description
            #expect(!description.contains("KwDi"), "\(description)")
        }
    }

    @Test("musig stands where a key may")
    func musig() throws {
        let expression = try Expression("and_v(v:pk(musig(A,B)/0/*),older(1))")
        let miniscript = try Miniscript<Expression>(expression, in: .tapscript)
        #expect(miniscript.keys.map(\.text) == ["musig"])
        #expect(miniscript.keys[0].arguments.count == 2)
    }

    @Test("every sugar prints as Bitcoin Core prints it, and reads as what it stands for")
    func sugar() throws {
        let pairs = [
            ("c:pk_k(A)", "pk(A)"), ("c:pk_h(A)", "pkh(A)"), ("tvc:pk_k(A)", "tv:pk(A)"),
            ("andor(pk(A),1,0)", "and_n(pk(A),1)"), ("and_v(v:pk(A),1)", "tv:pk(A)"),
            ("or_i(0,pk(A))", "l:pk(A)"), ("or_i(pk(A),0)", "u:pk(A)"), ("or_i(0,0)", "l:0"),
            ("or_i(or_i(0,pk(A)),0)", "ul:pk(A)"), ("and_b(1,a:1)", "and_b(1,a:1)"),
        ]
        for (long, short) in pairs {
            for text in [long, short] {
                let miniscript = try Miniscript<Expression>(Expression(text), in: .wsh)
                #expect(miniscript.text { $0.text } == short)
            }
        }
    }

    @Test("upper-case digits of a hash are read, lower-case ones printed")
    func digits() throws {
        let upper = String(repeating: "AB", count: 32)
        let miniscript = try Miniscript<TestKey>("and_v(v:pk(A),sha256(\(upper)))", in: .wsh)
        #expect(miniscript.text.contains(String(repeating: "ab", count: 32)))
    }

    @Test("1,000 random miniscripts print, read, compile and decode back the same")
    func fixedPoints() throws {
        var judged = 0
        for context in [ScriptContext.wsh, .tapscript] {
            var generator = RandomMiniscript(seed: 11, context)
            for index in 0..<500 {
                try expectFixedPoints(try generator.next(depth: index % 5))
                judged += 1
            }
        }
        #expect(judged == 1_000)
    }

    @Test("changed texts never trap, and what still reads prints and reads back")
    func mutatedTexts() throws {
        var random = SeededGenerator(seed: 12)
        var generator = RandomMiniscript(seed: 12, .wsh)
        var read = 0
        for index in 0..<1_500 {
            let text = Array(try generator.next(depth: index % 4).text { _ in "A" }.utf8)
            var bytes = text
            if index % 2 == 0 {
                bytes = random.mutated(text)
            } else if let place = bytes.indices.randomElement(using: &random) {
                bytes[place] = Array("acsdvjntlu01:(),A".utf8).randomElement(using: &random) ?? 0
            }
            let changed = String(decoding: bytes, as: UTF8.self)
            for context in [ScriptContext.wsh, .tapscript] {
                guard let expression = try? Expression(changed),
                    let miniscript = try? Miniscript<Expression>(expression, in: context)
                else { continue }
                read += 1
                let printed = miniscript.text { $0.text }
                let again = try Miniscript<Expression>(Expression(printed), in: context)
                #expect(again.text { $0.text } == printed)
                _ = miniscript.isSane
            }
        }
        #expect(read > 100)
    }

    @Test("changed scripts never trap, and what still decodes compiles to the same bytes")
    func mutatedScripts() throws {
        var random = SeededGenerator(seed: 13)
        var decoded = 0
        // IF, NOTIF, VERIFY, 0NOTEQUAL, EQUAL, BOOLAND, BOOLOR, CSV, CLTV, CHECKSIG, numbers.
        let opcodes: [UInt8] = [
            0x63, 0x64, 0x69, 0x92, 0x87, 0x9A, 0x9B, 0xB2, 0xB1, 0xAC, 0x00, 0x51, 0x52, 0x60,
        ]
        for context in [ScriptContext.wsh, .tapscript] {
            var generator = RandomMiniscript(seed: 13, context)
            for index in 0..<1_500 {
                let original = try generator.next(depth: index % 4)
                var bytes = original.script.bytes
                if index % 2 == 0 {
                    bytes = random.mutated(bytes)
                } else if let place = bytes.indices.randomElement(using: &random) {
                    bytes[place] = opcodes.randomElement(using: &random) ?? 0
                }
                let changed = Script(bytes)
                guard let found = try? Miniscript<EncodedKey>(changed, in: context) else {
                    continue
                }
                #expect(found.scriptSize == changed.bytes.count)
                _ = found.resourceBounds
                let keys = original.keys
                let known = try? found.map { key throws(MiniscriptError) in
                    try TestKey(key, knownKeys: keys, in: context)
                }
                guard let known else { continue }
                decoded += 1
                #expect(known.script == changed, "\(Hex.encode(changed.bytes))")
            }
        }
        #expect(decoded > 100)
    }

    @Test("a script that is not in its shortest form does not decode, and the place is named")
    func minimal() throws {
        let key = TestKey(1).compressed
        let cases: [([UInt8], MiniscriptError)] = [
            ([0x4C, 33] + key + [0xAC], MiniscriptError(.notMinimal, at: 0)),
            ([33] + key + [0xAC, 0x69, 0x51], MiniscriptError(.notMinimal, at: 35)),
            ([1, 5, 0xB2], MiniscriptError(.notMinimal, at: 0)),
            ([33] + key.dropLast(), MiniscriptError(.truncatedScript, at: 0)),
            ([32] + key.dropFirst() + [0xAC], MiniscriptError(.invalidKey, at: 0)),
            ([33, 4] + key.dropFirst() + [0xAC], MiniscriptError(.invalidKey, at: 0)),
            ([0x75], MiniscriptError(.unexpectedOpcode, at: 0)),
            ([], MiniscriptError(.unexpectedOpcode, at: 0)),
        ]
        for (bytes, expected) in cases {
            #expect(throws: expected, "\(Hex.encode(bytes))") {
                try Miniscript<EncodedKey>(Script(bytes), in: .wsh)
            }
        }
        let large = Script([UInt8](repeating: 0x51, count: 3_601))
        #expect(throws: MiniscriptError(.scriptTooLarge(found: 3_601, allowed: 3_600), at: 0)) {
            try Miniscript<EncodedKey>(large, in: .wsh)
        }
        let many = Script([UInt8](repeating: 0x51, count: 300_000))
        #expect(throws: MiniscriptError.self) { try Miniscript<EncodedKey>(many, in: .tapscript) }
    }
}

import Testing
import Wire

@testable import NetworkCore

@Suite("Questions to a resolver")
struct DNSMessageTests {
    /// The example of RFC 8484, 4.1.1: `www.example.com`, type A.
    private let question = "00000100000100000000000003777777076578616d706c6503636f6d0000010001"
    /// The answer of RFC 8484, 4.2.2: `www.example.com`, type AAAA.
    private let answer = """
        00008180000100010000000003777777076578616d706c6503636f6d00001c0001c00c001c000100000e7d0010\
        20010db8abcd00120001000200030004
        """

    private func parse(_ hex: String, _ type: DNSMessage.RecordType = .aaaa) throws -> [[UInt8]] {
        try DNSMessage.addresses(in: Hex.decode(hex), to: "www.example.com", type)
    }

    @Test("the question is the standard's example")
    func example() throws {
        #expect(try Hex.encode(DNSMessage.question("www.example.com", .a)) == question)
        #expect(try Hex.encode(DNSMessage.question("www.example.com.", .a)) == question)
    }

    @Test("the answer of the standard's example gives its address")
    func exampleAnswer() throws {
        #expect(try parse(answer).map { Hex.encode($0) } == ["20010db8abcd00120001000200030004"])
    }

    @Test("names may differ in case, aliases are passed over, and other types are not taken")
    func aliases() throws {
        let upper = answer.replacing("03777777", with: "03575757")
        #expect(try parse(upper).count == 1)
        // An alias before the address, with its name in full.
        let alias = "03777777076578616d706c6503636f6d00" + "0005000100000e7d0002c010"
        let two = answer.replacing("81800001000100", with: "81800001000200")
            .replacing("00001c0001c00c", with: "00001c0001" + alias + "c00c")
        #expect(try parse(two).count == 1)
    }

    @Test("an answer to another question is not taken")
    func otherQuestion() throws {
        let wrong = [
            answer.replacing("000081800001", with: "000181800001"),
            answer.replacing("000081800001", with: "000001000001"),
            answer.replacing("00008180000100", with: "00008180000200"),
            answer.replacing("03777777", with: "03777778"),
        ]
        for hex in wrong {
            #expect(throws: DNSError.otherQuestion) { try parse(hex) }
        }
        #expect(throws: DNSError.otherQuestion) { try parse(answer, .a) }
    }

    @Test("what the resolver refuses has a sentence")
    func refused() throws {
        #expect(throws: DNSError.refused(code: 3)) {
            try parse(answer.replacing("00008180", with: "00008183"))
        }
        #expect(throws: DNSError.cutOff) {
            try parse(answer.replacing("00008180", with: "00008380"))
        }
        #expect("\(DNSError.refused(code: 3))" == "there is no such name")
    }

    @Test("every cut of an answer and every changed byte is an error or an answer, never a trap")
    func damage() throws {
        let bytes = try Hex.decode(answer)
        for count in 0..<bytes.count {
            #expect(throws: DNSError.self) {
                try DNSMessage.addresses(
                    in: Array(bytes[..<count]), to: "www.example.com", .aaaa)
            }
        }
        for place in bytes.indices {
            for value in [0, 0x3F, 0x40, 0x80, 0xC0, 0xFF] as [UInt8] {
                var changed = bytes
                changed[place] = value
                _ = try? DNSMessage.addresses(in: changed, to: "www.example.com", .aaaa)
            }
        }
    }

    @Test("an answer has no more addresses than are taken, and no address of another length")
    func bounds() throws {
        var bytes = try Hex.decode(answer)
        let record = Array(bytes.suffix(28))
        for _ in 0..<999 { bytes += record }
        bytes[6] = 0x03
        bytes[7] = 0xE8
        #expect(
            try DNSMessage.addresses(in: bytes, to: "www.example.com", .aaaa).count
                == DNSMessage.mostAddresses)
        let short = answer.replacing("0e7d0010", with: "0e7d000f")
        #expect(throws: DNSError.malformed(position: 45)) { try parse(short) }
        let huge = [UInt8](repeating: 0, count: DNSMessage.longestAnswer + 1)
        #expect(throws: DNSError.malformed(position: DNSMessage.longestAnswer)) {
            try DNSMessage.addresses(in: huge, to: "a", .a)
        }
    }

    @Test(
        "a name that no host can have is not asked for",
        arguments: [
            "", ".", "a..b", "a b", "ä", String(repeating: "a", count: 64),
            Array(repeating: "abcdefg", count: 32).joined(separator: "."),
        ])
    func names(name: String) {
        #expect(throws: DNSError.name(name)) { try DNSMessage.question(name, .a) }
    }
}

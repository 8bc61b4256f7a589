import Hashing
import TestSupport
import Testing
import Wire

@Suite("Ed25519")
struct Ed25519Tests {
    @Test("every vector of Project Wycheproof has its verdict")
    func vectors() throws {
        let cases = try Fixture.json("hashing/ed25519.json")["cases"].array
        var valid = 0
        for row in cases {
            let key = try #require(Bytes32(try row[0].hex))
            let isValid = Ed25519.isValid(try row[2].hex, of: try row[1].hex, by: key)
            let expected = try row[3].bool
            #expect(isValid == expected, "\(row.path)")
            valid += isValid ? 1 : 0
        }
        #expect(cases.count == 151)
        #expect(valid == 88)
    }

    @Test("bytes that are no key sign nothing")
    func noKey() {
        let key = Bytes32 { $0.initializeMemory(as: UInt8.self, repeating: 0xFF) }
        #expect(!Ed25519.isValid([UInt8](repeating: 0, count: 64), of: [], by: key))
        #expect(!Ed25519.isValid([], of: [], by: .zero))
    }
}

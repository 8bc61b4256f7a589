import TestSupport
import Testing

@testable import Vault

@Suite("AES-256-GCM")
struct AES256GCMTests {
    @Test("seals and opens Wycheproof's rows, and refuses the forged ones")
    func wycheproof() throws {
        var valid = 0
        let rows = try Fixture.json("sealing/aes256gcm.json").array
        for row in rows {
            let key = secret(try row[0].hex)
            let (nonce, associated, text) = (try row[1].hex, try row[2].hex, try row[3].hex)
            let sealed = try nonce + row[4].hex + row[5].hex
            let opened = AES256GCM.open(sealed, key: key, associatedData: associated)
            guard try row[6].bool else {
                let isRefused = opened == nil
                #expect(isRefused, "\(row.path)")
                continue
            }
            valid += 1
            #expect(opened?.revealed() == text, "\(row.path)")
            let again = text.withUnsafeBytes {
                AES256GCM.seal($0, key: key, associatedData: associated, nonce: nonce)
            }
            #expect(again == sealed, "\(row.path)")
        }
        #expect(rows.count == 66)
        #expect(valid == 39)
    }

    @Test("refuses what is too short to hold a nonce and a tag")
    func short() {
        for count in 0..<AES256GCM.overhead {
            let opened = AES256GCM.open(
                [UInt8](repeating: 0, count: count), key: secret(fixedBytes("key", count: 32)),
                associatedData: [])
            let isRefused = opened == nil
            #expect(isRefused)
        }
    }

    @Test("takes a fresh nonce each time")
    func nonces() {
        let key = secret(fixedBytes("key", count: 32))
        let nonces = (0..<100).map { _ in
            Array(
                AES256GCM.seal(secret("text"), key: key, associatedData: [], using: .kernel)
                    .prefix(AES256GCM.nonceCount))
        }
        #expect(Set(nonces).count == 100)
    }
}

import Testing
import Wire

@testable import Hashing

@Suite("SHA-256")
struct SHA256Tests {
    @Test("the FIPS 180-4 example digests come out")
    func examples() {
        #expect(
            SHA256.hash(Array("abc".utf8)).description
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            SHA256.hash([]).description
                == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }
}

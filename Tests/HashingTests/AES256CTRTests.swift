import Testing
import Wire

@testable import Hashing

@Suite("AES-256-CTR")
struct AES256CTRTests {
    @Test("the four blocks of NIST SP 800-38A, F.5.5, come out, and back again")
    func nist() throws {
        let key = try #require(
            Bytes32(
                Hex.decode("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4")))
        let counter = try Hex.decode("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
        let plain = try Hex.decode(
            "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
                + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710")
        let cipher = AES256CTR.apply(plain, key: key, counter: counter)
        #expect(
            Hex.encode(cipher)
                == "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
                + "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6")
        #expect(AES256CTR.apply(cipher, key: key, counter: counter) == plain)
        #expect(AES256CTR.apply([], key: key, counter: counter).isEmpty)
    }
}

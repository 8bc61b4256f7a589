import Testing

@testable import Bitcoin

@Suite("Extended public keys")
struct ExtendedPublicKeyTests {
    @Test("an unhardened child of a BIP32 vector comes out, and its text is read back")
    func vector() throws {
        let parent = try ExtendedPublicKey(
            "xpub68Gmy5EdvgibQVfPdqkBBCHxA5htiqg55crXYuXoQRKfDBFA1WEjWgP6LHhwBZeNK1VTsfTFUHCdrfp1bgwQ9xv5ski8PX9rL2dZXvgGDnw"
        )
        let child = try parent.derive(try DerivationPath("1"))
        let text =
            "xpub6ASuArnXKPbfEwhqN6e3mwBcDTgzisQN1wXN9BJcM47sSikHjJf3UFHKkNAWbWMiGj7Wf5uMash7SyYq527Hqck2AxYysAA7xmALppuCkwQ"
        #expect(child.description == text)
        #expect(try ExtendedPublicKey(text) == child)
    }
}

import Accounts
import Bitcoin
import Signing
import StateFiles
import Testing

@testable import Vault

@Suite("Public index")
struct PublicIndexTests {
    private static func index(_ inputs: VaultInputs) throws -> PublicIndex {
        try #require(try PublicIndex(of: inputs.body(), on: inputs.network, SigningContext()))
    }

    /// The phrase that all documents use, with no passphrase.
    private static var known: VaultInputs {
        var inputs = VaultInputs.fixed("known")
        inputs.entropy = [UInt8](repeating: 0, count: 16)
        return inputs
    }

    @Test("the accounts and addresses of a well-known phrase are those that wallets show")
    func known() throws {
        let index = try Self.index(Self.known)
        #expect(index.masterFingerprint.description == "73c5da0a")
        #expect(index.accounts.count == 8)
        #expect(
            index.accounts[.nativeSegwit]?.description
                == "xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLo"
                + "P2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V")
        #expect(
            index.accounts[.taproot]?.description
                == "xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrL"
                + "prQ3VCECoY49yfdDEHGCtMMj92pReUsQ")
        #expect(
            index.evmAddresses[0].description == "0x9858EfFD232B4033E47d90003D41EC34EcaEda94")
        #expect(index.tronAddresses[0].description == "TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH")
        #expect(
            index.solana[.account]?.description == "GjJyeC1r2RgkuoCWMyPYkCWSGSGLcz266EaAkLA27AhL")
        #expect(
            index.solana[.address]?.description == "HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk")
        #expect(Set(index.evmAddresses).count == 100)
        #expect(Set(index.tronAddresses).count == 100)
    }

    @Test("an index comes back from its file, on every network")
    func file() throws {
        let id = VaultID.fixed("index")
        let key = try IndexKey(secret(fixedBytes("index", count: 32)))
        for network in Network.allCases {
            var inputs = Self.known
            inputs.network = network
            inputs.birthday = network == .mainnet ? nil : 1_700_000_000
            let index = try Self.index(inputs)
            let file = index.sealed(for: id, under: key)
            #expect(file.count == PublicIndex.sizes.upperBound)
            #expect(try PublicIndex(sealed: file, for: id, under: key) == index)
            #expect(index.birthday == inputs.birthday)
            #expect(throws: VaultError.damaged(.index)) {
                try PublicIndex(sealed: file, for: id, under: .random())
            }
        }
    }

    @Test("an extended key has no Solana accounts, since these need the seed, and items have none")
    func others() throws {
        let imported = try Self.index(FormatVectorTests.vaults()[2].1)
        #expect(imported.solana.isEmpty)
        #expect(imported.accounts.count == 8)
        let items = try PublicIndex(of: VaultBody.items(), on: .mainnet, SigningContext())
        #expect(items == nil)
    }

    @Test(
        "the index of another wallet is noticed, even where the file was renamed and its id changed"
    )
    func swapped() throws {
        let key = try IndexKey(secret(fixedBytes("index", count: 32)))
        let (own, other) = (VaultID.fixed("own"), VaultID.fixed("other"))
        let file = try Self.index(Self.known).sealed(for: other, under: key)
        #expect(throws: VaultError.otherVault(.index)) {
            try PublicIndex(sealed: file, for: own, under: key)
        }
        let forged = Array(file[..<10]) + own.bytes + Array(file[26...])
        #expect(throws: VaultError.damaged(.index)) {
            try PublicIndex(sealed: forged, for: own, under: key)
        }
    }

    @Test("the passphrase makes another wallet")
    func passphrase() throws {
        var inputs = Self.known
        let plain = try Self.index(inputs)
        inputs.passphrase = "x"
        let other = try Self.index(inputs)
        #expect(plain.masterFingerprint != other.masterFingerprint)
        #expect(Set(plain.solana.values).isDisjoint(with: other.solana.values))
    }
}

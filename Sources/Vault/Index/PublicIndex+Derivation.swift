import Accounts
public import Bitcoin
import KeyTree
import SecretMemory
public import Signing

extension PublicIndex {
    // DECLASSIFY: extended public keys, public keys and addresses are made to be shown to whoever
    // may see all addresses of the wallet.
    /// Derives the index of a wallet; nil for an items vault, which has no keys.
    ///
    /// - Throws: as `ExtendedPrivateKey`.
    public init?(
        of body: borrowing VaultBody, on network: Network, _ context: borrowing SigningContext
    ) throws(ExtendedKeyError) {
        guard let master = try body.masterKey(on: network, context) else { return nil }
        let fingerprint = master.fingerprint
        let deriver = KeyDeriver(master: master)
        var accounts: [AccountPath: ExtendedPublicKey] = [:]
        for path in AccountPath.allCases {
            accounts[path] = try deriver.key(at: path.path(on: network), context).publicKey
        }
        self.init(
            network: network, masterFingerprint: fingerprint, birthday: body.birthday,
            accounts: accounts,
            evmAddresses: try accounts[.evm]?.evmAddresses(count: PublicIndex.addressCount) ?? [],
            tronAddresses: try accounts[.tron]?.tronAddresses(count: PublicIndex.addressCount)
                ?? [],
            solana: try PublicIndex.solana(of: body))
    }

    private static func solana(
        of body: borrowing VaultBody
    ) throws(ExtendedKeyError) -> [SolanaPath: SolanaAddress] {
        guard let seed = body.seed() else { return [:] }
        let master = try Ed25519Node(seed: seed)
        var addresses: [SolanaPath: SolanaAddress] = [:]
        for path in SolanaPath.allCases {
            if let node = master.derive(path.path) {
                addresses[path] = SolanaAddress(node.publicKey)
            }
        }
        return addresses
    }
}

public import Bitcoin

extension ExtendedPublicKey {
    /// The addresses 0 to `count` - 1 below an EVM account node, at `0/i` (BIP44).
    ///
    /// - Throws: as `derive`.
    public func evmAddresses(count: UInt32) throws(ExtendedKeyError) -> [EVMAddress] {
        try receivingKeys(count: count).map { EVMAddress($0.publicKey) }
    }

    /// The addresses 0 to `count` - 1 below a TRON account node, at `0/i` (BIP44).
    ///
    /// - Throws: as `derive`.
    public func tronAddresses(count: UInt32) throws(ExtendedKeyError) -> [TRONAddress] {
        try receivingKeys(count: count).map { TRONAddress($0.publicKey) }
    }

    private func receivingKeys(
        count: UInt32
    ) throws(ExtendedKeyError) -> [ExtendedPublicKey] {
        let branch = try derive(ChildNumber(rawValue: 0))
        var keys: [ExtendedPublicKey] = []
        for index in 0..<count { keys.append(try branch.derive(ChildNumber(rawValue: index))) }
        return keys
    }
}

public import Wire

extension Catalogue {
    /// SHA-256 of `docs/messages.md`, as a constant, so that the keeper needs no hashing.
    public static let digest = (try? Hex.decode(writtenDigest)).flatMap { Bytes32($0) } ?? .zero

    // Written by `scripts/docs`; a test computes it anew.
    private static let writtenDigest =
        "fcfe5880c393da06ddb55f070871c962bca1d195d08368824572792d451aa8f0"
}

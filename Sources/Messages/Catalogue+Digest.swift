public import Wire

extension Catalogue {
    /// SHA-256 of `docs/messages.md`, as a constant, so that the keeper needs no hashing.
    public static let digest = (try? Hex.decode(writtenDigest)).flatMap { Bytes32($0) } ?? .zero

    // Written by `scripts/docs`; a test computes it anew.
    private static let writtenDigest =
        "324bbc96a565bd81e4bd30081e14257d67dbf3ae79d5bef0c0edf46303bf6777"
}

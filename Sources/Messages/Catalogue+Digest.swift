public import Wire

extension Catalogue {
    /// SHA-256 of `docs/messages.md`, as a constant, so that the keeper needs no hashing.
    public static let digest = (try? Hex.decode(writtenDigest)).flatMap { Bytes32($0) } ?? .zero

    // Written by `scripts/docs`; a test computes it anew.
    private static let writtenDigest =
        "4b5301e8a0d56aa892704135d04804da434c7e0ccfeeebc08644d78d6ff96591"
}

public import Wire

extension Catalogue {
    /// SHA-256 of `docs/messages.md`, as a constant, so that the keeper needs no hashing.
    public static let digest = (try? Hex.decode(writtenDigest)).flatMap { Bytes32($0) } ?? .zero

    // Written by `scripts/docs`; a test computes it anew.
    private static let writtenDigest =
        "f381b362df2a53c78eba06ee01f66e107bfa931d8586768cb8efa174f8c15304"
}

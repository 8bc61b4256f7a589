public import Wire

extension Catalogue {
    /// SHA-256 of `docs/messages.md`, as a constant, so that the keeper needs no hashing.
    public static let digest = (try? Hex.decode(writtenDigest)).flatMap { Bytes32($0) } ?? .zero

    // Written by `scripts/docs`; a test computes it anew.
    private static let writtenDigest =
        "4ded09bffe2c822cfc5ffdd832f1e9b17d0a44eda76a98c7470a93e79a0ea683"
}

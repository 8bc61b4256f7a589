public import Wire

/// What a person approved, named so that nothing can be put in its place.
public struct PSBTApproval: Hashable, Sendable {
    /// SHA-256 of the file, as it came.
    public var file: Bytes32
    /// SHA-256 of the report that the person saw.
    public var report: Bytes32
    /// The wallet that signs.
    public var wallet: VaultID
    /// The codes of the warnings that the person typed.
    public var accepted: Set<String>

    /// An approval by its parts.
    public init(file: Bytes32, report: Bytes32, wallet: VaultID, accepted: Set<String>) {
        self.file = file
        self.report = report
        self.wallet = wallet
        self.accepted = accepted
    }
}

public import Bitcoin

/// The outputs of one branch of a descriptor, with the work done once that they share.
public struct OutputSeries: Sendable {
    private let form: OutputForm<KeyDerivation>

    /// Derives every key down to its last step.
    ///
    /// - Throws: `noSuchBranch`, `severalOutputs` for `combo`, `key`, `curve`.
    public init(_ descriptor: Descriptor, branch: Int = 0) throws(DerivationError) {
        guard (0..<descriptor.branchCount).contains(branch) else {
            throw .noSuchBranch(found: branch, count: descriptor.branchCount)
        }
        if case .combo = descriptor.form { throw .severalOutputs }
        form = try descriptor.form.map { key throws(DerivationError) in
            try KeyDerivation(key.branch(branch))
        }
    }

    /// The output at an index; the same at each, if the descriptor is not ranged.
    ///
    /// - Throws: `indexTooLarge`; `key` or `curve` with a chance of 2^-127.
    public func output(at index: UInt32) throws(DerivationError) -> DerivedOutput {
        guard let number = ChildNumber(index) else { throw .indexTooLarge(index) }
        return try DerivedOutput(
            form.map { key throws(DerivationError) in try key.key(at: number) })
    }

    /// The scriptPubKeys of a range of indices, in order.
    ///
    /// - Throws: as `output(at:)`.
    public func scriptPubKeys(in range: Range<UInt32>) throws(DerivationError) -> [Script] {
        var scripts: [Script] = []
        scripts.reserveCapacity(range.count)
        for index in range { scripts.append(try output(at: index).scriptPubKey) }
        return scripts
    }
}

extension Descriptor {
    /// The output at one index of one branch. For many, make an `OutputSeries`.
    ///
    /// - Throws: as `OutputSeries`.
    public func output(
        at index: UInt32 = 0, branch: Int = 0
    ) throws(DerivationError) -> DerivedOutput {
        try OutputSeries(self, branch: branch).output(at: index)
    }
}

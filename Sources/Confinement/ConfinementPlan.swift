/// What one process gives up before it reads its first byte.
public struct ConfinementPlan: Sendable {
    /// Its seccomp filter, compiled.
    public var filter: SeccompFilter
    /// The files and the TCP that it keeps; nil leaves both unrestricted.
    public var landlock: LandlockRules?
    /// Its limits.
    public var limits: ResourceLimits
    /// The descriptors that stay open.
    public var descriptors: Set<Int32>
    /// Whether the process dies with its parent.
    public var diesWithParent: Bool

    /// A plan; what is not named is given up.
    public init(
        filter: SeccompFilter, landlock: LandlockRules?, limits: ResourceLimits = .init(),
        descriptors: Set<Int32>, diesWithParent: Bool = true
    ) {
        self.filter = filter
        self.landlock = landlock
        self.limits = limits
        self.descriptors = descriptors
        self.diesWithParent = diesWithParent
    }
}

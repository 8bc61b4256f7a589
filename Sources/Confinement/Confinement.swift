internal import CLinux

/// The two moments in a process's start at which it gives up what it does not need.
///
/// Between them it warms up its libraries and starts its probe child; the first byte from outside is
/// read after the second. See `docs/privsep.md` for the whole order.
public enum Confinement {
    /// First, right after exec: forbids dumps and tracing, ties the process to its parent, closes
    /// what it inherited by accident and sets the limits.
    ///
    /// The parent may have died before the tie was made: the caller checks that its control channel
    /// is still open.
    public static func prepare(_ plan: ConfinementPlan) throws(ConfinementError) {
        // exec made the process dumpable again.
        try ConfinementError.check(linux_set_undumpable(), .dumpable)
        if plan.diesWithParent {
            // A change of uid took the signal away, if it was set before.
            try ConfinementError.check(linux_die_with_parent(), .parentDeath)
        }
        try closeAll(but: plan.descriptors)
        try plan.limits.apply()
    }

    /// Second, when everything is open and warm: no privileges, Landlock, seccomp.
    ///
    /// - Returns: What holds now, asked of the kernel from inside the wall.
    /// - Throws: `ConfinementError` if anything but Landlock cannot be had; the process must end.
    public static func apply(_ plan: ConfinementPlan) throws(ConfinementError) -> ConfinementReport
    {
        let ruleset = try LandlockRuleset(plan.landlock)
        let landlock = ruleset.state
        try dropPrivileges()
        try ruleset.restrict()
        try plan.filter.load()
        return .observed(policy: plan.filter.name, landlock: landlock)
    }

    /// The one moment of a forked worker, which its parent's confinement holds already: it ties
    /// itself to its parent, closes what is not its own, tightens its limits and loads its own
    /// filter on top of its parent's. The plan's Landlock rules are not looked at.
    public static func narrow(_ plan: ConfinementPlan) throws(ConfinementError) {
        if plan.diesWithParent { try ConfinementError.check(linux_die_with_parent(), .parentDeath) }
        try closeAll(but: plan.descriptors)
        try plan.limits.apply()
        try plan.filter.load()
    }

    /// Closes every descriptor that is not named.
    public static func closeAll(but kept: Set<Int32>) throws(ConfinementError) {
        let sorted = kept.sorted()
        try ConfinementError.check(
            linux_close_others(sorted, sorted.count), .closeDescriptors)
    }

    /// Gives up capabilities and every way to gain them.
    static func dropPrivileges() throws(ConfinementError) {
        // The bounding set can be emptied only by a process that still holds CAP_SETPCAP; for one
        // that does not, the keeper has done it, and the report says what is left.
        _ = linux_drop_bounding_set()
        try ConfinementError.check(linux_drop_capabilities(), .capabilities)
        try ConfinementError.check(linux_set_no_new_privileges(), .noNewPrivileges)
        // Older kernels than 6.3 cannot; the report says so.
        _ = linux_deny_write_execute()
    }
}

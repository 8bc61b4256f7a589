import Configuration

extension Keeper {
    mutating func spawn(_ child: Child, _ now: Duration) {
        slots[child]?.phase = .starting(since: now)
        slots[child]?.readySince = nil
        slots[child]?.starts += 1
        actions.append(.report(.started(child, attempt: starts(of: child))))

        actions.append(.spawn(child, linkEnd(for: child)))
        sendKeptLink(after: child)
    }

    mutating func spawnFailed(_ child: Child, _ reason: String, _ now: Duration) {
        guard slots[child]?.isRunning == true else { return }
        actions.append(.report(.spawnFailed(child, reason)))
        lost(child, now)
    }

    /// A child has no process any more. If an end of its link is kept, the other child may still start
    /// with it: it finds that end closed, and is sent a new one when this child starts again.
    mutating func lost(_ child: Child, _ now: Duration) {
        guard stopCode == nil else {
            slots[child]?.phase = .gone
            return
        }
        let failures = countFailure(child, now)
        guard wasReady || failures < plan.startAttempts else {
            slots[child]?.phase = .gone
            beginStop(.child, now)
            return
        }
        let delay = plan.delay(afterFailures: failures)
        slots[child]?.phase = .waiting(until: now + delay)
        actions += [.report(.restarting(child, wait: delay, failures: failures)), .publish]
    }

    private mutating func countFailure(_ child: Child, _ now: Duration) -> Int {
        guard var slot = slots[child] else { return 0 }
        if let since = slot.readySince, now - since >= plan.stableAfter { slot.failures = 0 }
        slot.failures += 1
        slots[child] = slot
        return slot.failures
    }
}

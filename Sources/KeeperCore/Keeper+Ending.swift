import Configuration

extension Keeper {
    mutating func ended(_ child: Child, _ ending: Ending, _ now: Duration) {
        guard let slot = slots[child], slot.isRunning else { return }
        // One that was about to be killed may have ended by itself, and then that is told.
        let isOurs = slot.phase == .killed && ending == .killed(signal: Ending.sigkill)
        actions.append(.report(isOurs ? .endedByKeeper(child) : .ended(child, ending)))
        guard let code = hopeless(ending) else { return lost(child, now) }
        slots[child]?.phase = .gone
        beginStop(code, now)
    }

    /// The exit code to stop with where another try could only end the same way.
    ///
    /// Once the appliance was ready nothing that a child says stops it: one side must not be able to
    /// take the other down.
    private func hopeless(_ ending: Ending) -> ExitCode? {
        guard case .exited(let status) = ending, !wasReady, stopCode == nil else { return nil }
        let code = UInt8(exactly: status).flatMap(ExitCode.init)
        switch code {
        case .usage, .state, .kernel, .channel, .confinement: return code
        default: return nil
        }
    }

    mutating func kill(_ child: Child, _ report: Report) {
        slots[child]?.phase = .killed
        actions += [.report(report), .kill(child)]
    }

    mutating func stopRequested(_ now: Duration) {
        guard stopCode != nil else { return beginStop(.success, now) }
        // Asked twice: no more waiting.
        for child in plan.children {
            guard case .stopping = slots[child]?.phase else { continue }
            kill(child, .stopIgnored(child))
        }
    }

    mutating func beginStop(_ code: ExitCode, _ now: Duration) {
        stopCode = code
        actions += [.report(.stopping), .publish]
        for child in plan.children {
            switch slots[child]?.phase {
            case .waiting:
                slots[child]?.phase = .gone
            case .starting, .ready, .asked, .closing:
                slots[child]?.phase = .stopping(deadline: now + plan.stopTimeout)
                actions.append(.stop(child))
            case .stopping, .killed, .gone, nil: break
            }
        }
    }
}

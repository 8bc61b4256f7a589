import Configuration
import Glibc
import KeeperCore
import LinuxIO
import LocalSockets
import Messages

/// What the keeper does when its state machine says so.
extension KeeperLoop {
    func perform(_ action: Action, at now: Duration) {
        switch action {
        case .spawn(let child, let end): spawn(child, end, at: now)
        case .sendLink(let child): sendLink(to: child, at: now)
        case .ping(let child):
            send(.ping(nonce: UInt64(now.wholeNanoseconds)), to: child, at: now)
            sendNameServers(to: child, at: now)
        case .stop(let child): send(.stop, to: child, at: now)
        case .kill(let child): if let pid = running[child]?.pid { System.killGroup(of: pid) }
        case .publish: publish(at: now)
        case .report(let report): log.write(report.description, level: report.level)
        case .finish(let code): finish(code)
        }
    }

    private func spawn(_ child: Child, _ end: LinkEnd, at now: Duration) {
        guard let plan = plans[child] else { preconditionFailure("no plan for \(child)") }
        do throws(StepFailure) {
            let link = try takeLink(end)
            running[child] = try RunningChild.start(
                plan, link: link, linkGeneration: keeper.linkGeneration, around)
        } catch {
            feed(.spawnFailed(child, error.description), at: now)
            return
        }
        send(.hello(hello(to: child)), to: child, at: now)
        sendNameServers(to: child, at: now)
    }

    /// Hands the network process what it cannot read, once and whenever it has changed since.
    private func sendNameServers(to child: Child, at now: Duration) {
        guard child == .network, let process = running[child] else { return }
        let text = NameServerFile.read()
        guard text != process.nameServers else { return }
        process.nameServers = text
        send(.nameServers(text), to: child, at: now)
    }

    private func takeLink(_ end: LinkEnd) throws(StepFailure) -> HeldDescriptor {
        if end == .kept, let kept = keptLink.take() { return kept }
        let numbers = try step("make a link") { () throws(Errno) in
            try LocalSocket.pair().take()
        }
        let own = HeldDescriptor(FileDescriptor(owning: numbers.first))
        let other = HeldDescriptor(FileDescriptor(owning: numbers.second))
        // Where there is no other child, letting go of the other end closes the link at once.
        keptLink = end == .fresh ? other : nil
        return own
    }

    private func sendLink(to child: Child, at now: Duration) {
        guard let process = running[child], let link = keptLink.take() else { return }
        let order = ControlOrder.newLink(generation: keeper.linkGeneration)
        sending(to: process, at: now) { () throws(ChannelEnd) in
            try process.control.send(order, passing: try link.copy(), at: now)
        }
    }

    private func send(_ order: ControlOrder, to child: Child, at now: Duration) {
        guard let process = running[child] else { return }
        sending(to: process, at: now) { () throws(ChannelEnd) in
            guard process.control.allows(order) else { return }
            try process.control.send(order, at: now)
        }
    }

    private var role: InstanceRole {
        guard let role = InstanceRole(name: instance.settings.role.rawValue) else {
            preconditionFailure("the catalogue lacks \(instance.settings.role)")
        }
        return role
    }

    private func hello(to child: Child) -> ControlHello {
        guard let chain = ChainName(name: instance.settings.network.rawValue) else {
            preconditionFailure("the catalogue lacks \(instance.settings.network)")
        }
        return ControlHello(
            role: child == .signer ? .signer : .network, chain: chain,
            hasOneUser: instance.accounts.isEmpty,
            networkUID: instance.networkUID,
            signerDirectory: instance.stateDirectory(of: .signer),
            signerSocket: instance.socketPath(of: .signer),
            reviewLimits: Setting.allCases.compactMap { setting in
                guard let name = setting.reviewLimit,
                    let value = instance.settings.reviewLimits[setting]
                else { return nil }
                return ReviewLimit(name: name, value: value)
            })
    }

    /// Tells everyone who may be asked: the children, the service manager, and once the log.
    private func publish(at now: Duration) {
        func pid(_ child: Child) -> UInt32 { running[child].map { UInt32($0.pid) } ?? 0 }
        func restarts(_ child: Child) -> UInt32 { UInt32(max(0, keeper.starts(of: child) - 1)) }
        let facts = KeeperFacts(
            keeperPID: UInt32(getpid()), signerPID: pid(.signer), networkPID: pid(.network),
            signerRestarts: restarts(.signer), networkRestarts: restarts(.network), role: role,
            stateDirectory: instance.stateDirectory)
        for child in instance.children where keeper.isReady(child) {
            send(.facts(facts, weaknesses: weaknesses), to: child, at: now)
        }
        let parts = instance.children.map { child in
            keeper.isReady(child)
                ? "\(child) \(pid(child)) ready" : "\(child) not ready"
        }
        let status = parts.joined(separator: ", ")
        if keeper.isStopping {
            manager.stopping()
        } else if keeper.wasReady, !isAnnounced {
            isAnnounced = true
            manager.ready(status: status)
            log.write(
                "ready on \(instance.settings.network): \(status); sockets in \(instance.runtimeDirectory)"
            )
        } else {
            manager.status(status)
        }
    }
}

extension HeldDescriptor {
    /// Another descriptor of the same open file, to pass on.
    fileprivate func copy() throws(ChannelEnd) -> FileDescriptor {
        do throws(Errno) {
            return try duplicate()
        } catch {
            throw .failed(error)
        }
    }
}

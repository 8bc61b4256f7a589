import LinuxIO
import Messages
import SignerCore

extension SignerLoop {
    // MARK: Keeper

    func serveControl(_ set: PollSet, _ place: Int) {
        let now = Kernel.timeSinceBoot()
        if set.canWrite(at: place) {
            tellKeeper { () throws(ChannelEnd) in try control.flush(at: now) }
        }
        guard set.canRead(at: place) else { return }
        var receipt = control.receive(at: now, through: &buffer)
        if let passed = PassedDescriptor(receipt.descriptor.take()) { nextLink = passed }
        for order in receipt.messages { handle(.control(order)) }
        if let end = receipt.end { handle(.controlEnded("\(end)")) }
    }

    func tellKeeper(_ body: () throws(ChannelEnd) -> Void) {
        do throws(ChannelEnd) {
            try body()
        } catch {
            handle(.controlEnded("\(error)"))
        }
    }

    // MARK: Network process

    func serveLink(_ set: PollSet, _ place: Int) {
        guard let link else { return }
        let now = Kernel.timeSinceBoot()
        if set.canWrite(at: place) {
            tellNetwork { () throws(ChannelEnd) in try link.flush(at: now) }
        }
        guard self.link === link, set.canRead(at: place) else { return }
        let receipt = link.receive(at: now, through: &buffer)
        for request in receipt.messages { handle(.link(request)) }
        if let end = receipt.end { endLink(end) }
    }

    func tellNetwork(_ body: () throws(ChannelEnd) -> Void) {
        do throws(ChannelEnd) { try body() } catch { endLink(error) }
    }

    func endLink(_ end: ChannelEnd) {
        guard let ended = link else { return }
        if case .violation(.differentBuild) = end, ended.allows(.welcome) {
            // Our greeting lets the other side see the difference too.
            try? ended.send(.welcome, at: Kernel.timeSinceBoot())
        }
        link = nil
        handle(.linkEnded(end.loss, "\(end)"))
    }

    func adoptLink() {
        guard let socket = nextLink?.take() else { return }
        do throws(Errno) {
            link = try Link(socket, limits: Self.linkLimits)
        } catch {
            handle(.linkEnded(.failed, "\(error)"))
        }
    }

    // MARK: Consoles

    func accept() {
        do throws(Errno) {
            guard let socket = try Kernel.accept(listener.number) else { return }
            let peer = try Kernel.peer(of: socket.number)
            let id = ConsoleID(nextNumber())
            consoles[id] = try Console(socket, opened: Kernel.timeSinceBoot())
            handle(.connected(id, uid: peer.uid))
        } catch {
            handle(.acceptFailed("\(error)"))
        }
    }

    func serveConsole(_ id: ConsoleID, _ set: PollSet, _ place: Int) {
        guard let channel = consoles[id] else { return }
        let now = Kernel.timeSinceBoot()
        if set.canWrite(at: place) { flush(id, channel, now) }
        guard consoles[id] != nil, set.canRead(at: place) else { return }
        var receipt = channel.receive(at: now, through: &buffer)
        var passed = PassedDescriptor(receipt.descriptor.take())
        for request in receipt.messages {
            guard request.kind.row.attachment != .nothing, let arrived = passed else {
                handle(.console(id, request, pipe: nil))
                continue
            }
            passed = nil
            let pipe = PipeID(nextNumber())
            pipes[pipe] = arrived
            handle(.console(id, request, pipe: pipe))
        }
        if let end = receipt.end { endConsole(id, end) }
    }

    private func flush(_ id: ConsoleID, _ channel: Console, _ now: Duration) {
        do throws(ChannelEnd) { try channel.flush(at: now) } catch { endConsole(id, error) }
    }

    func send(_ reply: ConsoleReply, to id: ConsoleID) {
        guard let channel = consoles[id] else { return }
        do throws(ChannelEnd) {
            try channel.send(reply, at: Kernel.timeSinceBoot())
        } catch {
            endConsole(id, error)
        }
    }

    func endConsole(_ id: ConsoleID, _ end: ChannelEnd) {
        guard let channel = consoles.removeValue(forKey: id) else { return }
        if case .violation(.differentBuild) = end, channel.allows(.welcome(signer.chain)) {
            try? channel.send(.welcome(signer.chain), at: Kernel.timeSinceBoot())
        }
        probes.forget(id)
        if workerProbes?.asker == id { workerProbes = nil }
        handle(.consoleEnded(id, violation: end == .closed ? nil : "\(end)"))
    }

    // MARK: Workers

    func readWorker(_ id: WorkerID) {
        guard let worker = workers[id] else { return }
        let end = worker.receive(at: Kernel.timeSinceBoot(), through: &buffer)
        guard let end else { return }
        workers[id] = nil
        handle(.workerEnded(id, endTransfer(of: id, end.result)))
    }

    func start(_ id: WorkerID, _ job: Job) {
        var ends = WorkerEnds()
        ends.secrets = job.password.flatMap { takePipe($0) }
        do throws(Errno) {
            workers[id] = try Worker.start(
                .job(payload: job.payload), ends: ends, filter: workerFilter,
                limits: WorkerLimits(job, time: signer.limits.workTime))
        } catch {
            handle(.workerEnded(id, .failed("it could not be started: \(error)")))
        }
    }
}

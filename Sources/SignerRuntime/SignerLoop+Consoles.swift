import LinuxIO
import Messages
import SignerCore
import SignerWork
import StateFiles

extension SignerLoop {
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
        ends.output = job.output.flatMap { takePipe($0) }
        if let output = ends.output { ends.outputIsPipe = (try? Kernel.isPipe(output)) == true }
        let order: ReviewOrder
        do throws(DiskFailure) {
            order = try self.order(job, into: &ends)
        } catch {
            ends.close()
            return handle(.workerEnded(id, .failed("\(error)")))
        }
        do throws(Errno) {
            workers[id] = try Worker.start(
                .review(order), ends: ends, filter: workerFilter,
                limits: .review(signer.limits.reviewTime))
        } catch {
            handle(.workerEnded(id, .failed("it could not be started: \(error)")))
        }
    }

    /// What a review is forked with: the wallets' sealed public data, and the key that tells whether it is
    /// theirs.
    private func order(_ job: Job, into ends: inout WorkerEnds) throws(DiskFailure) -> ReviewOrder {
        let listing = try state.list()
        let files = state.load(OperationPlan.wallets(in: listing)).files
        if listing.indexKey == .safe { ends.indexKey = try state.openKey(.indexKey) }
        return ReviewOrder(
            psbt: job.file, chain: signer.chain, limits: signer.reviewLimits, files: files,
            hasIndexKey: ends.indexKey != nil, form: job.form)
    }
}

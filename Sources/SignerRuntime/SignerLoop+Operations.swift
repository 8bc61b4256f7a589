import Confinement
import LinuxIO
import Messages
import SignerCore
import SignerWork
import StateFiles

/// The pipes of the worker of an operation that moves large files.
struct Transfer {
    let worker: WorkerID
    var feeder: Feeder?
    var stager: Stager?
    var collector: Collector?
}

extension SignerLoop {
    // MARK: State

    /// Before the first event: puts right what a power cut left, and looks at what there is.
    func recover() {
        do throws(DiskFailure) {
            let recovery = try state.recover()
            if recovery.carriedOut { tellLog(.warning, "an interrupted change was completed") }
            if recovery.journalWasDamaged {
                tellLog(.failure, "the journal was damaged; the disk has lost a part of a change")
            }
            if recovery.discarded > 0 {
                tellLog(.warning, "\(recovery.discarded) unfinished files were removed")
            }
        } catch {
            tellLog(.failure, "the signer's directory: \(error)")
        }
        list()
    }

    private func tellLog(_ severity: Severity, _ line: String) {
        channels.report(.log(severity, line), hear)
    }

    func list() {
        do throws(DiskFailure) {
            let listing = try state.list()
            handle(.listed(.success(listing)))
        } catch {
            handle(.listed(.failure(error)))
        }
    }

    func load(_ files: [StateFile]) { handle(.loaded(state.load(files))) }

    // MARK: Workers of operations

    func takePipe(_ id: PipeID) -> Int32? {
        guard let passed = pipes.removeValue(forKey: id)?.take() else { return nil }
        return passed.take()
    }

    func begin(_ id: WorkerID, _ job: OperationJob) {
        var ends = WorkerEnds()
        do throws(DiskFailure) {
            try openKeys(job, into: &ends)
            ends.secrets = job.pipes[.secrets].flatMap { takePipe($0) }
            ends.output = job.pipes[.output].flatMap { takePipe($0) }
            ends.input = job.pipes[.input].flatMap { takePipe($0) }
            if let output = ends.output { ends.outputIsPipe = (try? Kernel.isPipe(output)) == true }
            let started = try starting { () throws(Errno) in
                transfer = try openTransfer(id, job, into: &ends)
                return try Worker.start(
                    .order(
                        WorkOrder(
                            job, chain: signer.chain, schedule: signer.schedule,
                            limits: signer.reviewLimits,
                            freeMemory: job.plan.derives ? memory?.available() : nil)),
                    ends: ends, filter: workerFilter, limits: WorkerLimits(job))
            }
            workers[id] = started
        } catch {
            transfer = nil
            handle(.workerEnded(id, .said(.refused(.diskFailed("\(error)"), []))))
        }
    }

    func starting<Value>(
        _ body: () throws(Errno) -> Value
    ) throws(DiskFailure) -> Value {
        do throws(Errno) {
            return try body()
        } catch {
            throw .failed(path: "a worker could not be started", "\(error)")
        }
    }

    private func openKeys(
        _ job: OperationJob, into ends: inout WorkerEnds
    ) throws(DiskFailure) {
        switch job.deviceKey {
        case .absent: break
        case .present:
            ends.deviceKeyIsKept = state.credential != nil
            if let number = state.credential {
                ends.deviceKey = number
            } else {
                ends.deviceKey = try state.openKey(.deviceKey)
            }
        case .new:
            ends.newDeviceKey = try state.createKey(.deviceKey)
            staged.insert(.deviceKey)
        }
        switch job.indexKey {
        case .absent: break
        case .present: ends.indexKey = try state.openKey(.indexKey)
        case .new:
            ends.newIndexKey = try state.createKey(.indexKey)
            staged.insert(.indexKey)
        }
    }

    private func openTransfer(
        _ id: WorkerID, _ job: OperationJob, into ends: inout WorkerEnds
    ) throws(Errno) -> Transfer? {
        let request: VaultRequest?
        switch job.task {
        case .count, .check: return nil
        case .merge(_, _, let isForLink):
            return isForLink ? try openCollector(id, job, into: &ends) : nil
        case .carryOut(let asked): request = asked
        case .record: request = nil
        case .pair: return nil
        }
        var transfer = Transfer(worker: id)
        if !job.plan.fed.isEmpty {
            let pipe = try Pipe()
            // Swift 6.0.3 cannot take a pipe of another module apart by its fields.
            let numbers = pipe.take()
            ends.feed = numbers.reading
            transfer.feeder = try Feeder(
                FileDescriptor(owning: numbers.writing), job.plan.fed, from: state.disk)
        }
        if job.plan.stages, let request {
            let pipe = try Pipe()
            let numbers = pipe.take()
            ends.stage = numbers.writing
            transfer.stager = try Stager(FileDescriptor(owning: numbers.reading), to: state.disk) {
                file in
                file.vault == request.vault || file.isImportedLedger
            }
        }
        return transfer
    }

    private func openCollector(
        _ id: WorkerID, _ job: OperationJob, into ends: inout WorkerEnds
    ) throws(Errno) -> Transfer {
        let pipe = try Pipe()
        let numbers = pipe.take()
        ends.file = numbers.writing
        var transfer = Transfer(worker: id)
        transfer.collector = try Collector(
            FileDescriptor(owning: numbers.reading),
            limit: min(job.psbt.count + Limit.signatures, Limit.signedFile))
        return transfer
    }

    func collect() {
        guard let transfer, let collector = transfer.collector else { return }
        collector.receive()
        if collector.isTooLong { workers[transfer.worker]?.kill() }
    }

    func feed() {
        guard let transfer, let feeder = transfer.feeder else { return }
        feeder.send()
        handle(.moved(transfer.worker, done: feeder.moved, total: feeder.total))
    }

    func stage() {
        guard let transfer, let stager = transfer.stager else { return }
        stager.receive()
        staged.formUnion(stager.begun)
        handle(.moved(transfer.worker, done: stager.moved, total: 0))
        if stager.failure != nil { workers[transfer.worker]?.kill() }
    }

    /// What a worker's end means when its large files are counted in.
    func endTransfer(of id: WorkerID, _ result: WorkerResult) -> WorkerResult {
        guard let transfer, transfer.worker == id else { return result }
        self.transfer = nil
        if let collector = transfer.collector {
            collector.drain()
            guard case .said(let said) = result, !collector.isTooLong else { return result }
            return .gave(collector.bytes, said)
        }
        transfer.stager?.drain()
        staged.formUnion(transfer.stager?.begun ?? [])
        // A worker that came to its end could do without: a restore replaces what cannot be read.
        if let failure = transfer.feeder?.failure, !result.isDone {
            return .said(.refused(.diskUnread("\(failure)"), []))
        }
        guard let stager = transfer.stager else { return result }
        if let failure = stager.failure { return .said(.refused(.diskFailed(failure), [])) }
        if case .said(.done) = result, !stager.isWhole {
            return .failed("it left a file unfinished")
        }
        return result
    }
}

extension WorkerResult {
    fileprivate var isDone: Bool { if case .said(.done) = self { true } else { false } }
}

extension WorkOrder {
    /// A job as its worker meets it.
    fileprivate init(
        _ job: OperationJob, chain: ChainName, schedule: AttemptSchedule,
        limits: [ReviewLimit], freeMemory: UInt64?
    ) {
        let (stage, request): (Stage, VaultRequest) =
            switch job.task {
            case .count(let request): (.count, request)
            case .check(let request): (.check, request)
            case .carryOut(let request): (.carryOut, request)
            case .merge(let request, let signatures, _): (.merge(signatures), request)
            case .record(let events): (.record(events), .ledgerVerify)
            case .pair: (.pair, .list)
            }
        self.init(
            stage: stage, request: request, chain: chain, schedule: schedule,
            time: Kernel.date(), uid: job.uid, freeMemory: freeMemory, files: job.files,
            unreadable: job.unreadable, present: job.present, witness: job.witness,
            deviceKey: Key(job.deviceKey), indexKey: Key(job.indexKey), psbt: job.psbt,
            isForLink: job.isForLink, reviewLimits: limits)
    }
}

extension WorkOrder.Key {
    fileprivate init(_ key: OperationJob.Key) {
        self =
            switch key {
            case .present: .present
            case .new: .new
            case .absent: .absent
            }
    }
}

extension WorkerLimits {
    /// For a worker without secrets: memory for what the broker holds when it forks, for a PSBT of
    /// 16 MiB and for what it says; the time is processor time as well.
    static func review(_ time: Duration) -> WorkerLimits {
        WorkerLimits(
            time: time, passwordTime: .zero, memory: 384 << 20, fileSize: 1 << 30)
    }

    /// Memory for what the broker holds when it forks, for the operation, and for Argon2id with
    /// 128 MiB where a password becomes a key. Files of any size leave through the output.
    fileprivate init(_ job: OperationJob) {
        switch job.task {
        case .check, .merge:
            self = .review(job.time)
            return
        case .count, .carryOut, .record, .pair: break
        }
        let memory: UInt64 = (job.plan.derives ? 384 << 20 : 192 << 20) + UInt64(job.psbt.count)
        self.init(
            time: job.time, passwordTime: .seconds(10), memory: memory,
            fileSize: 64 << 30)
    }
}

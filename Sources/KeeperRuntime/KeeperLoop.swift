import CNamespaces
import Configuration
import Glibc
import KeeperCore
import LinuxIO
import LocalSockets
import Messages

/// The one loop of the keeper: waits, turns what happened into events, and does what they lead to.
final class KeeperLoop {
    let instance: Instance
    let plans: [Child: ChildPlan]
    let weaknesses: [String]
    let log: Log
    let manager = ServiceManager()
    let around: RunningChild.Surroundings
    let signals: HeldDescriptor

    var keeper: Keeper
    var running: [Child: RunningChild] = [:]
    /// The end of the newest link that no child has yet.
    var keptLink: HeldDescriptor?
    var isAnnounced = false
    private var events: [Event] = []
    private var exitCode: ExitCode?
    private var buffer = ReadBuffer()
    private var polled = PollSet()

    /// A loop over an instance that is checked, claimed and listening.
    init(
        _ instance: Instance, _ around: RunningChild.Surroundings, weaknesses: [String], log: Log
    ) throws(StartRefusal) {
        self.instance = instance
        self.around = around
        self.weaknesses = weaknesses
        self.log = log
        keeper = Keeper(plan: instance.keeperPlan)
        plans = Dictionary(
            uniqueKeysWithValues: instance.children.compactMap { child in
                instance.plan(of: child).map { (child, $0) }
            })
        do throws(Errno) {
            let numbers = [SIGCHLD, SIGTERM, SIGINT, SIGHUP]
            let descriptor = linux_signal_descriptor(numbers, numbers.count)
            signals = HeldDescriptor(
                FileDescriptor(owning: try System.checkNegative(descriptor)))
        } catch {
            throw StartRefusal(.system, "signals cannot be received: \(error)")
        }
        Kernel.ignoreBrokenPipes()
    }

    /// Runs until everything has ended.
    func run() throws(Errno) -> ExitCode {
        feed(.time, at: Kernel.timeSinceBoot())
        while exitCode == nil {
            try wait()
            let now = Kernel.timeSinceBoot()
            takeSignals(at: now)
            for child in Child.allCases { serve(child, at: now) }
            feed(.time, at: now)
        }
        return exitCode ?? .success
    }

    /// Gives an event to the keeper and does what it says, until nothing more follows.
    func feed(_ event: Event, at now: Duration) {
        events.append(event)
        guard events.count == 1 else { return }
        while let event = events.first {
            for action in keeper.handle(event, at: now) { perform(action, at: now) }
            events.removeFirst()
        }
    }

    func finish(_ code: ExitCode) { exitCode = code }

    private func wait() throws(Errno) {
        polled.removeAll()
        polled.add(signals.number, .reading)
        var deadline = keeper.nextDeadline
        for process in running.values {
            if !process.isCutOff {
                let interest: PollSet.Interest =
                    process.control.wantsToWrite ? [.reading, .writing] : .reading
                polled.add(process.control.number, interest)
                deadline = [deadline, process.control.deadline].compactMap(\.self).min()
            }
            if let errors = process.errors { polled.add(errors.number, .reading) }
        }
        try polled.wait(until: deadline)
    }

    private func takeSignals(at now: Duration) {
        while true {
            switch linux_next_signal(signals.number) {
            case SIGCHLD: reap(at: now)
            case SIGTERM, SIGINT, SIGHUP: feed(.stopRequested, at: now)
            default: return
            }
        }
    }

    /// Takes note of every child that has ended; several may share one signal.
    private func reap(at now: Duration) {
        for process in running.values {
            guard let ending = try? Kernel.reap(process.pid) else { continue }
            // Its last words first: they may say why.
            serve(process.child, at: now)
            for line in process.output.finish(at: now) { log.write(line, from: process.child) }
            running[process.child] = nil
            switch ending {
            case .exited(let status): feed(.ended(process.child, .exited(status)), at: now)
            case .killed(let signal): feed(.ended(process.child, .killed(signal: signal)), at: now)
            }
        }
    }

    /// Reads what a child says; descriptors that have nothing to say cost one call.
    private func serve(_ child: Child, at now: Duration) {
        guard let process = running[child] else { return }
        for line in process.newLines(at: now) { log.write(line, from: child) }
        guard !process.isCutOff else { return }
        let receipt = process.control.receive(at: now, through: &buffer)
        for message in receipt.messages { hear(message, from: process, at: now) }
        if let end = receipt.end ?? process.control.overdue(at: now) {
            cutOff(process, end, at: now)
        } else if process.control.wantsToWrite {
            sending(to: process, at: now) { () throws(ChannelEnd) in
                try process.control.flush(at: now)
            }
        }
    }

    private func hear(_ message: ControlReport, from process: RunningChild, at now: Duration) {
        switch message {
        case .ready: feed(.ready(process.child), at: now)
        case .pong: feed(.answered(process.child), at: now)
        case .log(let severity, let text):
            for line in process.output.admit(text, at: now) {
                log.write(line, from: process.child, level: Report.Level(severity))
            }
        case .linkLost(let number, let cause, let text):
            let reason = text.isEmpty ? "\(cause)" : text
            feed(
                .linkLost(
                    process.child, generation: process.link(calledByChild: number), reason),
                at: now)
        }
    }

    /// Does something that sends to a child; a channel that cannot take it has ended.
    func sending(
        to process: RunningChild, at now: Duration, _ body: () throws(ChannelEnd) -> Void
    ) {
        guard !process.isCutOff else { return }
        do throws(ChannelEnd) {
            try body()
        } catch {
            cutOff(process, error, at: now)
        }
    }

    private func cutOff(_ process: RunningChild, _ end: ChannelEnd, at now: Duration) {
        process.isCutOff = true
        if end == .closed {
            feed(.channelClosed(process.child), at: now)
        } else {
            feed(.channelBroken(process.child, "\(end)"), at: now)
        }
    }
}

extension Report.Level {
    init(_ severity: Severity) {
        switch severity {
        case .information: self = .info
        case .warning, .failure: self = .warning
        }
    }
}

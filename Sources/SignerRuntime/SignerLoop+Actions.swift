import ChildRuntime
import LinuxIO
import Messages
import SignerCore

extension SignerLoop {
    func perform(_ action: SignerAction) {
        switch action {
        case .reply(let id, let reply): send(reply, to: id)
        case .selfReport(let id): send(.selfReport(report.refreshed()), to: id)
        case .probe(let id): probes.ask(id)
        case .close(let id): consoles[id] = nil
        case .tell(let reply):
            guard let link else { return }
            tellNetwork { () throws(ChannelEnd) in try link.send(reply, at: Kernel.timeSinceBoot())
            }
        case .adoptLink: adoptLink()
        case .report(let report):
            tellKeeper { () throws(ChannelEnd) in
                try control.send(report, at: Kernel.timeSinceBoot())
            }
        case .start(let id, let job): start(id, job)
        case .kill(let id): workers[id]?.kill()
        case .drop(let pipe): pipes[pipe] = nil
        case .list: list()
        case .load(let files): load(files)
        case .commit(let changes): handle(.committed(state.commit(changes)))
        case .begin(let id, let job): begin(id, job)
        case .tidy:
            state.tidy(staged)
            staged = []
        case .finish(let ending): self.ending = ending
        }
    }
}

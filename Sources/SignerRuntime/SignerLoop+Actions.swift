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
        case .tell(let reply): channels.tell(reply, hear)
        case .adoptLink: channels.adoptLink(hear)
        case .report(let report): channels.report(report, hear)
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

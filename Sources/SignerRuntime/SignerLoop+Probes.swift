import ChildRuntime
import Confinement
import LinuxIO
import Messages
import SignerCore

extension SignerLoop {
    /// Has the probe child try one thing; after the last, workers try theirs.
    func stepProbes() {
        guard let (hello, facts) = signer.probeTargets else { return }
        let targets = ProbeTargets(hello, facts)
        guard let (id, rows) = probes.step(at: targets) else { return }
        workerProbes = (id, rows, WorkerProbes(at: targets, filter: workerFilter))
        answerProbes()
    }

    func readWorkerProbe() {
        workerProbes?.probes.receive(at: Kernel.timeSinceBoot(), through: &buffer)
        answerProbes()
    }

    private func answerProbes() {
        guard let (id, rows, probes) = workerProbes, let more = probes.rows else { return }
        workerProbes = nil
        send(.probes(rows + more), to: id)
    }
}

import LinuxIO
import Messages
import NetworkCore

extension NetworkLoop {
    func accept() {
        do throws(Errno) {
            guard let socket = try Kernel.accept(listener.number) else { return }
            let id = QueryID(nextNumber())
            queries[id] = try Query(socket, opened: Kernel.timeSinceBoot())
            handle(.connected(id))
        } catch {
            handle(.acceptFailed("\(error)"))
        }
    }

    func serveQuery(_ id: QueryID, _ set: PollSet, _ place: Int) {
        guard let channel = queries[id] else { return }
        let now = Kernel.timeSinceBoot()
        if set.canWrite(at: place) { flush(id, channel, now) }
        guard queries[id] != nil, set.canRead(at: place) else { return }
        let receipt = channel.receive(at: now, through: &buffer)
        for request in receipt.messages { handle(.query(id, request)) }
        if let end = receipt.end { endQuery(id, end) }
    }

    private func flush(_ id: QueryID, _ channel: Query, _ now: Duration) {
        do throws(ChannelEnd) { try channel.flush(at: now) } catch { endQuery(id, error) }
    }

    func send(_ reply: QueryReply, to id: QueryID) {
        guard let channel = queries[id] else { return }
        do throws(ChannelEnd) {
            try channel.send(reply, at: Kernel.timeSinceBoot())
        } catch {
            endQuery(id, error)
        }
    }

    func endQuery(_ id: QueryID, _ end: ChannelEnd) {
        guard let channel = queries.removeValue(forKey: id) else { return }
        if case .violation(.differentBuild) = end, channel.allows(.welcome(process.chain)) {
            // Our greeting lets the other side see the difference too.
            try? channel.send(.welcome(process.chain), at: Kernel.timeSinceBoot())
        }
        probes.forget(id)
        desk.forget(id)
        handle(.queryEnded(id, violation: end == .closed ? nil : "\(end)"))
    }
}

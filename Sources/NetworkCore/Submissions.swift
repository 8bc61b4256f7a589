import Messages

/// Requests for signatures on their way to the signer, and who waits to hear of them.
///
/// Nothing of it is kept: the command that asked knows its id and asks again, whoever died meanwhile.
struct Submissions: Sendable {
    struct Waiting: Sendable {
        /// The connection that asked last.
        var asker: QueryID
        /// The file, until the signer says that it has it.
        var file: [UInt8]?
    }

    private(set) var waiting: [RequestID: Waiting] = [:]
    private(set) var bytes = 0
    var sent: UInt64 = 0
    var answered: UInt64 = 0

    /// Takes note of who waits for a request; false if there is no room.
    mutating func take(
        _ id: RequestID, _ file: [UInt8]?, for asker: QueryID, _ limits: NetworkLimits
    ) -> Bool {
        let others = waiting.count { $0.value.asker == asker && $0.key != id }
        let held = waiting[id]?.file?.count ?? 0
        guard waiting[id] != nil || waiting.count < limits.requests,
            others < limits.requestsOfOneConnection,
            bytes - held + (file?.count ?? 0) <= limits.requestBytes
        else { return false }
        // An inquiry takes nothing away from the file that is still to be passed on.
        let kept = file ?? waiting[id]?.file
        bytes += (kept?.count ?? 0) - held
        waiting[id] = Waiting(asker: asker, file: kept)
        return true
    }

    /// The signer has the file.
    mutating func drop(fileOf id: RequestID) {
        bytes -= waiting[id]?.file?.count ?? 0
        waiting[id]?.file = nil
    }

    /// Nobody waits for it any more.
    mutating func forget(_ id: RequestID) {
        drop(fileOf: id)
        waiting[id] = nil
    }

    /// A connection is gone. What the signer has not got yet is forgotten with it.
    mutating func forget(_ asker: QueryID) {
        for (id, request) in waiting where request.asker == asker { forget(id) }
    }
}

extension NetworkProcess {
    mutating func submit(_ id: RequestID, _ file: [UInt8], _ asker: QueryID) {
        guard submissions.take(id, file, for: asker, limits) else {
            return reply(asker, .answer(id, .full))
        }
        if link.isUp { pass(on: id, file) }
    }

    mutating func inquire(_ id: RequestID, _ asker: QueryID) {
        guard submissions.take(id, nil, for: asker, limits) else {
            return reply(asker, .answer(id, .full))
        }
        if link.isUp { actions.append(.tell(.inquiry(id))) }
    }

    mutating func collected(_ id: RequestID) {
        submissions.forget(id)
        if link.isUp { actions.append(.tell(.collected(id))) }
    }

    /// The signer may have taken some of them by the link before this one.
    mutating func inquireOfAll() {
        for id in submissions.waiting.keys { actions.append(.tell(.inquiry(id))) }
    }

    /// What became of a request, told to the connection that waits for it.
    mutating func answered(_ id: RequestID, _ state: RequestState) {
        // An answer to a request that nobody waits for any more says nothing.
        guard let request = submissions.waiting[id] else { return }
        if state == .unknown, let file = request.file { return pass(on: id, file) }
        submissions.drop(fileOf: id)
        reply(request.asker, .answer(id, state))
        // What is signed comes behind its answer.
        guard state.isFinal, state != .signed else { return }
        submissions.answered += 1
        submissions.forget(id)
    }

    mutating func signed(_ id: RequestID, _ file: [UInt8]) {
        guard let request = submissions.waiting[id] else { return }
        submissions.answered += 1
        submissions.forget(id)
        reply(request.asker, .signed(id, file: file))
    }

    private mutating func pass(on id: RequestID, _ file: [UInt8]) {
        submissions.sent += 1
        actions.append(.tell(.request(id, payload: file)))
    }

    private mutating func reply(_ asker: QueryID, _ reply: QueryReply) {
        guard connections[asker] != nil else { return }
        actions.append(.reply(asker, reply))
    }
}

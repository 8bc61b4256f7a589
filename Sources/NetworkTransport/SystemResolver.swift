import CCares
import Glibc
public import LinuxIO
public import NetworkCore
public import PeerMessages

/// Looks up the addresses of names by the servers of this machine, which somebody hands over, with
/// c-ares: no file is read and nothing else of the system's resolver is used.
///
/// Made before the process is confined; c-ares looks for files when a channel is made.
public final class SystemResolver {
    /// The most servers that are used.
    public static let mostServers = 8

    private var channel: ares_channel?
    private var interests: [Int32: PollSet.Interest] = [:]
    private var places: [(number: Int32, place: Int)] = []
    private var finished: [(ResolveID, [PeerHost])] = []
    private var hasServers = false
    private var told = ToldOnce()
    private var problems: [String] = []

    private static let timeoutMilliseconds: Int32 = 3000
    private static let tries: Int32 = 2

    /// A resolver that knows no server yet; nil if c-ares cannot start.
    public init?() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        let watch: ares_sock_state_cb = { context, number, reads, writes in
            guard let context else { return }
            let resolver = Unmanaged<SystemResolver>.fromOpaque(context).takeUnretainedValue()
            var interest: PollSet.Interest = []
            if reads != 0 { interest.insert(.reading) }
            if writes != 0 { interest.insert(.writing) }
            resolver.interests[number] = interest.isEmpty ? nil : interest
        }
        let isStarted = bulkhead_ares_start(
            &channel, Self.timeoutMilliseconds, Self.tries, watch, context)
        guard isStarted == 1 else { return nil }
    }

    deinit { if let channel { ares_destroy(channel) } }

    /// Asks these servers from now on.
    public func use(_ servers: [IPEndpoint]) {
        guard let channel else { return }
        let list = servers.prefix(Self.mostServers).map(\.description).joined(separator: ",")
        hasServers = !servers.isEmpty
        // Without any, c-ares would ask this machine.
        guard hasServers else { return }
        hasServers = bulkhead_ares_use(channel, list) == 1
    }

    /// Looks up the addresses of a name, of both kinds; `takeFinished` has them later.
    public func resolve(_ id: ResolveID, _ name: String) {
        let lookup = Lookup(id, name, self)
        guard let channel, hasServers, (try? DNSMessage.question(name, .a)) != nil else {
            finished.append((id, []))
            return
        }
        lookup.waiting = DNSMessage.RecordType.allCases.count
        for type in DNSMessage.RecordType.allCases {
            let question = Unmanaged.passRetained(Question(lookup, type))
            ares_query(
                channel, name, 1, Int32(type.rawValue),
                { context, status, _, bytes, count in
                    guard let context else { return }
                    let question = Unmanaged<Question>.fromOpaque(context).takeRetainedValue()
                    let answer = bytes.map {
                        Array(UnsafeBufferPointer(start: $0, count: Int(max(0, count))))
                    }
                    question.lookup.take(answer, status, question.type)
                }, question.toOpaque())
        }
    }

    /// The look-ups that are over, each once, with what was found.
    public func takeFinished() -> [(ResolveID, [PeerHost])] {
        defer { finished = [] }
        return finished
    }

    /// What went wrong with the servers, each kind of it once.
    public func takeProblems() -> [String] {
        defer { problems = [] }
        return problems
    }

    private func note(_ problem: String) {
        guard told.isNew(problem) else { return }
        problems.append("the name servers of this machine: \(problem)")
    }

    // MARK: The loop

    /// Adds what is to be waited for.
    public func add(to set: inout PollSet) {
        places = interests.map { number, interest in (number, set.add(number, interest)) }
    }

    /// When `serve` has to come at the latest.
    public var deadline: Duration? {
        guard let channel else { return nil }
        var left = timeval()
        guard ares_timeout(channel, nil, &left) != nil else { return nil }
        return Kernel.timeSinceBoot() + .seconds(left.tv_sec) + .microseconds(left.tv_usec)
    }

    /// Reads and writes what the kernel lets, and gives up what is late. Pass the set that `add` was
    /// given last.
    public func serve(_ set: PollSet) {
        guard let channel else { return }
        var isIdle = true
        for (number, place) in places where set.isReady(at: place) {
            guard interests[number] != nil else { continue }
            isIdle = false
            ares_process_fd(
                channel, set.canRead(at: place) ? number : ARES_SOCKET_BAD,
                set.canWrite(at: place) ? number : ARES_SOCKET_BAD)
        }
        if isIdle, !interests.isEmpty {
            ares_process_fd(channel, ARES_SOCKET_BAD, ARES_SOCKET_BAD)
        }
    }

    /// A name that is being looked up.
    private final class Lookup {
        let id: ResolveID
        let name: String
        let resolver: SystemResolver
        var waiting = 0
        private var hosts: [PeerHost] = []

        init(_ id: ResolveID, _ name: String, _ resolver: SystemResolver) {
            self.id = id
            self.name = name
            self.resolver = resolver
        }

        func take(_ answer: [UInt8]?, _ status: Int32, _ type: DNSMessage.RecordType) {
            if let answer {
                switch PeerHost.all(in: answer, to: name, type) {
                case .success(let found): hosts += found
                case .failure(let error): resolver.note("\(error)")
                }
            } else if let problem = bulkhead_ares_problem(status) {
                resolver.note(String(cString: problem))
            }
            waiting -= 1
            if waiting == 0 { resolver.finished.append((id, hosts)) }
        }
    }

    /// One of its questions.
    private final class Question {
        let lookup: Lookup
        let type: DNSMessage.RecordType

        init(_ lookup: Lookup, _ type: DNSMessage.RecordType) {
            self.lookup = lookup
            self.type = type
        }
    }
}

extension PeerHost {
    /// The addresses in a resolver's answer; none where it says that there is no such name.
    static func all(
        in answer: [UInt8], to name: String, _ type: DNSMessage.RecordType
    ) -> Result<[PeerHost], DNSError> {
        guard answer.count >= 2 else { return .failure(.malformed(position: answer.count)) }
        let id = UInt16(answer[0]) << 8 | UInt16(answer[1])
        let addresses: [[UInt8]]
        do throws(DNSError) {
            addresses = try DNSMessage.addresses(in: answer, to: name, type, id: id)
        } catch {
            return error == .refused(code: 3) ? .success([]) : .failure(error)
        }
        let hosts = addresses.compactMap { address -> PeerHost? in
            func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
                bytes.reduce(0) { $0 << 8 | UInt64($1) }
            }
            switch address.count {
            case 4: return .ipv4(UInt32(truncatingIfNeeded: number(address[...])))
            case 16: return .ipv6(high: number(address[..<8]), low: number(address[8...]))
            default: return nil
            }
        }
        return .success(hosts)
    }
}

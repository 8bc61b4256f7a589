import CCurl
import Glibc
public import LinuxIO
public import NetworkCore
public import PeerMessages

/// Looks up the addresses of names by DNS over HTTPS (RFC 8484), with libcurl.
///
/// Only https, no redirect, no proxy of an environment, the server's certificate checked against the
/// given bundle, answers cut off at their largest size while they arrive. Made before the process is
/// confined; what libcurl and OpenSSL open, they open then.
public final class HTTPSResolver {
    /// The longest answer that is taken, as it arrives.
    public static let longestAnswer = 64 << 10
    private static let timeoutMilliseconds = 15_000
    /// Each has all authorities of the bundle in memory, more than a MiB, for as long as it is open.
    static let connections = 2

    private let server: String
    /// The bundle lives as long as this value, since libcurl does not copy it.
    private let certificates: UnsafeRawBufferPointer
    private let transfers: UnsafeMutableRawPointer
    private var headers: UnsafeMutablePointer<curl_slist>?
    private var interests: [Int32: PollSet.Interest] = [:]
    private var places: [(number: Int32, place: Int)] = []
    private var timer: Duration?
    private var running: [UnsafeMutableRawPointer: Question] = [:]
    private var finished: [(ResolveID, [PeerHost])] = []

    /// A resolver that asks this server.
    ///
    /// - Parameters:
    ///   - server: an https URL whose host is an address, since nothing here looks it up.
    ///   - certificates: the authorities that are trusted, PEM.
    /// - Returns: nil if the URL is none of these, or libcurl cannot start.
    public init?(server: String, certificates: [UInt8]) {
        guard HTTPSResolver.isUsable(server),
            curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK,
            let transfers = curl_multi_init()
        else { return nil }
        // libcurl asks for the local time, and the C library opens the file of the time zone for it: once,
        // and here, where files can still be opened.
        tzset()
        self.server = server
        self.transfers = transfers
        let copy = UnsafeMutableRawBufferPointer.allocate(
            byteCount: certificates.count, alignment: 1)
        copy.copyBytes(from: certificates)
        self.certificates = UnsafeRawBufferPointer(copy)
        for line in ["Content-Type", "Accept"] {
            headers = curl_slist_append(headers, "\(line): application/dns-message")
        }
        watch()
    }

    deinit {
        for handle in running.keys { curl_easy_cleanup(handle) }
        curl_multi_cleanup(transfers)
        curl_slist_free_all(headers)
        certificates.deallocate()
    }

    /// Whether a URL can be asked: https, and an address in place of a name.
    public static func isUsable(_ url: String) -> Bool {
        guard url.hasPrefix("https://"), url.utf8.count <= 256,
            url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !url.contains("@")
        else { return false }
        let authority = url.dropFirst("https://".count).prefix { $0 != "/" && $0 != "?" }
        var host = authority
        if authority.hasPrefix("[") {
            host = authority.dropFirst().prefix { $0 != "]" }
        } else if let colon = authority.firstIndex(of: ":") {
            host = authority[..<colon]
        }
        return IPEndpoint(text: String(host), port: 443) != nil
    }

    /// libcurl says which sockets it waits for, and when it wants to be called.
    private func watch() {
        let sockets: curl_socket_callback = { _, number, what, context, _ in
            guard let context else { return 0 }
            let resolver = Unmanaged<HTTPSResolver>.fromOpaque(context).takeUnretainedValue()
            var interest: PollSet.Interest = []
            if what & CURL_POLL_IN != 0 { interest.insert(.reading) }
            if what & CURL_POLL_OUT != 0 { interest.insert(.writing) }
            resolver.interests[number] = what == CURL_POLL_REMOVE ? nil : interest
            return 0
        }
        let timer: curl_multi_timer_callback = { _, milliseconds, context in
            guard let context else { return 0 }
            let resolver = Unmanaged<HTTPSResolver>.fromOpaque(context).takeUnretainedValue()
            resolver.timer =
                milliseconds < 0 ? nil : Kernel.timeSinceBoot() + .milliseconds(milliseconds)
            return 0
        }
        bulkhead_curl_watch(
            transfers, sockets, timer,
            Unmanaged.passUnretained(self).toOpaque())
        bulkhead_curl_limit(transfers, Self.connections)
    }

    /// Has the last questions close their connections behind them, and at the end gives back what all
    /// held: the next look-ups come hours later.
    private func closeBehindLast() {
        let areLast = running.count <= Self.connections ? 1 : 0
        for handle in running.keys {
            bulkhead_curl_number(handle, CURLOPT_FORBID_REUSE, areLast)
        }
        if running.isEmpty { Kernel.returnFreedMemory() }
    }

    // MARK: Looking up

    /// Looks up the addresses of a name, of both kinds; `takeFinished` has them later.
    public func resolve(_ id: ResolveID, _ name: String) {
        let lookup = Lookup(id, name)
        for type in DNSMessage.RecordType.allCases {
            guard let bytes = try? DNSMessage.question(name, type), let handle = curl_easy_init()
            else { continue }
            let question = Question(lookup, type)
            guard prepare(handle, question, bytes),
                curl_multi_add_handle(transfers, handle) == CURLM_OK
            else {
                curl_easy_cleanup(handle)
                continue
            }
            lookup.waiting += 1
            running[handle] = question
        }
        if lookup.waiting == 0 { finished.append((id, [])) }
        closeBehindLast()
    }

    private func prepare(
        _ handle: UnsafeMutableRawPointer, _ question: Question, _ bytes: [UInt8]
    ) -> Bool {
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_POST, 1),
            (CURLOPT_POSTFIELDSIZE, bytes.count), (CURLOPT_SSL_VERIFYPEER, 1),
            (CURLOPT_SSL_VERIFYHOST, 2), (CURLOPT_TIMEOUT_MS, Self.timeoutMilliseconds),
            (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
            (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
        ]
        // No directory of certificates: it would be searched while the process is confined.
        let texts: [(CURLoption, String?)] = [
            (CURLOPT_URL, server), (CURLOPT_PROTOCOLS_STR, "https"), (CURLOPT_PROXY, ""),
            (CURLOPT_CAPATH, nil), (CURLOPT_CAINFO, nil),
        ]
        var isReady = numbers.allSatisfy { bulkhead_curl_number(handle, $0, $1) == CURLE_OK }
        isReady = isReady && texts.allSatisfy { bulkhead_curl_text(handle, $0, $1) == CURLE_OK }
        isReady =
            isReady
            && bytes.withUnsafeBufferPointer { body in
                bulkhead_curl_pointer(
                    handle, CURLOPT_COPYPOSTFIELDS,
                    UnsafeMutableRawPointer(mutating: body.baseAddress)
                ) == CURLE_OK
            }
        guard isReady, bulkhead_curl_headers(handle, headers) == CURLE_OK,
            bulkhead_curl_certificates(handle, certificates.baseAddress, certificates.count)
                == CURLE_OK
        else { return false }
        return connect(handle, question)
    }

    /// Our own calls for sockets and bytes.
    private func connect(_ handle: UnsafeMutableRawPointer, _ question: Question) -> Bool {
        let open: curl_opensocket_callback = { _, purpose, address in
            guard let address, purpose == CURLSOCKTYPE_IPCXN else { return CURL_SOCKET_BAD }
            return socket(address.pointee.family, TCPSocket.streamType, 0)
        }
        let take: bulkhead_curl_writer = { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            let question = Unmanaged<Question>.fromOpaque(context).takeUnretainedValue()
            let (length, isTooLong) = size.multipliedReportingOverflow(by: count)
            guard !isTooLong, question.answer.count + length <= HTTPSResolver.longestAnswer else {
                // Fewer bytes than there are end the transfer.
                return 0
            }
            question.answer += UnsafeRawBufferPointer(start: bytes, count: length)
            return length
        }
        return bulkhead_curl_on_socket(handle, open) == CURLE_OK
            && bulkhead_curl_on_bytes(handle, take, Unmanaged.passUnretained(question).toOpaque())
                == CURLE_OK
    }

    /// The look-ups that are over, each once, with what was found.
    public func takeFinished() -> [(ResolveID, [PeerHost])] {
        defer { finished = [] }
        return finished
    }

    // MARK: The loop

    /// Adds what is to be waited for.
    public func add(to set: inout PollSet) {
        places = interests.map { number, interest in (number, set.add(number, interest)) }
    }

    /// When `serve` has to come at the latest.
    public var deadline: Duration? { timer }

    /// Reads and writes what the kernel lets, and gives up what is late. Pass the set that `add` was
    /// given last.
    public func serve(_ set: PollSet) {
        guard !running.isEmpty || timer != nil else { return }
        var left: Int32 = 0
        for (number, place) in places where set.isReady(at: place) {
            guard interests[number] != nil else { continue }
            var what: Int32 = 0
            if set.canRead(at: place) { what |= CURL_CSELECT_IN }
            if set.canWrite(at: place) { what |= CURL_CSELECT_OUT }
            curl_multi_socket_action(transfers, number, what, &left)
        }
        if let timer, timer <= Kernel.timeSinceBoot() {
            self.timer = nil
            curl_multi_socket_action(transfers, CURL_SOCKET_TIMEOUT, 0, &left)
        }
        takeDone()
    }

    private func takeDone() {
        var result = CURLE_OK
        while let handle = bulkhead_curl_done(transfers, &result) {
            let status = bulkhead_curl_status(handle)
            curl_multi_remove_handle(transfers, handle)
            curl_easy_cleanup(handle)
            guard let question = running.removeValue(forKey: handle) else {
                continue
            }
            let lookup = question.lookup
            if result == CURLE_OK, status == 200 {
                lookup.hosts += PeerHost.all(
                    in: question.answer, to: lookup.name, question.type)
            }
            lookup.waiting -= 1
            if lookup.waiting == 0 { finished.append((lookup.id, lookup.hosts)) }
            closeBehindLast()
        }
    }

    /// A name that is being looked up.
    private final class Lookup {
        let id: ResolveID
        let name: String
        var waiting = 0
        var hosts: [PeerHost] = []

        init(_ id: ResolveID, _ name: String) {
            self.id = id
            self.name = name
        }
    }

    /// One of its questions.
    private final class Question {
        let lookup: Lookup
        let type: DNSMessage.RecordType
        var answer: [UInt8] = []

        init(_ lookup: Lookup, _ type: DNSMessage.RecordType) {
            self.lookup = lookup
            self.type = type
        }
    }
}

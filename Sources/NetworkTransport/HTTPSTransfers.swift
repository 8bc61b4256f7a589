import CCurl
import Glibc
public import LinuxIO

/// Posts and gets files over HTTPS, with libcurl.
///
/// Only https, no redirect, no proxy of an environment, the server's certificate checked against the
/// given bundle, answers cut off at their largest size while they arrive. Nothing is looked up here and no
/// socket is connected but to the one address that a request names. Made before the process is confined;
/// what libcurl and OpenSSL open, they open then.
public final class HTTPSTransfers {
    /// What is asked of a server.
    public struct Request {
        /// An https URL.
        public var url: String
        /// How its host is reached.
        public var way: Way
        /// What is posted, and of which type it and the answer are; nil to get a file.
        public var post: (body: [UInt8], type: String)?
        /// Bytes of the answer at most.
        public var longest: Int
        /// How long it may take in all.
        public var timeout: Duration

        /// A request by its parts.
        public init(
            _ url: String, _ way: Way, post: (body: [UInt8], type: String)? = nil, longest: Int,
            timeout: Duration
        ) {
            self.url = url
            self.way = way
            self.post = post
            self.longest = longest
            self.timeout = timeout
        }
    }

    /// How the host of a URL is reached.
    public enum Way: Hashable, Sendable {
        /// At this address.
        case direct(IPEndpoint)
        /// Through a SOCKS5 gateway at this address, which is told the name.
        case gateway(IPEndpoint)

        /// The only address that a socket is connected to.
        var endpoint: IPEndpoint {
            switch self {
            case .direct(let endpoint), .gateway(let endpoint): endpoint
            }
        }
    }

    /// Each has all authorities of the bundle in memory, more than a MiB, for as long as it is open.
    static let connections = 2

    /// The bundle lives as long as this value, since libcurl does not copy it.
    private let certificates: UnsafeRawBufferPointer
    private let multi: UnsafeMutableRawPointer
    private var interests: [Int32: PollSet.Interest] = [:]
    private var places: [(number: Int32, place: Int)] = []
    private var timer: Duration?
    private var running: [UnsafeMutableRawPointer: Transfer] = [:]

    /// Transfers to servers whose certificates one of these authorities signed, PEM.
    ///
    /// - Returns: nil if libcurl cannot start.
    public init?(certificates: [UInt8]) {
        guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK,
            let multi = curl_multi_init()
        else { return nil }
        // libcurl asks for the local time, and the C library opens the file of the time zone for it: once,
        // and here, where files can still be opened.
        tzset()
        self.multi = multi
        let copy = UnsafeMutableRawBufferPointer.allocate(
            byteCount: certificates.count, alignment: 1)
        copy.copyBytes(from: certificates)
        self.certificates = UnsafeRawBufferPointer(copy)
        watch()
    }

    deinit {
        for handle in running.keys { curl_easy_cleanup(handle) }
        curl_multi_cleanup(multi)
        certificates.deallocate()
    }

    /// libcurl says which sockets it waits for, and when it wants to be called.
    private func watch() {
        let sockets: curl_socket_callback = { _, number, what, context, _ in
            guard let context else { return 0 }
            let transfers = Unmanaged<HTTPSTransfers>.fromOpaque(context).takeUnretainedValue()
            var interest: PollSet.Interest = []
            if what & CURL_POLL_IN != 0 { interest.insert(.reading) }
            if what & CURL_POLL_OUT != 0 { interest.insert(.writing) }
            transfers.interests[number] = what == CURL_POLL_REMOVE ? nil : interest
            return 0
        }
        let timer: curl_multi_timer_callback = { _, milliseconds, context in
            guard let context else { return 0 }
            let transfers = Unmanaged<HTTPSTransfers>.fromOpaque(context).takeUnretainedValue()
            transfers.timer =
                milliseconds < 0 ? nil : Kernel.timeSinceBoot() + .milliseconds(milliseconds)
            return 0
        }
        bulkhead_curl_watch(multi, sockets, timer, Unmanaged.passUnretained(self).toOpaque())
        bulkhead_curl_limit(multi, Self.connections)
    }

    /// Has the last posts close their connections behind them, and at the end gives back what all held:
    /// the next ones come hours later.
    private func closeBehindLast() {
        let areLast = running.count <= Self.connections
        for (handle, transfer) in running {
            let closes = areLast || transfer.request.post == nil
            bulkhead_curl_number(handle, CURLOPT_FORBID_REUSE, closes ? 1 : 0)
        }
        if running.isEmpty { Kernel.returnFreedMemory() }
    }

    // MARK: Asking

    /// Begins a transfer. `done` is called once, out of `serve`, unless false is returned.
    public func start(
        _ request: Request, done: @escaping (Result<[UInt8], HTTPSFailure>) -> Void
    ) -> Bool {
        guard let handle = curl_easy_init() else { return false }
        let transfer = Transfer(request, done)
        guard prepare(handle, transfer), curl_multi_add_handle(multi, handle) == CURLM_OK else {
            curl_easy_cleanup(handle)
            return false
        }
        running[handle] = transfer
        closeBehindLast()
        return true
    }

    private func prepare(_ handle: UnsafeMutableRawPointer, _ transfer: Transfer) -> Bool {
        let request = transfer.request
        let milliseconds = Int(request.timeout / .milliseconds(1))
        // Through a gateway it takes its time; of several addresses the next one waits.
        var mostToConnect = milliseconds
        if case .direct = request.way { mostToConnect = min(10_000, milliseconds) }
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_SSL_VERIFYPEER, 1),
            (CURLOPT_SSL_VERIFYHOST, 2), (CURLOPT_TIMEOUT_MS, milliseconds),
            (CURLOPT_CONNECTTIMEOUT_MS, mostToConnect),
            (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
            (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
        ]
        // No directory of certificates: it would be searched while the process is confined.
        let texts: [(CURLoption, String?)] = [
            (CURLOPT_URL, request.url), (CURLOPT_PROTOCOLS_STR, "https"), (CURLOPT_CAPATH, nil),
            (CURLOPT_CAINFO, nil),
        ]
        let isReady =
            numbers.allSatisfy { bulkhead_curl_number(handle, $0, $1) == CURLE_OK }
            && texts.allSatisfy { bulkhead_curl_text(handle, $0, $1) == CURLE_OK }
        return isReady && route(handle, transfer) && write(handle, transfer)
            && bulkhead_curl_headers(handle, transfer.headers) == CURLE_OK
            && bulkhead_curl_certificates(handle, certificates.baseAddress, certificates.count)
                == CURLE_OK
            && connect(handle, transfer)
    }

    /// Where the connection goes, whatever name the URL has.
    private func route(_ handle: UnsafeMutableRawPointer, _ transfer: Transfer) -> Bool {
        // Nothing of an environment: no proxy, and no exception from one.
        var texts: [(CURLoption, String)] = [(CURLOPT_NOPROXY, "")]
        switch transfer.request.way {
        case .direct(let endpoint):
            texts.append((CURLOPT_PROXY, ""))
            // Any host and port, by this address: so no name is ever looked up.
            transfer.route = curl_slist_append(nil, "::\(endpoint)")
            guard transfer.route != nil,
                bulkhead_curl_connect_to(handle, transfer.route) == CURLE_OK
            else { return false }
        case .gateway(let endpoint):
            // With h, the gateway is told the name.
            texts.append((CURLOPT_PROXY, "socks5h://\(endpoint)"))
            guard bulkhead_curl_number(handle, CURLOPT_SOCKS5_AUTH, Self.basic) == CURLE_OK else {
                return false
            }
        }
        return texts.allSatisfy { bulkhead_curl_text(handle, $0, $1) == CURLE_OK }
    }

    /// `CURLAUTH_BASIC`, a macro that Swift does not take over: without it libcurl offers Kerberos.
    private static let basic = 1

    private func write(_ handle: UnsafeMutableRawPointer, _ transfer: Transfer) -> Bool {
        guard let (body, type) = transfer.request.post else {
            return bulkhead_curl_number(handle, CURLOPT_HTTPGET, 1) == CURLE_OK
        }
        for line in ["Content-Type", "Accept"] {
            transfer.headers = curl_slist_append(transfer.headers, "\(line): \(type)")
        }
        return bulkhead_curl_number(handle, CURLOPT_POST, 1) == CURLE_OK
            && bulkhead_curl_number(handle, CURLOPT_POSTFIELDSIZE, body.count) == CURLE_OK
            && body.withUnsafeBufferPointer { body in
                bulkhead_curl_pointer(
                    handle, CURLOPT_COPYPOSTFIELDS,
                    UnsafeMutableRawPointer(mutating: body.baseAddress)
                ) == CURLE_OK
            }
    }

    /// Our own calls for sockets and bytes.
    private func connect(_ handle: UnsafeMutableRawPointer, _ transfer: Transfer) -> Bool {
        let open: curl_opensocket_callback = { context, purpose, address in
            guard let address, let context, purpose == CURLSOCKTYPE_IPCXN else {
                return CURL_SOCKET_BAD
            }
            let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
            let isMeant = transfer.request.way.endpoint.withAddress { wanted, length in
                bulkhead_curl_is_address(address, wanted, length) != 0
            }
            guard isMeant else { return CURL_SOCKET_BAD }
            return socket(address.pointee.family, TCPSocket.streamType, 0)
        }
        let take: bulkhead_curl_writer = { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
            let (length, isTooLong) = size.multipliedReportingOverflow(by: count)
            guard !isTooLong, transfer.answer.count + length <= transfer.request.longest else {
                // Fewer bytes than there are end the transfer.
                return 0
            }
            transfer.answer += UnsafeRawBufferPointer(start: bytes, count: length)
            return length
        }
        let context = Unmanaged.passUnretained(transfer).toOpaque()
        return bulkhead_curl_on_socket(handle, open, context) == CURLE_OK
            && bulkhead_curl_on_bytes(handle, take, context) == CURLE_OK
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
        // One that is done may still be closing.
        guard !running.isEmpty || !interests.isEmpty || timer != nil else { return }
        var left: Int32 = 0
        for (number, place) in places where set.isReady(at: place) {
            guard interests[number] != nil else { continue }
            var what: Int32 = 0
            if set.canRead(at: place) { what |= CURL_CSELECT_IN }
            if set.canWrite(at: place) { what |= CURL_CSELECT_OUT }
            curl_multi_socket_action(multi, number, what, &left)
        }
        if let timer, timer <= Kernel.timeSinceBoot() {
            self.timer = nil
            curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &left)
        }
        takeDone()
    }

    private func takeDone() {
        var result = CURLE_OK
        while let handle = bulkhead_curl_done(multi, &result) {
            let status = bulkhead_curl_status(handle)
            curl_multi_remove_handle(multi, handle)
            curl_easy_cleanup(handle)
            guard let transfer = running.removeValue(forKey: handle) else { continue }
            if result != CURLE_OK {
                transfer.done(.failure(.transfer(HTTPSFailure.cause(of: result), result.rawValue)))
            } else if status != 200 {
                transfer.done(.failure(.status(status)))
            } else {
                transfer.done(.success(transfer.answer))
            }
            closeBehindLast()
        }
    }

    /// A request that is under way.
    private final class Transfer {
        let request: Request
        let done: (Result<[UInt8], HTTPSFailure>) -> Void
        var answer: [UInt8] = []
        var headers: UnsafeMutablePointer<curl_slist>?
        var route: UnsafeMutablePointer<curl_slist>?

        init(_ request: Request, _ done: @escaping (Result<[UInt8], HTTPSFailure>) -> Void) {
            self.request = request
            self.done = done
        }

        deinit {
            curl_slist_free_all(headers)
            curl_slist_free_all(route)
        }
    }
}

/// Why there is no answer.
public enum HTTPSFailure: Error, Hashable, Sendable {
    /// What kinds of failures there are.
    public enum Cause: Hashable, Sendable {
        /// Nobody took the connection.
        case noConnection
        /// The gateway did not lead there.
        case gateway
        /// It took too long.
        case late
        /// The certificate is not one of an authority that is trusted, or for another host.
        case certificate
        /// It is longer than was allowed.
        case tooLong
        /// Anything else.
        case other
    }

    /// libcurl gave up, with this number (`CURLcode`).
    case transfer(Cause, UInt32)
    /// The server answered with this code of HTTP.
    case status(Int)

    fileprivate static func cause(of code: CURLcode) -> Cause {
        switch code {
        case CURLE_COULDNT_CONNECT: .noConnection
        case CURLE_PROXY, CURLE_COULDNT_RESOLVE_PROXY: .gateway
        case CURLE_OPERATION_TIMEDOUT: .late
        case CURLE_PEER_FAILED_VERIFICATION: .certificate
        case CURLE_WRITE_ERROR: .tooLong
        default: .other
        }
    }
}

extension HTTPSFailure: CustomStringConvertible {
    /// What happened, as the rest of a sentence about a server.
    public var description: String {
        switch self {
        case .transfer(.noConnection, _): "took no connection"
        case .transfer(.gateway, _): "was not reached by the gateway"
        case .transfer(.late, _): "did not answer in time"
        case .transfer(.certificate, _):
            "has no certificate for its name of an authority that is trusted (certificates)"
        case .transfer(.tooLong, _): "sent more than is read"
        case .transfer(.other, let number): "broke off (error \(number) of libcurl)"
        case .status(let code) where (300..<400).contains(code):
            "answered \(code), a redirect, and none is followed: name the place that it leads to"
        case .status(let code): "answered \(code)"
        }
    }
}

import Glibc
import LinuxIO
import NetworkCore

/// The way that one attempt takes, once every name in it is an address or the gateway's business.
enum DialPlan {
    /// Straight to an address.
    case direct(IPEndpoint)
    /// By a SOCKS5 gateway, which gets the host as text and finds it. A gateway that fails is the end
    /// of the attempt: nothing is ever dialled past it.
    case gateway(IPEndpoint, host: String, port: UInt16, SOCKS5.Credentials?)

    /// What the kernel connects to: the peer itself or the gateway.
    var firstHop: IPEndpoint {
        switch self {
        case .direct(let endpoint), .gateway(let endpoint, _, _, _): endpoint
        }
    }
}

extension Errno {
    /// Whether there is no way from here to addresses of a kind, whoever has them.
    fileprivate var isAboutThisMachine: Bool {
        [ENETUNREACH, ENETDOWN, EADDRNOTAVAIL, EAFNOSUPPORT, EACCES, EPERM].contains(number)
    }
}

extension DialFailure {
    /// The kernel's answer to a dial; at a gateway it says nothing of the peer.
    static func kernel(_ error: Errno, to plan: DialPlan) -> DialFailure {
        switch plan {
        case .direct(let endpoint):
            DialFailure(error.isAboutThisMachine ? .noNetwork : .refused, "\(endpoint): \(error)")
        case .gateway(let endpoint, _, _, _):
            DialFailure(.gateway, "the gateway at \(endpoint) cannot be reached: \(error)")
        }
    }

    static func gateway(_ error: SOCKS5Error, _ plan: DialPlan) -> DialFailure {
        var kind = Kind.gateway
        if case .refused(let refusal) = error, !refusal.isAboutGateway { kind = .refused }
        return DialFailure(kind, "the gateway at \(plan.firstHop): \(error)")
    }

    static let late = DialFailure(.timeout, "nothing came in time")
    static let full = DialFailure(.noNetwork, "too many connections are open")
    static let noAddress = DialFailure(.refused, "the name has no address")

    static func noGateway(_ overlay: DialRoute.Overlay) -> DialFailure {
        DialFailure(.gateway, "no gateway to \(overlay) is set")
    }

    static let needsGateway = DialFailure(.gateway, "such an address is reached by a gateway only")
}

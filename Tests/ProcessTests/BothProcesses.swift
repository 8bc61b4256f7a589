import Foundation
import Glibc
import LinuxIO
import LocalSockets
import Messages
import Testing

/// The real signer and the real network process with a link between them, and the test as the keeper.
final class BothProcesses {
    private(set) var signer: RunningChild
    private(set) var network: RunningChild
    private var generation: UInt64 = 0

    /// Starts both in these folders, or in fresh ones.
    init(signerFolder: String? = nil, networkFolder: String? = nil) throws {
        let pair = try LocalSocket.pair()
        signer = try RunningChild("bulkhead-signer", link: pair.first, in: signerFolder)
        network = try RunningChild("bulkhead-network", link: pair.second, in: networkFolder)
        try signer.begin(as: .signer)
        try network.begin(as: .network)
    }

    /// Ends both; what they kept stays where it is until this value is gone.
    func stop() throws {
        for child in [signer, network] {
            try child.order(.stop)
            #expect(try child.ending() == .exited(0))
        }
    }

    /// Waits until the signer's status says so.
    func signerStatus(
        where isSo: (SignerStatus) -> Bool
    ) throws -> SignerStatus {
        let console = try signer.console()
        return try until {
            guard case .status(let status) = try console.ask(.status) else { return nil }
            return isSo(status) ? status : nil
        }
    }

    /// Waits until the network process's status says so.
    func networkStatus(
        where isSo: (NetworkStatus) -> Bool
    ) throws -> NetworkStatus {
        let query = try network.query()
        return try until {
            guard case .status(let status) = try query.ask(.status) else { return nil }
            return isSo(status) ? status : nil
        }
    }

    private func until<Value>(_ body: () throws -> Value?) throws -> Value {
        let deadline = Kernel.timeSinceBoot() + .seconds(60)
        while Kernel.timeSinceBoot() < deadline {
            if let value = try body() { return value }
            usleep(20_000)
        }
        throw Missing(what: "a status as it should be")
    }
}

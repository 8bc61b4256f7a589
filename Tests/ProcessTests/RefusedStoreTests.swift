import Chain
import Foundation
import LinuxIO
import Messages
import NetworkStore
import Testing

/// A network process whose files are not used.
@Suite("Files of the light client that are refused", .serialized)
struct RefusedStoreTests {
    @Test("Of another chain: the process lives, says so, changes nothing, and serves the signer")
    func otherChain() throws {
        let folder = ChildFolder()
        let state = try ClientState(in: folder)
        _ = try NetworkStore(
            DirectoryDisk(Kernel.openDirectory(state.directory)), ChainParameters(.testnet4))
        let before = try files(state.directory)
        #expect(!before.isEmpty)

        let both = try BothProcesses(networkFolder: folder)
        let query = try both.network.query()
        guard case .chain(.progress(let progress)) = try query.ask(.chain(.progress)) else {
            throw Missing(what: "progress")
        }
        #expect(progress.phase == .storeUnusable)
        #expect(progress.remark.contains("is for testnet4, not regtest"))
        for request in [.wallets, .newAddress(""), .peers] as [ChainRequest] {
            let answer = try query.ask(.chain(request))
            #expect(answer == .chain(.refused(.notRunning, progress.remark)))
        }
        // Wallets that it is told of are no reason to end either.
        _ = try both.signer.console().createWallet("savings", kdf: .pbkdf2)
        let status = try both.networkStatus { $0.linkIsUp && $0.handedWallets == 1 }
        #expect(status.linkIsUp)
        try both.stop()
        for (name, bytes) in before { #expect(try files(state.directory)[name] == bytes) }
    }

    private func files(_ directory: String) throws -> [String: Data] {
        var found: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
            found[name] = try Data(contentsOf: URL(fileURLWithPath: directory + "/" + name))
        }
        return found
    }
}

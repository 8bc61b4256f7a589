import Foundation
import LinuxIO
import Messages
import StateFiles
import Testing

/// The signer's wallets in the light client, with both real processes.
@Suite("The signer's wallets are watched", .serialized)
struct WatchedAccountsTests {
    /// Waits until the network process lists these wallets, with or without keys in the signer.
    private func watched(
        _ both: BothProcesses, _ wanted: [String], keys: [WatchedWalletRow.Keys]? = nil
    ) throws {
        let query = try both.network.query()
        let end = Kernel.timeSinceBoot() + .seconds(60)
        var names: [String] = []
        while Kernel.timeSinceBoot() < end {
            let answer = try query.ask(.chain(.wallets))
            guard case .chain(.wallets(let rows, _)) = answer else {
                throw Missing(what: "wallets: \(answer)")
            }
            names = rows.map { "\($0.name) (\($0.keys))" }
            let hasKeys = keys.map { $0 == rows.map(\.keys) } ?? true
            if rows.map(\.name) == wanted, hasKeys { return }
            usleep(20_000)
        }
        let status = try query.ask(.status)
        throw Missing(what: "\(wanted): \(names), \(status)")
    }

    @Test("A new wallet of the signer is watched, once, under its name there, and stays so")
    func home() throws {
        let both = try BothProcesses()
        let console = try both.signer.console()
        let made = try console.createWallet("savings", kdf: .pbkdf2)
        try watched(both, ["savings"], keys: [.here])
        // Addresses of the signer's first account.
        let query = try both.network.query()
        guard case .chain(.address(let address, 0)) = try query.ask(.chain(.newAddress("savings")))
        else { throw Missing(what: "an address") }
        #expect(address.hasPrefix("bcrt1"))

        let password = Person.fields([(.password, Person.password)])
        _ = try console.operate(.rename(made.id, name: "spendings"), secrets: password)
        let trips = try console.createWallet("trips", kdf: .pbkdf2).id
        try watched(both, ["spendings", "trips"], keys: [.here, .here])
        _ = try console.operate(.delete(made.id, name: "spendings"), secrets: password)
        _ = try both.networkStatus { $0.handedWallets == 1 }
        try watched(both, ["spendings", "trips"], keys: [.elsewhere, .here])

        try both.restartNetwork()
        _ = try both.networkStatus { $0.handedWallets == 1 }
        try watched(both, ["spendings", "trips"], keys: [.elsewhere, .here])

        // A name that is not free yet has a number behind it as long as that is so, and no longer.
        _ = try console.operate(.rename(trips, name: "Spendings"), secrets: password)
        try watched(both, ["spendings", "Spendings (2)"])
        let person = try both.network.query()
        let kept = try person.ask(.chain(.unwatch("number:2")))
        guard case .chain(.refused(.notAllowed, _)) = kept else {
            throw Missing(what: "a refusal: \(kept)")
        }
        let gone = try person.ask(.chain(.unwatch("spendings")))
        #expect(gone == .chain(.done(["wallet 1, spendings, is watched no more"])))
        try watched(both, ["Spendings"], keys: [.here])
        try both.stop()
    }
}

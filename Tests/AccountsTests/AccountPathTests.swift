import Accounts
import Bitcoin
import Testing

@Suite("Paths of accounts")
struct AccountPathTests {
    @Test("every account has the path of its standard, with coin 1 on test networks")
    func paths() {
        let main = AccountPath.allCases.map { $0.path(on: .mainnet).description }
        #expect(
            main == [
                "m/84h/0h/0h", "m/86h/0h/0h", "m/49h/0h/0h", "m/44h/0h/0h", "m/48h/0h/0h/2h",
                "m/48h/0h/0h/1h", "m/44h/60h/0h", "m/44h/195h/0h",
            ])
        for network in Network.allCases where network != .mainnet {
            let test = AccountPath.allCases.map { $0.path(on: network).description }
            #expect(
                test == [
                    "m/84h/1h/0h", "m/86h/1h/0h", "m/49h/1h/0h", "m/44h/1h/0h", "m/48h/1h/0h/2h",
                    "m/48h/1h/0h/1h", "m/44h/60h/0h", "m/44h/195h/0h",
                ])
        }
        let solana = SolanaPath.allCases.map(\.path.description)
        #expect(solana == ["m/44h/501h", "m/44h/501h/0h", "m/44h/501h/0h/0h"])
    }
}

import Bitcoin
import Testing
import Wire

@testable import Chain

@Suite("Parameters of chains")
struct ChainParametersTests {
    @Test("The public signet's messages start with what follows from its challenge")
    func signet() {
        let challenge = Script(ChainParameters.publicSignetChallenge)
        #expect(challenge.bytes.count == 71)
        #expect(
            ChainParameters.messageStart(ofSignet: challenge) == Network.signet.messageStart)
        #expect(ChainParameters(signetChallenge: challenge) == ChainParameters(.signet))
        #expect(ChainParameters(.signet).signetChallenge == challenge)
        #expect(ChainParameters(.mainnet).signetChallenge == nil)
    }

    @Test("A signet of one's own has other messages, the same genesis and no work to expect")
    func customSignet() {
        let own = ChainParameters(signetChallenge: Script([0x51]))
        #expect(own.messageStart == [0x54, 0xD2, 0x6F, 0xBD])
        #expect(own.genesis == Network.signet.genesis)
        #expect(own.minimumWork == .zero)
        #expect(own.limit == Network.signet.proofOfWorkLimit)
    }

    @Test("The known work of each network")
    func work() {
        let texts: [(Network, String)] = [
            (.mainnet, "0000000000000000000000000000000000000000dee8e2a309ad8a9820433c68"),
            (.testnet3, "0000000000000000000000000000000000000000000016dd270dd94fac1d7632"),
            (.testnet4, "00000000000000000000000000000000000000000000034a4690fe592dc49c7c"),
            (.signet, "0000000000000000000000000000000000000000000000000000067d328e681a"),
            (.regtest, String(repeating: "0", count: 64)),
        ]
        #expect(texts.count == Network.allCases.count)
        for (network, text) in texts {
            #expect(ChainParameters(network).minimumWork.description == text)
        }
    }

    @Test("Each network has its port")
    func ports() {
        #expect(
            Network.allCases.map { ChainParameters($0).defaultPort } == [
                8333, 18333, 48333, 38333, 18444,
            ])
    }
}

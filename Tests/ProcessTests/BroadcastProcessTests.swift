import Bitcoin
import Chain
import Foundation
import LinuxIO
import Messages
import PeerMessages
import ScriptedPeer
import Testing

/// Sending a transaction with the real network process and peers over TCP.
@Suite("A transaction that is sent", .serialized)
struct BroadcastProcessTests {
    @Test("It is announced, and a peer that announces it unasked is told of to the person")
    func echo() throws {
        let chain = try ServedChain.recorded()
        let folder = ChildFolder()
        let peers = try (1...2).map {
            try ScriptedPeer(
                chain, messageStart: ChainParameters(.regtest).messageStart,
                address: "127.\($0).0.1")
        }
        try ClientState(in: folder).prepare(peers.map(\.listener), [])
        let child = try RunningChild("bulkhead-network", in: folder)
        try child.begin(as: .network)
        let query = try child.query()
        try RunningChild.until("two peers") { try child.progress().peers == 2 }

        let value = try #require(Amount(sats: 1000))
        let script = Script([0x51, 0x20] + [UInt8](repeating: 7, count: 32))
        let transaction = Transaction(
            inputs: [
                TransactionInput(
                    outpoint: OutPoint(txid: Txid(.zero), vout: 1), witness: Witness([[1]]))
            ],
            outputs: [TransactionOutput(value: value, scriptPubKey: script)])
        let request = QueryRequest.chain(.broadcast(transaction.serialized()))
        #expect(
            try query.ask(request)
                == .chain(
                    .done([
                        "\(transaction.txid)", "it is announced until a block has it",
                        "bulkhead broadcast list says later whether it spread",
                    ])))
        let item = InventoryItem(.witnessTransactionID, transaction.wtxid.bytes)
        try RunningChild.until("an announcement") {
            peers.contains { $0.received.contains(.inv([item])) }
        }
        #expect(try child.progress().notices == [])
        peers[0].say(.inv([item]))
        let sentence = "it spread: a peer that had not got it from here announced it"
        try RunningChild.until("the echo") { try !child.progress().notices.isEmpty }
        #expect(try child.progress().notices[0].hasPrefix("\(transaction.txid) spread: "))
        #expect(
            try query.ask(request) == .chain(.done(["\(transaction.txid)", sentence])))
        try child.order(.stop)
        #expect(try child.ending() == .exited(0))
    }
}

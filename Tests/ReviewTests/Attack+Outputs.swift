import Bitcoin
import Descriptors
import PSBT
import Review
import Wire

extension Attack {
    static let forgedChange: [Attack] = AccountKind.allCases.map { kind in
        Attack(
            "change of \(kind.rawValue) goes to a stranger's script under an own claim", kind,
            .stopped, [.claimOtherScript]
        ) { $0.pay(output: 1, to: try Stranger(8).p2wpkh()) }
    }

    static let change: [Attack] = [
        Attack("change goes to a stranger's key at an own path", .stopped, [.claimFalse]) {
            let key = try Stranger(8).key().compressed
            $0.pay(output: 1, to: try Stranger(8).p2wpkh())
            var record = try Draft.claim(key, "m/84h/1h/0h/1/8")
            record.key[0] = 0x02
            $0.outputs[1] = [record]
        },
        Attack(
            "change goes to a stranger's taproot key at an own path", .bip86, .stopped,
            [.claimFalse]
        ) {
            let key = try Stranger(8).key().xOnly.bytes.array
            $0.pay(output: 1, to: try Stranger(8).p2tr())
            let origin = $0.value(output: 1, 0x07)
            $0.outputs[1] = [Record(0x05, key), Record(0x07, key, origin)]
        },
        Attack(
            "change goes to an own key in another kind of script", .stopped,
            [.claimOtherScript]
        ) {
            let key = try Own.output(.bip84, 1, 8).form.keys[0].publicKey.xOnly
            $0.pay(output: 1, to: .p2tr(outputKey: key.bytes))
        },
        Attack(
            "change goes to a multisig of an own key and a stranger's", .stopped,
            [.claimOtherScript, .scriptUnknown]
        ) {
            let key = try Own.output(.bip84, 1, 8).form.keys[0].bytes
            let other = try Stranger(8).key().compressed
            $0.pay(output: 1, to: .multisig(required: 1, keys: [key, other]))
        },
        Attack("change names the next index", .stopped, [.claimFalse]) {
            $0.edit(output: 1, 0x02) { $0[20] &+= 1 }
        },
        Attack("change is not claimed at all", .ready, []) { $0.outputs[1] = [] },
        Attack("change goes to an own address for receiving", .ready, [.ownReceive]) {
            try $0.makeOwn(output: 1, Own.output(.bip84, 0, 9))
        },
        Attack("change goes to index 2147483647", .stopped, [.changeIndexLost]) {
            try $0.makeOwn(output: 1, Own.output(.bip84, 1, 2_147_483_647))
        },
        Attack("change goes to index 5000", .warned, [.changeIndexFar]) {
            try $0.makeOwn(output: 1, Own.output(.bip84, 1, 5_000))
        },
        Attack("change goes to a branch that is none", .warned, [.changePathUnusual]) {
            let descriptor = try Descriptor(
                "wpkh([\(Own.origin(.bip84))]\(Own.keys[.bip84, default: ""])/5/8)")
            try $0.makeOwn(output: 1, descriptor.output())
        },
        Attack("change goes one step deeper", .warned, [.changePathUnusual]) {
            let descriptor = try Descriptor(
                "wpkh([\(Own.origin(.bip84))]\(Own.keys[.bip84, default: ""])/1/8/0)")
            try $0.makeOwn(output: 1, descriptor.output())
        },
        Attack("change goes to another own account", .warned, [.changeOtherAccount]) {
            try $0.makeOwn(output: 1, Own.output(.bip86, 1, 2))
        },
        Attack("change is split four times", .warned, [.changeMany]) {
            for index in UInt32(9)...11 {
                let output = try Own.output(.bip84, 1, index)
                $0.addOutput(50_000, output.scriptPubKey, try Draft.records(of: output))
            }
        },
        Attack("everything comes back", .ready, [.allOwn, .ownReceive]) {
            try $0.makeOwn(output: 0, Own.output(.bip84, 0, 9))
        },
        Attack("a payment claims an account that is not known", .warned, [.claimAccountUnknown]) {
            var record = try Draft.claim(Stranger(1).key().compressed, "m/48h/1h/0h/2h/0/0")
            record.key[0] = 0x02
            $0.outputs[0] = [record]
        },
    ]

    static let data: [Attack] = [
        Attack("an output carries ten bytes", .ready, [.data]) {
            $0.addOutput(0, .opReturn([UInt8](repeating: 1, count: 10)))
        },
        Attack("an output carries 80 bytes", .ready, [.data]) {
            $0.addOutput(0, .opReturn([UInt8](repeating: 1, count: 80)))
        },
        Attack("an output carries 81 bytes", .warned, [.data, .dataLarge]) {
            $0.addOutput(0, .opReturn([UInt8](repeating: 1, count: 81)))
        },
        Attack("two outputs carry data", .warned, [.data, .dataLarge]) {
            $0.addOutput(0, .opReturn([1]))
            $0.addOutput(0, .opReturn([2]))
        },
        Attack("an output with data has an amount", .warned, [.data, .dataBurns]) {
            $0.addOutput(10_000, .opReturn([1]))
        },
        Attack("an output is a bare OP_RETURN", .ready, [.data]) { $0.addOutput(0, .opReturn()) },
        Attack("an output is OP_RETURN and an empty push", .ready, [.data]) {
            $0.addOutput(0, Script([0x6A, 0x00]))
        },
        Attack("a push after OP_RETURN breaks off", .ready, [.data]) {
            $0.addOutput(0, Script([0x6A, 0x4C]))
        },
        Attack("data hold bytes that steer a terminal", .ready, [.data]) {
            $0.addOutput(0, .opReturn(Array("\u{1B}[2J\u{202E}".utf8)))
        },
    ]

    static let outputs: [Attack] = [
        unknown(
            "a bare multisig", .multisig(required: 1, keys: [[UInt8](repeating: 2, count: 33)])),
        unknown("a bare key", .p2pk([UInt8](repeating: 2, count: 33))),
        unknown("a witness program of version 2", Script([0x52, 2, 1, 1])),
        unknown(
            "a witness program of version 0 and 25 bytes",
            Script([0, 25] + [UInt8](repeating: 1, count: 25))),
        unknown("an empty script", .empty),
        unknown("OP_TRUE", Script([0x51])),
        Attack("100 sat are paid", .warned, [.outputDust]) {
            $0.addOutput(100, try Stranger(1).p2wpkh())
        },
        Attack("nothing is paid to an address", .warned, [.outputDust]) {
            $0.addOutput(0, try Stranger(1).p2wpkh())
        },
        Attack("change is dust", .warned, [.outputDust]) {
            let output = try Own.output(.bip84, 1, 9)
            $0.addOutput(293, output.scriptPubKey, try Draft.records(of: output))
        },
        Attack("an output is a silent payment", .stopped, [.silentPayment]) {
            $0.version = .v2
            let keys = try Stranger(1).key().compressed + Stranger(2).key().compressed
            $0.outputs[0].append(Record(0x09, keys))
        },
        Attack("a name stands beside the recipient", .ready, [.recipientName]) {
            $0.outputs[0].append(Record(0x35, [3] + Array("a@b".utf8) + [1, 2, 3]))
        },
    ]

    private static func unknown(_ name: String, _ script: Script) -> Attack {
        Attack("an output pays to \(name)", .warned, [.scriptUnknown]) {
            $0.addOutput(10_000, script)
        }
    }

    static let fees: [Attack] = [
        Attack("more is paid than is spent", .stopped, [.feeNegative]) {
            $0.pay(output: 1, sats: 900_000)
        },
        fee(
            "the fee is half of what is spent", 550_000, .stopped, [.feeShareExtreme, .feerateHigh]),
        fee("the fee is a fifth of the payment", 60_000, .warned, [.feeShareHigh]),
        fee("the fee is just below a tenth of the payment", 29_999, .ready, []),
        fee("there is no fee", 0, .ready, [.feerateLow]),
        Attack("a small payment has a large share of fee, at a low feerate", .ready, []) {
            $0.pay(output: 0, sats: 1_000)
            $0.pay(output: 1, sats: 1_100_000 - 1_000 - 600)
        },
        Attack(
            "a stranger's large input makes a high fee look cheap", .warned,
            [.inputsForeign, .inputFinal, .feeShareHigh]
        ) {
            try $0.addStranger()
            let witness = Witness([[UInt8](repeating: 1, count: 100_000)])
            $0.set(input: 1, Record(0x08, witness.serialized))
            $0.pay(output: 1, sats: 600_000)
        },
        Attack("the fee is 2,000,000 sat", .warned, [.feeLarge, .feerateHigh]) {
            try $0.spend([.own(.bip84, branch: 0, index: 3, sats: 10_000_000_000)])
            $0.pay(output: 0, sats: 5_000_000_000)
            $0.pay(output: 1, sats: 4_999_000_000)
        },
        Attack("the feerate is above 10,000 sat/vB", .stopped, [.feeLarge, .feerateExtreme]) {
            try $0.spend([.own(.bip84, branch: 0, index: 3, sats: 10_000_000_000)])
            $0.pay(output: 0, sats: 5_000_000_000)
            $0.pay(output: 1, sats: 4_995_000_000)
        },
    ]

    private static func fee(
        _ name: String, _ sats: UInt64, _ verdict: ReviewReport.Verdict,
        _ codes: Set<ReviewCheck>
    ) -> Attack {
        Attack(name, verdict, codes) { $0.pay(output: 1, sats: 800_000 - sats) }
    }
}

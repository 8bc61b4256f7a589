import Bitcoin
import PSBT
import Review
import Wire

extension Attack {
    static let coins: [Attack] = [
        Attack(
            "an own input does not say which coin it spends", .stopped,
            [.coinMissing, .feeUnproven]
        ) {
            $0.remove(input: 0, 0x00)
            $0.remove(input: 0, 0x01)
        },
        Attack(
            "a stranger's coin is not known beside own taproot", .bip86, .stopped,
            [.coinMissing, .feeUnproven, .inputsForeign, .nothingToSign, .sizeUnknown]
        ) {
            try $0.addStranger(.bip86)
            $0.remove(input: 1, 0x00)
            $0.remove(input: 1, 0x01)
        },
        Attack("an own coin holds nothing", .stopped, [.coinEmpty]) {
            try $0.spend([
                .own(.bip84, branch: 0, index: 3, sats: 0),
                .own(.bip84, branch: 1, index: 7, sats: 500_000),
            ])
        },
        Attack(
            "a legacy coin comes without its previous transaction", .bip44, .stopped,
            [.legacyUnproven, .feeUnproven]
        ) {
            let previous = try DraftCoin.own(.bip44, branch: 0, index: 3, sats: 600_000).previous(0)
            $0.remove(input: 0, 0x00)
            $0.set(input: 0, Record(0x01, previous.outputs[1].serialized))
        },
        Attack("two segwit coins come without previous transactions", .warned, [.segwitUnproven]) {
            $0.dropPrevious()
        },
        Attack(
            "two segwit coins in P2SH come without previous transactions", .bip49, .warned,
            [.segwitUnproven]
        ) { $0.dropPrevious() },
        Attack("one segwit coin comes without its previous transaction", .ready, [.segwitCommitted])
        {
            $0.dropPrevious([0])
        },
        Attack("taproot coins come without previous transactions", .bip86, .ready, []) {
            $0.dropPrevious()
        },
        Attack(
            "a segwit amount is inflated without its previous transaction", .warned,
            [.segwitCommitted, .feeShareHigh]
        ) {
            $0.dropPrevious([0])
            $0.claim(input: 0, sats: 700_000)
        },
        Attack(
            "two segwit amounts are changed against each other", .warned, [.segwitUnproven]
        ) {
            $0.dropPrevious()
            $0.claim(input: 0, sats: 550_000)
            $0.claim(input: 1, sats: 550_000)
        },
        Attack("an input of a stranger is added", .warned, [.inputsForeign]) {
            try $0.addStranger()
        },
        Attack(
            "the amount of a stranger is inflated", .warned, [.inputsForeign, .feeUnproven]
        ) {
            try $0.addStranger()
            $0.dropPrevious([1])
            $0.claim(input: 1, sats: 4_000_000)
        },
        Attack(
            "the coin of a stranger is not known", .warned,
            [.inputsForeign, .feeUnproven, .sizeUnknown]
        ) {
            try $0.addStranger()
            $0.remove(input: 1, 0x00)
            $0.remove(input: 1, 0x01)
        },
        Attack(
            "a stranger's coin without proof is bound by own taproot", .bip86, .warned,
            [.inputsForeign]
        ) {
            try $0.addStranger(.bip86)
            $0.dropPrevious([1])
        },
        Attack(
            "an amount contradicts the previous transaction of another input", .stopped,
            [.amountContradicts, .feeUnproven]
        ) {
            $0.dropPrevious([1])
            $0.transaction.inputs[1].outpoint = OutPoint(
                txid: $0.transaction.inputs[0].outpoint.txid, vout: 0)
        },
        Attack(
            "the redeemScript is another", .bip49, .stopped, [.spendScripts]
        ) { $0.edit(input: 0, 0x04) { $0[$0.count - 1] ^= 1 } },
        Attack("the redeemScript is missing", .bip49, .stopped, [.spendScripts]) {
            $0.remove(input: 0, 0x04)
        },
        Attack("a witnessScript stands where none belongs", .stopped, [.spendScripts]) {
            $0.set(input: 0, Record(0x05, [0x51]))
        },
        Attack("coins of two own accounts are spent together", .warned, [.accountsMixed]) {
            try $0.spend([
                .own(.bip84, branch: 0, index: 3, sats: 600_000),
                .own(.bip86, branch: 0, index: 1, sats: 500_000),
            ])
        },
        Attack("an own coin lies far away and can still be spent", .ready, []) {
            try $0.spend([.own(.bip84, branch: 0, index: 2_147_483_647, sats: 600_000)])
        },
    ]

    static let sighashes: [Attack] = [
        sighash("NONE", 0x02), sighash("SINGLE", 0x03), sighash("ALL|ANYONECANPAY", 0x81),
        sighash("NONE|ANYONECANPAY", 0x82), sighash("SINGLE|ANYONECANPAY", 0x83),
        sighash("DEFAULT outside of taproot", 0x00), sighash("a type without a name", 0x04),
        sighash("a type of more than one byte", 0x101),
        sighash("NONE of taproot", 0x02, .bip86),
        sighash("SINGLE|ANYONECANPAY of taproot", 0x83, .bip86),
        sighash("a type without a name of taproot", 0x05, .bip86),
        sighash("NONE of a legacy coin", 0x02, .bip44),
        Attack("the sighash type is ALL", .ready, []) {
            $0.set(input: 0, Record(0x03, [1, 0, 0, 0]))
        },
        Attack("the sighash type of taproot is DEFAULT", .bip86, .ready, []) {
            $0.set(input: 0, Record(0x03, [0, 0, 0, 0]))
        },
        Attack("the sighash type of taproot is ALL", .bip86, .ready, []) {
            $0.set(input: 0, Record(0x03, [1, 0, 0, 0]))
        },
        Attack(
            "a stranger is asked for SINGLE|ANYONECANPAY", .warned,
            [.sighashForeign, .inputsForeign]
        ) {
            try $0.addStranger()
            $0.set(input: 1, Record(0x03, [0x83, 0, 0, 0]))
        },
    ]

    private static func sighash(
        _ name: String, _ type: UInt32, _ kind: AccountKind = .bip84
    ) -> Attack {
        Attack("the sighash type is \(name)", kind, .stopped, [.sighashNotAllowed]) {
            $0.set(input: 0, Record(0x03, Record.little(type)))
        }
    }

    static let signatures: [Attack] = [
        Attack("an own input is final already", .ready, [.inputFinal]) {
            $0.set(input: 0, Record(0x08, [1, 1, 0x30]))
        },
        Attack(
            "all own inputs are signed already", .stopped,
            [.alreadySigned, .signaturePresent, .nothingToSign]
        ) { try $0.signOwn() },
        Attack(
            "all own inputs of taproot are signed already", .bip86, .stopped,
            [.alreadySigned, .signaturePresent, .nothingToSign]
        ) { try $0.signOwn() },
        Attack(
            "one own input is signed already", .ready, [.alreadySigned, .signaturePresent]
        ) {
            let before = $0.inputs[1]
            try $0.signOwn()
            $0.inputs[1] = before
        },
        Attack(
            "an own signature signs something else", .stopped, [.signatureWrong, .alreadySigned]
        ) {
            var other = $0
            other.pay(output: 0, sats: 299_000)
            try other.signOwn()
            $0.inputs[0] = other.inputs[0]
        },
        Attack(
            "an own signature binds no output", .stopped,
            [.sighashNotAllowed, .alreadySigned, .signaturePresent]
        ) { try $0.signOwn(input: 0, .none) },
        Attack(
            "an own signature ends with a byte 0", .stopped, [.signatureWrong, .alreadySigned]
        ) {
            try $0.signOwn(input: 0, .all)
            $0.edit(input: 0, 0x02) { $0[$0.count - 1] = 0 }
        },
        Attack(
            "a stranger has signed the own input", .warned, [.signaturePresent, .inputsForeign]
        ) {
            try $0.addStranger()
            $0.set(input: 1, try Stranger(2).sign($0, input: 1))
        },
        Attack(
            "a stranger has signed with NONE", .warned,
            [.signaturePresent, .sighashForeign, .inputsForeign]
        ) {
            try $0.addStranger()
            $0.set(input: 1, try Stranger(2).sign($0, input: 1, .none))
        },
        Attack(
            "the signature of a stranger signs something else", .stopped,
            [.signatureWrong, .inputsForeign]
        ) {
            try $0.addStranger()
            $0.set(input: 1, try Stranger(2).sign($0, input: 1))
            $0.pay(output: 0, sats: 299_999)
        },
        Attack(
            "the signature has another type than the file asks for", .stopped,
            [.signatureWrong, .sighashForeign, .inputsForeign]
        ) {
            try $0.addStranger()
            $0.set(input: 1, try Stranger(2).sign($0, input: 1))
            $0.set(input: 1, Record(0x03, [3, 0, 0, 0]))
        },
        Attack("a key without a place has signed an own input", .stopped, [.signatureWrong]) {
            $0.set(input: 0, try Stranger(2).sign($0, input: 0))
        },
        Attack(
            "an input has more signatures than are verified", .stopped,
            [.signatureWrong, .signatureUnverified]
        ) {
            for number in UInt8(20)...40 {
                $0.set(input: 0, try Stranger(number).sign($0, input: 0))
            }
        },
        Attack(
            "a Schnorr signature signs something else", .bip86, .stopped,
            [.signatureWrong, .alreadySigned]
        ) { $0.set(input: 0, Record(0x13, [UInt8](repeating: 1, count: 64))) },
        Attack(
            "a partial signature of MuSig2 came with the file", .bip86, .warned,
            [.signatureUnverified]
        ) {
            let key = try Stranger(2).key().compressed
            $0.set(input: 0, Record(0x1C, key + key, [UInt8](repeating: 1, count: 32)))
        },
    ]
}

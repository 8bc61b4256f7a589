import Bitcoin
import Curve
import Descriptors
import PSBT
import Review
import Wire

extension Attack {
    static let claims: [Attack] = [
        Attack(
            "an input names the next index for its key", .stopped, [.claimFalse, .inputsForeign]
        ) { $0.shiftClaim(input: 0) },
        Attack(
            "an input names a stranger's key as own", .stopped, [.claimFalse, .inputsForeign]
        ) {
            $0.remove(input: 0, 0x06)
            $0.set(input: 0, try Draft.claim(Stranger(4).key().compressed, "m/84h/1h/0h/0/3"))
        },
        Attack(
            "an input of a stranger names an own key", .stopped,
            [.claimOtherScript, .inputsForeign]
        ) {
            try $0.addStranger()
            let own = try Own.output(.bip84, 0, 4).form.keys[0]
            $0.set(input: 1, try Draft.claim(own.bytes, "m/84h/1h/0h/0/4"))
        },
        Attack(
            "an own key is spent through a script of another kind", .stopped,
            [.claimOtherScript, .inputsForeign, .feeUnproven, .sizeUnknown]
        ) {
            $0.dropPrevious([0])
            let key = try Own.output(.bip84, 0, 3).form.keys[0].bytes
            let script = Script.multisig(
                required: 1, keys: [key, try Stranger(5).key().compressed])
            let output = TransactionOutput(
                value: Amount(sats: 600_000) ?? .zero, scriptPubKey: script)
            $0.edit(input: 0, 0x01) { $0 = output.serialized }
        },
        Attack("a path has 13 steps", .stopped, [.claimPath, .inputsForeign]) {
            $0.edit(input: 0, 0x06) { $0 += [UInt8](repeating: 0, count: 32) }
        },
        Attack(
            "a path is hardened below the account", .stopped, [.claimPath, .inputsForeign]
        ) { $0.edit(input: 0, 0x06) { $0[23] = 0x80 } },
        Attack("a path is empty", .warned, [.claimAccountUnknown, .inputsForeign]) {
            $0.edit(input: 0, 0x06) { $0 = Array($0.prefix(4)) }
        },
        Attack(
            "a map claims more own keys than scripts have", .stopped,
            [.claimSurplus, .inputsForeign]
        ) {
            for number in UInt8(20)...40 {
                let key = try Stranger(number).key().compressed
                $0.set(input: 0, try Draft.claim(key, "m/84h/1h/0h/0/3"))
            }
        },
        Attack(
            "a second own key is claimed that the script has not", .stopped,
            [.claimOtherScript, .inputsForeign]
        ) {
            let own = try Own.output(.bip84, 0, 4).form.keys[0]
            $0.set(input: 0, try Draft.claim(own.bytes, "m/84h/1h/0h/0/4"))
        },
        Attack(
            "an own coin lies in an account that is not known", .warned,
            [.claimAccountUnknown, .inputsForeign]
        ) { $0.edit(input: 0, 0x06) { $0[12] = 5 } },
        Attack("an own key lacks its fingerprint", .warned, [.claimFingerprintZero]) {
            $0.edit(input: 0, 0x06) { $0.replaceSubrange(0..<4, with: [0, 0, 0, 0]) }
        },
        Attack(
            "a stranger's key has no fingerprint and an own path", .warned, [.inputsForeign]
        ) {
            try $0.addStranger()
            var record = try Draft.claim(Stranger(2).key().compressed, "m/84h/1h/0h/0/3")
            record.value.replaceSubrange(0..<4, with: [0, 0, 0, 0])
            $0.set(input: 1, record)
        },
        Attack("an extended key is claimed to be that of an own account", .stopped, [.claimFalse]) {
            let origin = try Own.origin(.bip84)
            let key = ExtendedPublicKey(
                network: .test, depth: 3, parentFingerprint: Fingerprint(rawValue: 7),
                childNumber: ChildNumber(rawValue: 1 << 31), chainCode: .zero,
                publicKey: try Stranger(3).key())
            let steps = origin.path.steps.flatMap { Record.little($0.rawValue) }
            $0.global.append(
                Record(0x01, key.serialized, origin.fingerprint.bytes + steps))
        },
        Attack("the extended key of an own account stands in the file", .ready, []) {
            let origin = try Own.origin(.bip84)
            let key = try ExtendedPublicKey(Own.keys[.bip84, default: ""])
            let steps = origin.path.steps.flatMap { Record.little($0.rawValue) }
            $0.global.append(
                Record(0x01, key.serialized, origin.fingerprint.bytes + steps))
        },
        Attack("the file was made for another wallet", .stopped, [.nothingToSign]) {
            for index in 0..<2 {
                $0.edit(input: index, 0x06) { $0.replaceSubrange(0..<4, with: [1, 2, 3, 4]) }
            }
        },
        Attack("the file says nothing about keys", .stopped, [.nothingToSign]) {
            for index in 0..<2 { $0.remove(input: index, 0x06) }
            $0.outputs[1] = []
        },
    ]

    static let taprootClaims: [Attack] = [
        Attack(
            "an own key is claimed for both kinds of signature", .bip86, .stopped,
            [.claimBothMaps, .inputsForeign]
        ) {
            let key = try Own.output(.bip86, 0, 3).form.keys[0].bytes
            $0.set(input: 0, try Draft.claim(key, "m/86h/1h/0h/0/3"))
        },
        Attack(
            "change claims an own key for both kinds of signature", .bip86, .stopped,
            [.claimBothMaps]
        ) {
            let key = try Own.output(.bip86, 1, 8).form.keys[0].bytes
            var record = try Draft.claim(key, "m/86h/1h/0h/1/8")
            record.key[0] = 0x02
            $0.outputs[1].append(record)
        },
        Attack(
            "a taproot key is claimed for ECDSA", .bip86, .stopped, [.claimWrongMap]
        ) {
            let key = try Own.output(.bip86, 0, 3).form.keys[0].bytes
            $0.remove(input: 0, 0x16)
            $0.set(input: 0, try Draft.claim(key, "m/86h/1h/0h/0/3"))
        },
        Attack("an ECDSA key is claimed for taproot", .stopped, [.claimWrongMap]) {
            let claim = $0.inputs[0].first(where: { $0.type == 0x06 }) ?? Record(0x06, [])
            $0.remove(input: 0, 0x06)
            $0.set(input: 0, Record(0x16, Array(claim.key.dropFirst(2)), [0] + claim.value))
        },
        Attack(
            "a taproot key of an input is another", .bip86, .stopped,
            [.claimFalse, .inputsForeign]
        ) { $0.edit(input: 0, 0x16) { $0[21] &+= 1 } },
        Attack("another internal key is named", .bip86, .stopped, [.taprootFields]) {
            let key = try Stranger(6).key().xOnly.bytes.array
            $0.edit(input: 0, 0x17) { $0 = key }
        },
        Attack("no internal key is named", .bip86, .warned, [.internalKeyMissing]) {
            $0.remove(input: 0, 0x17)
        },
        Attack("a merkle root is claimed for a lone key", .bip86, .stopped, [.taprootFields]) {
            $0.set(input: 0, Record(0x18, [UInt8](repeating: 7, count: 32)))
        },
        Attack("a leaf is claimed for a lone key", .bip86, .stopped, [.taprootFields]) {
            $0.edit(input: 0, 0x16) { $0 = [1] + [UInt8](repeating: 7, count: 32) + $0.dropFirst() }
        },
        Attack("a leaf script is offered for a lone key", .bip86, .stopped, [.taprootFields]) {
            let control = [0xC0] + (try Stranger(6).key().xOnly.bytes.array)
            $0.set(input: 0, Record(0x15, control, [0x51, 0xC0]))
        },
        Attack(
            "a script path is hidden under an own key that is spent", .bip86, .stopped,
            [.claimOtherScript, .inputsForeign]
        ) {
            $0.dropPrevious([0])
            let output = TransactionOutput(
                value: Amount(sats: 600_000) ?? .zero, scriptPubKey: try hidden(0, 3))
            $0.edit(input: 0, 0x01) { $0 = output.serialized }
        },
        Attack(
            "a script path is hidden under the own key of change", .bip86, .stopped,
            [.claimOtherScript]
        ) { $0.pay(output: 1, to: try hidden(1, 8)) },
    ]

    /// An own taproot key with a leaf that a stranger can spend.
    static func hidden(_ branch: Int, _ index: UInt32) throws -> Script {
        let key = try Own.output(.bip86, branch, index).form.keys[0].publicKey.xOnly
        let stranger = try Stranger(7).key().xOnly.bytes
        let leaf = Script.build {
            $0.push(stranger)
            $0.append(.checkSig)
        }
        return try TaprootOutput(internalKey: key, tree: TapTree(TapLeaf(leaf))).scriptPubKey
    }
}

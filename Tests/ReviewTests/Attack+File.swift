import Bitcoin
import Curve
import PSBT
import Review
import Wire

extension Attack {
    static let file: [Attack] = [
        Attack("a sighash type stands twice in a map", .stopped, [.keyDuplicated]) {
            $0.inputs[0] += [Record(0x03, [1, 0, 0, 0]), Record(0x03, [2, 0, 0, 0])]
        },
        Attack("a field without a meaning stands twice in a map", .stopped, [.keyDuplicated]) {
            $0.inputs[0] += [Record(0x77, [1], [1]), Record(0x77, [1], [2])]
        },
        Attack("bytes follow the last map", .stopped, [.fileDamaged]) { $0.tail = [0] },
        Attack("the file breaks off", .stopped, [.fileDamaged]) { $0.missing = 3 },
        Attack("a sighash type has key data", .stopped, [.keyData]) {
            $0.inputs[0].append(Record(0x03, [7], [1, 0, 0, 0]))
        },
        Attack("a field of version 2 stands in version 0", .stopped, [.fieldVersion]) {
            $0.inputs[0].append(Record(0x10, [0, 0, 0, 0]))
        },
        Attack("the version is one that does not exist", .stopped, [.fieldVersion]) {
            $0.global.append(Record(0xFB, [1, 0, 0, 0]))
        },
        Attack("version 2 carries an unsigned transaction", .stopped, [.fieldVersion]) {
            $0.version = .v2
            $0.global.append(Record(0x00, $0.transaction.serialized(.withoutWitness)))
        },
        Attack("a sighash type has three bytes", .stopped, [.fieldLength]) {
            $0.set(input: 0, Record(0x03, [1, 0, 0]))
        },
        Attack("an internal key has a prefix", .bip86, .stopped, [.fieldLength]) {
            $0.edit(input: 0, 0x17) { $0 = [2] + $0 }
        },
        Attack("a Schnorr signature ends with a byte 0", .bip86, .stopped, [.signatureDefaultByte])
        {
            $0.set(input: 0, Record(0x13, [UInt8](repeating: 1, count: 64) + [0]))
        },
        Attack(
            "a Schnorr signature of a leaf ends with a byte 0", .bip86, .stopped,
            [.signatureDefaultByte]
        ) {
            let place = try Stranger(2).key().xOnly.bytes.array + [UInt8](repeating: 3, count: 32)
            $0.set(input: 0, Record(0x14, place, [UInt8](repeating: 1, count: 64) + [0]))
        },
        Attack("the unsigned transaction carries a scriptSig", .stopped, [.fieldValue]) {
            $0.transaction.inputs[0].scriptSig = Script([0x51])
        },
        Attack("an ECDSA signature is no DER", .stopped, [.fieldValue]) {
            let key = try Stranger(2).key().compressed
            $0.set(input: 0, Record(0x02, key, [UInt8](repeating: 0x30, count: 70)))
        },
        Attack("a required height is a time", .stopped, [.fieldValue]) {
            $0.version = .v2
            $0.set(input: 0, Record(0x12, Record.little(UInt32(1_700_000_000))))
        },
        Attack("more than 21 million BTC are claimed", .stopped, [.amountRange]) {
            $0.dropPrevious()
            $0.claim(input: 0, sats: 2_100_000_000_000_001)
        },
        Attack("a negative amount is claimed", .stopped, [.amountRange]) {
            $0.dropPrevious()
            $0.claim(input: 0, sats: .max)
        },
        Attack("the previous transaction is another", .stopped, [.previousTransactionOther]) {
            let other = $0.value(input: 1, 0x00)
            $0.edit(input: 0, 0x00) { $0 = other }
        },
        Attack(
            "the previous transaction was changed to a higher amount", .bip44, .stopped,
            [.previousTransactionOther]
        ) {
            let previous = try DraftCoin.own(.bip44, branch: 0, index: 3, sats: 60_000_000)
                .previous(0)
            $0.edit(input: 0, 0x00) { $0 = previous.serialized() }
        },
        Attack(
            "the previous transaction has no such output", .stopped, [.previousTransactionOther]
        ) {
            $0.transaction.inputs[0].outpoint = OutPoint(
                txid: $0.transaction.inputs[0].outpoint.txid, vout: 5)
        },
        Attack("the two UTXO fields disagree about the amount", .stopped, [.utxoFieldsDisagree]) {
            $0.claim(input: 0, sats: 700_000)
        },
        Attack("the two UTXO fields disagree about the script", .stopped, [.utxoFieldsDisagree]) {
            $0.edit(input: 0, 0x01) { $0[$0.count - 1] ^= 1 }
        },
        Attack("a field has no meaning here", .ready, [.fieldsUnknown]) {
            $0.inputs[0].append(Record(0x77, [1]))
        },
    ]

    static let transaction: [Attack] = [
        Attack("the same coin is spent twice", .stopped, [.inputDuplicated, .feeShareHigh]) {
            $0.transaction.inputs[1].outpoint = $0.transaction.inputs[0].outpoint
            $0.inputs[1] = $0.inputs[0]
        },
        Attack("the version of the transaction is 0", .stopped, [.versionUnknown]) {
            $0.transaction.version = 0
        },
        Attack("the version of the transaction is 4", .stopped, [.versionUnknown]) {
            $0.transaction.version = 4
        },
        Attack("the version of the transaction is 3", .warned, [.versionThree]) {
            $0.transaction.version = 3
        },
        Attack("the outputs pay more coins than there are", .stopped, [.amountSum]) {
            $0.pay(output: 0, sats: 2_099_999_999_999_999)
        },
        Attack(
            "there is no output", .stopped,
            [.transactionInvalid, .feeShareExtreme, .feeLarge, .feerateHigh]
        ) {
            $0.transaction.outputs = []
            $0.outputs = []
        },
        Attack("the file asks to sign a message", .stopped, [.proofOfOwnership]) {
            $0.global.append(Record(0x09, Array("I owe you".utf8)))
        },
        Attack(
            "a signed message has the shape of a transaction", .stopped,
            [.proofOfOwnership, .data, .feeShareExtreme, .feeLarge, .feerateHigh]
        ) {
            $0.transaction.outputs = [TransactionOutput(value: .zero, scriptPubKey: .opReturn())]
            $0.outputs = [[]]
        },
        Attack("lock times that inputs require exclude each other", .stopped, [.lockTimeConflict]) {
            $0.version = .v2
            $0.set(input: 0, Record(0x12, Record.little(UInt32(800_000))))
            $0.set(input: 1, Record(0x11, Record.little(UInt32(1_700_000_000))))
        },
        Attack("version 2 requires a later height than the fallback", .ready, [.lockTime]) {
            $0.version = .v2
            $0.set(input: 0, Record(0x12, Record.little(UInt32(100))))
            $0.set(input: 1, Record(0x12, Record.little(UInt32(200))))
        },
        Attack("a lock time is set", .ready, [.lockTime]) {
            $0.transaction.lockTime = LockTime(rawValue: 900_000)
        },
        Attack("a lock time is set and switched off", .ready, [.lockTimeWithoutEffect]) {
            $0.transaction.lockTime = LockTime(rawValue: 1_900_000_000)
            for index in $0.transaction.inputs.indices {
                $0.transaction.inputs[index].sequence = .final
            }
        },
        Attack("an input waits for its coin to be old", .ready, [.relativeLock, .replaceable]) {
            $0.transaction.inputs[0].sequence = SequenceNumber(.blocks(1_000))
            $0.transaction.inputs[1].sequence = SequenceNumber(.time(units: 100))
        },
        Attack("the transaction may be replaced", .ready, [.replaceable]) {
            $0.transaction.inputs[0].sequence = .replaceable
        },
        Attack("others may add to the file", .ready, [.stillModifiable]) {
            $0.version = .v2
            $0.global.append(Record(0x06, [3]))
        },
        Attack(
            "an own coin is named on another network", .stopped, [.otherNetwork, .inputsForeign]
        ) {
            $0.edit(input: 0, 0x06) { $0[8] = 0 }
        },
        Attack("change is named on another network", .stopped, [.otherNetwork]) {
            $0.edit(output: 1, 0x02) { $0[8] = 0 }
        },
        Attack("an extended key of another network stands in the file", .stopped, [.otherNetwork]) {
            let key = ExtendedPublicKey(
                network: .main, chainCode: .zero, publicKey: try Stranger(3).key())
            $0.global.append(Record(0x01, key.serialized, key.fingerprint.bytes))
        },
    ]
}

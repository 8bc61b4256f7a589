import Bitcoin
import PSBT
import Wire

extension Review {
    /// Tells what comes back from what leaves: only what is derived again is ours.
    mutating func examineOutputs() {
        let spentFrom = Set(inputs.compactMap(\.owner?.account))
        let highest = highestIndices()
        for (index, output) in psbt.outputs.enumerated() {
            let place = PSBT.Place.output(index)
            let ownership = examiner.examine(
                Claims(output), script: output.scriptPubKey, at: place, log: &log)
            hasClaims = hasClaims || ownership.isClaimed
            var fact = OutputFact(
                value: output.value, scriptPubKey: output.scriptPubKey ?? .empty, role: .payment,
                owner: nil)
            if let own = ownership.place {
                fact.owner = own
                fact.role = judgeOwn(own, at: place, spentFrom, highest)
            } else {
                fact.role = judgeOthers(output, at: place)
            }
            judgeAmount(fact, at: place)
            outputs.append(fact)
        }
        judgeOutputsTogether()
    }

    /// The highest index that is spent of each account.
    private func highestIndices() -> [WalletIndex.Account: UInt32] {
        var highest: [WalletIndex.Account: UInt32] = [:]
        for owner in inputs.compactMap(\.owner) {
            guard let index = owner.index else { continue }
            highest[owner.account] = max(highest[owner.account, default: 0], index)
        }
        return highest
    }

    private mutating func judgeOwn(
        _ own: OwnPlace, at place: PSBT.Place, _ spentFrom: Set<WalletIndex.Account>,
        _ highest: [WalletIndex.Account: UInt32]
    ) -> OutputRole {
        guard let index = own.index.map({ UInt64($0) }) else {
            log.record(.changePathUnusual, place, "the own path \(own.path) is not a usual one")
            return .payment
        }
        let near = UInt64(highest[own.account, default: 0])
        if index > limits.maximumIndex {
            log.record(.changeIndexLost, place, "the own path \(own.path) is far out of reach")
        } else if index > near, index - near > limits.indexDistance {
            log.record(
                .changeIndexFar, place,
                "the own path \(own.path) lies \(index - near) above the highest that is spent")
        }
        guard spentFrom.contains(own.account) else {
            if !spentFrom.isEmpty {
                log.record(
                    .changeOtherAccount, place,
                    "it goes to another account of ours, at \(own.path)")
            }
            return .transfer
        }
        if case .change = own.branch { return .change }
        log.record(.ownReceive, place, "it comes back to the address at \(own.path)")
        return .receive
    }

    private mutating func judgeOthers(_ output: PSBT.Output, at place: PSBT.Place) -> OutputRole {
        if output.silentPaymentAddress != nil {
            log.record(.silentPayment, place, "it is a silent payment (BIP352)")
        }
        if output.dnssecProof != nil {
            log.record(.recipientName, place, "it carries a name for its recipient (BIP353)")
        }
        let script = output.scriptPubKey ?? .empty
        if script.isUnspendable {
            judgeData(script, output.value, at: place)
            return .data
        }
        switch script.template {
        case .p2pkh, .p2sh, .p2wpkh, .p2wsh, .p2tr, .p2a: break
        case .unknownWitness(let version, _):
            log.record(
                .scriptUnknown, place,
                "it pays to a witness program of version \(version), which has no rules yet")
        default: log.record(.scriptUnknown, place, "it pays to a script without an address")
        }
        return .payment
    }

    private mutating func judgeData(_ script: Script, _ value: Amount, at place: PSBT.Place) {
        let size = script.dataSize
        log.record(.data, place, "it carries \(counted(size, "byte")) of data")
        if hasData { log.record(.dataLarge, place, "it is not the only output with data") }
        hasData = true
        if UInt64(size) > limits.dataBytes {
            log.record(.dataLarge, place, "it carries \(counted(size, "byte")) of data")
        }
        if value > .zero { log.record(.dataBurns, place, "\(value) is paid to data") }
    }

    private mutating func judgeAmount(_ fact: OutputFact, at place: PSBT.Place) {
        guard fact.role != .data else { return }
        // What spending it costs, as Bitcoin Core's dust rule counts.
        let spending = fact.scriptPubKey.witnessProgram == nil ? 148 : 67
        let size = 8 + fact.scriptPubKey.serializedSize + spending
        let least = UInt64(size) * min(limits.dustFeerate, 1_000_000) / 1_000
        guard fact.value.sats < least else { return }
        log.record(.outputDust, place, "\(fact.value) is paid, less than the \(least) sat of dust")
    }

    private mutating func judgeOutputsTogether() {
        let change = outputs.count { $0.role == .change }
        if UInt64(change) > limits.changeOutputs {
            log.record(.changeMany, .global, "there are \(change) outputs of change")
        }
        let isOurs = !outputs.isEmpty && outputs.allSatisfy(\.role.isOwn)
        if isOurs { log.record(.allOwn, .global, "everything comes back to own wallets") }
    }
}

extension Script {
    /// Bytes of data behind OP_RETURN; all bytes behind it, where they are not just pushes.
    fileprivate var dataSize: Int {
        if case .opReturn(let items) = template { return items.reduce(0) { $0 + $1.count } }
        return bytes.count - 1
    }
}

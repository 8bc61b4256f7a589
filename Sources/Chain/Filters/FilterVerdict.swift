public import Bitcoin
import Hashing
import Wire

/// What a block proves of a filter that somebody says is its.
public enum FilterVerdict: Hashable, Sendable {
    /// Everything that the block pays and spends is known, and this is its filter.
    case proven
    /// It cannot be the block's filter.
    case refuted(Reason)
    /// It may be: some scripts that the block spends are not known.
    case undecided

    /// Why a filter cannot be the block's.
    public enum Reason: Hashable, Sendable {
        /// The bytes are no filter.
        case malformed(FilterFault)
        /// It leaves out a script that the block pays or certainly spends.
        case missingScript
        /// It has fewer or more elements than the block can bring.
        case wrongCount(found: Int, least: Int, most: Int)
        /// Everything is known, and the filter is another one.
        case notTheSame
    }
}

extension Block {
    /// Judges the bytes of a filter by what the block itself proves.
    ///
    /// - Parameter known: scripts of spent outputs that are known from elsewhere, by outpoint.
    public func judge(filter bytes: [UInt8], known: [OutPoint: Script] = [:]) -> FilterVerdict {
        do throws(FilterFault) {
            let filter = try CompactFilter(bytes)
            try filter.check()
            let spent = spentScripts(known: known)
            let certain = Set(filteredOutputs + spent.known.filter { !$0.isEmpty })
            guard spent.unknown > 0 else {
                let rebuilt = CompactFilter(block: self, spent: spent.known)
                if rebuilt == filter { return .proven }
                let isWhole = try filter.containsAll(Array(certain), block: header.hash)
                return .refuted(isWhole ? .notTheSame : .missingScript)
            }
            guard try filter.containsAll(Array(certain), block: header.hash) else {
                return .refuted(.missingScript)
            }
            let (least, most) = (certain.count, certain.count + spent.unknown)
            guard (least...most).contains(filter.count) else {
                return .refuted(.wrongCount(found: filter.count, least: least, most: most))
            }
            return .undecided
        } catch {
            return .refuted(.malformed(error))
        }
    }

    /// The scripts that the block spends, as far as it proves them itself, and the number of the
    /// others.
    ///
    /// Certain are the outputs of its own transactions, and a program behind a script hash: a witness
    /// beside a scriptSig is valid only if the scriptSig is one push of the program (BIP141). What a
    /// key or script in any other input hashes to is likely to be what was spent, but nothing keeps a
    /// miner from spending another output in that form, and nobody is accused of likely things.
    func spentScripts(known: [OutPoint: Script]) -> (known: [Script], unknown: Int) {
        var own: [Txid: [TransactionOutput]] = [:]
        var scripts: [Script] = []
        var unknown = 0
        for transaction in transactions {
            if !transaction.isCoinbase {
                for input in transaction.inputs {
                    let vout = Int(input.outpoint.vout)
                    if let script = known[input.outpoint] {
                        scripts.append(script)
                    } else if let outputs = own[input.outpoint.txid], vout < outputs.count {
                        scripts.append(outputs[vout].scriptPubKey)
                    } else if let script = input.nestedProgramScript {
                        scripts.append(script)
                    } else {
                        unknown += 1
                    }
                }
            }
            own[transaction.txid] = transaction.outputs
        }
        return (scripts, unknown)
    }
}

extension TransactionInput {
    /// The script hash of a program that the scriptSig pushes, beside a witness.
    fileprivate var nestedProgramScript: Script? {
        guard !witness.isEmpty, let length = scriptSig.bytes.first,
            Int(length) == scriptSig.bytes.count - 1, (4...42).contains(Int(length))
        else { return nil }
        return .p2sh(hash160(Array(scriptSig.bytes[1...])))
    }
}

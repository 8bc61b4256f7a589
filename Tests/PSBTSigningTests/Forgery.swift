import Bitcoin
import PSBT
import Wire

/// PSBTs that somebody changed on the way.
extension PSBT {
    /// The same file with every record of the input maps put through `edit`.
    func editingInputs(
        adding extra: [(key: [UInt8], value: [UInt8])] = [],
        _ edit: (_ key: [UInt8], _ value: [UInt8]) -> [UInt8]
    ) throws -> PSBT {
        var reader = Reader(serialized)
        var writer = Writer()
        writer.write(try reader.read(5))
        for map in 0..<(1 + inputs.count + outputs.count) {
            let isInput = (1...inputs.count).contains(map)
            while let key = try reader.readVarBytes() as [UInt8]?, !key.isEmpty {
                let value = try reader.readVarBytes()
                if isInput && extra.contains(where: { $0.key == key }) { continue }
                writer.writeVarBytes(key)
                writer.writeVarBytes(isInput ? edit(key, value) : value)
            }
            if isInput {
                for record in extra {
                    writer.writeVarBytes(record.key)
                    writer.writeVarBytes(record.value)
                }
            }
            writer.write(UInt8(0))
        }
        try reader.finish()
        return try PSBT(writer.bytes)
    }

    /// Adds one to the last step of every path that a fingerprint claims (PSBT_IN_BIP32_DERIVATION).
    func replacingLastStep(ofFingerprint fingerprint: String) throws -> PSBT {
        let name = try Hex.decode(fingerprint)
        return try editingInputs { key, value in
            guard key.first == 0x06, value.starts(with: name) else { return value }
            var value = value
            value[value.count - 4] &+= 1
            return value
        }
    }

    /// Claims the keys of every input once more, in the map of the other kind of signature:
    /// PSBT_IN_TAP_BIP32_DERIVATION beside PSBT_IN_BIP32_DERIVATION, or the other way round.
    func repeatingClaimsInTheOtherMap() throws -> PSBT {
        let extra = inputs[0].records.compactMap { record -> (key: [UInt8], value: [UInt8])? in
            switch record.type {
            case 0x06: (key: [0x16] + record.key.dropFirst(2), value: [0] + record.value)
            case 0x16:
                (
                    key: [0x06, 0x02] + record.key.dropFirst(),
                    value: Array(record.value.dropFirst())
                )
            default: nil
            }
        }
        return try editingInputs(adding: extra) { $1 }
    }

    /// Asks for a sighash type in every input (PSBT_IN_SIGHASH_TYPE).
    func asking(for type: SighashType) throws -> PSBT {
        var writer = Writer()
        writer.write(type.rawValue)
        return try editingInputs(adding: [(key: [0x03], value: writer.bytes)]) { $1 }
    }

    /// Changes the version of the leaf in every record of a leaf script, so that no control block
    /// leads to the output's key any more (PSBT_IN_TAP_LEAF_SCRIPT).
    func breakingControlBlocks() throws -> PSBT {
        try editingInputs { key, value in
            guard key.first == 0x15 else { return value }
            return [value[0] ^ 1] + value.dropFirst()
        }
    }
}

import Bitcoin
import Curve
import Hashing
import Wire

/// Checks of values that go beyond lengths; each gives the problem, or nil.
enum FieldValues {
    typealias Problem = PSBTError.Problem

    /// Runs `read` for what it throws.
    static func transactionProblem(
        _ read: () throws(TransactionError) -> Void
    ) -> Problem? {
        do throws(TransactionError) {
            try read()
            return nil
        } catch {
            return .transaction(error)
        }
    }

    /// A DER signature and a sighash byte.
    static func ecdsaSignature(_ value: ArraySlice<UInt8>) -> Problem? {
        do throws(CurveError) {
            _ = try ECDSASignature(der: Array(value.dropLast()))
            return nil
        } catch {
            return .signature(error)
        }
    }

    /// A Schnorr signature says its sighash byte only where it is not 0 (BIP341).
    static func schnorrSignature(_ value: ArraySlice<UInt8>) -> Problem? {
        value.count == 65 && value.last == 0 ? .defaultSighashByte : nil
    }

    /// A count and that many witness items.
    static func witness(_ value: ArraySlice<UInt8>) -> Problem? {
        do throws(WireError) {
            _ = try Witness(Array(value))
            return nil
        } catch {
            return .wire(error)
        }
    }

    /// A leaf script ends with its leaf version, which the control block names too.
    static func leafScript(_ record: PSBT.Record) -> Problem? {
        guard let control = record.keyData.first, let version = record.value.last else {
            return nil
        }
        return control & 0xFE == version
            ? nil : .leafVersionsDiffer(controlBlock: control & 0xFE, value: version)
    }

    /// A number of leaf hashes, the hashes, and an origin.
    static func taprootOrigin(_ value: ArraySlice<UInt8>) -> Problem? {
        var reader = Reader(Array(value))
        do throws(WireError) {
            let count = try reader.readItemCount(minimumItemSize: 32)
            _ = try reader.skip(count * 32)
        } catch {
            return .wire(error)
        }
        return FieldRule.origin.allows(reader.remaining)
            ? nil
            : .valueLength(
                found: value.count,
                allowed: .steps(first: reader.position + 4, step: 4, last: reader.position + 1024))
    }

    /// Leaves with their depths, in depth-first order (BIP371).
    static func taprootTree(_ value: ArraySlice<UInt8>) -> Problem? {
        var reader = Reader(Array(value))
        // The depths of the left halves that wait for their right ones.
        var open: [Int] = []
        var isComplete = false
        do throws(WireError) {
            while !reader.isAtEnd {
                var depth = Int(try reader.readUInt8())
                let version = try reader.readUInt8()
                let length = try reader.readCompactSize()
                _ = try reader.skip(Int(clamping: length))
                guard !isComplete, depth <= 128, version & 1 == 0 else { return .notATree }
                if let last = open.last, depth < last { return .notATree }
                while let last = open.last, last == depth {
                    open.removeLast()
                    depth -= 1
                }
                if depth == 0 { isComplete = true } else { open.append(depth) }
            }
        } catch {
            return .wire(error)
        }
        return isComplete ? nil : .notATree
    }

    /// A name after its length, and the proof (BIP353).
    static func dnssecProof(_ value: ArraySlice<UInt8>) -> Problem? {
        guard let length = value.first, value.count > Int(length) + 1, length > 0 else {
            return .valueLength(
                found: value.count, allowed: .between(Int(value.first ?? 0) + 2, .max))
        }
        return nil
    }

    /// The identifier with its length and the subtype of a proprietary key (BIP174).
    static func proprietary(_ keyData: ArraySlice<UInt8>) -> Problem? {
        var reader = Reader(Array(keyData))
        do throws(WireError) {
            _ = try reader.readVarBytes()
            _ = try reader.readCompactSize()
            return nil
        } catch {
            return .wire(error)
        }
    }

    /// A value whose hash is the key data.
    static func preimage(_ record: PSBT.Record, of field: InputField) -> Problem? {
        let value = Array(record.value)
        let hash: [UInt8] =
            switch field {
            case .ripemd160: RIPEMD160.hash(value).array
            case .sha256: SHA256.hash(value).array
            case .hash160: Hashing.hash160(value).array
            default: SHA256.doubleHash(value).array
            }
        return record.keyData.elementsEqual(hash) ? nil : .wrongPreimage
    }

    /// A lock time of one kind (BIP370).
    static func lockTime(_ value: ArraySlice<UInt8>, isTime: Bool) -> Problem? {
        let number: UInt32 = value.littleEndian()
        let isRight = LockTime(rawValue: number).isTime == isTime && number != 0
        return isRight ? nil : .lockTimeOutOfRange(number)
    }
}

import StateFiles
import Wire

extension VaultRefusal {
    init(from reader: inout Reader) throws(WireError) {
        let start = reader.position
        let number = try reader.readUInt8()
        switch number {
        case 1: self = .noSuchVault(try VaultID(from: &reader))
        case 2: self = .wrongKind(try VaultID(from: &reader), try reader.readCase())
        case 3: self = .wrongChain(try reader.readCase())
        case 4: self = .alreadyThere(try VaultID(from: &reader))
        case 5: self = .noSuchItem(try ItemID(from: &reader))
        case 6: self = .badName(try reader.readText(limit: Limit.sentence))
        case 7: self = .wrongName
        case 8: self = .wordCount(Int(try reader.readUInt16()))
        case 9: self = .missingField(try reader.readCase())
        case 10:
            self = .malformed(
                try reader.readCase(), place: try reader.readUInt32(),
                try reader.readText(limit: Limit.sentence))
        case 11: self = .notHandedOver(try reader.readCase())
        case 12: self = .passwordRule(try reader.readText(limit: Limit.sentence))
        case 13: self = .outputFailed
        case 14: self = .badInput(try reader.readText(limit: Limit.sentence))
        case 15:
            self = .tooLarge(found: try reader.readUInt64(), allowed: try reader.readUInt64())
        case 16: self = .passphraseIsFixed
        case 17: self = .badAddress(try reader.readText(limit: Limit.sentence))
        case 18: self = .badRange
        case 19: self = .noSuchEntry(try EntryID(from: &reader))
        case 20:
            self = .notSigned(
                try reader.readCase(), try reader.readText(limit: Limit.sentence))
        case 21: self = .notOwnAddress(depth: try reader.readUInt32())
        case 22: self = .badMessage(try reader.readText(limit: Limit.sentence))
        case 23: self = .decided(try DecidedEntry(from: &reader))
        default:
            guard let refusal = try VaultRefusal(number, from: &reader) else {
                throw .unknownValue(position: start, found: UInt64(number))
            }
            self = refusal
        }
    }

    /// Ways in, state and machine.
    private init?(_ number: UInt8, from reader: inout Reader) throws(WireError) {
        switch number {
        case 32:
            self = .wrongPassword(
                failures: try reader.readUInt32(), wait: try reader.readUInt32())
        case 33: self = .mustWait(try reader.readUInt32())
        case 34: self = .wrongCode
        case 35: self = .wrongSecretKey
        case 48:
            self = .damaged(
                try StateFile(from: &reader), try reader.readText(limit: Limit.sentence))
        case 49: self = .newerVersion(try StateFile(from: &reader), try reader.readUInt16())
        case 50: self = .missing(try StateFile(from: &reader))
        case 51:
            self = .unsafeKey(
                try StateFile(from: &reader), try reader.readText(limit: Limit.sentence))
        case 52:
            self = .ledgerBroken(
                try reader.readUInt64(), try reader.readText(limit: Limit.sentence))
        case 64:
            self = .littleMemory(needed: try reader.readUInt32(), free: try reader.readUInt32())
        case 65: self = .diskFailed(try reader.readText(limit: Limit.sentence))
        case 66: self = .busy
        case 67: self = .workerFailed(try reader.readText(limit: Limit.sentence))
        case 68: self = .diskUncertain(try reader.readText(limit: Limit.sentence))
        case 69: self = .diskUnread(try reader.readText(limit: Limit.sentence))
        default: return nil
        }
    }

    func encode(into writer: inout Writer) {
        writer.write(number)
        switch self {
        case .wrongName, .badRange, .outputFailed, .passphraseIsFixed, .wrongCode, .wrongSecretKey,
            .busy:
            break
        case .noSuchVault(let id), .alreadyThere(let id): id.encode(into: &writer)
        case .wrongKind(let id, let kind):
            id.encode(into: &writer)
            writer.write(kind)
        case .wrongChain(let chain): writer.write(chain)
        case .noSuchItem(let id): id.encode(into: &writer)
        case .noSuchEntry(let id): id.encode(into: &writer)
        case .decided(let entry): entry.encode(into: &writer)
        case .notSigned(let fault, let text):
            writer.write(fault)
            writer.write(text, limit: Limit.sentence)
        case .badName(let text), .badAddress(let text), .passwordRule(let text),
            .badInput(let text), .badMessage(let text),
            .diskUnread(let text), .diskFailed(let text), .diskUncertain(let text),
            .workerFailed(let text):
            writer.write(text, limit: Limit.sentence)
        case .wordCount(let count): writer.write(UInt16(clamping: count))
        case .missingField(let field): writer.write(field)
        case .malformed(let field, let place, let text):
            writer.write(field)
            writer.write(place)
            writer.write(text, limit: Limit.sentence)
        case .notHandedOver(let handover): writer.write(handover)
        case .tooLarge(let found, let allowed):
            writer.write(found)
            writer.write(allowed)
        case .wrongPassword(let one, let two), .littleMemory(let one, let two):
            writer.write(one)
            writer.write(two)
        case .mustWait(let seconds): writer.write(seconds)
        case .notOwnAddress(let depth): writer.write(depth)
        case .damaged(let file, let text), .unsafeKey(let file, let text):
            file.encode(into: &writer)
            writer.write(text, limit: Limit.sentence)
        case .newerVersion(let file, let version):
            file.encode(into: &writer)
            writer.write(version)
        case .missing(let file): file.encode(into: &writer)
        case .ledgerBroken(let entry, let text):
            writer.write(entry)
            writer.write(text, limit: Limit.sentence)
        }
    }

    private var number: UInt8 {
        switch self {
        case .noSuchVault: 1
        case .wrongKind: 2
        case .wrongChain: 3
        case .alreadyThere: 4
        case .noSuchItem: 5
        case .badName: 6
        case .wrongName: 7
        case .wordCount: 8
        case .missingField: 9
        case .malformed: 10
        case .notHandedOver: 11
        case .passwordRule: 12
        case .outputFailed: 13
        case .badInput: 14
        case .tooLarge: 15
        case .passphraseIsFixed: 16
        case .badAddress: 17
        case .badRange: 18
        case .noSuchEntry: 19
        case .notSigned: 20
        case .notOwnAddress: 21
        case .badMessage: 22
        case .decided: 23
        case .wrongPassword: 32
        case .mustWait: 33
        case .wrongCode: 34
        case .wrongSecretKey: 35
        case .damaged: 48
        case .newerVersion: 49
        case .missing: 50
        case .unsafeKey: 51
        case .ledgerBroken: 52
        case .littleMemory: 64
        case .diskFailed: 65
        case .busy: 66
        case .workerFailed: 67
        case .diskUncertain: 68
        case .diskUnread: 69
        }
    }
}

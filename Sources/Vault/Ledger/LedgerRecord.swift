public import Wire

/// One event with who caused it, as it is sealed into the ledger.
public struct LedgerRecord: Hashable, Sendable {
    /// Whom it is about.
    public let scope: LogScope
    /// Who asked; nil where nobody did, as at a start.
    public let actor: LedgerActor?
    /// What happened.
    public let event: LedgerEvent

    /// A record.
    public init(_ event: LedgerEvent, scope: LogScope, actor: LedgerActor? = nil) {
        self.scope = scope
        self.actor = actor
        self.event = event
    }

    /// As the log takes it.
    public var logRecord: LogRecord {
        var writer = Writer()
        if let actor {
            writer.write(UInt8(1))
            writer.write(actor.user)
            writer.write(text: actor.terminal, limit: Limit.terminal)
        } else {
            writer.write(UInt8(0))
        }
        event.encode(into: &writer)
        return LogRecord(scope, writer.bytes)
    }

    /// Reads the record of an entry.
    public init(_ bytes: [UInt8], scope: LogScope) throws(WireError) {
        var reader = Reader(bytes)
        self.scope = scope
        actor =
            try reader.readFlag()
            ? LedgerActor(
                user: try reader.readUInt32(), terminal: try reader.readText(limit: Limit.terminal))
            : nil
        event = try LedgerEvent(from: &reader)
        try reader.finish()
    }
}

/// The longest texts, in bytes.
private enum Limit {
    static let terminal = 64
    static let version = 64
    static let name = 255
    static let address = 255
    static let code = 64
    static let sentence = 255
}

extension LedgerEvent {
    fileprivate func encode(into writer: inout Writer) {
        switch self {
        case .started(let version):
            writer.write(UInt8(1))
            writer.write(text: version, limit: Limit.version)
        case .approved(let approval):
            writer.write(UInt8(2))
            approval.encode(into: &writer)
        case .refused(let refusal):
            writer.write(UInt8(3))
            refusal.encode(into: &writer)
        case .passwordFailed(let operation, let failures):
            writer.write(UInt8(4))
            writer.write(operation.rawValue)
            writer.write(failures)
        case .operation(let operation, let name):
            writer.write(UInt8(5))
            writer.write(operation.rawValue)
            writer.write(text: name, limit: Limit.name)
        case .backedUp(let bytes, let digest):
            writer.write(UInt8(6))
            writer.write(bytes)
            writer.write(digest)
        case .restored(let madeAt, let digest):
            writer.write(UInt8(7))
            writer.write(madeAt)
            writer.write(digest)
        case .registered(let name, let digest):
            writer.write(UInt8(8))
            writer.write(text: name, limit: Limit.name)
            writer.write(digest)
        case .item(let change, let item, let logCounter):
            writer.write(UInt8(9))
            writer.write(change.rawValue)
            item.encode(into: &writer)
            writer.write(logCounter)
        case .damageFound(let sentence):
            writer.write(UInt8(10))
            writer.write(text: sentence, limit: Limit.sentence)
        case .messageSigned(let address, let digest):
            writer.write(UInt8(11))
            writer.write(text: address, limit: Limit.address)
            writer.write(digest)
        case .rejected(let file, let reason):
            writer.write(UInt8(12))
            writer.write(file)
            writer.write(text: reason, limit: Limit.sentence)
        case .undelivered(let file, let reason):
            writer.write(UInt8(13))
            writer.write(file)
            writer.write(text: reason, limit: Limit.sentence)
        }
    }

    fileprivate init(from reader: inout Reader) throws(WireError) {
        let start = reader.position
        let number = try reader.readUInt8()
        switch number {
        case 1: self = .started(version: try reader.readText(limit: Limit.version))
        case 2: self = .approved(try LedgerApproval(from: &reader))
        case 3: self = .refused(try LedgerRefusal(from: &reader))
        case 4: self = .passwordFailed(try reader.readCase(), failures: try reader.readUInt32())
        case 5:
            self = .operation(try reader.readCase(), name: try reader.readText(limit: Limit.name))
        case 6: self = .backedUp(bytes: try reader.readUInt64(), digest: try reader.readBytes32())
        case 7: self = .restored(madeAt: try reader.readUInt64(), digest: try reader.readBytes32())
        case 8:
            self = .registered(
                name: try reader.readText(limit: Limit.name), digest: try reader.readBytes32())
        case 9:
            self = .item(
                try reader.readCase(), try .init(from: &reader),
                logCounter: try reader.readUInt64())
        case 10: self = .damageFound(try reader.readText(limit: Limit.sentence))
        case 11:
            self = .messageSigned(
                address: try reader.readText(limit: Limit.address),
                digest: try reader.readBytes32())
        case 12:
            self = .rejected(
                file: try reader.readBytes32(), reason: try reader.readText(limit: Limit.sentence))
        case 13:
            self = .undelivered(
                file: try reader.readBytes32(), reason: try reader.readText(limit: Limit.sentence))
        default: throw .unknownValue(position: start, found: UInt64(number))
        }
    }
}

extension LedgerApproval {
    fileprivate func encode(into writer: inout Writer) {
        writer.write(txid)
        writer.write(sent)
        writer.write(UInt8(fee == nil ? 0 : 1))
        if let fee { writer.write(fee) }
        writer.write(destinationCount)
        writer.write(UInt8(destinations.count))
        for destination in destinations {
            writer.write(destination.amount)
            writer.write(text: destination.address, limit: Limit.address)
        }
        writer.write(file)
        writer.write(report)
        writer.write(origin.rawValue)
    }

    fileprivate init(from reader: inout Reader) throws(WireError) {
        let txid = try reader.readBytes32()
        let sent = try reader.readUInt64()
        let fee = try reader.readFlag() ? try reader.readUInt64() : nil
        let total = try reader.readUInt32()
        let start = reader.position
        let count = Int(try reader.readUInt8())
        guard count == min(Int(total), Self.maximumDestinations) else {
            throw .unknownValue(position: start, found: UInt64(count))
        }
        var destinations: [Destination] = []
        for _ in 0..<count {
            destinations.append(
                Destination(
                    amount: try reader.readUInt64(),
                    address: try reader.readText(limit: Limit.address)))
        }
        self.init(
            txid: txid, sent: sent, fee: fee, destinationCount: total, destinations: destinations,
            file: try reader.readBytes32(), report: try reader.readBytes32(),
            origin: try reader.readCase())
    }
}

extension LedgerRefusal {
    fileprivate func encode(into writer: inout Writer) {
        writer.write(origin.rawValue)
        writer.write(text: code, limit: Limit.code)
        writer.write(count)
        writer.write(first)
        writer.write(last)
    }

    fileprivate init(from reader: inout Reader) throws(WireError) {
        origin = try reader.readCase()
        code = try reader.readText(limit: Limit.code)
        count = try reader.readUInt64()
        first = try reader.readUInt64()
        last = try reader.readUInt64()
    }
}

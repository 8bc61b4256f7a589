public import Wire

/// Names one output of one transaction.
public struct OutPoint: Hashable, Sendable {
    /// The transaction.
    public let txid: Txid
    /// The place among its outputs, from 0.
    public let vout: UInt32

    /// Names output `vout` of `txid`.
    public init(txid: Txid, vout: UInt32) {
        self.txid = txid
        self.vout = vout
    }

    /// What the input of a coinbase transaction names: no transaction.
    public static let null = OutPoint(txid: Txid(.zero), vout: .max)

    /// Reads 36 bytes.
    public init(from reader: inout Reader) throws(WireError) {
        txid = Txid(try reader.readBytes32())
        vout = try reader.readUInt32()
    }

    /// Appends 36 bytes.
    public func write(to writer: inout Writer) {
        writer.write(txid.bytes)
        writer.write(vout)
    }
}

extension OutPoint: Comparable {
    /// Orders by the bytes of the txid, then by place.
    public static func < (left: OutPoint, right: OutPoint) -> Bool {
        left.txid == right.txid ? left.vout < right.vout : left.txid < right.txid
    }
}

extension OutPoint: CustomStringConvertible {
    /// `txid:vout`.
    public var description: String { "\(txid):\(vout)" }
}

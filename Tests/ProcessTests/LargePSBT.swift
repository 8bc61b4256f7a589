import Foundation
import Wire

/// PSBTs of any size, made from a recorded one of version 0 with one input of P2WPKH: the input many
/// times over, each time with another outpoint, and filling in fields that are not known.
struct LargePSBT {
    private typealias Map = [(key: [UInt8], value: [UInt8])]

    private var maps: [Map] = []

    init(_ psbt: CorePSBT) throws {
        let bytes = Array(Data(base64Encoded: psbt.unsigned) ?? Data())
        var reader = Reader(bytes)
        _ = try reader.read(5)
        while !reader.isAtEnd {
            var map: Map = []
            while true {
                let key = try reader.readVarBytes()
                if key.isEmpty { break }
                map.append((key, try reader.readVarBytes()))
            }
            maps.append(map)
        }
    }

    /// With so many inputs, each with a field of so many bytes.
    func bytes(inputs count: Int, filling: Int) throws -> [UInt8] {
        guard let transaction = maps[0].first(where: { $0.key == [0] })?.value else {
            throw Missing(what: "a transaction")
        }
        var input = maps[1].filter { $0.key[0] != 0x00 && $0.key[0] != 0x01 }
        input.append(([0x01], try spentOutput(transaction)))
        if filling > 0 { input.append(([0xF0], [UInt8](repeating: 7, count: filling))) }
        var writer = Writer()
        writer.write(Array("psbt".utf8) + [0xFF])
        let spent = try spentOutput(transaction)
        write([([0], try multiplied(transaction, count, spent))], to: &writer)
        for _ in 0..<count { write(input, to: &writer) }
        for output in maps.dropFirst(2) { write(output, to: &writer) }
        return writer.bytes
    }

    private func write(_ map: Map, to writer: inout Writer) {
        for record in map {
            writer.writeVarBytes(record.key)
            writer.writeVarBytes(record.value)
        }
        writer.write(UInt8(0))
    }

    /// The output that the first input spends, from the previous transaction or the field beside it.
    private func spentOutput(_ transaction: [UInt8]) throws -> [UInt8] {
        if let field = maps[1].first(where: { $0.key == [0x01] }) { return field.value }
        throw Missing(what: "a witness UTXO")
    }

    /// The transaction with its first input so many times, the outpoints numbered; what they bring
    /// besides goes to the first output.
    private func multiplied(
        _ transaction: [UInt8], _ count: Int, _ spent: [UInt8]
    ) throws -> [UInt8] {
        var reader = Reader(transaction)
        let version = try reader.read(4)
        guard try reader.readCompactSize() == 1 else { throw Missing(what: "one input") }
        let txid = try reader.read(32)
        _ = try reader.read(4)
        let rest = try reader.read(5)
        var writer = Writer()
        writer.write(version)
        writer.writeCompactSize(UInt64(count))
        for number in 0..<count {
            writer.write(txid)
            writer.write(UInt32(number))
            writer.write(rest)
        }
        var amount = Reader(spent)
        writer.writeCompactSize(try reader.readCompactSize())
        let more = try amount.readUInt64() * UInt64(count - 1)
        writer.write(try reader.readUInt64() + more)
        writer.write(reader.readRest())
        return writer.bytes
    }
}

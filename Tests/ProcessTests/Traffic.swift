import Foundation
import Glibc

/// One end of a packet.
struct PacketEnd: Hashable, CustomStringConvertible {
    /// As in an IP header: 6 is TCP, 17 UDP.
    var transport: UInt8 = 6
    let address: String
    /// 0 where the protocol has none.
    let port: UInt16

    var description: String { "\(address) port \(port) by protocol \(transport)" }
}

/// A packet, as far as it tells who sends what to whom.
struct Packet {
    let source: PacketEnd
    let destination: PacketEnd
    /// Whether it opens a connection of TCP.
    let isOpening: Bool
    /// Of the first byte of the payload.
    let sequence: UInt32
    let payload: [UInt8]

    /// A packet from its IP header on; nil if it is none.
    init?(_ bytes: ArraySlice<UInt8>) {
        let bytes = Array(bytes)
        guard let first = bytes.first else { return nil }
        let isSix = first >> 4 == 6
        let header = isSix ? 40 : Int(first & 15) * 4
        guard isSix || first >> 4 == 4, bytes.count >= header, header >= 20 else { return nil }
        let transport = bytes[isSix ? 6 : 9]
        let size = isSix ? 16 : 4
        let start = isSix ? 8 : 12
        let hasPorts = [6, 17].contains(transport) && bytes.count >= header + 8
        func end(_ place: Int, _ port: Int) -> PacketEnd {
            let address = bytes[(start + place * size)..<(start + (place + 1) * size)]
            return PacketEnd(
                transport: transport, address: Packet.text(Array(address)),
                port: hasPorts ? Packet.number(bytes, header + port) : 0)
        }
        source = end(0, 0)
        destination = end(1, 2)
        guard transport == 6, bytes.count >= header + 20 else {
            (isOpening, sequence, payload) = (false, 0, Array(bytes[header...]))
            return
        }
        let flags = bytes[header + 13]
        isOpening = flags & 0x12 == 0x02
        let high = UInt32(Packet.number(bytes, header + 4))
        let low = UInt32(Packet.number(bytes, header + 6))
        sequence = (high << 16 | low) &+ (isOpening ? 1 : 0)
        payload = Array(bytes.dropFirst(header + Int(bytes[header + 12] >> 4) * 4))
    }

    private static func number(_ bytes: [UInt8], _ place: Int) -> UInt16 {
        UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])
    }

    private static func text(_ address: [UInt8]) -> String {
        var text = [CChar](repeating: 0, count: 64)
        inet_ntop(address.count == 4 ? AF_INET : AF_INET6, address, &text, 64)
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// What was sent in a network.
struct Traffic {
    let packets: [Packet]

    /// Where packets went that belong to no conversation with one of these servers.
    func strangers(besides servers: Set<PacketEnd>) -> Set<PacketEnd> {
        let others = packets.filter {
            !servers.contains($0.source) && !servers.contains($0.destination)
        }
        let opened = others.filter(\.isOpening).map { [$0.source, $0.destination] }
        let pairs = Set(opened + opened.map { $0.reversed() })
        return Set(
            others.filter { $0.isOpening || !pairs.contains([$0.source, $0.destination]) }
                .map(\.destination))
    }

    /// Connections that were tried to a server.
    func openings(to server: PacketEnd) -> Int {
        Set(packets.filter { $0.isOpening && $0.destination == server }.map(\.source)).count
    }

    /// What each connection to a server carried there, in order.
    func streams(to server: PacketEnd) -> [[UInt8]] {
        let packets = packets.filter { $0.destination == server }
        return Dictionary(grouping: packets, by: \.source).values.compactMap { packets in
            guard let start = packets.first(where: \.isOpening)?.sequence else { return nil }
            var stream: [UInt8] = []
            let inOrder = packets.filter { !$0.payload.isEmpty }
                .sorted { $0.sequence &- start < $1.sequence &- start }
            for packet in inOrder {
                let place = Int(packet.sequence &- start)
                guard place <= stream.count else { break }
                // What was sent again is there already.
                stream += packet.payload.dropFirst(stream.count - place)
            }
            return stream
        }
    }
}

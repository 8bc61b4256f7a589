import NetworkCore
import PeerMessages
import Testing

@Suite("Name servers of the machine")
struct NameServersTests {
    @Test("Addresses behind nameserver are taken in order, whatever else there is")
    func lines() {
        let text = """
            # nameserver 192.0.2.9
            search example.org
            nameserver 192.0.2.1
            nameserver\t2001:db8::53  # the second
            options edns0
            nameserver fe80::1%eth0
            nameserver dns.example
            nameserver
            nameserver 127.0.0.53
            """
        #expect(
            NameServers.read(text) == [
                .ipv4(0xC000_0201), .ipv6(high: 0x2001_0DB8_0000_0000, low: 0x53),
                .ipv4(0x7F00_0035),
            ])
    }

    @Test("No more than eight are taken, and none of nothing")
    func most() {
        let many = (1...20).map { "nameserver 192.0.2.\($0)" }.joined(separator: "\n")
        #expect(NameServers.read(many).count == 8)
        #expect(NameServers.read("") == [])
    }
}

import Testing
import Wire

@Suite("Names of servers")
struct DomainNameTests {
    @Test(
        "a name has two parts or more of letters, digits and hyphens, and is neither address nor overlay's"
    )
    func names() {
        let label = String(repeating: "a", count: 63)
        for name in [
            "x.y", "seed.example.org", "LISTS.Example", "a-b.c-d", "1.2.3.a", label + "." + label,
            String(repeating: "ab.", count: 66) + "cd",
        ] {
            #expect(DomainName.isOne(name), "\(name)")
            #expect(DomainName.isOne("/\(name)".dropFirst()), "\(name)")
        }
        for text in [
            "", "localhost", ".", "a.", ".a", "a..b", "1.2.3.4", "1.2.3", "x.onion", "x.I2P",
            "a_b.c",
            "a b.c", "\u{FC}.org", "a.b/", "a.b:1", label + "a.b",
            String(repeating: "ab.", count: 66) + "cde",
        ] {
            #expect(!DomainName.isOne(text), "\(text)")
        }
    }
}

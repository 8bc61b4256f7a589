import Testing

@testable import ConsoleCore

@Suite("Typed addresses")
struct TypedAddressTests {
    @Test(
        "groups, white space and the URI's parts are left out",
        arguments: [
            (["bcrt1qabc"], "bcrt1qabc"), (["bcrt", "1qab", "c"], "bcrt1qabc"),
            ([" bcrt 1qab\tc\n"], "bcrt1qabc"),
            (["bitcoin:bcrt1qabc?amount=0.1&label=x"], "bcrt1qabc"),
            (["BITCOIN:BCRT1QABC"], "BCRT1QABC"), (["bitcoin:"], ""), ([], ""),
        ])
    func text(_ typed: [String], _ address: String) {
        #expect(TypedAddress.text(of: typed) == address)
    }
}

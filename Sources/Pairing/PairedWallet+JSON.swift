public import JSON

extension PairedWallet {
    /// All that a pairing file says as one object, and the file itself in one of its forms.
    public func json(with form: PairingForm) -> JSONValue {
        .object([
            .init("schema", .string("bulkhead-pairing-1")), .init("name", .string(name)),
            .init("network", .string("\(network)")),
            .init("fingerprint", .string("\(fingerprint)")),
            .init("birthday", birthday.map { .integer(Int(clamping: $0)) } ?? .null),
            .init("accounts", .array(accounts.map(json))),
            .init("form", .string(form.rawValue)), .init("file", .string(text(as: form))),
        ])
    }

    private func json(_ account: Account) -> JSONValue {
        .object([
            .init("account", .string(account.kind.standard)),
            .init("path", .string("\(account.kind.path(on: network))")),
            .init("key", .string("\(account.node)")),
            .init("descriptor", descriptor(of: account).map { .string("\($0)") } ?? .null),
            .init("first", firstAddress(of: account).map { .string("\($0)") } ?? .null),
        ])
    }
}

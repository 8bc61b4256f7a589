public import StateFiles
public import Wire

/// The public side of one wallet, as a program that watches it takes it: no secret, but whoever has it
/// sees every address, past and future.
public struct PairedAccounts: Hashable, Sendable {
    /// The wallet.
    public var vault: VaultID
    /// Its pairing file in the form of descriptors (`bulkhead pair export`), at most 4096 bytes.
    public var file: String

    /// A row by its fields.
    public init(vault: VaultID, file: String) {
        self.vault = vault
        self.file = file
    }

    init(from reader: inout Reader) throws(WireError) {
        vault = try VaultID(from: &reader)
        file = try reader.readText(limit: Limit.pairingFile)
    }

    func encode(into writer: inout Writer) {
        vault.encode(into: &writer)
        writer.write(file, limit: Limit.pairingFile)
    }
}

extension Reader {
    mutating func readPaired() throws(WireError) -> [PairedAccounts] {
        try readList(limit: Limit.pairedWallets) { reader throws(WireError) in
            try PairedAccounts(from: &reader)
        }
    }
}

extension Writer {
    mutating func write(paired rows: [PairedAccounts]) {
        write(rows, limit: Limit.pairedWallets) { $1.encode(into: &$0) }
    }
}

public import SecretMemory
public import StateFiles

extension MasterKey {
    /// The key of one item's stream.
    public borrowing func itemKey(_ item: ItemID) -> SecretBytes {
        key(for: DomainLabel("item"), salt: item.bytes)
    }

    /// The key of the log of this vault's items.
    public borrowing func itemsLogKey(of vault: VaultID) -> LogKey {
        LogKey(.items(vault), root: key(for: DomainLabel("items-log"), salt: vault.bytes))
    }
}

extension SealedStreamWriter {
    /// A new item's stream; the header's bytes are written before it.
    public init(item header: StreamHeader, master: borrowing MasterKey) {
        guard case .item(let item) = header.kind else { preconditionFailure("no item") }
        self.init(header, key: master.itemKey(item))
    }
}

extension SealedStreamReader {
    /// The stream of one item of one vault.
    ///
    /// - Throws: `anotherStream` when the header is that of something else.
    public init(
        item: ItemID, of vault: VaultID, header: StreamHeader, master: borrowing MasterKey
    ) throws(StreamError) {
        guard header.kind == .item(item), header.vault == vault else { throw .anotherStream }
        self.init(header, key: master.itemKey(item))
    }
}

public import Bitcoin
import Wire

extension CompactFilter {
    /// The filter of a block, from the scripts that it pays and those that it spends.
    ///
    /// - Parameter spent: the scriptPubKey of each output that the block spends, in any order.
    public init(block: Block, spent: [Script]) {
        self.init(scripts: block.filteredOutputs + spent, block: block.header.hash)
    }

    /// The filter of a block that has these scripts, empty ones aside.
    init(scripts: [Script], block: BlockHash) {
        let distinct = Set(scripts.lazy.filter { !$0.isEmpty })
        let hash = SipHash(block: block)
        let range = UInt64(distinct.count) * CompactFilter.falsePositiveRate
        self.init(elements: distinct.map { CompactFilter.element($0.bytes, hash, range: range) })
    }

    /// The filter of these elements, in any order.
    init(elements: [UInt64]) {
        var header = Writer(capacity: 5 + elements.count * 3)
        header.writeCompactSize(elements.count)
        var writer = GolombWriter(after: header.bytes)
        var last: UInt64 = 0
        for element in elements.sorted() {
            writer.write(element - last)
            last = element
        }
        bytes = writer.bytes
        count = elements.count
        start = header.bytes.count
    }

    /// Whether every script is an element. A filter that leaves out what its block pays is false,
    /// whatever the block spends.
    public func containsAll(_ scripts: [Script], block: BlockHash) throws(FilterFault) -> Bool {
        let elements = try elements()
        let hash = SipHash(block: block)
        let wanted = scripts.map { CompactFilter.element($0.bytes, hash, range: range) }.sorted()
        var place = 0
        for element in wanted {
            while place < elements.count, elements[place] < element { place += 1 }
            guard place < elements.count, elements[place] == element else { return false }
        }
        return true
    }
}

extension Block {
    /// The scripts that the block pays and that its basic filter must have: none that is empty or
    /// starts with OP_RETURN.
    public var filteredOutputs: [Script] {
        transactions.flatMap { transaction in
            transaction.outputs.lazy.map(\.scriptPubKey).filter {
                !$0.isEmpty && $0.bytes.first != Opcode.return.rawValue
            }
        }
    }
}

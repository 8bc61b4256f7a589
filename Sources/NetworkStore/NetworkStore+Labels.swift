import Database
public import Labels
public import NetworkCore

/// Labels of an import that are written together: in the order of the table, so that each of its pages
/// is written once for many labels.
public struct LabelBatch {
    private var rows: [LabelRow] = []
    private var bytes = 0
    private var written = 0
    private var isSorted = true

    /// Bounds what it takes of memory, whatever a file has.
    private static let mostRows = 16_384
    private static let mostBytes = 4 << 20
    /// What is written in one step: some milliseconds.
    static let rowsOfStep = 256

    /// No labels yet.
    public init() {}

    /// Whether it is to be written before more is added.
    public var isFull: Bool {
        rows.count >= LabelBatch.mostRows || bytes >= LabelBatch.mostBytes
    }

    /// Adds labels. A later one of the same thing replaces an earlier one.
    public mutating func add(_ labels: [Label]) {
        for label in labels {
            let row = LabelRow(label)
            rows.append(row)
            bytes += row.line.utf8.count
        }
        isSorted = false
    }

    /// The rows of the next step; nil where all were given.
    fileprivate mutating func next() -> ArraySlice<LabelRow>? {
        if !isSorted {
            // In the order of the file where they are of one thing.
            rows = rows.enumerated().sorted { first, second in
                let (one, other) = (first.element, second.element)
                return (one.type, one.ref, first.offset) < (other.type, other.ref, second.offset)
            }.map(\.element)
            isSorted = true
        }
        guard written < rows.count else { return nil }
        let end = min(written + LabelBatch.rowsOfStep, rows.count)
        defer { written = end }
        return rows[written..<end]
    }
}

/// Where the walk is in each file that takes away labels which do not count.
struct LabelTidying {
    /// Whether there may be such labels: looked up first after each opening.
    var isDue = true
    var walks = PersonTables.files.map { _ in LabelTable.Walk() }
    /// Whether labels are prepared that are to count; none are after an opening.
    var isPreparing = false
}

extension NetworkStore {
    /// Puts labels in place of those of the same things, all or none.
    public func putLabels(_ labels: [Label]) throws(StoreFault) {
        try doing { () throws(DatabaseError) in try apply(labels.map { .label($0) }) }
    }

    /// Takes the label of a thing away.
    public func removeLabel(of subject: Label.Subject) throws(StoreFault) {
        try doing { () throws(DatabaseError) in try apply([.unlabel(subject)]) }
    }

    /// The label of a thing.
    public func label(of subject: Label.Subject) throws(StoreFault) -> Label? {
        try doing { () throws(DatabaseError) in try person?.tables?.labels.label(of: subject) }
    }

    /// Labels behind one, in the order of their types and references.
    ///
    /// - Parameter limit: how many at most.
    public func labels(
        after last: Label.Subject?, limit: Int
    ) throws(StoreFault) -> [Label] {
        try doing { () throws(DatabaseError) in
            try person?.tables?.labels.page(
                after: last.map { ($0.type, $0.ref) }, limit: limit) ?? []
        }
    }

    // MARK: A file of labels, in steps

    /// Whether labels are left of an import that was cut, or were replaced by one.
    public var mayTidyLabels: Bool { tidying.isDue }

    /// Takes some of these away. What was prepared and not kept is given up by that.
    ///
    /// - Returns: whether there is more to do.
    public func tidyLabels() throws(StoreFault) -> Bool {
        tidying.isPreparing = false
        // Where the disk fails, the next import or opening tries again.
        tidying.isDue = false
        try doing { () throws(DatabaseError) in
            for (place, tables) in (person?.all ?? []).enumerated() {
                let walk = try tables.labels.tidy(
                    tidying.walks[place], rows: LabelBatch.rowsOfStep)
                tidying.walks[place] = walk ?? LabelTable.Walk()
                if walk != nil {
                    tidying.isDue = true
                    break
                }
            }
        }
        return tidying.isDue
    }

    /// Begins an import; all must be tidy.
    public func beginLabels() { tidying.isPreparing = true }

    /// Writes some of a batch, so that they count once the import is kept.
    ///
    /// - Returns: whether there is more of it.
    /// - Throws: also where the files were opened anew since the import began; it is over then.
    public func prepareLabels(_ batch: inout LabelBatch) throws(StoreFault) -> Bool {
        try checkPreparing()
        guard let rows = batch.next() else { return false }
        tidying.isDue = true
        do {
            try doing { () throws(DatabaseError) in
                for tables in person?.all ?? [] { try tables.labels.prepare(rows) }
            }
        } catch {
            tidying.isPreparing = false
            throw error
        }
        return true
    }

    /// Lets everything that was prepared count.
    public func keepLabels() throws(StoreFault) {
        try checkPreparing()
        tidying.isPreparing = false
        tidying.isDue = true
        try doing { () throws(DatabaseError) in try apply([.keepImport]) }
    }

    private func checkPreparing() throws(StoreFault) {
        guard tidying.isPreparing else {
            throw StoreFault(.device, "the disk failed meanwhile, and the files were opened anew")
        }
    }

    private func doing<Value>(
        _ body: () throws(DatabaseError) -> Value
    ) throws(StoreFault) -> Value {
        do throws(DatabaseError) { return try body() } catch { throw StoreFault(error) }
    }
}

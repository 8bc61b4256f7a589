import Database
public import NetworkCore

/// Filters, which are the least of a loss: where only their file fails, everything else goes on without
/// it, and it is tried again from time to time.
extension NetworkStore {
    /// Whether the file failed when it was last used, so that `giveBackRoom` is to be called again after
    /// a while.
    public var hasFilterTrouble: Bool { filterTrouble != nil }

    /// The filters that are kept up to a height; those above are taken away.
    func readKept(through height: Int) -> KeptFilters {
        guard let filters else { return KeptFilters() }
        do throws(DatabaseError) {
            try filters.database.transaction(isLasting: false) { () throws(DatabaseError) in
                try filters.cut(above: height)
            }
            return try filters.kept()
        } catch {
            close(error)
            return KeptFilters()
        }
    }

    /// Writes what changes say of filters.
    ///
    /// One too many or too few is harmless, since each that is read is compared with its filter header.
    func keep(_ changes: [StoreChange], isTurn: Bool) throws(DatabaseError) {
        guard let filters else { return }
        do throws(DatabaseError) {
            try filters.database.transaction(isLasting: isTurn) { () throws(DatabaseError) in
                for change in changes { try filters.apply(change) }
            }
        } catch .noSpace {
            // The other files have no more room than this one.
            throw .noSpace
        } catch {
            close(error)
        }
    }

    /// Gives the disk a little of the room that filters had which were dropped: most of it once fewer are
    /// to be kept. A file that failed before is opened again.
    ///
    /// - Returns: whether there is more to give.
    public func giveBackRoom() -> Bool {
        giveBackRoom(keeping: FilterTables.keptFreePages, most: FilterTables.pagesOfStep)
    }

    func giveBackRoom(keeping keep: Int, most: Int) -> Bool {
        do {
            if filters == nil { try openFilters() }
            guard let filters else { return false }
            let hasMore = try filters.database.giveBack(keeping: keep, most: most)
            if filterTrouble != nil { notices.append("filters.db can be used again") }
            filterTrouble = nil
            return hasMore
        } catch let error as DatabaseError where error.isDamage {
            close(error)
        } catch {
            note("\(error)")
        }
        return false
    }

    /// The filters of these heights; nil for one that is missing or cannot be read.
    public func readFilters(_ heights: ClosedRange<Int>) -> [[UInt8]?] {
        do throws(DatabaseError) {
            if let found = try filters?.read(heights) { return found }
        } catch {
            if error.isDamage { close(error) } else { note("\(error)") }
        }
        return [[UInt8]?](repeating: nil, count: heights.count)
    }

    /// Makes a damaged file anew; one that fails otherwise is left alone for a while.
    private func close(_ error: DatabaseError) {
        filters = nil
        guard error.isDamage else { return note("\(error)") }
        do throws(StoreRefusal) {
            try discard(FilterTables.schema, "\(error)", NetworkStore.filterConsequence)
            filters = FilterTables(database: try openPublic(FilterTables.schema, ""))
        } catch {
            note("\(error)")
        }
    }

    /// Opens the file; one that the disk does not give now is no reason to do without the others.
    func openFilters() throws(StoreRefusal) {
        do throws(StoreRefusal) {
            filters = FilterTables(
                database: try openPublic(FilterTables.schema, NetworkStore.filterConsequence))
        } catch .unusable(let reason) {
            note(reason)
        }
    }

    /// Says once that something is wrong.
    private func note(_ reason: String) {
        let sentence =
            "filters.db cannot be used now: \(reason). Filters that are missing are fetched again, and "
            + "the file is tried again by itself"
        if filterTrouble == nil { notices.append(sentence) }
        filterTrouble = sentence
    }
}

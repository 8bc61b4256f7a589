public import Messages
import StateFiles
import Wire

extension VaultAnswer {
    /// What a person reads.
    public var lines: [String] {
        switch self {
        case .done(let remarks): return remarks.isEmpty ? ["done"] : remarks.map(Self.shown)
        case .vaults(let rows): return Self.lines(of: rows)
        case .index(let fingerprint, let rows): return Self.lines(of: fingerprint, rows)
        case .made(let id, let fingerprint, _, let remarks):
            let master = fingerprint.isEmpty ? [] : [Self.master(fingerprint)]
            return ["vault \(id)"] + master + remarks.map(Self.shown)
        case .ledger(let rows, let last): return Self.lines(of: rows, last)
        case .importedLedgers(let rows): return Self.lines(of: rows)
        case .ledgerHolds(let entries, let head, let remarks):
            return [
                "the ledger holds: \(counted(entries, "entry", "entries")), head \(Hex.encode(head.array))"
            ]
                + remarks.map(Self.shown)
        case .restored(let id, let rows, let remarks):
            var table = TextTable(["WHAT", "COUNT", "EFFECT"])
            for row in rows {
                table.append([Self.shown(row.what), String(row.count), row.effect.sentence])
            }
            return ["vault \(id)"] + table.lines + remarks.map(Self.shown)
        case .backedUp(let bytes, let digest, let items, let remarks):
            return [
                "backup of \(bytes) bytes\(items == 0 ? "" : ", \(counted(items, "item"))"), SHA-256 "
                    + Hex.encode(digest.array)
            ] + remarks.map(Self.shown)
        case .itemAdded(let id, let bytes): return ["item \(id), \(counted(bytes, "byte"))"]
        case .written(let count): return ["\(count) written"]
        case .messageSigned(let signature):
            return [VisibleText(signature.signature, limit: 1024).description]
        case .searched(let found, let depth, let remarks):
            return Self.lines(of: found, depth) + remarks.map(Self.shown)
        case .signed(let answer): return EntryText.lines(of: answer)
        }
    }

    private static func shown(_ text: String) -> String {
        VisibleText(text, limit: 300).description
    }

    private static func lines(of rows: [VaultRow]) -> [String] {
        guard !rows.isEmpty else { return ["no vaults yet: bulkhead wallet create NAME"] }
        var table = TextTable(["NAME", "KIND", "NETWORK", "MADE", "ID"])
        for row in rows {
            table.append([
                row.name.isEmpty ? "?" : shown(row.name), "\(row.kind)", row.chain.name,
                UTCTime(seconds: row.createdAt).date, row.id.description,
            ])
        }
        let problems = rows.filter { !$0.problem.isEmpty }
            .map { "\($0.id): " + shown($0.problem) }
        return table.lines + problems
    }

    private static func lines(of fingerprint: String, _ rows: [IndexRow]) -> [String] {
        var table = TextTable(["WHAT", "PATH", "KEY OR ADDRESS"])
        var rest = rows[...]
        while let row = rest.first {
            table.append([row.title, row.path, row.value].map(shown))
            // Of a long series the first one, which is the one that is used.
            let series = rest.prefix { $0.title == row.title }
            if series.count > longestSeries, let last = series.last {
                let more = "\(series.count - 1) more in --json"
                table.append(["", "to " + shown(last.path), more])
            }
            rest = rest.dropFirst(series.count > longestSeries ? series.count : 1)
        }
        return [master(fingerprint)] + table.lines
    }

    /// As many rows of one kind stand below each other.
    private static let longestSeries = 4

    private static func master(_ fingerprint: String) -> String {
        "master fingerprint \(shown(fingerprint))"
    }

    private static func lines(of found: [FoundAddress], _ depth: UInt32) -> [String] {
        guard !found.isEmpty else {
            return [
                "no wallet here has this address among the first \(depth) of each branch; look "
                    + "further with --depth, and do not use an address that was not found"
            ]
        }
        return found.flatMap { place in
            let name = place.name.isEmpty ? place.vault.description : shown(place.name)
            let branch = place.isChange ? "change" : "receiving"
            return [
                "yours: wallet \(name), \(place.row.title), \(branch) address at "
                    + "\(place.row.path)"
            ]
        }
    }

    private static func lines(of rows: [ImportedLedgerRow]) -> [String] {
        guard !rows.isEmpty else { return ["no ledger came with a backup"] }
        var table = TextTable(["LEDGER", "ENTRIES", "VAULTS"])
        for row in rows {
            table.append([
                row.id.description, String(row.entries),
                row.vaults.map(\.description).joined(separator: " "),
            ])
        }
        return table.lines
    }

    private static func lines(of rows: [LedgerRow], _ last: UInt64) -> [String] {
        let entries = rows.flatMap { row in
            let about = row.vault.map { ", vault \($0)" } ?? ""
            return [
                "\(row.counter)  \(UTCTime(seconds: row.time).text)\(about)",
                "    " + VisibleText(row.text, limit: 1024).description,
            ]
        }
        return entries + ["the ledger's counter is \(last)"]
    }
}

extension RestoreRow.Effect {
    fileprivate var sentence: String {
        switch self {
        case .added: "added"
        case .unchanged: "here already"
        case .replaced: "replaces what is here"
        case .kept: "what is here stays"
        }
    }
}

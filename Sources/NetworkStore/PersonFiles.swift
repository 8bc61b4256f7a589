import Database
import StateFiles

/// The file of what a person said, and its copy. Each is written in turn; at a start, a missing, older
/// or damaged one is made anew from the other.
struct PersonFiles {
    private var files: [PersonTables?]
    private let system: DiskFileSystem
    private let chain: String
    /// What was mended at the start, a sentence each.
    private(set) var notices: [String] = []
    /// Whether there was nothing at the start.
    private(set) var isNew = false

    /// How a file was found.
    private enum Found {
        case whole(PersonTables, commits: Int64)
        case missing
        case damaged(StoreProblem)
    }

    init(on system: DiskFileSystem, chain: String) throws(StoreRefusal) {
        self.system = system
        self.chain = chain
        files = []
        let found = try PersonTables.files.map { file throws(StoreRefusal) in
            try PersonFiles.look(at: file, on: system, chain: chain)
        }
        var best: (place: Int, commits: Int64)?
        var problems: [StoreProblem] = []
        for (place, found) in found.enumerated() {
            switch found {
            case .whole(_, let commits) where commits > best?.commits ?? -1:
                best = (place, commits)
            case .whole, .missing: break
            case .damaged(let problem): problems.append(problem)
            }
        }
        if best == nil, !problems.isEmpty { throw .lost(problems) }
        isNew = best == nil
        var source: PersonTables?
        if let best, case .whole(let tables, _) = found[best.place] { source = tables }
        for (place, found) in found.enumerated() {
            files.append(try mend(place, found, source, best?.commits))
        }
    }

    /// The one that is read.
    var tables: PersonTables? { files.compactMap { $0 }.first }

    /// Both, as far as they can be used.
    var all: [PersonTables] { files.compactMap { $0 } }

    /// Writes to both. The first decides; one that lags behind is mended at the next start.
    ///
    /// - Returns: what went wrong, although it is written.
    mutating func apply(_ changes: [PersonTables.Change]) throws(DatabaseError) -> [String] {
        guard let first = tables else {
            throw .damaged(file: PersonTables.files[0], "it is not open")
        }
        var problems: [String] = []
        for tables in all {
            do throws(DatabaseError) {
                // What is refused must not be done later: it holds from the commit on, wherever it lies.
                guard let reason = try tables.apply(changes) else { continue }
                problems.append(
                    "what was written is kept in \(tables.database.file)-wal for now: \(reason)")
            } catch {
                guard tables.database !== first.database else { throw error }
                problems.append("the copy of the watched wallets and labels is behind: \(error)")
            }
        }
        return problems
    }

    // MARK: The start

    private static func look(
        at file: String, on system: DiskFileSystem, chain: String
    ) throws(StoreRefusal) -> Found {
        do throws(DiskFailure) {
            guard try system.size(of: file) > 0 else { return .missing }
        } catch {
            throw .unusable("\(error)")
        }
        do {
            let database = try PersonTables.schema(of: file).open(on: system, chain: chain)
            try database.check()
            let tables = PersonTables(database: database)
            _ = try tables.wallets()
            return .whole(tables, commits: try tables.commits())
        } catch Schema.Fault.database(let error) where error.isDamage {
            return .damaged(StoreProblem(file: file, reason: "\(error)"))
        } catch let error as DatabaseError where error.isDamage {
            return .damaged(StoreProblem(file: file, reason: "\(error)"))
        } catch let fault as Schema.Fault {
            throw StoreRefusal(fault, file, chain)
        } catch {
            throw .unusable("\(error)")
        }
    }

    private mutating func mend(
        _ place: Int, _ found: Found, _ source: PersonTables?, _ commits: Int64?
    ) throws(StoreRefusal) -> PersonTables? {
        let file = PersonTables.files[place]
        switch found {
        case .whole(let tables, let own) where own == commits: return tables
        case .whole: break
        case .missing:
            if source != nil {
                notices.append("\(file) was missing and is made anew from its copy")
            }
        case .damaged(let problem):
            let kept = file + ".damaged"
            do throws(DiskFailure) {
                try system.rename(file, to: kept)
            } catch {
                throw .unusable("\(error)")
            }
            notices.append(
                "\(problem.reason); \(file) is made anew from its copy, and the damaged file is kept as "
                    + kept)
        }
        do {
            let tables: PersonTables
            if case .whole(let older, _) = found {
                tables = older
            } else {
                tables = PersonTables(
                    database: try PersonTables.schema(of: file).open(on: system, chain: chain))
            }
            if let source { try tables.copy(from: source) }
            return tables
        } catch {
            // The other one is whole; without this one there is no copy.
            if source == nil { throw .unusable("\(file): \(error)") }
            notices.append("there is no copy of the watched wallets and labels now: \(error)")
            return nil
        }
    }
}

extension StoreRefusal {
    init(_ fault: Schema.Fault, _ file: String, _ chain: String) {
        switch fault {
        case .newer(let found, let known):
            self = .newer(file: file, found: found, known: known)
        case .otherChain(let found):
            self = .otherChain(file: file, found: found, expected: chain)
        case .database(let error): self = .unusable("\(file): \(error)")
        }
    }
}

public import SecretMemory
public import StateFiles
public import Wire

/// The file `ledger/imported/ID/key`: one key file for each vault that came from the machine of that
/// ledger, one after another; or the one key file of a ledger whose device key was lost.
public struct ImportedLedgerKeys: Hashable, Sendable {
    /// The key files, all of one ledger, each for another scope.
    public private(set) var files: [LedgerKeyFile]

    /// The first key of a ledger.
    public init(_ first: LedgerKeyFile) { files = [first] }

    /// Reads what stands in the clear.
    ///
    /// - Throws: `keyDamaged` also where the files are of several ledgers or one scope is there twice;
    ///   `unknownVersion`.
    public init(_ bytes: [UInt8]) throws(LogProblem) {
        let length = LedgerKeyFile.length
        guard !bytes.isEmpty, bytes.count.isMultiple(of: length) else { throw .keyDamaged }
        files = []
        for start in stride(from: 0, to: bytes.count, by: length) {
            files.append(try LedgerKeyFile(Array(bytes[start..<start + length])))
        }
        guard Set(files.map(\.ledger)).count == 1, Set(files.map(\.publicKey)).count == 1,
            Set(files.map(\.scope)).count == files.count
        else { throw .keyDamaged }
    }

    /// All of its bytes.
    public var bytes: [UInt8] { files.flatMap(\.bytes) }

    /// What the head's signature is checked with.
    public var publicKey: Bytes32 { files[0].publicKey }

    /// The vaults whose entries the keys are for; nil where one is for all of the ledger.
    public var vaults: [VaultID]? {
        var ids: [VaultID] = []
        for file in files {
            guard let scope = file.scope else { return nil }
            if case .vault(let id) = scope { ids.append(id) }
        }
        return ids
    }

    /// Takes a key in, in place of one for the same scope that does not open any more. One of another
    /// ledger, or with another public key, is left out.
    public mutating func add(_ file: LedgerKeyFile, under device: borrowing DeviceKey) {
        guard file.ledger == files[0].ledger, file.publicKey == publicKey else { return }
        guard let place = files.firstIndex(where: { $0.scope == file.scope }) else {
            return files.append(file)
        }
        if !files[place].opens(under: device) { files[place] = file }
    }

    /// The keys that open under this device key.
    public func open(under device: borrowing DeviceKey) -> LedgerKeyRing {
        LedgerKeyRing(files, under: device)
    }
}

extension LedgerKeyFile {
    fileprivate func opens(under device: borrowing DeviceKey) -> Bool {
        do throws(LogProblem) {
            if scope == nil {
                _ = try openLedger(under: device)
            } else {
                _ = try openScope(under: device)
            }
            return true
        } catch {
            return false
        }
    }
}

/// What opens entries of an imported ledger: the keys of some scopes, or the key of all.
public final class LedgerKeyRing: LogEntryKeys {
    /// Which ledger.
    public let name: LogName
    private let whole: Whole?
    private var scopes: [LogScope: Part] = [:]

    private final class Whole {
        let key: LogKey
        init(_ key: consuming LogKey) { self.key = key }
    }

    private final class Part {
        let key: LogScopeKey
        init(_ key: consuming LogScopeKey) { self.key = key }
    }

    fileprivate init(_ files: [LedgerKeyFile], under device: borrowing DeviceKey) {
        name = .ledger(files[0].ledger)
        var whole: Whole?
        for file in files {
            do throws(LogProblem) {
                if let scope = file.scope {
                    scopes[scope] = Part(try file.openScope(under: device))
                } else {
                    whole = Whole(try file.openLedger(under: device))
                }
            } catch {
                continue
            }
        }
        self.whole = whole
    }

    /// Whether entries of this scope can be opened.
    public func covers(_ scope: LogScope) -> Bool { whole != nil || scopes[scope] != nil }

    /// The key of an entry of a scope that is covered.
    public func entryKey(_ scope: LogScope, nonce: [UInt8]) -> SecretBytes {
        if let whole { return whole.key.entryKey(scope, nonce: nonce) }
        guard let part = scopes[scope] else { preconditionFailure("the scope is covered") }
        return part.key.entryKey(scope, nonce: nonce)
    }
}

public import SecretMemory
public import Wire

/// The key of a log: signs its head and seals every entry under a key of the entry's own.
///
/// Under the root are the signing key and one key for each scope, so that a backup of one vault
/// carries the key of that vault's entries and no other.
public struct LogKey: ~Copyable {
    /// Which log.
    public let name: LogName
    private let root: SecretBytes
    private let signingKey: Ed25519SigningKey

    /// The key over a root of 32 bytes.
    ///
    /// - Precondition: 32 bytes.
    public init(_ name: LogName, root: consuming SecretBytes) {
        precondition(root.count == 32)
        self.name = name
        self.root = root
        let seed = self.root.key(for: DomainLabel("log/sign"), salt: name.bytes)
        signingKey = Ed25519SigningKey(seed: seed)
    }

    /// What the head's signature is checked with.
    public var publicKey: Bytes32 { signingKey.publicKey }

    /// The key of the entries of one scope.
    public borrowing func scopeKey(_ scope: LogScope) -> LogScopeKey {
        LogScopeKey(
            name, scope, secret: root.key(for: DomainLabel("log/scope"), salt: scope.bytes))
    }

    /// Gives the root in place, to be sealed. It must not leave `body`.
    borrowing func withRoot<Result: ~Copyable, Failure>(
        _ body: (borrowing SecretBytes) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(root)
    }

    borrowing func sign(_ message: [UInt8]) -> [UInt8] { signingKey.sign(message) }
}

/// The key of the entries of one scope of a log.
public struct LogScopeKey: ~Copyable {
    /// Which log.
    public let name: LogName
    /// Whose entries.
    public let scope: LogScope
    private let secret: SecretBytes

    /// The key over a secret of 32 bytes.
    init(_ name: LogName, _ scope: LogScope, secret: consuming SecretBytes) {
        precondition(secret.count == 32)
        self.name = name
        self.scope = scope
        self.secret = secret
    }

    /// The key of one entry, by its nonce.
    borrowing func entryKey(nonce: [UInt8]) -> SecretBytes {
        secret.key(for: DomainLabel("log/entry"), salt: nonce)
    }

    /// Gives the secret in place, to be sealed. It must not leave `body`.
    borrowing func withSecret<Result: ~Copyable, Failure>(
        _ body: (borrowing SecretBytes) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(secret)
    }
}

/// Whoever can open entries: all of a log's, or those of one scope.
public protocol LogEntryKeys: ~Copyable {
    /// Which log.
    var name: LogName { get }
    /// Whether entries of `scope` can be opened.
    borrowing func covers(_ scope: LogScope) -> Bool
    /// The key of an entry of a scope that is covered.
    borrowing func entryKey(_ scope: LogScope, nonce: [UInt8]) -> SecretBytes
}

extension LogKey: LogEntryKeys {
    /// Every scope.
    public borrowing func covers(_ scope: LogScope) -> Bool { true }
    /// The key of one entry.
    public borrowing func entryKey(_ scope: LogScope, nonce: [UInt8]) -> SecretBytes {
        scopeKey(scope).entryKey(nonce: nonce)
    }
}

extension LogScopeKey: LogEntryKeys {
    /// Its own scope only.
    public borrowing func covers(_ scope: LogScope) -> Bool { scope == self.scope }
    /// The key of one entry.
    public borrowing func entryKey(_ scope: LogScope, nonce: [UInt8]) -> SecretBytes {
        precondition(covers(scope))
        return entryKey(nonce: nonce)
    }
}

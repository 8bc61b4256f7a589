import Bitcoin
import KeyTree
import Signing

/// Derives the keys that a PSBT's inputs ask for. The inputs of a wallet share all but the last
/// step of their paths, so parents are kept.
final class KeyFinder {
    private final class Node {
        let key: ExtendedPrivateKey

        init(_ key: consuming ExtendedPrivateKey) { self.key = key }
    }

    /// Parents that are kept at a time. A wallet has a handful; a file that names thousands costs
    /// time, not locked memory.
    private static let limit = 32

    /// The name of the master key in derivation records.
    let fingerprint: Fingerprint
    private let master: ExtendedPrivateKey
    private var parents: [[ChildNumber]: Node] = [:]

    init(_ master: borrowing ExtendedPrivateKey) {
        fingerprint = master.fingerprint
        self.master = master.duplicate()
    }

    /// Lends the secret key at the end of `path` to `body`.
    func withKey<Result>(
        at path: DerivationPath, _ context: borrowing SigningContext,
        _ body: (borrowing SecretKey, borrowing SigningContext) -> Result
    ) throws(ExtendedKeyError) -> Result {
        guard let last = path.steps.last else { return body(master.key, context) }
        let parent = try parent(at: Array(path.steps.dropLast()), context)
        let child = try parent.key.derive(last, context)
        return body(child.key, context)
    }

    private func parent(
        at steps: [ChildNumber], _ context: borrowing SigningContext
    ) throws(ExtendedKeyError) -> Node {
        if let known = parents[steps] { return known }
        let node: Node
        if let last = steps.last {
            let above = try parent(at: Array(steps.dropLast()), context)
            node = Node(try above.key.derive(last, context))
        } else {
            node = Node(master.duplicate())
        }
        if parents.count >= Self.limit { parents.removeAll() }
        parents[steps] = node
        return node
    }
}

import Bitcoin
import Curve
import Wire

/// What a signer sends to the coordinator in the first round of BIP129: its key.
public struct BSMSKeyRecord: Hashable, Sendable {
    /// The token of the session.
    public let token: BSMSToken
    /// A public key or extended public key with its origin.
    public let key: KeyExpression
    /// What the signer calls the key, at most 80 characters.
    public let keyDescription: String
    /// The record as it was sent.
    public let text: String

    /// Characters that a description may have.
    public static let maximumDescriptionLength = 80

    /// Reads a record and verifies its signature (BIP137's format) with its key.
    public init(_ text: String) throws(BSMSError) {
        let lines = try bsmsLines(text, count: 5)
        guard let bytes = try? Hex.decode(lines[1]), let token = BSMSToken(bytes) else {
            throw .token
        }
        do throws(DescriptorError) {
            key = try KeyExpression(lines[2])
        } catch {
            throw .key(error)
        }
        guard let publicKey = key.recordKey else { throw .key(nil) }
        guard lines[3].count <= BSMSKeyRecord.maximumDescriptionLength else {
            throw .description(
                found: lines[3].count, allowed: BSMSKeyRecord.maximumDescriptionLength)
        }
        let signed = lines[..<4].joined(separator: "\n")
        guard let decoded = try? LegacySignedMessage.decode(lines[4]),
            decoded.signature.recover(digest: LegacySignedMessage.hash(Array(signed.utf8)))
                == publicKey
        else { throw .signature }
        self.token = token
        keyDescription = lines[3]
        self.text = text
    }
}

extension KeyExpression {
    /// The public key that signs a record; nil unless the expression is an origin and a key.
    fileprivate var recordKey: PublicKey? {
        guard origin != nil, steps.isEmpty, wildcard == .none else { return nil }
        switch base {
        case .single(let key, _): return key
        case .extended(let key): return key.publicKey
        case .xOnly, .musig: return nil
        }
    }
}

/// The lines of a record, which starts with its version. A newline at the end is no line.
func bsmsLines(_ text: String, count: Int) throws(BSMSError) -> [String] {
    guard text.utf8.count <= BSMSError.maximumLength else { throw .tooLong }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    guard lines.first == "BSMS 1.0" else { throw .version }
    guard lines.count == count else { throw .lines(found: lines.count, needed: count) }
    return lines
}

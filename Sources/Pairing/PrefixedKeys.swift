public import Bitcoin
import Descriptors

/// Keys under the prefixes of SLIP-132, as Electrum and others write them: they say of which scripts an
/// account is. Descriptors say so themselves and know xpub and tpub only (BIP380).
enum PrefixedKeys {
    /// The descriptor that a text means which has such keys: an account's key alone, with or without
    /// its origin, or a descriptor that has them in place of xpub or tpub.
    ///
    /// - Returns: nil for everything else.
    static func descriptor(for text: String) throws(PrefixedKeyError) -> String? {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        var rest = parts[0]
        var written = ""
        var kinds: [ExtendedKeyVersion.ScriptKind] = []
        while let start = rest.firstIndex(where: isKeyCharacter) {
            let end = rest[start...].firstIndex { !isKeyCharacter($0) } ?? rest.endIndex
            written += rest[..<start]
            let word = rest[start..<end]
            if let (key, kind) = try read(word) {
                kinds.append(kind)
                written += "\(key)"
            } else {
                written += word
            }
            rest = rest[end...]
        }
        written += rest
        guard let kind = kinds.first else { return nil }
        guard written.contains("(") else {
            guard kinds.count == 1, parts.count == 1 else { return nil }
            return try script(of: kind, written)
        }
        guard kinds.contains(where: { $0 != .unspecified }) else { return nil }
        for kind in kinds where !(kind.start.map { written.hasPrefix($0) } ?? true) {
            throw .otherScript(kind)
        }
        // The checksum is that of the text with its prefixes.
        if parts.count == 2 {
            let sum = try? DescriptorChecksum.compute(String(parts[0]))
            guard let sum, sum == parts[1] else { throw .checksum }
        }
        return written
    }

    private static func isKeyCharacter(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber)
    }

    /// Any extended key; nil for other words.
    private static func read(
        _ word: Substring
    ) throws(PrefixedKeyError) -> (ExtendedPublicKey, ExtendedKeyVersion.ScriptKind)? {
        // 78 bytes and a checksum have 107 to 112 digits.
        guard (100...120).contains(word.utf8.count) else { return nil }
        do throws(ExtendedKeyError) {
            return try ExtendedPublicKey.importing(word)
        } catch .wrongKind {
            throw .isPrivate
        } catch {
            return nil
        }
    }

    /// The descriptor of a key that stands alone, maybe with an origin before it and steps behind it.
    private static func script(
        of kind: ExtendedKeyVersion.ScriptKind, _ key: String
    ) throws(PrefixedKeyError) -> String {
        let below = key.split(separator: "]").last ?? ""
        let steps = below.contains("/") ? "" : "/<0;1>/*"
        switch kind {
        case .segwit: return "wpkh(\(key)\(steps))"
        case .nestedSegwit: return "sh(wpkh(\(key)\(steps)))"
        case .unspecified: throw .scriptUnknown
        case .segwitMultisig, .nestedSegwitMultisig: throw .oneOfSeveral(kind)
        }
    }
}

extension ExtendedKeyVersion.ScriptKind {
    /// How a descriptor of its scripts begins; nil for any script.
    fileprivate var start: String? {
        switch self {
        case .unspecified: nil
        case .nestedSegwit: "sh(wpkh("
        case .segwit: "wpkh("
        case .nestedSegwitMultisig: "sh(wsh("
        case .segwitMultisig: "wsh("
        }
    }

    /// What it is called on mainnet and on test networks.
    fileprivate var prefixes: String {
        switch self {
        case .unspecified: "xpub or tpub"
        case .nestedSegwit: "ypub or upub"
        case .segwit: "zpub or vpub"
        case .nestedSegwitMultisig: "Ypub or Upub"
        case .segwitMultisig: "Zpub or Vpub"
        }
    }
}

/// Why a key under a prefix says not what to watch.
public enum PrefixedKeyError: Error, Hashable, Sendable {
    /// A private key.
    case isPrivate
    /// A key that stands alone and may be one of any script.
    case scriptUnknown
    /// A key of several that one script has.
    case oneOfSeveral(ExtendedKeyVersion.ScriptKind)
    /// The descriptor is of another script than the prefix says.
    case otherScript(ExtendedKeyVersion.ScriptKind)
    /// The checksum is another text's.
    case checksum
}

extension PrefixedKeyError: CustomStringConvertible {
    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .isPrivate:
            "this is a private key, which must not be here: give the public one (xpub, ypub, zpub)"
        case .scriptUnknown:
            "an xpub or tpub alone does not say of which addresses it is: write pkh(KEY/<0;1>/*) for "
                + "those that begin with 1, sh(wpkh(KEY/<0;1>/*)) for 3, wpkh(KEY/<0;1>/*) for bc1q, "
                + "tr(KEY/<0;1>/*) for bc1p"
        case .oneOfSeveral(let kind):
            "this key (\(kind.prefixes)) is one of several of a multi-signature wallet: export the "
                + "wallet's descriptor, which has all of them and how many sign"
        case .otherScript(let kind):
            "a key with the prefix \(kind.prefixes) stands in a descriptor that does not begin with "
                + "\(kind.start ?? ""): if the descriptor is right, write the key as xpub or tpub"
        case .checksum:
            "the checksum is not that of this text: copy the descriptor again, or leave out # and "
                + "what follows"
        }
    }
}

import Wire

extension DescriptorError.Reason {
    /// What is wrong and what to do, without the place.
    var description: String {
        textText ?? checksumText ?? functionText ?? keyText ?? pathText ?? multiKeyText
            ?? "not a descriptor"
    }

    private var textText: String? {
        switch self {
        case .tooLong(let allowed): "longer than the \(allowed) characters that are allowed"
        case .tooDeep(let allowed): "more than \(allowed) parentheses or braces are open"
        case .invalidCharacter: "this character may not stand in a descriptor"
        case .unexpectedCharacter: "this character is not expected here"
        case .unclosed: "what starts here is never closed"
        case .missingName: "a function name is missing before the parenthesis"
        default: nil
        }
    }

    private var checksumText: String? {
        switch self {
        case .severalChecksums: "a second # where only one checksum may follow"
        case .checksumLength(let found): "a checksum has 8 characters, this one \(found)"
        case .checksumCharacter: "this character cannot be part of a checksum"
        case .checksumMismatch:
            "the checksum does not match the text; compare with the original, starting here"
        case .checksumMissing: "a checksum (# and 8 characters) is required"
        default: nil
        }
    }

    private var functionText: String? {
        switch self {
        case .unknownFunction:
            "no function of this name can stand here; miniscript stands in wsh() and in leaves of tr()"
        case .notAllowedHere(let function, let allowed):
            "\(function.rawValue)() can only stand \(allowed)"
        case .argumentCount(let function, let found, let allowed):
            "\(function.rawValue)() takes \(allowed), found \(found)"
        case .scriptExpected(let function):
            "\(function.rawValue)() needs a function inside, not a key"
        case .keyExpected: "a key is needed here, not a function"
        case .threshold(let found?, let keys):
            "a threshold of \(found) is not between 1 and the number of keys, \(keys)"
        case .threshold(nil, _): "the threshold is not a number"
        case .keyCount(let found, let allowed):
            "\(counted(found, "key")), between \(allowed.lowerBound) and \(allowed.upperBound) are allowed"
        case .scriptTooLarge(let found, let allowed):
            "the script has \(found) bytes, at most \(allowed) can be spent"
        case .treeTooDeep(let allowed): "a taproot tree is at most \(allowed) levels deep"
        case .branchCount(let found): "a branch has two sides, this one \(found)"
        case .miniscript(let reason): reason.description
        case .insane(let reason): reason.description
        case .notHexadecimal: "an even number of hexadecimal digits is needed"
        case .invalidAddress: "this is not a valid address"
        default: nil
        }
    }

    private var keyText: String? {
        switch self {
        case .privateKey:
            "a private key does not belong in a descriptor; put its public key here and treat "
                + "the private one as exposed"
        case .invalidKey: "this is neither a public key in hexadecimal nor an extended public key"
        case .missingKey: "a key is missing"
        case .whitespace: "there is a space next to the key"
        case .hybridKey: "hybrid public keys (06, 07) are not allowed"
        case .uncompressedKey: "an uncompressed key cannot be used here"
        case .xOnlyKey: "a key of 32 bytes can only stand in tr() and rawtr()"
        case .keyNotOnCurve: "this public key is no point of the curve"
        case .duplicateKeys: "the same key stands twice in one script"
        case .originNotClosed: "the key origin that starts with [ has no ]"
        case .originNotOpened: "a ] without the [ that starts a key origin"
        case .severalOrigins: "a key has one origin at most"
        case .fingerprint: "a fingerprint is 8 hexadecimal digits"
        default: nil
        }
    }

    private var pathText: String? {
        switch self {
        case .pathStep: "a derivation step is a number, with h or ' when hardened"
        case .pathStepRange: "a derivation step is at most 2147483647"
        case .pathAfterSingleKey: "only an extended key can have derivation steps"
        case .pathTooLong(let allowed): "a derivation path has at most \(allowed) steps"
        case .hardenedAfterPublicKey:
            "a hardened step cannot be derived from a public key; put the extended key of that "
                + "step here, with its origin in []"
        case .wildcardNotLast: "* can only be the last step"
        case .multipathInOrigin: "<...> cannot stand in a key origin"
        case .severalMultipaths: "a key has one <...> at most"
        case .multipathCount(let found, let allowed):
            "<...> lists \(counted(found, "step")), at least \(allowed.lowerBound) and at most "
                + "\(allowed.upperBound) are needed"
        case .multipathDuplicate: "the same step stands twice in <...>"
        case .multipathMismatch(let found, let expected):
            "<...> lists \(counted(found, "step")) here and \(expected) at another key"
        default: nil
        }
    }

    private var multiKeyText: String? {
        switch self {
        case .musigNotAllowedHere: "musig() can only stand in tr() and rawtr()"
        case .musigEmpty: "musig() needs at least one key"
        case .musigNested: "musig() cannot stand inside musig()"
        case .musigDerivation: "steps after musig() need extended keys inside it"
        case .musigBothRanged:
            "* and <...> can stand in the keys of musig() or after it, not in both"
        case .placeholder: "a placeholder such as @0 is needed here"
        case .placeholderOrder(let found, let allowed):
            "placeholder @\(found) is used before @\(allowed), or the list has no such key"
        case .placeholderPath: "a placeholder is followed by /** or /<m;n>/*"
        case .annotation:
            "an annotation is a name of small letters, =, and a number; each name stands once"
        default: nil
        }
    }
}

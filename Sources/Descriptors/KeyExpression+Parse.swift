import Bitcoin
import Curve
import Wire

/// Where a key stands; it decides which kinds of key are allowed (BIPs 381 to 390).
public enum KeyContext: Hashable, Sendable {
    /// `pk`, `pkh`, `multi` and `combo` at the top and in `sh`: also uncompressed keys.
    case legacy
    /// Anything in `wpkh` and `wsh`: compressed keys only.
    case segwit
    /// Anything in `tr` and `rawtr`: also keys of 32 bytes, and `musig(...)`.
    case taproot
    /// The keys of `musig(...)`: compressed keys only, never nested.
    case musig
}

extension KeyExpression {
    /// Reads a key from the argument where it stands, and checks that it may stand there.
    public init(_ expression: Expression, in context: KeyContext) throws(DescriptorError) {
        switch expression.kind {
        case .word:
            try self.init(utf8: Array(expression.text.utf8), at: expression.position)
            try check(in: context, at: expression.position)
        case .call where expression.text == "musig":
            try self.init(musig: expression, in: context)
        case .call, .branch:
            throw DescriptorError(.keyExpected, at: expression.position)
        }
    }

    /// Reads the text of one key, in any context and also with hardened steps. What stands in
    /// errors counts from `position`.
    ///
    /// Throws `.privateKey` for what looks like a private key, whether or not it is a valid one.
    public init(_ text: String, at position: Int = 0) throws(DescriptorError) {
        try self.init(utf8: Array(text.utf8), at: position)
    }

    private init(utf8 text: [UInt8], at position: Int) throws(DescriptorError) {
        guard !text.isEmpty else { throw DescriptorError(.missingKey, at: position) }
        let space = UInt8(ascii: " ")
        if text.first == space || text.last == space {
            throw DescriptorError(.whitespace, at: position)
        }
        let (origin, keyStart) = try KeyExpression.readOrigin(text, at: position)
        let rest = text[keyStart...]
        let keyEnd = rest.firstIndex(of: UInt8(ascii: "/")) ?? text.count
        let keyPosition = position + keyStart
        let base = try KeyExpression.readBase(rest[..<keyEnd], at: keyPosition)
        var path = PathParser(text: text[keyEnd...], offset: position)
        try path.parse()
        var deepest = path.steps.count + (path.wildcard == .none ? 0 : 1)
        switch base {
        case .extended(let key):
            deepest += Int(key.depth)
        case .single, .xOnly, .musig:
            guard deepest == 0 else {
                throw DescriptorError(.pathAfterSingleKey, at: position + keyEnd)
            }
        }
        guard deepest <= DerivationPath.maximumDepth else {
            throw DescriptorError(
                .pathTooLong(allowed: DerivationPath.maximumDepth), at: position + keyEnd)
        }
        self.init(origin: origin, base: base, steps: path.steps, wildcard: path.wildcard)
    }

    private func check(in context: KeyContext, at position: Int) throws(DescriptorError) {
        switch base {
        case .single(_, .uncompressed) where context != .legacy:
            throw DescriptorError(.uncompressedKey, at: position)
        case .xOnly where context != .taproot:
            throw DescriptorError(.xOnlyKey, at: position)
        case .single, .xOnly, .extended, .musig:
            break
        }
        if needsPrivateKey { throw DescriptorError(.hardenedAfterPublicKey, at: position) }
    }

    /// Reads `[fingerprint/path]`; returns where the key starts.
    private static func readOrigin(
        _ text: [UInt8], at position: Int
    ) throws(DescriptorError) -> (KeyOrigin?, Int) {
        let closing = UInt8(ascii: "]")
        guard let end = text.firstIndex(of: closing) else {
            guard text.first != UInt8(ascii: "[") else {
                throw DescriptorError(.originNotClosed, at: position)
            }
            return (nil, 0)
        }
        if let second = text[(end + 1)...].firstIndex(of: closing) {
            throw DescriptorError(.severalOrigins, at: position + second)
        }
        guard text.first == UInt8(ascii: "[") else {
            throw DescriptorError(.originNotOpened, at: position)
        }
        let inside = text[1..<end]
        let fingerprintEnd = inside.firstIndex(of: UInt8(ascii: "/")) ?? end
        guard let bytes = try? Hex.decode(utf8: Array(inside[..<fingerprintEnd])),
            let fingerprint = Fingerprint(bytes)
        else { throw DescriptorError(.fingerprint, at: position + 1) }
        var path = PathParser(text: inside[fingerprintEnd...], offset: position)
        try path.parse()
        guard path.wildcard == .none else {
            throw DescriptorError(.pathStep, at: position + end)
        }
        var numbers: [ChildNumber] = []
        for step in path.steps {
            guard case .child(let number) = step else {
                throw DescriptorError(.multipathInOrigin, at: position + fingerprintEnd)
            }
            numbers.append(number)
        }
        guard end + 1 < text.count else {
            throw DescriptorError(.missingKey, at: position + end + 1)
        }
        guard let steps = try? DerivationPath(numbers) else {
            throw DescriptorError(
                .pathTooLong(allowed: DerivationPath.maximumDepth), at: position + fingerprintEnd)
        }
        return (KeyOrigin(fingerprint: fingerprint, path: steps), end + 1)
    }

    private static func readBase(
        _ text: ArraySlice<UInt8>, at position: Int
    ) throws(DescriptorError) -> Base {
        guard !text.isEmpty else { throw DescriptorError(.missingKey, at: position) }
        guard !looksPrivate(text) else { throw DescriptorError(.privateKey, at: position) }
        let word = String(decoding: text, as: UTF8.self)
        guard let bytes = try? Hex.decode(utf8: Array(text)) else {
            guard let key = try? ExtendedPublicKey(word) else {
                throw DescriptorError(.invalidKey, at: position)
            }
            return .extended(key)
        }
        switch (bytes.count, bytes.first) {
        case (32, _):
            guard let x = Bytes32(bytes), let key = try? XOnlyPublicKey(x) else {
                throw DescriptorError(.keyNotOnCurve, at: position)
            }
            return .xOnly(key)
        case (65, 6), (65, 7):
            throw DescriptorError(.hybridKey, at: position)
        case (33, 2), (33, 3), (65, 4):
            guard let key = try? PublicKey(bytes) else {
                throw DescriptorError(.keyNotOnCurve, at: position)
            }
            return .single(key, form: bytes.count == 33 ? .compressed : .uncompressed)
        default:
            throw DescriptorError(.invalidKey, at: position)
        }
    }

    /// Whether a word has the form of a private key, so that a mistyped one is known for what it
    /// is: `xprv` and its relatives, or base58 of the length and first letter of a WIF.
    private static func looksPrivate(_ text: ArraySlice<UInt8>) -> Bool {
        let word = Array(text)
        if word.count > 100 && word[1..<4].elementsEqual("prv".utf8) { return true }
        return (51...52).contains(word.count) && Array("5KLc9".utf8).contains(word[0])
            && (try? Hex.decode(utf8: word)) == nil
    }
}

extension KeyExpression {
    private init(musig expression: Expression, in context: KeyContext) throws(DescriptorError) {
        switch context {
        case .taproot: break
        case .musig: throw DescriptorError(.musigNested, at: expression.position)
        case .legacy, .segwit: throw DescriptorError(.musigNotAllowedHere, at: expression.position)
        }
        guard !expression.arguments.isEmpty else {
            throw DescriptorError(.musigEmpty, at: expression.position)
        }
        var keys: [KeyExpression] = []
        for argument in expression.arguments {
            keys.append(try KeyExpression(argument, in: .musig))
        }
        var path = PathParser(
            text: Array(expression.suffix.utf8)[...], offset: expression.suffixPosition)
        try path.parse()
        self.init(base: .musig(keys), steps: path.steps, wildcard: path.wildcard)
        try checkMusig(at: expression)
    }

    private func checkMusig(at expression: Expression) throws(DescriptorError) {
        guard !steps.isEmpty || wildcard != .none else { return }
        let position = expression.suffixPosition
        let keys = participants
        if needsPrivateKey { throw DescriptorError(.hardenedAfterPublicKey, at: position) }
        guard steps.count < DerivationPath.maximumDepth else {
            throw DescriptorError(
                .pathTooLong(allowed: DerivationPath.maximumDepth), at: position)
        }
        for key in keys {
            guard case .extended = key.base else {
                throw DescriptorError(.musigDerivation, at: position)
            }
        }
        let isMultipath = steps.contains { if case .branches = $0 { true } else { false } }
        if keys.contains(where: { $0.isRanged || isMultipath && $0.branches != nil }) {
            throw DescriptorError(.musigBothRanged, at: position)
        }
    }
}

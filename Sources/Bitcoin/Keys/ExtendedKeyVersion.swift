/// The four version bytes of a serialised extended key: BIP32's and, for import, SLIP-132's.
public struct ExtendedKeyVersion: Hashable, Sendable {
    /// Which version bytes a network has.
    public let network: KeyNetwork
    /// The scripts that SLIP-132 means; `unspecified` for BIP32's own xpub and tpub.
    public let scriptKind: ScriptKind
    /// Whether the serialisation holds the private key.
    public let isPrivate: Bool

    /// The script that an extended key's prefix implies.
    public enum ScriptKind: Hashable, Sendable, CaseIterable {
        /// xpub and tpub: any script.
        case unspecified
        /// ypub and upub: P2WPKH in P2SH.
        case nestedSegwit
        /// zpub and vpub: P2WPKH.
        case segwit
        /// Ypub and Upub: a multi-signature P2WSH in P2SH.
        case nestedSegwitMultisig
        /// Zpub and Vpub: a multi-signature P2WSH.
        case segwitMultisig
    }

    /// Takes the parts.
    public init(network: KeyNetwork, scriptKind: ScriptKind = .unspecified, isPrivate: Bool) {
        self.network = network
        self.scriptKind = scriptKind
        self.isPrivate = isPrivate
    }

    /// Nil when the number is none of the twenty that are known.
    public init?(rawValue: UInt32) {
        let match = ExtendedKeyVersion.all.first { $0.rawValue == rawValue }
        guard let match else { return nil }
        self = match
    }

    /// The bytes as a big-endian number.
    public var rawValue: UInt32 {
        let (mainPublic, mainPrivate, testPublic, testPrivate): (UInt32, UInt32, UInt32, UInt32) =
            switch scriptKind {
            case .unspecified: (0x0488_B21E, 0x0488_ADE4, 0x0435_87CF, 0x0435_8394)
            case .nestedSegwit: (0x049D_7CB2, 0x049D_7878, 0x044A_5262, 0x044A_4E28)
            case .segwit: (0x04B2_4746, 0x04B2_430C, 0x045F_1CF6, 0x045F_18BC)
            case .nestedSegwitMultisig: (0x0295_B43F, 0x0295_B005, 0x0242_89EF, 0x0242_85B5)
            case .segwitMultisig: (0x02AA_7ED3, 0x02AA_7A99, 0x0257_5483, 0x0257_5048)
            }
        return switch (network, isPrivate) {
        case (.main, false): mainPublic
        case (.main, true): mainPrivate
        case (.test, false): testPublic
        case (.test, true): testPrivate
        }
    }

    private static let all: [ExtendedKeyVersion] = ScriptKind.allCases.flatMap { kind in
        [(KeyNetwork.main, false), (.main, true), (.test, false), (.test, true)].map {
            ExtendedKeyVersion(network: $0.0, scriptKind: kind, isPrivate: $0.1)
        }
    }
}

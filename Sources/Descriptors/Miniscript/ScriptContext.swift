/// Where a miniscript stands, which decides its keys, its limits and some of its fragments (BIP379).
public enum ScriptContext: Hashable, Sendable {
    /// The witness script of a P2WSH or P2SH-P2WSH output: compressed keys, ECDSA.
    case wsh
    /// A leaf of a taproot script tree: x-only keys, Schnorr.
    case tapscript

    /// Bytes of a key in a script: 33 or 32.
    public var keyLength: Int { self == .wsh ? 33 : 32 }

    /// The longest signature in a witness with its sighash byte: 72 (low S) or 65 bytes.
    public var maximumSignatureLength: Int { self == .wsh ? 72 : 65 }

    /// The largest script: 3,600 bytes relay in P2WSH; in a leaf, what still leaves room for the largest
    /// satisfaction within a standard transaction of 400,000 weight units.
    public var maximumScriptSize: Int { self == .wsh ? 3_600 : 329_482 }

    /// Opcodes above `OP_16` that may run, keys of `OP_CHECKMULTISIG` counted; nil where unlimited.
    public var maximumOpcodes: Int? { self == .wsh ? 201 : nil }

    /// Witness items before the script that relay in P2WSH; nil where unlimited.
    public var maximumWitnessItems: Int? { self == .wsh ? 100 : nil }

    /// Items that the stack may hold while the script runs (consensus).
    public var maximumStackItems: Int { 1_000 }

    /// Keys in one `multi` or `multi_a`.
    public var maximumMultisigKeys: Int { self == .wsh ? 20 : 999 }
}

extension ScriptContext: CustomStringConvertible {
    /// "wsh" or "tapscript".
    public var description: String { self == .wsh ? "wsh" : "tapscript" }
}

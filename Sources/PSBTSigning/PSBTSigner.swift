public import Bitcoin
import Curve
public import KeyTree
public import PSBT
public import Signing
import Wire

/// Signs the inputs of a PSBT whose derivation records name keys of one master key.
///
/// Each key is derived again and compared with the one that is claimed; it must stand in the scripts
/// that the spent output commits to. One false claim, and nothing is signed. Every signature is
/// verified before it is returned. MuSig2 is not signed here.
public struct PSBTSigner: Sendable {
    /// What is signed.
    public let psbt: PSBT
    /// The sighash types that may be signed; a wallet asks for `default` and `all` only.
    public let allowedTypes: Set<SighashType>
    let calculator: SighashCalculator

    /// Prepares the hashes that all inputs share.
    ///
    /// - Throws: `transaction`.
    public init(
        _ psbt: PSBT, allowing types: Set<SighashType> = [.default, .all]
    ) throws(PSBTSigningError) {
        self.psbt = psbt
        allowedTypes = types
        do throws(UnsignedTransactionError) { calculator = try psbt.sighashCalculator() } catch {
            throw .transaction(error)
        }
    }

    /// The signatures of `master` for its inputs, in input order.
    ///
    /// - Parameter inputs: The inputs that may be signed; nil for all. An input outside of it gets
    ///   no signature, whatever its records say.
    public func sign(
        with master: borrowing ExtendedPrivateKey, inputs chosen: Set<Int>? = nil,
        _ context: borrowing SigningContext
    ) throws(PSBTSigningError) -> [SignatureRecord] {
        let keys = OwnKeys(
            fingerprint: master.fingerprint, deriver: KeyDeriver(master: master.duplicate()))
        var records: [SignatureRecord] = []
        for (index, input) in psbt.inputs.enumerated() {
            guard !input.isFinal, chosen?.contains(index) ?? true else { continue }
            try signECDSA(index, input, keys, context, into: &records)
            try signTaproot(index, input, keys, context, into: &records)
        }
        return records
    }

    // MARK: ECDSA

    private func signECDSA(
        _ index: Int, _ input: PSBT.Input, _ keys: OwnKeys,
        _ context: borrowing SigningContext, into records: inout [SignatureRecord]
    ) throws(PSBTSigningError) {
        let ours = input.derivations.filter { $0.origin.fingerprint == keys.fingerprint }
        guard !ours.isEmpty else { return }
        let spend = try spend(index)
        if let stray = ours.first(where: { !spend.hasPlace(for: $0.publicKey) }) {
            throw .keyNotInScript(input: index, stray.origin.path)
        }
        let type = input.sighashType ?? .all
        let digest = try ecdsaDigest(index, spend, type)
        let present = Set(input.partialSignatures.map(\.publicKey))
        for claim in ours {
            let signature = try withKey(index, claim.origin.path, keys, context) {
                key, context throws(PSBTSigningError) -> ECDSASignature? in
                guard key.publicKey.isEncoded(as: claim.publicKey) else {
                    throw .falseClaim(input: index, claim.origin.path)
                }
                guard !present.contains(claim.publicKey) else { return nil }
                do throws(SigningError) { return try key.sign(digest, context) } catch {
                    throw .signing(input: index, error)
                }
            }
            guard let signature else { continue }
            records.append(
                SignatureRecord(
                    input: index, kind: .ecdsa(publicKey: claim.publicKey),
                    value: signature.der + [UInt8(truncatingIfNeeded: type.rawValue)]))
        }
    }

    private func ecdsaDigest(
        _ index: Int, _ spend: Spend, _ type: SighashType
    ) throws(PSBTSigningError) -> Bytes32 {
        try check(type, index)
        guard type.isStandardForECDSA else { throw .sighashNotAllowed(input: index, type) }
        guard let code = spend.scriptCode else { throw .spend(input: index, .utxoMissing) }
        return try sighash(index) { () throws(SighashError) in
            if case .legacy = spend.kind {
                return try calculator.legacy(input: index, scriptCode: code, type: type)
            }
            return try calculator.segwitV0(input: index, scriptCode: code, type: type)
        }
    }

    // MARK: Shared by both

    func spend(_ index: Int) throws(PSBTSigningError) -> Spend {
        do throws(SpendError) { return try psbt.spend(ofInput: index) } catch {
            throw .spend(input: index, error)
        }
    }

    /// Refuses a type that was not allowed, and SINGLE without an output to commit to.
    func check(_ type: SighashType, _ index: Int) throws(PSBTSigningError) {
        let isLonely = type.isSingle && index >= calculator.transaction.outputs.count
        guard allowedTypes.contains(type), !isLonely else {
            throw .sighashNotAllowed(input: index, type)
        }
    }

    func sighash(
        _ index: Int, _ body: () throws(SighashError) -> Bytes32
    ) throws(PSBTSigningError) -> Bytes32 {
        do throws(SighashError) { return try body() } catch {
            throw .sighash(input: index, error)
        }
    }

    func withKey<Result>(
        _ index: Int, _ path: DerivationPath, _ keys: OwnKeys,
        _ context: borrowing SigningContext,
        _ body: (
            borrowing SecretKey, borrowing SigningContext
        ) throws(PSBTSigningError) -> Result
    ) throws(PSBTSigningError) -> Result {
        let key: ExtendedPrivateKey
        do throws(ExtendedKeyError) { key = try keys.deriver.key(at: path, context) } catch {
            throw .derivation(input: index, error)
        }
        return try body(key.key, context)
    }
}

/// The keys of one signing, and the name that derivation records give them.
struct OwnKeys {
    let fingerprint: Fingerprint
    let deriver: KeyDeriver
}

extension PublicKey {
    /// Whether `bytes` are this key in the form that their length says.
    func isEncoded(as bytes: [UInt8]) -> Bool {
        bytes.count == 65 ? uncompressed == bytes : compressed == bytes
    }
}

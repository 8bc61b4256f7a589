public import Bitcoin
public import Curve
import Hashing
import Wire

/// Why a signature is not accepted.
public enum SignatureError: Error, Hashable, Sendable {
    /// It is not known what the input spends.
    case spend(SpendError)
    /// There is no hash to sign.
    case sighash(SighashError)
    /// PSBT_IN_SIGHASH_TYPE asks for another type than the signature has.
    case typeDiffers(found: SighashType, asked: SighashType)
    /// A type without a name, or SINGLE where no output stands at the place of the input.
    case typeNotAllowed(SighashType)
    /// The key has no place in the scripts of the input.
    case keyNotInScript
    /// The leaf is not among those that belong to the output.
    case leafUnknown
    /// Key or signature is no key or signature.
    case curve(CurveError)
    /// It signs something else, or with another key.
    case wrong
    /// Nothing to compare with: MuSig2 nonces and partial signatures, kinds of outputs that are not
    /// known.
    case unsupported
}

/// Verifies the signatures of a PSBT; what the inputs have in common is hashed once.
public struct SignatureChecker: Sendable {
    /// What signatures commit to.
    public let calculator: SighashCalculator
    private let psbt: PSBT

    /// Prepares the hashes.
    public init(_ psbt: PSBT) throws(UnsignedTransactionError) {
        self.psbt = psbt
        calculator = try psbt.sighashCalculator()
    }

    /// Verifies one signature as strictly as a network node relays it: low S, a sighash type with a
    /// name, the one of PSBT_IN_SIGHASH_TYPE where that is there, a key in the script.
    public func check(_ signature: SignatureRecord) throws(SignatureError) {
        let spend: Spend
        do throws(SpendError) { spend = try psbt.spend(ofInput: signature.input) } catch {
            throw .spend(error)
        }
        var leaves: [ProvenLeaf] = []
        if case .taprootScript = signature.kind {
            leaves = psbt.inputs[signature.input].provenLeaves(of: spend)
        }
        var input = SignedInput(spend: spend, leaves: leaves)
        try check(signature, of: &input)
    }

    /// What the signatures of one input have in common: however many there are, scripts are proven
    /// and hashed once.
    struct SignedInput {
        let spend: Spend
        let leaves: [ProvenLeaf]
        fileprivate var ecdsaDigests: [SighashType: Bytes32] = [:]

        init(spend: Spend, leaves: [ProvenLeaf]) {
            self.spend = spend
            self.leaves = leaves
        }
    }

    /// Verifies one of several signatures of an input.
    func check(
        _ signature: SignatureRecord, of signed: inout SignedInput
    ) throws(SignatureError) {
        let input = psbt.inputs[signature.input]
        let spend = signed.spend
        guard let type = signature.sighashType(of: input) else { throw .unsupported }
        // DEFAULT and ALL commit to the same, but a signature says which it is.
        if let asked = input.sighashType, asked != type {
            throw .typeDiffers(found: type, asked: asked)
        }
        switch signature.kind {
        case .ecdsa(let publicKey):
            guard type.isStandardForECDSA, !isSingleWithoutOutput(type, signature.input) else {
                throw .typeNotAllowed(type)
            }
            guard spend.hasPlace(for: publicKey) else { throw .keyNotInScript }
            if signed.ecdsaDigests[type] == nil {
                signed.ecdsaDigests[type] = try ecdsaDigest(signature.input, spend, type)
            }
            guard let digest = signed.ecdsaDigests[type] else { throw .unsupported }
            try verify(signature.value, by: publicKey, digest)
        case .taprootKey:
            guard case .taproot(let key) = spend.kind else { throw .keyNotInScript }
            let digest = try sighash { () throws(SighashError) in
                try calculator.taprootKeyPath(input: signature.input, type: type)
            }
            try verify(signature.value, by: key, digest)
        case .taprootScript(let publicKey, let leafHash):
            guard case .taproot = spend.kind else { throw .keyNotInScript }
            guard let leaf = signed.leaves.first(where: { $0.hash == leafHash }) else {
                throw .leafUnknown
            }
            guard leaf.has(publicKey) else { throw .keyNotInScript }
            let digest = try sighash { () throws(SighashError) in
                try calculator.taprootScriptPath(
                    input: signature.input, leafHash: leafHash, type: type)
            }
            try verify(signature.value, by: publicKey, digest)
        case .musigNonce, .musigPartial: throw .unsupported
        }
    }

    private func isSingleWithoutOutput(_ type: SighashType, _ input: Int) -> Bool {
        type.isSingle && input >= calculator.transaction.outputs.count
    }

    private func ecdsaDigest(
        _ index: Int, _ spend: Spend, _ type: SighashType
    ) throws(SignatureError) -> Bytes32 {
        guard let code = spend.scriptCode else { throw .keyNotInScript }
        return try sighash { () throws(SighashError) in
            if case .legacy = spend.kind {
                return try calculator.legacy(input: index, scriptCode: code, type: type)
            }
            return try calculator.segwitV0(input: index, scriptCode: code, type: type)
        }
    }

    private func verify(
        _ value: [UInt8], by publicKey: [UInt8], _ digest: Bytes32
    ) throws(SignatureError) {
        do throws(CurveError) {
            let key = try PublicKey(publicKey)
            let signature = try ECDSASignature(der: Array(value.dropLast()))
            if key.verifies(signature, digest: digest) { return }
        } catch {
            throw .curve(error)
        }
        throw .wrong
    }

    private func verify(
        _ value: [UInt8], by publicKey: Bytes32, _ digest: Bytes32
    ) throws(SignatureError) {
        do throws(CurveError) {
            let key = try XOnlyPublicKey(publicKey)
            let signature = try SchnorrSignature(Array(value.prefix(64)))
            if key.verifies(signature, message: digest) { return }
        } catch {
            throw .curve(error)
        }
        throw .wrong
    }

    private func sighash(
        _ body: () throws(SighashError) -> Bytes32
    ) throws(SignatureError) -> Bytes32 {
        do throws(SighashError) { return try body() } catch { throw .sighash(error) }
    }
}

extension Spend {
    /// Whether the scripts have this key of 33 or 65 bytes, by itself or by its hash.
    package func hasPlace(for publicKey: [UInt8]) -> Bool {
        switch kind {
        case .witnessKeyHash(let hash): publicKey.count == 33 && hash160(publicKey) == hash
        case .witnessScript(let script): publicKey.count == 33 && script.pushesKey(publicKey)
        case .legacy(let script): script.pushesKey(publicKey)
        case .taproot, .unsupported: false
        }
    }
}

extension Script {
    /// Whether an instruction pushes exactly these bytes.
    func pushes(_ bytes: [UInt8]) -> Bool {
        var reader = ScriptReader(self)
        while let instruction = try? reader.next() {
            if instruction.data.elementsEqual(bytes) { return true }
        }
        return false
    }

    fileprivate func pushesKey(_ key: [UInt8]) -> Bool {
        pushes(key) || pushes(hash160(key).array)
    }
}

extension SignatureError: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        switch self {
        case .spend(let error): error.description
        case .sighash(let error): error.description
        case .typeDiffers(let found, let asked):
            "signature type \(found), PSBT_IN_SIGHASH_TYPE asks for \(asked)"
        case .typeNotAllowed(let type): "signature type \(type) is not accepted here"
        case .keyNotInScript: "the key has no place in the scripts of the input"
        case .leafUnknown: "the leaf does not belong to the output"
        case .curve(let error): error.description
        case .wrong: "the signature is wrong: it signs something else or with another key"
        case .unsupported: "signatures of this kind cannot be verified one by one"
        }
    }
}

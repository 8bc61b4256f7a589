import Messages
import SecretMemory
import Vault

extension WorkPorts {
    /// What the person typed; nothing for a request that takes nothing.
    func secrets(for request: VaultRequest) throws(VaultRefusal) -> SecretFields {
        guard let first = request.firstField else { return .none }
        let bytes: SecretBytes
        do throws(PortFailure) {
            bytes = try readSecrets()
        } catch {
            switch error {
            case .notThere: throw .notHandedOver(.secrets)
            case .tooSlow, .ended: throw .missingField(first)
            case .tooLong, .failed: throw .malformed(first, place: 0, error.reason)
            }
        }
        do throws(SecretFieldsError) {
            return try SecretFields(bytes)
        } catch {
            throw .malformed(first, place: 0, error.description)
        }
    }

    /// Writes what is for the person alone.
    func write(_ output: borrowing SecretBytes) throws(VaultRefusal) {
        do throws(PortFailure) {
            try output.withUnsafeBytes { bytes throws(PortFailure) in try writeOutput(bytes) }
        } catch {
            throw error == .notThere ? .notHandedOver(.output) : .outputFailed
        }
    }
}

extension VaultRequest {
    /// The field without which the request makes no sense; nil where it takes none.
    fileprivate var firstField: SecretField? {
        switch self {
        case .list, .index, .ledgerList, .ledgerExport, .ledgerVerify: nil
        case .create: .newPassword
        case .importWords: .words
        case .importXprv: .xprv
        case .openWithCode: .recoveryCode
        case .adopt, .restoreCheck, .restore: .secretKey
        case .showPhrase, .changePassword, .rename, .delete, .newKit, .rebuildIndex, .backup,
            .itemsAdd, .itemsList, .itemsGet, .itemsRemove:
            .password
        }
    }
}

extension PortFailure {
    /// As the end of a sentence.
    var reason: String {
        switch self {
        case .notThere: "it is not there"
        case .tooSlow: "it did not come in time"
        case .tooLong: "more came than is read"
        case .ended: "it ended too early"
        case .failed(let why): why
        }
    }
}

extension SecretFields {
    /// No fields.
    fileprivate static var none: SecretFields {
        guard let fields = try? SecretFields(SecretBytes(count: 0)) else {
            preconditionFailure("nothing is well formed")
        }
        return fields
    }
}

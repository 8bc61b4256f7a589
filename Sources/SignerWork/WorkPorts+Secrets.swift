import Messages
import SecretMemory
import StateFiles
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
        try output.withUnsafeBytes { bytes throws(VaultRefusal) in try write(bytes) }
    }

    /// Writes a part of what goes to the output.
    func write(_ bytes: UnsafeRawBufferPointer) throws(VaultRefusal) {
        do throws(PortFailure) {
            try writeOutput(bytes)
        } catch {
            throw error == .notThere ? .notHandedOver(.output) : .outputFailed
        }
    }
}

extension WorkPorts {
    /// Gives the input to `body`, piece by piece, to its end.
    ///
    /// - Throws: `notHandedOver`, `badInput`, and what `body` throws.
    func readInput(
        _ body: (UnsafeRawBufferPointer) throws(VaultRefusal) -> Void
    ) throws(VaultRefusal) {
        // What comes in may be a document, so it lies in secret memory.
        var piece = SecretBytes(count: FedFiles.pieceCount)
        while true {
            let count = try fill(&piece)
            guard count > 0 else { return }
            try piece.withUnsafeBytes { bytes throws(VaultRefusal) in
                try body(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            }
        }
    }

    private func fill(_ piece: inout SecretBytes) throws(VaultRefusal) -> Int {
        do throws(PortFailure) {
            return try piece.withUnsafeMutableBytes { buffer throws(PortFailure) in
                try readInput(into: buffer)
            }
        } catch {
            throw error == .notThere ? .notHandedOver(.input) : .badInput(error.reason)
        }
    }

    /// Writes a part of the staged file that was begun last.
    func writeAside(_ bytes: UnsafeRawBufferPointer) throws(VaultRefusal) {
        do throws(PortFailure) {
            try writeStaged(bytes)
        } catch {
            throw .diskFailed(error.reason)
        }
    }

    /// Begins to write a file aside.
    func beginAside(_ file: StateFile) throws(VaultRefusal) {
        do throws(PortFailure) {
            try beginStaged(file)
        } catch {
            throw .diskFailed(error.reason)
        }
    }

    /// Ends the staged file that was begun last.
    func endAside() throws(VaultRefusal) {
        do throws(PortFailure) {
            try endStaged()
        } catch {
            throw .diskFailed(error.reason)
        }
    }
}

extension VaultRequest {
    /// The field without which the request makes no sense; nil where it takes none.
    fileprivate var firstField: SecretField? {
        switch self {
        case .list, .index, .addresses, .findAddress, .ledgerList, .ledgerExport, .ledgerVerify,
            .importedLedgers, .importedLedger:
            nil
        case .create: .newPassword
        case .importWords: .words
        case .importXprv: .xprv
        case .openWithCode: .recoveryCode
        case .adopt, .restoreCheck, .restore: .secretKey
        case .showPhrase, .changePassword, .rename, .delete, .newKit, .rebuildIndex, .backup,
            .itemsAdd, .itemsList, .itemsGet, .itemsRemove, .approve, .signMessage:
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

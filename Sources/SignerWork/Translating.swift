import Messages
import StateFiles
import Vault

/// Runs what reads or writes a stream, and says in a person's words what is wrong with the file.
func translating<Result>(
    _ file: StateFile, _ body: () throws -> Result
) throws(VaultRefusal) -> Result {
    do {
        return try body()
    } catch let refusal as VaultRefusal {
        throw refusal
    } catch StreamError.unknownVersion(let version) {
        throw .newerVersion(file, version)
    } catch {
        throw .damaged(file, "\(error)")
    }
}

/// The same for what comes through the input.
func translatingInput<Result>(_ body: () throws -> Result) throws(VaultRefusal) -> Result {
    do {
        return try body()
    } catch let refusal as VaultRefusal {
        throw refusal
    } catch StreamError.wrongSecretKey {
        throw .wrongSecretKey
    } catch {
        throw .badInput("\(error)")
    }
}

extension [UInt8] {
    /// Gives the bytes in place. They must not leave `body`.
    func lend(
        _ body: (UnsafeRawBufferPointer) throws(VaultRefusal) -> Void
    ) throws(VaultRefusal) {
        let result: Result<Void, VaultRefusal> = withUnsafeBytes { bytes in
            do throws(VaultRefusal) {
                return .success(try body(bytes))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }
}

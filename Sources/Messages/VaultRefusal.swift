public import StateFiles
import Wire

/// Why a request was not done. Nothing was changed then, except that a wrong password counts.
///
/// No case can hold a secret: a text in it is ours, a word of a phrase is named by its place.
public enum VaultRefusal: Error, Hashable, Sendable {
    // MARK: What was asked
    /// No vault has this id.
    case noSuchVault(VaultID)
    /// The vault holds something else than the request is for.
    case wrongKind(VaultID, VaultKind)
    /// The vault was made for another chain.
    case wrongChain(ChainName)
    /// A vault with this id is here already.
    case alreadyThere(VaultID)
    /// No item has this id.
    case noSuchItem(ItemID)
    /// The name cannot be one; why, at most 256 bytes.
    case badName(String)
    /// The name that was given is not the vault's.
    case wrongName
    /// The address cannot be one of this chain; why, at most 256 bytes.
    case badAddress(String)
    /// The wallet has no such address among the first so many of each branch.
    case notOwnAddress(depth: UInt32)
    /// The message is not signed, or not in this form; why, at most 256 bytes.
    case badMessage(String)
    /// Addresses beyond the last index, or too many at once.
    case badRange
    /// So many words make no phrase.
    case wordCount(Int)
    /// Nothing that this console may see waits under this number.
    case noSuchEntry(EntryID)
    /// It waits no longer, since it was decided.
    case decided(DecidedEntry)
    /// What was approved was not signed; why, at most 256 bytes.
    case notSigned(SigningFault, String)

    // MARK: What came through the pipes
    /// Nothing came through the pipe in time, or this field was not in it.
    case missingField(SecretField)
    /// The field cannot be what it is for: the place of the slip counted from 1, or 0, and why.
    case malformed(SecretField, place: UInt32, String)
    /// A descriptor was not handed over before the request.
    case notHandedOver(Handover)
    /// The new password breaks a rule, at most 256 bytes.
    case passwordRule(String)
    /// The output did not take what was written.
    case outputFailed
    /// The input cannot be read, or is not what it should be; why.
    case badInput(String)
    /// The input is larger than it may be.
    case tooLarge(found: UInt64, allowed: UInt64)
    /// The passphrase of a wallet cannot be changed.
    case passphraseIsFixed

    // MARK: Ways in
    /// The password is wrong: failures so far, seconds to wait now.
    case wrongPassword(failures: UInt32, wait: UInt32)
    /// No attempt is taken yet: seconds to wait.
    case mustWait(UInt32)
    /// The recovery code is of another kit.
    case wrongCode
    /// The secret key is of another kit.
    case wrongSecretKey

    // MARK: The state
    /// The file is there and is not what was written; why.
    case damaged(StateFile, String)
    /// The file was written by a newer version.
    case newerVersion(StateFile, UInt16)
    /// The file is not there, and must be.
    case missing(StateFile)
    /// The key file is not safe where it lies; why.
    case unsafeKey(StateFile, String)
    /// The ledger does not hold at this entry; why.
    case ledgerBroken(UInt64, String)

    // MARK: The machine
    /// Too little memory for Argon2id: MiB needed and free.
    case littleMemory(needed: UInt32, free: UInt32)
    /// The disk did not give what is kept on it; why.
    case diskUnread(String)
    /// The disk did not take the change; why.
    case diskFailed(String)
    /// The disk failed while it made the change, which the next start completes or takes back; why.
    case diskUncertain(String)
    /// Too many operations wait.
    case busy
    /// The worker ended without an answer; why.
    case workerFailed(String)
}

extension VaultRefusal {
    /// A new name that a person would take for that of another vault.
    public static func nameTaken(by id: VaultID, called name: String) -> VaultRefusal {
        .badName("vault \(id) is called \(VisibleText(name, limit: 40)) already")
    }

    /// As what the ledger knows a wrong way in for which nothing is counted; nil for all else.
    public var ledgerCode: String? {
        switch self {
        case .wrongCode: "wrong-code"
        case .wrongSecretKey: "wrong-secret-key"
        default: nil
        }
    }
}

/// What a console hands over before it asks.
public enum Handover: UInt8, CaseIterable, Hashable, Sendable {
    /// The pipe that secrets come from.
    case secrets = 1
    /// The pipe or file that is written.
    case output = 2
    /// The pipe or file that is read.
    case input = 3
}

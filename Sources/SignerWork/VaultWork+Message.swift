import Accounts
import Bitcoin
import Hashing
import KeyTree
import Messages
import Pairing
import SecretMemory
import Signing
import SigningWork
import StateFiles
import Vault

/// What is signed, by what the wallet's public side says of its address.
struct MessagePlace {
    let message: MessageText
    let address: Address
    let form: MessageForm
    /// From the master key to the address's key.
    let path: DerivationPath
    /// The account, the path and the address, for the person.
    let row: IndexRow
}

extension VaultWork {
    // MARK: Before the password is read

    /// Holds a message to what may be signed, and finds its address among the wallet's own.
    func place(
        of message: MessageToSign, _ id: VaultID, _ keys: borrowing WorkKeys
    ) throws(VaultRefusal) -> MessagePlace {
        let text: MessageText
        do throws(MessageText.Fault) {
            text = try MessageText(message.message)
        } catch {
            throw .badMessage(error.description)
        }
        let address = try ownAddress(message.address)
        guard let kind = AccountChoice(payingLike: address.scriptPubKey) else {
            throw .badAddress("only addresses of one key are derived from a wallet alone")
        }
        let form = try message.form(for: kind)
        let wallet = try pairedWallet(id, keys)
        let depth = min(max(message.depth, 1), VaultWork.deepestSearch)
        guard let place = wallet.place(of: address.scriptPubKey, kind, depth) else {
            throw .notOwnAddress(depth: depth)
        }
        let account = place.account.kind.path(on: wallet.network)
        let steps = [place.branch.rawValue, place.index].map { ChildNumber(rawValue: $0) }
        guard let path = try? DerivationPath(account.steps + steps) else { throw .badRange }
        return MessagePlace(
            message: text, address: address, form: form, path: path,
            row: wallet.row(place.account, place.branch, place.index, address.text))
    }

    private func ownAddress(_ text: String) throws(VaultRefusal) -> Address {
        do throws(AddressError) {
            return try Address(text, network: Network(order.chain))
        } catch {
            throw .badAddress(error.description)
        }
    }

    // MARK: Signing

    /// Signs a message by the key of an address, which is derived again and held to the address.
    func sign(
        _ message: MessageToSign, _ id: VaultID, _ device: borrowing DeviceKey,
        _ keys: borrowing WorkKeys, _ secrets: borrowing SecretFields
    ) throws(VaultRefusal) -> WorkDone {
        let place = try place(of: message, id, keys)
        let open = try open(id, device, secrets)
        let signature = try signature(place, try body(id, open), id)
        let digest = SHA256.hash(message.message)
        return WorkDone(
            .messageSigned(
                MessageSignature(
                    row: place.row, form: place.form, digest: digest, signature: signature)),
            [resetAttempts(id, device)],
            records: [
                record(.messageSigned(address: place.address.text, digest: digest), of: id)
            ])
    }

    private func signature(
        _ place: MessagePlace, _ body: borrowing VaultBody, _ id: VaultID
    ) throws(VaultRefusal) -> String {
        let context = SigningContext()
        let key: ExtendedPrivateKey
        do throws(ExtendedKeyError) {
            // A vault without keys was refused before.
            guard let master = try body.masterKey(on: Network(order.chain), context) else {
                throw ExtendedKeyError.tooDeep
            }
            key = try master.derive(place.path, context)
        } catch {
            throw .workerFailed("\(error)")
        }
        return try signature(place, key.key, id, context)
    }

    private func signature(
        _ place: MessagePlace, _ key: borrowing SecretKey, _ id: VaultID,
        _ context: borrowing SigningContext
    ) throws(VaultRefusal) -> String {
        let bytes = place.message.bytes
        let script = place.address.scriptPubKey
        do throws(MessageSigningError) {
            switch place.form {
            case .bip137: return try key.signBIP137(bytes, for: place.address, context)
            case .bip322Simple:
                let signed = try key.signBIP322(bytes, scriptPubKey: script, context)
                return SignedMessage.encodeSimple(signed.inputs[0].witness)
            case .bip322Full:
                return SignedMessage.encodeFull(
                    try key.signBIP322(bytes, scriptPubKey: script, context))
            }
        } catch {
            // The form fits the address, so the index is of another wallet.
            guard case .signing(let failure) = error else { throw .missing(.index(id)) }
            throw .workerFailed("\(failure)")
        }
    }
}

extension MessageToSign {
    /// The form that was asked for, or the one that most programs verify for such an address.
    fileprivate func form(for kind: AccountChoice) throws(VaultRefusal) -> MessageForm {
        switch (kind, form) {
        case (.legacy, nil): .bip137
        case (_, nil): .bip322Simple
        case (.taproot, .bip137?):
            throw .badMessage("BIP137 has no form for taproot addresses; use bip322")
        case (.legacy, .bip322Simple?):
            throw .badMessage(
                "the simple form of BIP322 has no room for legacy addresses; use bip322-full or "
                    + "bip137")
        case (_, let form?): form
        }
    }
}

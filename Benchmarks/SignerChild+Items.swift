import Glibc
import LinuxIO
import Messages
import StateFiles

extension SignerChild {
    /// Makes a vault for items.
    func createItems() throws -> VaultID {
        let secrets = Person.fields([(.newPassword, SignerChild.password)])
        let request = VaultRequest.create(
            NewVault(kind: .items, name: "papers", kdf: .pbkdf2), words: 0, usesDice: false,
            hasPassphrase: false)
        let (answer, _) = try Person(console).operate(request, secrets) {}
        guard case .made(let id, _, _, _) = answer else {
            throw ChildProgram.Failure(what: "no vault: \(answer)")
        }
        return id
    }

    /// Seals a file.
    func addItem(from path: String, bytes: Int, to vault: VaultID) throws -> ItemID {
        let answer = try move(
            .itemsAdd(vault), [(.itemName, path), (.itemSize, String(bytes))], .input,
            try file(path, O_RDONLY))
        guard case .itemAdded(let item, _) = answer else {
            throw ChildProgram.Failure(what: "no item: \(answer)")
        }
        return item
    }

    /// Opens an item into a file.
    func getItem(_ item: ItemID, of vault: VaultID, into path: String) throws {
        _ = try move(
            .itemsGet(vault, item), [], .output, try file(path, O_WRONLY | O_CREAT | O_TRUNC))
    }

    /// Hardly more than the derivation from the password, as a list of few items is.
    func listItems(of vault: VaultID) throws {
        let secrets = Person.fields([(.password, SignerChild.password)])
        _ = try Person(console).operate(.itemsList(vault), secrets) {}
    }

    private func file(_ path: String, _ flags: Int32) throws -> FileDescriptor {
        let number = Glibc.open(path, flags | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw ChildProgram.Failure(what: "\(path): \(Errno(errno))") }
        return FileDescriptor(owning: number)
    }

    private func move(
        _ request: VaultRequest, _ fields: [(SecretField, String)], _ way: ConsoleRequest,
        _ file: consuming FileDescriptor
    ) throws -> VaultAnswer {
        let person = Person(console)
        try person.hand(Person.fields([(.password, SignerChild.password)] + fields))
        try console.send(way, passing: file, at: Kernel.timeSinceBoot())
        try console.send(.operation(request), at: Kernel.timeSinceBoot())
        let reply = try person.answer(through: nil, meanwhile: look).reply
        guard case .operationAnswer(.success(let answer)) = reply else {
            throw ChildProgram.Failure(what: "refused: \(reply)")
        }
        return answer
    }
}

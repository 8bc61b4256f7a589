import Messages
import SecretMemory
import SignerWork
import StateFiles
import Testing
import Vault

/// A machine without processes: the files of a signer, and operations done to them as the broker has
/// them done.
final class TestMachine {
    var state: [StateFile: [UInt8]] = [:]
    var chain = ChainName.mainnet
    var schedule = AttemptSchedule.standard
    var time: UInt64 = 1_800_000_000
    var freeMemory: UInt64?
    /// What came through the pipe to the person last, by its fields.
    private(set) var output: [SecretFields.Tag: String] = [:]
    /// The changes of the last operation, the count of the attempt not among them.
    private(set) var changes: [StateChange] = []

    static let password = "Correct horse 1"
    static let abandon =
        "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon "
        + "about"

    /// Counts the attempt if it is one, carries the request out and keeps the changes.
    func ask(
        _ request: VaultRequest, _ fields: [SecretFields.Tag: String] = [:],
        input: [UInt8] = []
    ) throws -> VaultAnswer {
        if request.takesPassword {
            let count = try count(request)
            if let id = request.vault { state[.attempts(id)] = count.next }
        }
        let ports = TestPorts(self, fields, input)
        let result = SignerWork.perform(order(.carryOut, request), through: ports)
        output = try ports.fields()
        switch result {
        case .done(let answer, let changes):
            apply(changes, ports)
            return answer
        case .refused(let refusal, let changes):
            apply(changes, ports)
            throw refusal
        case .counted: throw VaultRefusal.workerFailed("counted")
        }
    }

    /// The first stage alone: nothing is kept.
    func count(_ request: VaultRequest) throws -> AttemptCount {
        switch SignerWork.perform(order(.count, request), through: TestPorts(self, [:], [])) {
        case .counted(let count): return count
        case .refused(let refusal, _): throw refusal
        case .done: throw VaultRefusal.workerFailed("done")
        }
    }

    private func order(_ stage: WorkOrder.Stage, _ request: VaultRequest) -> WorkOrder {
        WorkOrder(
            stage: stage, request: request, chain: chain, schedule: schedule, time: time, uid: 1000,
            freeMemory: freeMemory,
            files: state.filter { !$0.key.isKey && !$0.key.isLarge },
            present: Set(state.keys), deviceKey: key(.deviceKey, request),
            indexKey: key(.indexKey, request))
    }

    /// A key is made where nothing was ever sealed under one, or where the request is for that.
    private func key(_ file: StateFile, _ request: VaultRequest) -> WorkOrder.Key {
        if state[file] != nil { return .present }
        switch request {
        case .adopt where file == .deviceKey, .rebuildIndex where file == .indexKey: return .new
        default: return state.isEmpty ? .new : .absent
        }
    }

    private func apply(_ changes: [StateChange], _ ports: TestPorts) {
        self.changes = changes
        for change in changes {
            switch change {
            case .put(let file, let bytes): state[file] = bytes
            case .remove(let file): state[file] = nil
            case .append(let file, let offset, let bytes):
                let old = state[file] ?? []
                precondition(old.count >= Int(offset))
                state[file] = Array(old[..<Int(offset)]) + bytes
            case .adopt(let file):
                precondition(ports.staged[file] != nil)
                state[file] = ports.staged[file]
            case .copy(let file, let other): state[other] = state[file]
            }
        }
    }

    // MARK: Shortcuts

    /// Makes a wallet and returns its id.
    func create(
        name: String = "Savings", words: UInt8 = 12, password: String = TestMachine.password
    ) throws -> VaultID {
        let new = Messages.NewVault(name: name, kdf: .pbkdf2)
        let answer = try ask(
            .create(new, words: words, usesDice: false, hasPassphrase: false),
            [.newPassword: password])
        return try answer.made
    }

    /// Imports the wallet of the words that many vectors use.
    func importAbandon(
        name: String = "Savings", passphrase: String? = nil, birthday: UInt64? = nil
    ) throws -> VaultID {
        let new = Messages.NewVault(name: name, kdf: .pbkdf2, birthday: birthday)
        var fields: [SecretFields.Tag: String] = [
            .newPassword: TestMachine.password, .words: TestMachine.abandon,
        ]
        fields[.passphrase] = passphrase
        return try ask(.importWords(new, hasPassphrase: passphrase != nil), fields).made
    }

    /// The words of a wallet, shown with the password.
    func words(_ id: VaultID, password: String = TestMachine.password) throws -> String {
        _ = try ask(.showPhrase(id), [.password: password])
        return try #require(output[.words])
    }
}

extension VaultAnswer {
    /// The id of a vault that was made.
    var made: VaultID {
        get throws {
            guard case .made(let id, _, _, _) = self else {
                throw VaultRefusal.workerFailed("\(self)")
            }
            return id
        }
    }

    /// The remarks beside an answer.
    var remarks: [String] {
        switch self {
        case .done(let remarks), .made(_, _, _, let remarks): remarks
        default: []
        }
    }
}

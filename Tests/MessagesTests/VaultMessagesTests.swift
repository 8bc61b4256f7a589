import Messages
import StateFiles
import Testing
import Wire

@Suite("Messages about vaults")
struct VaultMessagesTests {
    private func id<Named>(_ first: UInt8) throws -> Identifier<Named> {
        try #require(Identifier<Named>(Array(first..<first + 16)))
    }

    private func requests() throws -> [VaultRequest] {
        let vault = try id(0) as VaultID
        let item = try id(16) as ItemID
        let new = NewVault(kind: .items, name: "näme", kdf: .pbkdf2, birthday: 1_231_006_505)
        return [
            .list, .index(vault),
            .addresses(vault, AddressRange(.taproot, isChange: true, first: 7, count: 9)),
            .findAddress("bc1p", depth: 1000),
            .create(new, words: 24, usesDice: true, hasPassphrase: false),
            .importWords(new, hasPassphrase: true), .importXprv(new), .showPhrase(vault),
            .changePassword(vault, .argon2id), .rename(vault, name: "other"),
            .delete(vault, name: "näme"), .newKit(vault), .openWithCode(vault, .pbkdf2),
            .adopt(vault), .rebuildIndex(vault), .backup(vault), .restoreCheck(vault),
            .restore(vault),
            .ledgerList(from: 3, count: 4), .ledgerExport, .ledgerVerify, .itemsAdd(vault),
            .itemsList(vault), .itemsGet(vault, item), .itemsRemove(vault, item),
            .approve(
                Samples.entry,
                PSBTApproval(
                    file: Samples.digest, report: .zero, wallet: vault,
                    accepted: ["fee-share-high", "data-large"]), wantsTransaction: true),
            .signMessage(vault, MessageToSign([1, 2], address: "bc1q", depth: 9)),
            .importedLedgers, .importedLedger(try id(3), .list(from: 7, count: 8)),
            .importedLedger(try id(3), .export), .importedLedger(try id(3), .verify),
        ]
    }

    @Test("Every request comes back as it was sent")
    func requestsComeBack() throws {
        let requests = try requests()
        #expect(Set(requests.map { ConsoleRequest.operation($0).frame.body[0] }) == Set(1...29))
        for request in requests {
            let message = ConsoleRequest.operation(request)
            #expect(try ConsoleRequest(message.frame) == message)
            #expect(message.frame.body.count <= MessageKind.consoleOperation.row.limit)
        }
    }

    @Test("The longest request is as long as the row allows")
    func longestRequest() throws {
        let new = NewVault(name: String(repeating: "n", count: 300), birthday: .max)
        let longest = ConsoleRequest.operation(
            .create(new, words: 12, usesDice: true, hasPassphrase: true))
        #expect(longest.frame.body.count <= MessageKind.consoleOperation.row.limit)
        let codes = (0..<100).map { String(repeating: "c", count: 40) + "\($0)" }
        let approval = PSBTApproval(
            file: .zero, report: .zero, wallet: try id(0),
            accepted: Set(codes.map { String($0.suffix(32)) }))
        let approve = ConsoleRequest.operation(
            .approve(Samples.entry, approval, wantsTransaction: false))
        #expect(approve.frame.body.count > 3000)
        #expect(approve.frame.body.count <= MessageKind.consoleOperation.row.limit)
        let message = MessageToSign(
            [UInt8](repeating: 1, count: 70_000), address: String(repeating: "b", count: 300),
            form: .bip322Full, depth: .max)
        let sign = ConsoleRequest.operation(.signMessage(try id(0), message))
        #expect(sign.frame.body.count == MessageKind.consoleOperation.row.limit)
        #expect(throws: Never.self) { try ConsoleRequest(sign.frame) }
    }

    @Test("Every answer comes back as it was sent, and the longest one fits")
    func answers() throws {
        let vault = try id(0) as VaultID
        let long = String(repeating: "w", count: 2000)
        let vaults = VaultRow(
            id: vault, kind: .wallet, chain: .signet, createdAt: 1, name: long, problem: long)
        let index = IndexRow(title: long, path: long, value: long)
        let ledger = LedgerRow(counter: 1, time: 2, vault: vault, text: long)
        let restored = RestoreRow(what: long, effect: .kept, count: 3)
        let found = FoundAddress(vault: vault, name: long, isChange: true, row: index)
        let remarks = Array(repeating: long, count: 20)
        let imported = ImportedLedgerRow(
            id: try id(0), entries: 7, vaults: Array(repeating: vault, count: 300))
        let signature = MessageSignature(
            row: index, form: .bip137, digest: Samples.digest, signature: long)
        let answers: [VaultAnswer] = [
            .done(remarks: remarks), .vaults(Array(repeating: vaults, count: 300)),
            .index(fingerprint: "0123456789", Array(repeating: index, count: 300)),
            .made(vault, fingerprint: "x", Array(repeating: index, count: 300), remarks: remarks),
            .ledger(Array(repeating: ledger, count: 300), last: 9),
            .ledgerHolds(entries: 1, head: Samples.digest, remarks: ["a sentence"]),
            .restored(vault, Array(repeating: restored, count: 300), remarks: remarks),
            .backedUp(bytes: 1, digest: Samples.digest, items: 2, remarks: remarks),
            .itemAdded(try id(16), bytes: 5), .written(6),
            .searched(Array(repeating: found, count: 300), depth: 9, remarks: remarks),
            .signed(
                SigningAnswer(
                    entry: Samples.entry, signatures: 3, txid: Samples.digest, fileBytes: 4,
                    transactionBytes: 5, remarks: remarks)),
            .messageSigned(signature), .importedLedgers(Array(repeating: imported, count: 70)),
        ]
        #expect(
            Set(answers.map { ConsoleReply.operationAnswer(.success($0)).frame.body[1] })
                == Set(1...14))
        for answer in answers {
            let frame = ConsoleReply.operationAnswer(.success(answer)).frame
            #expect(frame.body.count <= MessageKind.consoleOperationAnswer.row.limit)
            let cut = try ConsoleReply(frame)
            #expect(try ConsoleReply(cut.frame) == cut)
            #expect(cut.frame == frame)
        }
    }

    private func refusals() throws -> [VaultRefusal] {
        let vault = try id(0) as VaultID
        return [
            .noSuchVault(vault), .wrongKind(vault, .items), .wrongChain(.testnet4),
            .alreadyThere(vault), .noSuchItem(try id(16)), .badName("it is empty"), .wrongName,
            .badAddress("its checksum is wrong"), .badRange, .notOwnAddress(depth: 9),
            .badMessage("it is a PSBT"),
            .decided(DecidedEntry(Samples.entry, .expired, ago: 1)),
            .noSuchEntry(Samples.entry), .notSigned(.otherReport, "the review says something else"),
            .wordCount(13), .missingField(.password),
            .malformed(.recoveryCode, place: 3, "the group does not check"),
            .malformed(.xprv, place: 0, "it is for another network"),
            .notHandedOver(.output), .passwordRule("it has 7 characters, 8 are needed"),
            .outputFailed, .badInput("it is no backup"), .tooLarge(found: 2, allowed: 1),
            .passphraseIsFixed, .wrongPassword(failures: 6, wait: 4), .mustWait(300), .wrongCode,
            .wrongSecretKey, .damaged(.vault(vault), "x"), .newerVersion(.vault(vault), 2),
            .missing(.deviceKey), .unsafeKey(.deviceKey, "its owner is 1000"),
            .ledgerBroken(7, "x"), .littleMemory(needed: 192, free: 90), .diskFailed("full"),
            .diskUnread("EIO"),
            .diskUncertain("it failed"),
            .busy, .workerFailed("signal 9 ended it"),
        ]
    }

    @Test("Every refusal comes back as it was sent")
    func refusalsComeBack() throws {
        var numbers: [UInt8] = []
        for refusal in try refusals() {
            let message = ConsoleReply.operationAnswer(.failure(refusal))
            #expect(try ConsoleReply(message.frame) == message)
            numbers.append(message.frame.body[1])
        }
        #expect(Set(numbers) == Set(1...23).union(32...35).union(48...52).union(64...69))
    }

    @Test("Every refusal is whole sentences that end well and name their numbers")
    func sentences() throws {
        for refusal in try refusals() {
            let sentence = refusal.sentence
            #expect(sentence.count > 20)
            #expect(sentence.last == ".")
            #expect(
                sentence.first?.isUppercase == true || sentence.hasPrefix("device.key")
                    || sentence.hasPrefix("index.key"))
            #expect(!sentence.contains("\n"))
        }
        #expect(VaultRefusal.mustWait(300).sentence.contains("5 minutes"))
        #expect(VaultRefusal.mustWait(32).sentence.contains("32 seconds"))
        #expect(
            VaultRefusal.littleMemory(needed: 192, free: 90).sentence.contains("--kdf pbkdf2"))
        let gone = VaultRefusal.missing(.attempts(try id(0))).sentence
        #expect(gone.contains("recovery kit"))
        #expect(VaultRefusal.missing(.deviceKey).sentence.contains("bulkhead wallet adopt"))
    }

    @Test("A worker's result with its changes comes back as it was sent")
    func results() throws {
        let vault = try id(0) as VaultID
        let changes: [StateChange] = [
            .put(.attempts(vault), [1]), .remove(.index(vault)),
            .append(.ledgerEntries, at: 3, [4]),
            .adopt(.item(vault, try id(16))),
        ]
        for result in [
            VaultResult.done(.done(remarks: ["x"]), changes),
            .refused(.wrongPassword(failures: 1, wait: 0), changes), .refused(.busy, []),
            .signed([7, 8, 9], changes),
            .paired([PairedAccounts(vault: vault, file: "tr(…)")]),
        ] {
            let message = WorkReport.vault(result)
            #expect(try WorkReport(message.frame) == message)
        }
    }

    @Test("A count of changes asks for no more memory than came")
    func manyChanges() throws {
        var body = WorkReport.vault(.refused(.busy, [])).frame.body
        body.replaceSubrange(body.count - 4..<body.count, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(throws: ChannelViolation.self) {
            try WorkReport(Frame(kind: .workVault, body: body))
        }
    }
}

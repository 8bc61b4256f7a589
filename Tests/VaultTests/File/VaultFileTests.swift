import SecretMemory
import StateFiles
import Testing

@testable import Vault

@Suite("Vault files")
struct VaultFileTests {
    private static let passwordSlot = 64..<240
    private static let recoverySlot = 240..<416

    /// Where two files of one length differ.
    private static func differences(_ left: VaultFile, _ right: VaultFile) -> [Int] {
        let (left, right) = (left.bytes, right.bytes)
        #expect(left.count == right.count)
        return left.indices.filter { left[$0] != right[$0] }
    }

    @Test("a vault opens by its password and by its code, and holds what it was made from")
    func open() throws {
        for (file, inputs) in [
            (Samples.wordsFile, Samples.words), (Samples.itemsFile, Samples.items),
        ] {
            let vault = try VaultFile(file.bytes).checkOuter(inputs.key)
            let byPassword = try vault.open(password: secret(inputs.password))
            let byCode = try vault.open(code: inputs.code)
            let isSame = byPassword.bytes.isEqual(to: byCode.bytes)
            #expect(isSame)
            #expect(try sameJSON(contents(of: vault, byCode), inputs.contents))
            #expect(file.passwordCost == inputs.cost)
        }
    }

    @Test("a wrong password, a wrong code and a wrong secret key are told apart")
    func wrong() throws {
        let vault = try Samples.shortFile.checkOuter(Samples.short.key)
        #expect(throws: VaultError.wrongPassword) {
            _ = try vault.open(password: secret(Samples.short.password + " "))
        }
        #expect(throws: VaultError.wrongCode) { _ = try vault.open(code: .random()) }
        #expect(throws: VaultError.wrongSecretKey) {
            _ = try Samples.shortFile.checkOuter(.random())
        }
        let isOwn = Samples.short.key.belongs(to: Samples.shortFile.header)
        let isOther = Samples.words.key.belongs(to: Samples.shortFile.header)
        #expect(isOwn)
        #expect(!isOther)
    }

    @Test("Argon2id to PBKDF2 and back changes the password slot and nothing else")
    func derivations() throws {
        let first = Samples.wordsFile
        let vault = try first.checkOuter(Samples.words.key)
        let masterKey = try vault.open(code: Samples.words.code)
        let password = secret("another Password")
        let second = try vault.replacingPassword(password, cost: .pbkdf2, masterKey: masterKey)
        #expect(second.passwordCost == .pbkdf2)
        let third = try second.checkOuter(Samples.words.key)
            .replacingPassword(password, cost: .standard, masterKey: masterKey)
        #expect(third.passwordCost == .standard)
        for (left, right) in [(first, second), (second, third), (first, third)] {
            let differences = Self.differences(left, right)
            #expect(differences.allSatisfy(Self.passwordSlot.contains))
            #expect(differences.count > 100)
        }
        for file in [second, third] {
            let changed = try VaultFile(file.bytes).checkOuter(Samples.words.key)
            let opened = try changed.open(password: password)
            let isSame = opened.bytes.isEqual(to: masterKey.bytes)
            #expect(isSame)
            _ = try changed.open(code: Samples.words.code)
            #expect(throws: VaultError.wrongPassword) {
                _ = try changed.open(password: secret(Samples.words.password))
            }
        }
    }

    @Test("a new code changes the recovery slot and nothing else, and kills the code before")
    func newCode() throws {
        let vault = try Samples.shortFile.checkOuter(Samples.short.key)
        let masterKey = try vault.open(code: Samples.short.code)
        let code = RecoveryCode.random()
        let file = try vault.replacingRecoveryCode(code, masterKey: masterKey)
        #expect(
            Self.differences(Samples.shortFile, file).allSatisfy(Self.recoverySlot.contains))
        let changed = try file.checkOuter(Samples.short.key)
        _ = try changed.open(code: code)
        _ = try changed.open(password: secret(Samples.short.password))
        #expect(throws: VaultError.wrongCode) { _ = try changed.open(code: Samples.short.code) }
    }

    @Test("the same password makes another slot each time")
    func fresh() throws {
        let vault = try Samples.shortFile.checkOuter(Samples.short.key)
        let masterKey = try vault.open(code: Samples.short.code)
        let files = try (0..<2).map { _ in
            try vault.replacingPassword(
                secret("Same password"), cost: .pbkdf2, masterKey: masterKey)
        }
        #expect(files[0].passwordSlot.salt != files[1].passwordSlot.salt)
        #expect(files[0].passwordSlot.sealed != files[1].passwordSlot.sealed)
    }

    @Test("costs are bounded both ways where a slot is made and where one is read")
    func costs() throws {
        let allowed: [PasswordCost] = [
            .argon2id(passes: 2, memoryKiB: 65_536), .argon2id(passes: 16, memoryKiB: 1_048_576),
            .pbkdf2(iterations: 600_000), .pbkdf2(iterations: 20_000_000),
        ]
        for cost in allowed { try cost.check() }
        let refused: [PasswordCost] = [
            .argon2id(passes: 1, memoryKiB: 131_072), .argon2id(passes: 17, memoryKiB: 131_072),
            .argon2id(passes: 3, memoryKiB: 65_535), .argon2id(passes: 3, memoryKiB: 1_048_577),
            .argon2id(passes: .max, memoryKiB: .max), .argon2id(passes: 0, memoryKiB: 0),
            .pbkdf2(iterations: 599_999), .pbkdf2(iterations: 20_000_001),
            .pbkdf2(iterations: 0), .pbkdf2(iterations: .max),
        ]
        let vault = try Samples.shortFile.checkOuter(Samples.short.key)
        let masterKey = try vault.open(code: Samples.short.code)
        for cost in refused {
            #expect(throws: VaultError.absurdCost(cost)) {
                _ = try vault.replacingPassword(secret("x"), cost: cost, masterKey: masterKey)
            }
            var inputs = Samples.short
            inputs.cost = cost
            #expect(throws: VaultError.absurdCost(cost)) { _ = try inputs.create() }
            #expect(throws: VaultError.absurdCost(cost)) {
                try VaultFile(Self.withCost(cost, Samples.shortFile.bytes))
            }
        }
    }

    /// The file with other numbers in its password slot.
    private static func withCost(_ cost: PasswordCost, _ file: [UInt8]) -> [UInt8] {
        var file = file
        let (number, first, second): (UInt8, UInt32, UInt32) =
            switch cost {
            case .argon2id(let passes, let memoryKiB): (1, passes, memoryKiB)
            case .pbkdf2(let iterations): (2, iterations, 0)
            }
        file[65] = number
        for byte in 0..<4 {
            file[68 + byte] = UInt8(truncatingIfNeeded: first >> UInt32(8 * byte))
            file[72 + byte] = UInt8(truncatingIfNeeded: second >> UInt32(8 * byte))
        }
        return file
    }

    @Test("the size of a file tells little: it grows by steps of 256 bytes")
    func sizes() throws {
        var inputs = Samples.short
        var sizes: Set<Int> = []
        for count in [0, 1, 100, 200, 400, 1024] {
            inputs.passphrase = String(repeating: "p", count: count)
            let body = try inputs.body().encoded()
            #expect(body.count.isMultiple(of: 256))
            sizes.insert(body.count)
        }
        #expect(sizes == [256, 512, 1280])
        #expect(Samples.shortFile.bytes.count == VaultFile.sizes.lowerBound)
    }
}

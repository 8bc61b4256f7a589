import StateFiles
import TestSupport
import Testing

@testable import Vault

/// What refuses here gets no password and no code: nothing could be derived, and no attempt has been
/// counted when a person is told of the damage.
@Suite("Damaged files")
struct DamageTests {
    private static func check(_ file: [UInt8], _ inputs: VaultInputs) throws(VaultError) {
        _ = try VaultFile(file).checkOuter(inputs.key)
    }

    @Test("a vault with any one bit flipped is refused before a password is asked for")
    func vaultBits() throws {
        var flips = 0
        for (file, inputs) in [
            (Samples.wordsFile, Samples.words), (Samples.shortFile, Samples.short),
            (Samples.itemsFile, Samples.items),
        ] {
            try Self.check(file.bytes, inputs)
            eachBitFlip(of: file.bytes) { changed, bit in
                #expect(throws: VaultError.self, "bit \(bit)") { try Self.check(changed, inputs) }
                flips += 1
            }
        }
        #expect(flips == 3 * 732 * 8)
    }

    @Test("a vault that was cut or has bytes behind it is refused")
    func vaultLengths() {
        let inputs = Samples.words
        eachWrongLength(of: Samples.wordsFile.bytes) { changed in
            #expect(throws: VaultError.self) { try Self.check(changed, inputs) }
        }
    }

    @Test("a vault that was changed in many ways is refused, and nothing traps")
    func vaultMutations() {
        var generator = SeededGenerator(seed: 4)
        let file = Samples.shortFile.bytes
        for _ in 0..<5000 {
            let changed = generator.mutated(file)
            guard changed != file else { continue }
            #expect(throws: VaultError.self) { try Self.check(changed, Samples.short) }
        }
    }

    @Test("a damaged part is named")
    func partNames() throws {
        func error(at byte: Int) -> VaultError? {
            var file = Samples.wordsFile.bytes
            file[byte] ^= 1
            return vaultError { try Self.check(file, Samples.words) }
        }
        #expect(error(at: 0) == .notThisKind(.vault))
        #expect(error(at: 20) == .wrongSecretKey)
        #expect(error(at: 30) == .damaged(.passwordSlot))
        #expect(error(at: 40) == .wrongSecretKey)
        #expect(error(at: 60) == .malformed(.vault, position: 60))
        #expect(error(at: 64 + 100) == .damaged(.passwordSlot))
        #expect(error(at: 64 + 176 + 20) == .damaged(.recoverySlot))
        #expect(error(at: 64 + 352) == .malformed(.vault, position: 64 + 352))
        #expect(error(at: 64 + 352 + 40) == .damaged(.body))
    }

    @Test("parts of another vault do not fit, not even under the same secret key")
    func foreignParts() throws {
        var other = VaultInputs.fixed("phrase")
        other.entropy = Samples.words.entropy
        other.cost = .pbkdf2
        other.createdAt = Samples.words.createdAt + 1
        let foreign = try other.create().file.bytes
        let own = Samples.wordsFile.bytes
        for part in [64..<240, 240..<416, 416..<own.count] {
            let mixed = Array(own[..<part.lowerBound] + foreign[part] + own[part.upperBound...])
            #expect(throws: VaultError.self) { try Self.check(mixed, Samples.words) }
        }
        let swapped = Array(own[..<64] + own[240..<416] + own[64..<240] + own[416...])
        #expect(throws: VaultError.malformed(.vault, position: 64)) {
            try Self.check(swapped, Samples.words)
        }
    }

    // MARK: The small files

    private static let id = VaultID.fixed("small")
    private static let device = fixedBytes("device", count: 32)
    private static let index = fixedBytes("index", count: 32)

    private static func open(_ file: StateFile, _ bytes: [UInt8]) throws {
        switch file {
        case .secretKey:
            _ = try VaultSecretKey(sealed: bytes, for: id, under: DeviceKey(secret(device)))
        case .attempts:
            _ = try AttemptsRecord(sealed: bytes, for: id, under: DeviceKey(secret(device)))
        case .name: _ = try VaultName(sealed: bytes, for: id, under: IndexKey(secret(index)))
        default: _ = try PublicIndex(sealed: bytes, for: id, under: IndexKey(secret(index)))
        }
    }

    private static func files(of id: VaultID) throws -> [(StateFile, [UInt8])] {
        let deviceKey = try DeviceKey(secret(device))
        let indexKey = try IndexKey(secret(index))
        return [
            (
                .secretKey(id),
                VaultSecretKey(secret(fixedBytes("secret", count: 32)))
                    .sealed(for: id, under: deviceKey)
            ),
            (
                .attempts(id),
                AttemptsRecord(failures: 3, waitSeconds: 0).sealed(for: id, under: deviceKey)
            ),
            (.name(id), try VaultName("Savings").sealed(for: id, under: indexKey)),
            (
                .index(id),
                try #require(try PublicIndex(of: Samples.short.body(), on: .signet, .init()))
                    .sealed(for: id, under: indexKey)
            ),
        ]
    }

    @Test("a small file with any one bit flipped is refused")
    func smallFileBits() throws {
        var flips = 0
        for (file, bytes) in try Self.files(of: Self.id) {
            try Self.open(file, bytes)
            eachBitFlip(of: bytes) { changed, bit in
                #expect(throws: VaultError.self, "\(file) bit \(bit)") {
                    try Self.open(file, changed)
                }
                flips += 1
            }
        }
        #expect(flips == (86 + 62 + 67 + 4793) * 8)
    }

    @Test("a small file that was cut or has bytes behind it is refused")
    func smallFileLengths() throws {
        for (file, bytes) in try Self.files(of: Self.id) {
            eachWrongLength(of: bytes) { changed in
                #expect(throws: VaultError.self, "\(file)") { try Self.open(file, changed) }
            }
        }
    }

    @Test("a small file of another vault is noticed, under its own id and under a forged one")
    func swapped() throws {
        let other = VaultID.fixed("other")
        let parts: [SealedPart] = [.secretKey, .attempts, .name, .index]
        for ((file, bytes), part) in zip(try Self.files(of: other), parts) {
            #expect(throws: VaultError.otherVault(part)) { try Self.open(file, bytes) }
            let renamed = Array(bytes[..<10]) + Self.id.bytes + Array(bytes[26...])
            #expect(throws: VaultError.damaged(part)) { try Self.open(file, renamed) }
        }
    }

    @Test("a file of another kind is refused")
    func kinds() throws {
        let files = try Self.files(of: Self.id)
        for (file, _) in files {
            for (kind, bytes) in files where kind != file {
                #expect(throws: VaultError.self, "\(kind) as \(file)") {
                    try Self.open(file, bytes)
                }
            }
        }
    }

    @Test("a newer version is refused with a sentence that says so")
    func versions() throws {
        for (file, bytes) in try Self.files(of: Self.id) {
            var newer = bytes
            newer[8] = 2
            let error = vaultError { try Self.open(file, newer) }
            #expect(error.map { "\($0)".contains("use a newer release") } == true)
        }
        var vault = Samples.wordsFile.bytes
        vault[9] = 1
        let error = vaultError { _ = try VaultFile(vault) }
        #expect(error == .newerVersion(.vault, found: 257, known: 1))
        vault[8] = 0
        vault[9] = 0
        #expect(throws: VaultError.malformed(.vault, position: 8)) { try VaultFile(vault) }
    }
}

import CLibcrypto
import Glibc
import LinuxIO
import SecretMemory
import StateFiles
import Vault

/// What opening a vault takes: time, and memory of the process that does it.
enum VaultBench {
    static func run() throws {
        for cost in [PasswordCost.standard, .pbkdf2] {
            try time(cost)
            try memory(cost)
        }
        bare()
    }

    private static let password = "Correct horse 7"

    private static func typed() -> SecretBytes {
        SecretBytes(count: password.utf8.count) { $0.copyBytes(from: password.utf8) }
    }

    /// Makes a vault and gives it to `body` once its outer layer is open.
    private static func withVault(
        _ cost: PasswordCost,
        _ body: (borrowing CheckedVault, borrowing VaultSecretKey) throws -> Void
    ) throws {
        guard let id = VaultID([UInt8](repeating: 1, count: VaultID.length)) else { return }
        let secretKey = VaultSecretKey.random()
        let vault = try VaultFile.create(
            id: id, network: .mainnet, createdAt: 0, body: VaultBody.items(), password: typed(),
            cost: cost, code: .random(), secretKey: secretKey)
        try body(try vault.file.checkOuter(secretKey), secretKey)
    }

    private static func time(_ cost: PasswordCost) throws {
        try withVault(cost) { vault, secretKey in
            let password = typed()
            try measure("open by \(cost)", times: 5) {
                _ = try vault.open(password: password)
            }
            guard cost == .standard else { return }
            try measure("check the outer layer alone", times: 200) {
                _ = try vault.file.checkOuter(secretKey)
            }
        }
    }

    /// The most memory of a process that makes and opens one vault, beside one that does nothing.
    private static func memory(_ cost: PasswordCost) throws {
        fflush(nil)
        let child = try Kernel.fork()
        if child == 0 {
            // Secrets do not cross a fork: the pages are empty and unlocked here.
            try? SecretMemory.prepare()
            let before = mebibytes()
            let isDone: Void? = try? withVault(cost) { vault, _ in
                _ = try vault.open(password: typed())
            }
            if isDone != nil {
                print("memory, \(cost): \(mebibytes()) MiB at most, \(before) MiB before")
            }
            fflush(nil)
            Kernel.exit(isDone == nil ? 1 : 0)
        }
        while try Kernel.reap(child) == nil { usleep(10_000) }
    }

    private static func mebibytes() -> Int {
        var usage = rusage()
        // RUSAGE_SELF, whose type differs between releases of glibc.
        getrusage(__rusage_who_t(0), &usage)
        return usage.ru_maxrss >> 10
    }

    /// PBKDF2 as libcrypto has it, the same work in one call.
    private static func bare() {
        var out = [UInt8](repeating: 0, count: 32)
        let salt = [UInt8](repeating: 1, count: 32)
        measure("libcrypto's PBKDF2, 600000 iterations", times: 5) {
            PKCS5_PBKDF2_HMAC(
                password, Int32(password.utf8.count), salt, Int32(salt.count), 600_000,
                EVP_sha256(), Int32(out.count), &out)
        }
    }
}

import Foundation
import Testing

/// What our own object files call before linking, told apart from what libcrypto and the Swift
/// runtime pull in. This is a lint: the wall is the kernel's.
@Suite("Symbols")
struct SymbolTests {
    /// Names that open a way out: other programs, sockets, other processes, raw system calls,
    /// code loading and stdio.
    static let dangerous: Set<String> = [
        "socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "sendto",
        "sendmsg", "recvmsg", "recvfrom", "getaddrinfo", "gethostbyname", "execve", "execv",
        "execvp", "execl", "fexecve", "posix_spawn", "posix_spawnp", "system", "popen", "fork",
        "vfork", "clone", "unshare", "setns", "mount", "umount2", "pivot_root", "chroot", "ptrace",
        "process_vm_readv", "process_vm_writev", "kill", "syscall", "dlopen", "dlsym", "mprotect",
        "printf", "fprintf", "puts", "fopen", "fwrite", "open", "openat", "open64", "openat64",
        "pthread_create", "setuid", "setresuid", "setgid", "setresgid", "getenv", "setenv",
    ]

    /// Module by module: the dangerous names that it may call, each with its reason. A module
    /// that has no row calls none of them.
    static let exceptions: [String: [String: String]] = [
        "CLinux": [
            "accept4": "people at the inherited listener",
            "open": "the directories that Landlock rules name, the signer's own, and /dev/null",
            "openat": "files below the signer's directory, by its descriptor",
            "recvmsg": "one descriptor where the catalogue allows it",
            "sendmsg": "one descriptor where the catalogue allows it",
            "syscall": "calls that glibc has no function for",
        ],
        "CNamespaces": [
            "setresgid": "a child of the keeper becomes its own group",
            "setresuid": "a child of the keeper becomes its own user",
            "syscall": "clone, pivot_root and capset, which glibc has no such functions for",
            "umount2": "the old root of a child",
        ],
        "CProbe": probes,
        "ConsoleRuntime": ["getenv": "HOME and the XDG directories, where the sockets are"],
        "LinuxIO": ["fork": "starts a worker", "kill": "ends a late worker"],
        "KeeperRuntime": [
            "execve": "becomes a child's program",
            "getenv": "HOME, the XDG directories, NOTIFY_SOCKET and JOURNAL_STREAM",
            "kill": "ends a child", "mount": "a child's private root",
            "sendto": "the service manager", "socket": "the service manager",
        ],
        "LocalSockets": [
            "bind": "the keeper's two sockets", "connect": "a person's command",
            "listen": "the keeper's two sockets", "socket": "the same", "socketpair": "the link",
        ],
        "NetworkTransport": [
            "connect": "peers and proxies", "recvfrom": "answers of name servers, for c-ares",
            "socket": "the same",
        ],
    ]

    /// The audit's attempts are to call what must not work, from inside the wall.
    private static let probes = Dictionary(
        uniqueKeysWithValues: [
            "bind", "connect", "execve", "fork", "kill", "listen", "mount", "open",
            "process_vm_readv", "ptrace", "setuid", "socket", "socketpair", "syscall", "unshare",
        ].map { ($0, "an attempt, or the child that makes it") })

    static let signingCalls: Set<String> = [
        "secp256k1_ecdsa_sign", "secp256k1_ecdsa_sign_recoverable", "secp256k1_schnorrsig_sign32",
        "secp256k1_schnorrsig_sign_custom", "secp256k1_keypair_create",
        "secp256k1_ec_seckey_tweak_add", "secp256k1_ec_pubkey_create",
    ]

    /// The folder that holds the objects and programs this test was linked with.
    static let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()

    static let modules = SourceTree.folders(in: "Sources").filter { module in
        FileManager.default.fileExists(atPath: products.appending(path: module + ".build").path)
    }

    @Test("every module of ours was compiled into objects that this test can read")
    func objectsExist() throws {
        #expect(Self.modules.count > 5)
        for module in Self.modules { #expect(try !calls(of: module).isEmpty, "\(module)") }
    }

    @Test("a module calls only the dangerous functions that its row gives a reason for")
    func dangerousCalls() throws {
        for module in Self.modules {
            let found = try calls(of: module).intersection(Self.dangerous)
            let allowed = Set((Self.exceptions[module] ?? [:]).keys)
            #expect(
                found == allowed, "\(module) calls \(found.sorted()), its row: \(allowed.sorted())")
        }
    }

    @Test("only Signing creates signatures or uses secret keys")
    func signing() throws {
        for module in Self.modules where module != "Signing" {
            let found = try calls(of: module).intersection(Self.signingCalls)
            #expect(found.isEmpty, "\(module) calls \(found.sorted())")
        }
        #expect(try !calls(of: "Signing").isDisjoint(with: Self.signingCalls))
    }

    @Test("the network process holds no code of the secret side", arguments: ["bulkhead-network"])
    func networkProgram(name: String) throws {
        let names = try run("nm", ["--defined-only", Self.products.appending(path: name).path])
        #expect(names.contains("$s4Wire"), "the check reads Swift symbols")
        for module in [
            "Signing", "KeyTree", "SecretMemory", "PSBTSigning", "SignerCore", "Vault",
            "SignerWork",
            "SigningWork",
        ] {
            #expect(!names.contains("$s\(module.count)\(module)"), "\(name) holds \(module)")
        }
    }

    /// What each program links besides the C library and Swift's runtime.
    static let libraries: [String: Set<String>] = [
        "bulkheadd": [],
        "bulkhead-signer": ["libcrypto", "libseccomp", "libsecp256k1", "libsodium"],
        "bulkhead-network": [
            "libcares", "libcrypto", "libcurl", "libseccomp", "libsecp256k1", "libsqlite3",
        ],
        "bulkhead": [
            "libcrypto", "libexiv2", "libhpdf", "libqrencode", "libseccomp", "libsecp256k1",
            "libsodium",
        ],
    ]

    static let programs = libraries.keys.sorted()

    @Test("a program links the libraries of its row and no others", arguments: programs)
    func linkedLibraries(name: String) throws {
        let path = Self.products.appending(path: name).path
        let rows = try run("readelf", ["--dynamic", "--wide", path]).split(separator: "\n")
        let needed = rows.filter { $0.contains("(NEEDED)") }.compactMap { row in
            row.split(separator: "[").last?.prefix { $0 != "]" }
        }
        #expect(needed.contains { $0.hasPrefix("libc.so") })
        let runtime = [
            "libc.", "libm.", "libdl.", "libpthread.", "libgcc_s.", "libstdc++.", "ld-linux",
            "libswift", "libdispatch", "libBlocksRuntime",
        ]
        let others = needed.filter { library in !runtime.contains { library.hasPrefix($0) } }
        // A version stands behind a dash or a dot.
        let names = others.map { String($0.prefix { $0 != "." && $0 != "-" }) }
        #expect(Set(names) == Self.libraries[name], "\(name)")
    }

    @Test("no program links Foundation, not even by another library", arguments: programs)
    func noFoundation(name: String) throws {
        let libraries = try run("ldd", [Self.products.appending(path: name).path])
        #expect(libraries.contains("libc.so"))
        #expect(!libraries.contains("Foundation"), "\(name)")
    }

    private func calls(of module: String) throws -> Set<String> {
        let folder = Self.products.appending(path: module + ".build")
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap {
            $0 as? String
        }
        let objects = (names ?? []).filter { $0.hasSuffix(".o") }
            .map { folder.appending(path: $0).path }
        guard !objects.isEmpty else { return [] }
        let lines = try run("nm", ["--undefined-only", "--format=just-symbols"] + objects)
        return Set(lines.split(separator: "\n").map { String($0.prefix { $0 != "@" }) })
    }

    private func run(_ command: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [command] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}

import Testing

/// What each module may import, from the graph in `Package.swift` down to the system: the table a
/// reviewer reads. A module that is not here may import nothing.
let allowedImports: [String: Set<String>] = [
    // C bridges hold no Swift, or none of ours.
    "CCares": [],
    "CCurl": [],
    "CExiv2": [],
    "CHaru": [],
    "CLibcrypto": [],
    "CLinux": [],
    "CNamespaces": [],
    "CProbe": [],
    "CQREncode": [],
    "CSeccomp": [],
    "CSecp256k1": [],
    "CSQLite": [],
    "CSodium": [],
    // Values: public data, no operating system.
    "Wire": [],
    "StateFiles": ["Wire"],
    "JSON": [],
    "Hashing": ["CLibcrypto", "Wire"],
    "Curve": ["CSecp256k1", "Hashing", "Wire"],
    "Bitcoin": ["Curve", "Hashing", "Wire"],
    "Accounts": ["Bitcoin", "Curve", "Hashing", "StateFiles", "Wire"],
    "Chain": ["Bitcoin", "Curve", "Hashing", "Wire"],
    "PeerMessages": ["Bitcoin", "Chain", "Hashing", "Wire"],
    "PeerEncryption": ["CLibcrypto", "CSecp256k1", "Hashing", "Wire"],
    "PSBT": ["Bitcoin", "Curve", "Hashing", "Wire"],
    "Descriptors": ["Bitcoin", "Curve", "Hashing", "PSBT", "Wire"],
    "Pairing": ["Accounts", "Bitcoin", "Descriptors", "Hashing", "JSON", "Wire"],
    "Labels": ["Bitcoin", "JSON", "Wire"],
    "Watch": ["Bitcoin", "Descriptors"],
    "Review": ["Bitcoin", "Curve", "Descriptors", "Hashing", "PSBT", "Wire"],
    // Secrets.
    "SecretMemory": ["Glibc"],
    "Signing": ["CSecp256k1", "Curve", "Hashing", "SecretMemory", "Wire"],
    "KeyTree": ["Bitcoin", "CSodium", "Curve", "Hashing", "SecretMemory", "Signing", "Wire"],
    "PSBTSigning": ["Bitcoin", "Curve", "KeyTree", "PSBT", "Signing", "Wire"],
    "Vault": [
        "Accounts", "Bitcoin", "CLibcrypto", "CSodium", "Curve", "Hashing", "JSON", "KeyTree",
        "SecretMemory", "Signing", "StateFiles", "Wire",
    ],
    // Meaning of the processes: no operating system.
    "Messages": ["StateFiles", "Wire"],
    "Configuration": ["Wire"],
    "SignerCore": ["Messages", "StateFiles"],
    "NetworkCore": [
        "Bitcoin", "Chain", "Descriptors", "Hashing", "Messages", "PeerMessages", "StateFiles",
        "Watch", "Wire",
    ],
    "KeeperCore": ["Configuration"],
    "ConsoleCore": ["Configuration", "JSON", "Messages", "StateFiles", "Wire"],
    // Linux.
    "LinuxIO": ["CLinux", "Glibc", "Messages"],
    "LocalSockets": ["Glibc", "LinuxIO"],
    "Database": ["CSQLite", "StateFiles"],
    "SeccompPolicies": [],
    "Confinement": ["CLinux", "CProbe", "CSeccomp", "Glibc", "LinuxIO", "SeccompPolicies", "Wire"],
    "ChildRuntime": ["Configuration", "Confinement", "LinuxIO", "Messages", "SeccompPolicies"],
    "SignerWork": [
        "Accounts", "Bitcoin", "Descriptors", "Hashing", "JSON", "KeyTree", "Messages", "PSBT",
        "Pairing", "Review", "SecretMemory", "Signing", "SigningWork", "StateFiles", "Vault",
        "Wire",
    ],
    "SigningWork": [
        "Accounts", "Bitcoin", "Descriptors", "Hashing", "KeyTree", "PSBT", "PSBTSigning",
        "Review", "Signing", "StateFiles", "Vault", "Wire",
    ],
    "SignerRuntime": [
        "ChildRuntime", "Configuration", "Confinement", "Hashing", "LinuxIO", "Messages",
        "SecretMemory", "SignerCore", "SignerWork", "StateFiles", "Vault", "Wire",
    ],
    "NetworkTransport": [
        "CCares", "CCurl", "Glibc", "LinuxIO", "NetworkCore", "PeerEncryption", "PeerMessages",
    ],
    "NetworkStore": [
        "Bitcoin", "Chain", "Database", "Descriptors", "Labels", "LinuxIO", "NetworkCore",
        "PeerMessages", "StateFiles", "Watch", "Wire",
    ],
    "ChainDesk": [
        "Bitcoin", "Chain", "Descriptors", "Labels", "Messages", "NetworkCore", "NetworkStore",
        "Pairing", "PeerMessages", "StateFiles", "Watch", "Wire",
    ],
    "NetworkRuntime": [
        "ChainDesk",
        "Bitcoin", "Chain", "ChildRuntime", "Configuration", "Confinement", "LinuxIO", "Messages",
        "NetworkCore", "NetworkStore", "NetworkTransport", "PeerMessages", "Wire",
    ],
    "KeeperRuntime": [
        "CLinux", "CNamespaces", "Configuration", "Glibc", "KeeperCore", "LinuxIO", "LocalSockets",
        "Messages", "Wire",
    ],
    "PhotoMetadata": ["CExiv2"],
    "KitDocument": ["CHaru", "CQREncode", "Glibc", "SecretMemory"],
    "Prompts": ["KeyTree", "KitDocument", "LinuxIO", "SecretMemory", "Vault"],
    "ConsoleRuntime": [
        "Accounts", "Bitcoin", "Configuration", "Confinement", "ConsoleCore", "Glibc", "Hashing",
        "JSON", "KitDocument", "LinuxIO", "LocalSockets", "Messages", "PSBT", "Pairing",
        "PhotoMetadata", "Prompts", "SecretMemory", "SeccompPolicies", "StateFiles", "Vault",
        "Wire",
    ],
    // Programs.
    "bulkheadd": ["Glibc", "KeeperRuntime", "LinuxIO"],
    "bulkhead-signer": ["SignerRuntime"],
    "bulkhead-network": ["NetworkRuntime"],
    "bulkhead": ["ConsoleRuntime"],
]

@Suite("Imports")
struct ImportTests {
    static let modules = SourceTree.folders(in: "Sources")

    @Test("every folder in Sources has a row in the table, and every row a folder")
    func everyModuleHasARow() {
        #expect(!Self.modules.isEmpty)
        #expect(Set(Self.modules).union(["SeccompPolicies"]) == Set(allowedImports.keys))
    }

    @Test("a module imports what its row allows, and its row allows no more", arguments: modules)
    func imports(of module: String) {
        let allowed = allowedImports[module] ?? []
        var found: Set<String> = []
        for file in SourceTree.files(below: "Sources/" + module, endings: [".swift"]) {
            for (number, line) in file.lines.enumerated() {
                guard let match = line.firstMatch(of: importLine) else { continue }
                found.insert(String(match.1))
                #expect(
                    allowed.contains(String(match.1)),
                    "\(file.path):\(number + 1) imports \(match.1), which its row does not allow")
            }
        }
        #expect(allowed.subtracting(found).isEmpty, "\(module) does not import them")
    }

    @Test("no module of the product imports Foundation")
    func noFoundation() {
        for (module, allowed) in allowedImports {
            #expect(!allowed.contains("Foundation"), "\(module)")
        }
    }

    private var importLine: Regex<(Substring, Substring)> {
        /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)/
    }
}

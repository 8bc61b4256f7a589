// swift-tools-version: 6.0
import PackageDescription

// The process and module graph. Arrows point down only; `Tests/ArchitectureTests` holds the table of
// allowed imports and fails when a module reaches for more than it has here.

/// Libraries of the system, as module maps.
let cBridges: [Target] = [
    .systemLibrary(
        name: "CCares", pkgConfig: "libcares", providers: [.apt(["libc-ares-dev"])]),
    .systemLibrary(
        name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CLibcrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CHaru", providers: [.apt(["libhpdf-dev"])]),
    .systemLibrary(
        name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(
        name: "CSecp256k1", pkgConfig: "libsecp256k1", providers: [.apt(["libsecp256k1-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(
        name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
]

/// Public data only: no secrets, no operating system.
let values: [Target] = [
    .target(name: "Wire"),
    .target(name: "StateFiles", dependencies: ["Wire"]),
    .target(name: "JSON"),
    .target(name: "Hashing", dependencies: ["Wire", "CLibcrypto"]),
    .target(name: "Curve", dependencies: ["Wire", "Hashing", "CSecp256k1"]),
    .target(name: "Bitcoin", dependencies: ["Wire", "Hashing", "Curve"]),
    .target(
        name: "Accounts", dependencies: ["Wire", "StateFiles", "Hashing", "Curve", "Bitcoin"]),
    .target(name: "Chain", dependencies: ["Wire", "Hashing", "Curve", "Bitcoin"]),
    .target(name: "PeerMessages", dependencies: ["Wire", "Hashing", "Bitcoin", "Chain"]),
    .target(
        name: "PeerEncryption", dependencies: ["CLibcrypto", "CSecp256k1", "Hashing", "Wire"]),
    .target(name: "PSBT", dependencies: ["Wire", "Hashing", "Curve", "Bitcoin"]),
    .target(name: "Descriptors", dependencies: ["Wire", "Hashing", "Curve", "Bitcoin", "PSBT"]),
    .target(
        name: "Pairing",
        dependencies: ["Accounts", "Bitcoin", "Descriptors", "Hashing", "JSON", "Wire"]),
    .target(name: "Labels", dependencies: ["Bitcoin", "JSON", "Wire"]),
    .target(name: "Watch", dependencies: ["Bitcoin", "Descriptors"]),
    .target(
        name: "Review",
        dependencies: ["Wire", "Hashing", "Curve", "Bitcoin", "PSBT", "Descriptors"]),
]

/// The only modules that hold secret bytes.
let secrets: [Target] = [
    .target(name: "SecretMemory"),
    .target(
        name: "Signing", dependencies: ["Wire", "Hashing", "Curve", "CSecp256k1", "SecretMemory"]),
    .target(
        name: "KeyTree",
        dependencies: ["Wire", "Hashing", "Curve", "Bitcoin", "CSodium", "SecretMemory", "Signing"]),
    .target(
        name: "PSBTSigning",
        dependencies: ["Wire", "Curve", "Bitcoin", "PSBT", "Signing", "KeyTree"]),
    .target(
        name: "Vault",
        dependencies: [
            "Wire", "JSON", "StateFiles", "Hashing", "Curve", "Bitcoin", "Accounts", "CLibcrypto",
            "CSodium", "SecretMemory", "Signing", "KeyTree",
        ]),
]

/// What the processes mean: no operating system.
let meaning: [Target] = [
    .target(name: "Messages", dependencies: ["StateFiles", "Wire"]),
    .target(
        name: "ConsoleCore",
        dependencies: ["Configuration", "JSON", "Messages", "StateFiles", "Wire"]),
    .target(name: "SignerCore", dependencies: ["Messages", "StateFiles"]),
    .target(
        name: "NetworkCore",
        dependencies: [
            "Bitcoin", "Chain", "Descriptors", "Hashing", "Messages", "PeerMessages", "StateFiles",
            "Watch", "Wire",
        ]),
    .target(name: "Configuration", dependencies: ["Wire"]),
    .target(name: "KeeperCore", dependencies: ["Configuration"]),
]

/// What talks to the kernel; `CLinux` holds only what Swift cannot call.
let linux: [Target] = [
    .target(name: "CLinux"),
    .target(name: "CNamespaces"),
    .target(name: "Database", dependencies: ["CSQLite", "StateFiles"]),
    .target(name: "CProbe", dependencies: ["CLinux"]),
    .target(name: "LinuxIO", dependencies: ["CLinux", "Messages"]),
    .target(name: "LocalSockets", dependencies: ["LinuxIO"]),
    .target(
        name: "SeccompPolicies", path: "seccomp",
        resources: PolicyFiles.names.map { .embedInCode("\($0).policy") }),
    .target(name: "CExiv2", linkerSettings: [.linkedLibrary("exiv2")]),
    .target(name: "PhotoMetadata", dependencies: ["CExiv2"]),
    .target(name: "KitDocument", dependencies: ["CHaru", "CQREncode", "SecretMemory"]),
    .target(
        name: "Prompts",
        dependencies: ["KeyTree", "KitDocument", "LinuxIO", "SecretMemory", "Vault"]),
    .target(
        name: "ConsoleRuntime",
        dependencies: [
            "Accounts", "Bitcoin", "Configuration", "Confinement", "ConsoleCore", "Hashing", "JSON",
            "KitDocument", "LinuxIO", "LocalSockets", "Messages", "PSBT", "Pairing",
            "PhotoMetadata", "Prompts", "SecretMemory", "SeccompPolicies", "StateFiles", "Vault",
            "Wire",
        ]),
    .target(
        name: "Confinement",
        dependencies: ["CLinux", "CProbe", "CSeccomp", "LinuxIO", "SeccompPolicies", "Wire"]),
    .target(
        name: "KeeperRuntime",
        dependencies: [
            "CLinux", "CNamespaces", "Configuration", "KeeperCore", "LinuxIO", "LocalSockets",
            "Messages", "Wire",
        ]),
    .target(
        name: "ChildRuntime",
        dependencies: ["Configuration", "Confinement", "LinuxIO", "Messages", "SeccompPolicies"]),
    .target(
        name: "SigningWork",
        dependencies: [
            "Accounts", "Bitcoin", "Descriptors", "Hashing", "KeyTree", "PSBT", "PSBTSigning",
            "Review", "Signing", "StateFiles", "Vault", "Wire",
        ]),
    .target(
        name: "SignerWork",
        dependencies: [
            "Accounts", "Bitcoin", "Descriptors", "Hashing", "JSON", "KeyTree", "Messages", "PSBT",
            "Pairing", "Review", "SecretMemory", "Signing", "SigningWork", "StateFiles", "Vault",
            "Wire",
        ]),
    .target(
        name: "SignerRuntime",
        dependencies: [
            "ChildRuntime", "Configuration", "Confinement", "Hashing", "LinuxIO", "Messages",
            "SecretMemory", "SignerCore", "SignerWork", "StateFiles", "Vault", "Wire",
        ]),
    .target(
        name: "NetworkTransport",
        dependencies: [
            "CCares", "CCurl", "LinuxIO", "NetworkCore", "PeerEncryption", "PeerMessages",
        ]),
    .target(
        name: "NetworkStore",
        dependencies: [
            "Bitcoin", "Chain", "Database", "Descriptors", "LinuxIO", "Labels", "NetworkCore",
            "PeerMessages", "StateFiles", "Watch", "Wire",
        ]),
    .target(
        name: "ChainDesk",
        dependencies: [
            "Bitcoin", "Chain", "Descriptors", "Labels", "Messages", "NetworkCore", "NetworkStore",
            "Pairing", "PeerMessages", "StateFiles", "Watch", "Wire",
        ]),
    .target(
        name: "NetworkRuntime",
        dependencies: [
            "Bitcoin", "Chain", "ChainDesk", "ChildRuntime", "Configuration", "Confinement",
            "LinuxIO", "Messages", "NetworkCore", "NetworkStore", "NetworkTransport",
            "PeerMessages", "Wire",
        ]),
]

/// The texts in `seccomp/`, compiled into the programs.
enum PolicyFiles {
    static let names = [
        "common", "console", "console-probe", "network", "network-probe", "self-report", "signer",
        "signer-worker",
    ]
}

/// Of the programs that always run, whose memory counts: nothing looks for symbols in them, and the C++
/// library that Swift's runtime needs comes as an archive where `scripts/run` has put one.
let lean: [LinkerSetting] = [
    .unsafeFlags([
        "-Xlinker", "--no-export-dynamic", "-L", Context.packageDirectory + "/.build/archives",
    ])
]

/// Short `main.swift` files over the modules above.
let programs: [Target] = [
    .executableTarget(name: "bulkhead", dependencies: ["ConsoleRuntime"]),
    .executableTarget(
        name: "bulkheadd", dependencies: ["KeeperRuntime", "LinuxIO"], linkerSettings: lean),
    .executableTarget(
        name: "bulkhead-signer", dependencies: ["SignerRuntime"], linkerSettings: lean),
    .executableTarget(
        name: "bulkhead-network", dependencies: ["NetworkRuntime"], linkerSettings: lean),
]

/// Prints figures; no part of the product.
let benchmarks: [Target] = [
    .executableTarget(
        name: "bulkhead-bench",
        dependencies: [
            "Bitcoin", "CLibcrypto", "CSecp256k1", "CSodium", "Chain", "Curve", "Descriptors",
            "Hashing", "KeyTree", "LinuxIO", "LocalSockets", "Messages", "PSBT", "PSBTSigning",
            "Review", "SecretMemory", "Signing", "SigningWork", "StateFiles", "Vault", "Wire",
            "Database", "Labels", "NetworkCore", "NetworkStore", "NetworkTransport", "PeerMessages",
            "ScriptedPeer", "TestSupport",
        ], path: "Benchmarks")
]

/// A network of simulated nodes around the light client, for tests and for runs by hand.
let simulator: [Target] = [
    .target(
        name: "SimulatedNetwork",
        dependencies: [
            "Bitcoin", "Chain", "Descriptors", "Hashing", "NetworkCore", "PeerMessages",
            "TestSupport", "Watch", "Wire",
        ], path: "Simulator/SimulatedNetwork"),
    .executableTarget(
        name: "bulkhead-simulate", dependencies: ["SimulatedNetwork"],
        path: "Simulator/bulkhead-simulate"),
]

let tests: [Target] = [
    .target(
        name: "TestSupport", dependencies: ["Bitcoin", "CLibcrypto", "StateFiles", "Wire"],
        path: "Tests/TestSupport"),
    .target(
        name: "ScriptedPeer",
        dependencies: [
            "Bitcoin", "Chain", "Hashing", "PeerEncryption", "PeerMessages", "TestSupport", "Wire",
        ],
        path: "Tests/ScriptedPeer", exclude: ["https_server.py"]),
    .executableTarget(
        name: "KeeperTestChild", dependencies: ["Configuration", "LinuxIO", "Messages"],
        path: "Tests/KeeperTestChild"),
    .testTarget(name: "ArchitectureTests"),
    .testTarget(name: "ConfigurationTests", dependencies: ["Configuration", "Review"]),
    .testTarget(name: "KeeperCoreTests", dependencies: ["KeeperCore", "Configuration"]),
    .testTarget(
        name: "KeeperRuntimeTests",
        dependencies: [
            "Bitcoin", "Chain", "Configuration", "ConsoleCore", "Database", "KeeperCore",
            "KeeperRuntime", "KeeperTestChild", "LinuxIO", "LocalSockets", "NetworkStore",
            "PeerMessages", "ScriptedPeer", "TestSupport", "Wire", "bulkhead", "bulkhead-network",
            "bulkhead-signer", "bulkheadd",
        ], exclude: ["Screens"]),
    .testTarget(
        name: "ConsoleCoreTests",
        dependencies: ["Configuration", "ConsoleCore", "JSON", "Messages", "StateFiles", "Wire"],
        exclude: ["Screens"]),
    .testTarget(
        name: "ConsoleRuntimeTests",
        dependencies: [
            "Configuration", "ConsoleCore", "ConsoleRuntime", "Messages", "PSBT", "StateFiles",
            "Wire",
        ]),
    .testTarget(
        name: "KitDocumentTests", dependencies: ["KitDocument", "SecretMemory", "TestSupport"]),
    .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSupport"]),
    .testTarget(
        name: "PromptsTests",
        dependencies: [
            "CWallTests", "KeyTree", "LinuxIO", "Prompts", "SecretMemory", "Vault",
        ]),
    .testTarget(name: "PhotoMetadataTests", dependencies: ["PhotoMetadata"]),
    .testTarget(
        name: "WatchTests",
        dependencies: ["Bitcoin", "Descriptors", "TestSupport", "Watch", "Wire"]),
    .testTarget(
        name: "SigningWorkTests",
        dependencies: [
            "Bitcoin", "Hashing", "KeyTree", "PSBT", "Review", "SecretMemory", "Signing",
            "SigningWork", "StateFiles", "TestSupport", "Vault", "Wire",
        ]),
    .testTarget(name: "LabelsTests", dependencies: ["JSON", "Labels", "TestSupport"]),
    .testTarget(
        name: "PairingTests",
        dependencies: [
            "Accounts", "Bitcoin", "Descriptors", "Hashing", "JSON", "KeyTree", "Pairing",
            "SecretMemory", "Signing", "TestSupport", "Wire",
        ]),
    .testTarget(name: "WireTests", dependencies: ["Wire", "TestSupport"]),
    .testTarget(
        name: "ChainDeskTests",
        dependencies: [
            "Bitcoin", "Chain", "ChainDesk", "Descriptors", "Messages", "NetworkCore",
            "NetworkStore", "StateFiles", "TestSupport", "Watch", "Wire",
        ]),
    .testTarget(
        name: "NetworkStoreTests",
        dependencies: [
            "Bitcoin", "Chain", "Database", "Descriptors", "Labels", "LinuxIO", "NetworkCore",
            "NetworkStore", "PeerMessages", "StateFiles", "TestSupport", "Watch", "Wire",
        ]),
    .testTarget(name: "DatabaseTests", dependencies: ["Database", "StateFiles", "TestSupport"]),
    .testTarget(name: "StateFilesTests", dependencies: ["StateFiles", "Wire", "TestSupport"]),
    .testTarget(name: "HashingTests", dependencies: ["Hashing", "Wire", "TestSupport"]),
    .testTarget(name: "CurveTests", dependencies: ["Curve", "Wire", "TestSupport"]),
    .testTarget(
        name: "BitcoinTests", dependencies: ["Bitcoin", "Curve", "Hashing", "Wire", "TestSupport"]),
    .testTarget(
        name: "AccountsTests",
        dependencies: [
            "Accounts", "Bitcoin", "Curve", "KeyTree", "SecretMemory", "Signing", "TestSupport",
            "Wire",
        ]),
    .testTarget(
        name: "ChainTests",
        dependencies: [
            "Chain", "Bitcoin", "Curve", "Hashing", "SecretMemory", "Signing", "TestSupport",
            "Wire",
        ]),
    .testTarget(
        name: "PeerMessagesTests",
        dependencies: ["PeerMessages", "Chain", "Bitcoin", "Hashing", "Wire", "TestSupport"]),
    .testTarget(
        name: "PeerEncryptionTests",
        dependencies: ["PeerEncryption", "TestSupport", "Wire"]),
    .testTarget(name: "SecretMemoryTests", dependencies: ["SecretMemory"]),
    .testTarget(
        name: "SigningTests",
        dependencies: ["Signing", "SecretMemory", "Curve", "Hashing", "Wire", "TestSupport"]),
    .testTarget(
        name: "KeyTreeTests",
        dependencies: [
            "KeyTree", "Signing", "SecretMemory", "Bitcoin", "Curve", "Hashing", "Wire",
            "TestSupport",
        ]),
    .testTarget(
        name: "PSBTSigningTests",
        dependencies: [
            "PSBTSigning", "Bitcoin", "Curve", "Descriptors", "KeyTree", "PSBT", "SecretMemory",
            "Signing", "TestSupport", "Wire",
        ]),
    .testTarget(
        name: "VaultTests",
        dependencies: [
            "Vault", "Accounts", "Bitcoin", "CSodium", "Hashing", "JSON", "KeyTree", "SecretMemory",
            "Signing", "StateFiles", "TestSupport", "Wire",
        ]),
    .testTarget(
        name: "PSBTTests",
        dependencies: [
            "PSBT", "Signing", "SecretMemory", "Bitcoin", "Curve", "Hashing", "Wire", "TestSupport",
        ]),
    .testTarget(
        name: "DescriptorsTests",
        dependencies: ["Descriptors", "PSBT", "Bitcoin", "Curve", "Hashing", "Wire", "TestSupport"]),
    .testTarget(
        name: "ReviewTests",
        dependencies: [
            "Review", "Bitcoin", "Curve", "Descriptors", "Hashing", "KeyTree", "PSBT",
            "PSBTSigning", "SecretMemory", "Signing", "TestSupport", "Wire",
        ]),
    .target(name: "CWallTests", path: "Tests/CWallTests"),
    .target(name: "CDrill", path: "Tests/CDrill", linkerSettings: [.linkedLibrary("rt")]),
    .executableTarget(
        name: "bulkhead-drill",
        dependencies: [
            "CDrill", "ChildRuntime", "Configuration", "Confinement", "KeeperCore", "KeeperRuntime",
            "LinuxIO", "LocalSockets", "Messages", "NetworkRuntime", "SeccompPolicies",
            "SignerRuntime",
        ],
        path: "Tests/Drill"),
    .testTarget(name: "DrillTests", dependencies: ["bulkhead-drill"]),
    .testTarget(
        name: "WallTests",
        dependencies: [
            "Confinement", "CSeccomp", "CWallTests", "SeccompPolicies", "bulkhead",
            "bulkhead-network", "bulkhead-signer", "bulkheadd",
        ]),
    .executableTarget(
        name: "wall-specimen", dependencies: ["Confinement", "LinuxIO", "SeccompPolicies"],
        path: "Tests/WallSpecimen"),
    .testTarget(
        name: "ConfinementTests",
        dependencies: [
            "Confinement", "CSeccomp", "CWallTests", "SeccompPolicies", "Wire", "wall-specimen",
        ]),
    .testTarget(
        name: "MessagesTests",
        dependencies: ["Messages", "StateFiles", "Wire", "Hashing", "TestSupport"]),
    .testTarget(
        name: "SignerCoreTests",
        dependencies: ["SignerCore", "Messages", "StateFiles", "Wire", "TestSupport"]),
    .testTarget(
        name: "SignerWorkTests",
        dependencies: [
            "Hashing", "KeyTree", "Messages", "PSBT", "SecretMemory", "SignerCore", "SignerWork",
            "SigningWork", "StateFiles", "TestSupport", "Vault", "Wire",
        ]),
    .testTarget(
        name: "NetworkCoreTests",
        dependencies: [
            "Bitcoin", "CLibcrypto", "Chain", "Descriptors", "Hashing", "Messages", "NetworkCore",
            "PeerMessages", "SimulatedNetwork", "TestSupport", "Watch", "Wire",
        ]),
    .testTarget(
        name: "NetworkTransportTests",
        dependencies: [
            "Bitcoin", "Chain", "LinuxIO", "NetworkCore", "NetworkTransport", "PeerEncryption",
            "PeerMessages", "ScriptedPeer", "TestSupport", "Wire",
        ]),
    .testTarget(
        name: "ProcessTests",
        dependencies: [
            "Bitcoin", "CWallTests", "Chain", "Descriptors", "Hashing", "KeyTree", "LinuxIO",
            "LocalSockets", "Messages", "NetworkCore", "NetworkStore", "PSBT", "PeerMessages",
            "ScriptedPeer", "SecretMemory", "StateFiles", "TestSupport", "Watch", "Wire",
            "bulkhead-signer", "bulkhead-network",
            "bulkheadd", "bulkhead",
        ]),
    .testTarget(name: "LinuxIOTests", dependencies: ["LinuxIO", "LocalSockets", "Messages"]),
]

/// Needs libFuzzer (scripts/fuzz), so it is no part of an ordinary build.
let fuzz: [Target] =
    Context.environment["BULKHEAD_FUZZ"] == nil
    ? []
    : [
        .executableTarget(
            name: "bulkhead-fuzz",
            dependencies: [
                "Bitcoin", "CLibcrypto", "Chain", "Curve", "Descriptors", "Hashing", "KeyTree",
                "Messages", "NetworkCore", "PSBT", "PeerEncryption", "PeerMessages", "Review",
                "SecretMemory", "Signing", "StateFiles", "Vault", "Wire", "ConsoleCore",
            ],
            path: "Tests/Fuzz/Sources")
    ]

let package = Package(
    name: "bulkhead",
    targets: cBridges + values + secrets + meaning + linux + programs + benchmarks + simulator
        + tests + fuzz,
    swiftLanguageModes: [.v6]
)

for target in package.targets where ![.system, .plugin].contains(target.type) {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [.enableUpcomingFeature("ExistentialAny")]
    // Tests have no interface, and Swift 6.0.3 stops at noncopyable types of an internal import there.
    guard target.type != .test else { continue }
    target.swiftSettings?.append(.enableUpcomingFeature("InternalImportsByDefault"))
}

import Accounts
import Bitcoin
import Hashing
public import JSON
import Wire

/// The form of a pairing file.
public enum PairingForm: String, CaseIterable, Hashable, Sendable {
    /// One descriptor a line, with comments; the form that Bulkhead reads back.
    case descriptors
    /// The argument of Bitcoin Core's `importdescriptors`.
    case core
    /// The JSON of one object an account that Sparrow, Specter, Nunchuk and others read.
    case generic
    /// For a person to read and compare.
    case text
}

extension PairedWallet {
    /// The whole file.
    public func text(as form: PairingForm) -> String {
        switch form {
        case .descriptors: descriptorLines
        case .core: coreImport.text + "\n"
        case .generic: genericExport.text + "\n"
        case .text: plainText
        }
    }

    // MARK: Descriptors

    private var descriptorLines: String {
        var lines = [
            "# Bulkhead pairing file, version 1", "# wallet: \(name.printable)",
            "# network: \(network)", "# fingerprint: \(fingerprint)",
        ]
        if let birthday { lines.append("# birthday: \(birthday)") }
        for account in accounts {
            if let descriptor = descriptor(of: account) {
                lines.append("\(descriptor)")
            } else {
                lines.append("# \(account.kind.standard): [\(origin(of: account))]\(account.node)")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: Bitcoin Core

    /// What Bitcoin Core's `importdescriptors` takes: one entry a branch, as every version with
    /// descriptor wallets reads it.
    public var coreImport: JSONValue {
        // Core scans from two hours before this time; 0 is the first block.
        let timestamp = JSONValue.integer(birthday.flatMap { Int(exactly: $0) } ?? 0)
        let entries = accounts.flatMap { account in
            AccountBranch.allCases.compactMap { branch -> JSONValue? in
                guard let descriptor = descriptor(of: account, branch: branch) else { return nil }
                return .object([
                    .init("desc", .string("\(descriptor)")), .init("active", .bool(true)),
                    .init("range", .array([.integer(0), .integer(999)])),
                    .init("next_index", .integer(0)), .init("timestamp", timestamp),
                    .init("internal", .bool(branch == .change)),
                ])
            }
        }
        return .array(entries)
    }

    // MARK: Other wallets

    /// One member an account, in the shape that Coldcard's generic export has made common.
    public var genericExport: JSONValue {
        var members: [JSONValue.Member] = [
            .init("chain", .string(network.genericName)),
            .init("xfp", .string("\(fingerprint)".uppercased())), .init("account", .integer(0)),
        ]
        members += accounts.map { account in
            .init(account.kind.genericName, .object(genericMembers(of: account)))
        }
        return .object(members)
    }

    private func genericMembers(of account: Account) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = [
            .init("name", .string(account.kind.genericScript)),
            .init("xfp", .string("\(account.node.fingerprint)".uppercased())),
            .init("deriv", .string("\(account.kind.path(on: network))".apostrophes)),
            .init("xpub", .string("\(account.node)")),
        ]
        if let kind = account.kind.prefixKind {
            members.append(.init("_pub", .string(account.node.text(withPrefixOf: kind))))
        }
        if let descriptor = descriptor(of: account) {
            members.append(.init("desc", .string("\(descriptor)")))
        }
        if let first = firstAddress(of: account) {
            members.append(.init("first", .string("\(first)")))
        }
        return members
    }

    // MARK: Plain text

    private var plainText: String {
        var lines = [
            "Wallet \(name.printable) on \(network), master fingerprint \(fingerprint).",
            "Whoever has this page sees all addresses of the wallet and can spend nothing.",
        ]
        for account in accounts {
            lines += ["", "\(account.kind.standard), \(account.kind.path(on: network))"]
            lines.append("  key        \(account.node)")
            if let descriptor = descriptor(of: account) {
                lines.append("  descriptor \(descriptor)")
            }
            if let first = firstAddress(of: account) { lines.append("  first      \(first)") }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Network {
    /// As the generic export names chains.
    fileprivate var genericName: String {
        switch self {
        case .mainnet: "BTC"
        case .testnet3, .testnet4, .signet: "XTN"
        case .regtest: "XRT"
        }
    }
}

extension AccountPath {
    fileprivate var genericName: String {
        switch self {
        case .nativeSegwit: "bip84"
        case .taproot: "bip86"
        case .nestedSegwit: "bip49"
        case .legacy: "bip44"
        case .nativeMultisig: "bip48_2"
        case .nestedMultisig: "bip48_1"
        case .evm, .tron: standard
        }
    }

    fileprivate var genericScript: String {
        switch self {
        case .nativeSegwit: "p2wpkh"
        case .taproot: "p2tr"
        case .nestedSegwit: "p2sh-p2wpkh"
        case .legacy: "p2pkh"
        case .nativeMultisig: "p2wsh"
        case .nestedMultisig: "p2sh-p2wsh"
        case .evm, .tron: standard
        }
    }

    /// The script that a prefix of SLIP-132 would name.
    fileprivate var prefixKind: ExtendedKeyVersion.ScriptKind? {
        switch self {
        case .nativeSegwit: .segwit
        case .nestedSegwit: .nestedSegwit
        case .nativeMultisig: .segwitMultisig
        case .nestedMultisig: .nestedSegwitMultisig
        case .taproot, .legacy, .evm, .tron: nil
        }
    }
}

extension String {
    /// Hardened steps as the generic export writes them.
    fileprivate var apostrophes: String { String(map { $0 == "h" ? "'" : $0 }) }

    /// Without what could begin a line or move a cursor.
    fileprivate var printable: String {
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: text.append("?")
            default: text.append(scalar)
            }
        }
        return String(text)
    }
}

extension ExtendedPublicKey {
    /// The key with a prefix of SLIP-132, for programs that tell scripts by it.
    fileprivate func text(withPrefixOf kind: ExtendedKeyVersion.ScriptKind) -> String {
        let version = ExtendedKeyVersion(network: network, scriptKind: kind, isPrivate: false)
        var writer = Writer()
        writer.writeBigEndian(version.rawValue)
        writer.write(Array(serialized.dropFirst(4)))
        return Base58Check.encode(writer.bytes)
    }
}

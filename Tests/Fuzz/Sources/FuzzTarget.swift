import Bitcoin
import Glibc
import Wire

/// Each parser under the fuzzer, with the property that must hold for every input.
///
/// The property of most is: what parses is encoded to the same bytes again; on an error nothing is
/// returned; nothing traps.
enum FuzzTarget: String, CaseIterable {
    case hex
    case reader
    case bech32
    case transaction
    case block
    case script
    case address
    case controlBlock
    case signedMessage
    case messageText
    case descriptor
    case walletPolicy
    case bsmsRecord
    case miniscriptScript
    case base58Check
    case base64
    case extendedKey
    case derivationPath
    case paymentURI
    case derSignature
    case mnemonic
    case psbt
    case psbtFile
    case review
    case frames
    case sealedStream
    case logEntries
    case sealedRecord
    case backupParts
    case compactFilter
    case peerMessage
    case peerFrames
    case peerEndpoint
    case signedPeerList
    case dnsAnswer
    case socks5
    case nameServers
    case peerSession
    case encryptedPeer
    case vaultFile
    case vaultBody
    case sealedFiles
    case publicIndex
    case importedLedgerKeys
    case kitText
    case secretFields
    case password
    case screens

    func check(_ bytes: [UInt8]) {
        switch self {
        case .hex:
            if let decoded = try? Hex.decode(utf8: bytes) {
                expect(Hex.encode(decoded) == String(decoding: bytes, as: UTF8.self).lowercased())
            }
        case .reader:
            var reader = Reader(bytes)
            while let text = try? reader.readVarBytes() {
                expect(text.count <= bytes.count)
                if reader.isAtEnd { break }
            }
        case .bech32, .transaction, .block, .script, .address, .controlBlock, .signedMessage,
            .messageText:
            checkBitcoin(bytes)
        case .descriptor, .walletPolicy, .bsmsRecord, .miniscriptScript:
            checkDescriptors(bytes)
        case .base58Check, .base64, .extendedKey, .derivationPath, .paymentURI, .derSignature,
            .mnemonic:
            checkKeys(bytes)
        case .psbt, .psbtFile: checkPSBT(bytes)
        case .review: checkReview(bytes)
        case .frames: checkFrames(bytes)
        case .screens: checkScreens(bytes)
        case .sealedStream, .logEntries, .sealedRecord, .backupParts: checkSealed(bytes)
        case .compactFilter, .peerMessage, .peerFrames: checkPeers(bytes)
        case .peerEndpoint, .signedPeerList, .dnsAnswer, .socks5, .nameServers, .peerSession,
            .encryptedPeer:
            checkNetwork(bytes)
        case .vaultFile, .vaultBody, .sealedFiles, .publicIndex, .importedLedgerKeys, .kitText,
            .secretFields, .password:
            checkVault(bytes)
        }
    }

    /// Stops the fuzzer with this input.
    func expect(_ holds: Bool) {
        if !holds { fatalError("\(rawValue): the property does not hold") }
    }

    /// The target named in the environment; the fuzzer's own arguments stay the fuzzer's.
    static let chosen: FuzzTarget = {
        let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
        guard let target = FuzzTarget(rawValue: name) else {
            fatalError("FUZZ_TARGET is one of \(allCases.map(\.rawValue))")
        }
        return target
    }()
}

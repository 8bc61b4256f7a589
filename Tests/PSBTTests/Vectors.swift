import PSBT
import TestSupport
import Testing
import Wire

/// A PSBT in base64 with a name.
struct NamedPSBT: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let psbt: String

    /// The text as it would stand in a file.
    var file: [UInt8] { Array(psbt.utf8) }
    var testDescription: String { name.isEmpty ? String(psbt.prefix(40)) : name }
}

/// Valid and invalid PSBTs of one source.
struct PSBTVectors: Decodable, Sendable {
    let invalid: [NamedPSBT]
    let valid: [NamedPSBT]
}

/// Bitcoin Core's own PSBT vectors.
struct CoreVectors: Decodable, Sendable {
    struct Step: Decodable, Sendable {
        let psbt: String
        let result: String
    }
    struct Combination: Decodable, Sendable {
        let combine: [String]
        let result: String
    }
    struct Finalization: Decodable, Sendable {
        let finalize: String
        let result: String
    }
    struct Extraction: Decodable, Sendable {
        let extract: String
        let result: String
    }

    let invalid: [NamedPSBT]
    let valid: [String]
    let signer: [Step]
    let combiner: [Combination]
    let finalizer: [Finalization]
    let extractor: [Extraction]
    let creator: [BIP174Roles.Creation]

    static func load() throws -> CoreVectors { try Fixture.load("psbt/core.json") }
}

/// PSBTs that Bitcoin Core made and signed.
struct CorpusCase: Decodable, Sendable, CustomTestStringConvertible {
    let wallet: String
    let `case`: String
    let unsigned: String
    let signed: [String: String]
    let musigRound1: String?
    let musigRound2: String?
    let finalTransaction: HexBytes
    let txid: String
    let vsize: Int
    let weight: Int

    var testDescription: String { "\(wallet) \(`case`)" }

    /// Every PSBT of the case.
    var all: [String] {
        [unsigned] + signed.keys.sorted().compactMap { signed[$0] }
            + [musigRound1, musigRound2].compactMap { $0 }
    }

    static func load() throws -> [CorpusCase] { try Fixture.load("psbt/core-regtest.json") }
}

extension PSBT {
    /// A PSBT in base64.
    init(base64 text: String) throws { self = try PSBTFile(Array(text.utf8)).psbt }

    /// The PSBT in base64.
    var base64: String { String(decoding: encoded(as: .base64), as: UTF8.self) }
}

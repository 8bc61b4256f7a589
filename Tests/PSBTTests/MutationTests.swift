import PSBT
import TestSupport
import Testing
import Wire

/// Changes bytes of good PSBTs; nothing may trap, and what still parses is what it was made from.
@Suite("Parsing: mutated PSBTs")
struct MutationTests {
    @Test("what parses is written back byte for byte, whatever bytes were changed")
    func mutations() throws {
        let seeds = try MutationTests.seeds()
        #expect(seeds.count == 76)
        var random = Generator(state: 0x5EED)
        var parsed = 0
        for seed in seeds {
            for _ in 0..<400 {
                let bytes = mutated(seed, &random)
                if let psbt = try? PSBT(bytes) {
                    parsed += 1
                    #expect(psbt.serialized == bytes)
                    touch(psbt)
                }
            }
        }
        #expect(parsed > 1000)
    }

    @Test("no mutated text traps")
    func texts() throws {
        var random = Generator(state: 7)
        for seed in try MutationTests.seeds().prefix(12) {
            for encoding in PSBTFile.Encoding.allCases {
                let file = try PSBT(seed).encoded(as: encoding)
                for _ in 0..<60 {
                    let bytes = mutated(file, &random)
                    if let read = try? PSBTFile(bytes) {
                        #expect(try PSBTFile(read.answering(read.psbt)).psbt == read.psbt)
                    }
                }
            }
        }
    }

    /// The valid vectors of all BIPs.
    static func seeds() throws -> [[UInt8]] {
        try ["bip174", "bip370", "bip371", "bip373", "bip375"].flatMap { source in
            let vectors: PSBTVectors = try Fixture.load("psbt/\(source).json")
            return try vectors.valid.map { try Base64.decode($0.psbt) }
        } + [
            try Samples.version0().serialized, try Samples.version0("tr-tree").serialized,
            try Samples.version0("sh-wsh-sortedmulti-2of3").serialized,
            try Samples.version0("pkh").serialized,
            try Samples.version0("tr-musig-leaf").serialized,
            try Samples.version0("wsh-miniscript-recovery").serialized,
        ]
            + ["tr-multi_a-2of3", "wsh-pk-safe", "sh-multi-1of2", "tr", "sh-wpkh", "wpkh"].map {
                try PSBT(base64: Samples.corpusCase($0).signed["all"] ?? "").serialized
            }
    }

    /// Reads every field.
    private func touch(_ psbt: PSBT) {
        _ = psbt.global.extendedPublicKeys.count + psbt.global.silentPaymentShares.count
        for input in psbt.inputs {
            _ = (input.sighashType, input.partialSignatures, input.derivations, input.isFinal)
            _ = (input.finalScriptWitness, input.previousTransaction, input.taprootDerivations)
            _ = (input.taprootLeafScripts, input.musigParticipants, input.musigPublicNonces)
            _ = (input.taprootScriptSignatures, input.silentPaymentSpendDerivations)
        }
        for output in psbt.outputs {
            _ = (output.derivations, output.taprootTree, output.taprootDerivations)
            _ = (output.silentPaymentAddress, output.dnssecProof?.name, output.musigParticipants)
        }
    }

    private func mutated(_ seed: [UInt8], _ random: inout Generator) -> [UInt8] {
        var bytes = seed
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            case 2: bytes.remove(at: place)
            default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
            }
        }
        return bytes
    }
}

/// SplitMix64: the same numbers on every run.
struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

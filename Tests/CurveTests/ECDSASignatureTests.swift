import TestSupport
import Testing
import Wire

@testable import Curve

@Suite("ECDSA signatures")
struct ECDSASignatureTests {
    static let order: [UInt8] = Scalar.order
    static let small = [UInt8](repeating: 0, count: 31) + [1]

    @Test("numbers of any length print as the DER they are read from, and only strict DER is read")
    func der() throws {
        var generator = SeededGenerator(seed: 66)
        for _ in 0..<2000 {
            let numbers = [0, 1].map { _ in
                let length = Int.random(in: 1...32, using: &generator)
                let digits = (0..<length).map { _ in UInt8.random(in: 1...0x80, using: &generator) }
                return [UInt8](repeating: 0, count: 32 - length) + digits
            }
            let signature = try ECDSASignature(compact: numbers[0] + numbers[1])
            #expect(try ECDSASignature(der: signature.der) == signature)
            #expect(signature.compact == numbers[0] + numbers[1])
            let bytes = generator.mutated(signature.der)
            if let read = try? ECDSASignature(der: bytes) { #expect(read.der == bytes) }
        }
    }

    @Test("each rule of BIP66 is named where it is broken")
    func rules() {
        let broken: [(String, Int, CurveError.DERRule)] = [
            ("", 0, .totalLength), ("300602010102", 0, .totalLength),
            ("3106020101020101", 0, .sequence), ("3007020101020101", 1, .sequenceLength),
            ("300702010102010100", 8, .sequenceLength), ("3006030101020101", 2, .integer),
            ("3006020101030101", 5, .integer), ("3006020001020101", 3, .integerLength),
            ("3006020701020101", 3, .integerLength), ("3006020101020201", 6, .integerLength),
            ("3006020180020101", 4, .negative), ("300702020001020101", 4, .padded),
            ("300702010102020001", 7, .padded),
        ]
        for (hex, position, rule) in broken {
            #expect(throws: CurveError.notStrictDER(position: position, rule: rule), "\(hex)") {
                try ECDSASignature(der: Hex.decode(hex))
            }
        }
    }

    @Test("zero and numbers from the order up are no part of a signature")
    func range() throws {
        let zero = [UInt8](repeating: 0, count: 32)
        for bad in [zero, Self.order, [UInt8](repeating: 0xFF, count: 32)] {
            for bytes in [bad + Self.small, Self.small + bad] {
                #expect(throws: CurveError.scalarOutOfRange) { try ECDSASignature(compact: bytes) }
            }
        }
        #expect(throws: CurveError.scalarOutOfRange) {
            try ECDSASignature(der: [0x30, 6, 2, 1, 0, 2, 1, 1])
        }
        #expect(throws: CurveError.wrongLength(found: 63, allowed: [64])) {
            try ECDSASignature(compact: [UInt8](repeating: 1, count: 63))
        }
        let last = Self.order.dropLast() + [0x40]
        let high = try ECDSASignature(compact: Self.small + last)
        #expect(!high.isLowS && high.normalised.isLowS)
        #expect(high.normalised.s.array == Self.small)
        #expect(high.isLowR)
        #expect(try !ECDSASignature(compact: last + Self.small).isLowR)
    }

    @Test("a recovery number is 0, 1, 2 or 3")
    func recoveryNumber() throws {
        let signature = try ECDSASignature(compact: Self.small + Self.small)
        #expect(throws: CurveError.wrongRecoveryNumber(4)) {
            try RecoverableSignature(signature: signature, recoveryNumber: 4)
        }
        let odd = try RecoverableSignature(signature: signature, recoveryNumber: 3)
        #expect(odd.recover(digest: .zero) == nil)
    }
}

import PSBT
import TestSupport
import Testing
import Wire

@Suite("Parsing: what is refused, and how it is said")
struct StrictnessTests {
    @Test("magic, sizes, trailing bytes, cut ends")
    func container() throws {
        let bytes = try Samples.version0().serialized
        #expect(problem(of: []) == .magic(found: []))
        #expect(
            problem(of: [0x70, 0x73, 0x62, 0x74, 0x00]) == .magic(found: [112, 115, 98, 116, 0]))
        let huge = [UInt8](repeating: 0, count: PSBT.maximumSize + 1)
        #expect(
            problem(of: huge) == .tooLarge(found: PSBT.maximumSize + 1, allowed: PSBT.maximumSize))
        #expect(
            problem(of: bytes + [0x00])
                == .wire(.trailingBytes(position: bytes.count, count: 1)))
        for length in 0..<bytes.count {
            #expect(problem(of: Array(bytes.prefix(length))) != nil, "\(length) bytes")
        }
    }

    @Test("a map may not hold the same key twice, wherever the second one stands")
    func duplicates() throws {
        let raw = try RawPSBT(Samples.version0())
        for (input, output) in [(0, nil), (nil, 1), (nil, nil)] as [(Int?, Int?)] {
            var changed = raw
            if let input {
                changed.inputs[input] = twice(raw.inputs[input])
            } else if let output {
                changed.outputs[output] = twice(raw.outputs[output])
            } else {
                changed.global = twice(raw.global)
            }
            #expect(changed.error()?.problem == .duplicateKey)
        }
        var unknown = raw
        unknown.inputs[0] += [
            .init(0xF0, [1], [1]), .init(0x70, [1], [1]), .init(0xF0, [1], [2]),
        ]
        let error = try #require(unknown.error())
        #expect(error.problem == .duplicateKey)
        #expect(error.place == .input(0))
        #expect(error.field == "type 0xf0")
    }

    @Test("every singleton of version 0 refuses key data (P3)")
    func keyData() throws {
        let raw = try RawPSBT(Samples.version0())
        let inputTypes: [UInt8] = [0, 1, 3, 4, 5, 7, 8, 9, 0x13, 0x17, 0x18]
        for type in inputTypes {
            var changed = raw
            changed.inputs[0].append(.init(type, [7], [UInt8](repeating: 2, count: 32)))
            #expect(isKeyDataLength(changed.error()?.problem), "input type \(type)")
        }
        for type: UInt8 in [0, 1, 5, 6, 0x35] {
            var changed = raw
            changed.outputs[0].append(.init(type, [7], [UInt8](repeating: 2, count: 32)))
            #expect(isKeyDataLength(changed.error()?.problem), "output type \(type)")
        }
        for type: UInt8 in [0, 9, 0xFB] {
            var changed = raw
            changed.global.append(.init(type, [7], [0, 0, 0, 0]))
            #expect(isKeyDataLength(changed.error()?.problem), "global type \(type)")
        }
    }

    @Test("values of a wrong length or form are refused (P5)", arguments: FieldCase.inputs)
    func inputValues(field: FieldCase) throws {
        var raw = try RawPSBT(Samples.version0())
        raw.inputs[0].removeAll { $0.key == [field.type] + field.keyData }
        raw.inputs[0].append(.init(field.type, field.keyData, field.value))
        let error = try #require(raw.error())
        #expect(error.field == field.name)
        #expect(error.place == .input(0))
        #expect(error.position != nil)
    }

    @Test("public keys start with 2, 3 or, uncompressed in ECDSA scripts, 4")
    func publicKeys() throws {
        let raw = try RawPSBT(Samples.version0())
        let x = [UInt8](repeating: 0x11, count: 32)
        // Typed one by one: the compiler of Swift 6.0 gives up on all of it at once.
        let prefixed: [(UInt8, UInt8)] = [(2, 4), (6, 0), (0x1A, 5), (0x1F, 0)]
        let tooLong: (UInt8, [UInt8]) = (6, [2] + x + x)
        for (type, key) in prefixed.map({ ($0, [$1] + x) }) + [tooLong] {
            var changed = raw
            let value: [UInt8] = type == 0x1A ? [2] + x : [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
            changed.inputs[0].append(.init(type, key, value))
            let prefix = PSBTError.Problem.publicKeyPrefix(found: key[0])
            #expect(changed.error()?.problem == prefix, "type \(type)")
        }
    }

    @Test("a tree of leaves needs depths that form a binary tree")
    func trees() throws {
        let raw = try RawPSBT(Samples.version0())
        for (depths, isTree) in [
            ([0], true), ([1, 1], true), ([2, 2, 1], true), ([1, 2, 2], true),
            ([3, 3, 2, 1], true), ([1], false), ([1, 1, 1], false), ([0, 0], false),
            ([2, 1, 2], false), ([1, 2], false), ([129], false), ([2, 2], false),
        ] as [([UInt8], Bool)] {
            var changed = raw
            changed.outputs[0].append(.init(6, depths.flatMap { [$0, 0xC0, 1, 0x51] }))
            #expect(changed.error()?.problem == (isTree ? nil : .notATree), "\(depths)")
        }
        var full = raw
        full.outputs[0].append(
            .init(6, (1...128).flatMap { [UInt8($0), 0xC0, 1, 0x51] } + [128, 0xC0, 1, 0x51]))
        #expect(full.error() == nil)
    }

    @Test("a record of a type that no BIP defines stays, also one of several bytes")
    func unknownFields() throws {
        var raw = try RawPSBT(Samples.version0())
        raw.global.insert(.init(0x70, [9, 9], [1]), at: 0)
        raw.inputs[0].append(.init(key: [0xFD, 0x00, 0x01, 0x55], value: [2]))
        raw.outputs[0].append(.init(0xFC, [3, 1, 2, 3, 0, 7], [3]))
        let psbt = try raw.parse()
        #expect(psbt.serialized == raw.bytes)
    }

    @Test("a type that is not in its shortest form, and a proprietary key cut short")
    func badTypes() throws {
        let raw = try RawPSBT(Samples.version0())
        var long = raw
        long.inputs[0].append(.init(key: [0xFD, 0x10, 0x00], value: []))
        guard case .wire(.nonCanonicalCompactSize) = long.error()?.problem else {
            Issue.record("\(String(describing: long.error()))")
            return
        }
        var cut = raw
        cut.outputs[0].append(.init(0xFC, [5, 1, 2], []))
        #expect(cut.error()?.field == "PSBT_OUT_PROPRIETARY")
    }

    @Test("counts of version 2 beyond any transaction are refused before memory is asked for")
    func counts() throws {
        let raw = try RawPSBT(Samples.version2())
        for type: UInt8 in [4, 5] {
            for count: [UInt8] in [
                [0xFE, 0xFF, 0xFF, 0xFF, 0x7F], [0xFF] + [UInt8](repeating: 0xFF, count: 8),
            ] {
                var changed = raw
                changed.global[type: type] = count
                guard case .wire(.tooLarge) = changed.error()?.problem else {
                    Issue.record("type \(type): \(String(describing: changed.error()))")
                    return
                }
            }
        }
        var few = raw
        few.global[type: 4] = [2]
        #expect(few.error() != nil)
    }

    private func problem(of bytes: [UInt8]) -> PSBTError.Problem? {
        do throws(PSBTError) { _ = try PSBT(bytes) } catch { return error.problem }
        return nil
    }

    private func twice(_ map: [RawPSBT.Record]) -> [RawPSBT.Record] {
        let first = map.first ?? .init(0x70, [1])
        return map + (map.isEmpty ? [first, first] : [first])
    }

    private func isKeyDataLength(_ problem: PSBTError.Problem?) -> Bool {
        if case .keyDataLength = problem { return true }
        return false
    }
}

/// A record with something wrong in it.
struct FieldCase: Sendable, CustomTestStringConvertible {
    let name: String
    let type: UInt8
    let keyData: [UInt8]
    let value: [UInt8]

    var testDescription: String { "\(name) \(keyData.count)+\(value.count)" }

    private init(_ name: String, _ type: UInt8, _ keyData: [UInt8], _ value: [UInt8]) {
        self.name = "PSBT_IN_" + name
        self.type = type
        self.keyData = keyData
        self.value = value
    }

    private init(_ name: String, _ type: UInt8, _ value: [UInt8]) {
        self.init(name, type, [], value)
    }

    private static func bytes(_ count: Int, _ first: UInt8 = 2) -> [UInt8] {
        count == 0 ? [] : [first] + [UInt8](repeating: 0x11, count: count - 1)
    }

    static let inputs: [FieldCase] =
        [
            FieldCase("NON_WITNESS_UTXO", 0, bytes(80)),
            FieldCase("WITNESS_UTXO", 1, bytes(31, 0xFF)),
            FieldCase("PARTIAL_SIG", 2, bytes(33), bytes(71)),
            FieldCase("PARTIAL_SIG", 2, bytes(33), bytes(74, 0x30)),
            FieldCase("SIGHASH_TYPE", 3, bytes(1)),
            FieldCase("REDEEM_SCRIPT", 4, []),
            FieldCase("WITNESS_SCRIPT", 5, []),
            FieldCase("BIP32_DERIVATION", 6, bytes(33), bytes(3)),
            FieldCase("BIP32_DERIVATION", 6, bytes(33), bytes(6)),
            FieldCase("BIP32_DERIVATION", 6, bytes(33), bytes(4 + 4 * 256)),
            FieldCase("FINAL_SCRIPTWITNESS", 8, bytes(3)),
            FieldCase("RIPEMD160", 0x0A, bytes(20), bytes(1)),
            FieldCase("RIPEMD160", 0x0A, bytes(32), bytes(1)),
            FieldCase("SHA256", 0x0B, bytes(32), bytes(1)),
            FieldCase("HASH160", 0x0C, bytes(20), bytes(1)),
            FieldCase("HASH256", 0x0D, bytes(32), bytes(1)),
            FieldCase("TAP_KEY_SIG", 0x13, bytes(63)),
            FieldCase("TAP_KEY_SIG", 0x13, bytes(64) + [0]),
            FieldCase("TAP_SCRIPT_SIG", 0x14, bytes(64), bytes(64) + [0]),
            FieldCase("TAP_SCRIPT_SIG", 0x14, bytes(63), bytes(64)),
            FieldCase("TAP_LEAF_SCRIPT", 0x15, bytes(64, 0xC0), [0x51, 0xC0]),
            FieldCase("TAP_LEAF_SCRIPT", 0x15, bytes(33, 0xC1), [0x51, 0xC2]),
            FieldCase("TAP_LEAF_SCRIPT", 0x15, bytes(33 + 32 * 129, 0xC0), [0x51, 0xC0]),
            FieldCase("TAP_LEAF_SCRIPT", 0x15, bytes(33, 0xC0), []),
        ] + laterInputs

    private static let laterInputs = [
        FieldCase("TAP_BIP32_DERIVATION", 0x16, bytes(32), [0, 1, 2, 3]),
        FieldCase("TAP_BIP32_DERIVATION", 0x16, bytes(32), [1] + bytes(34)),
        FieldCase("TAP_BIP32_DERIVATION", 0x16, bytes(32), [0xFF] + bytes(40, 0xFF)),
        FieldCase("TAP_INTERNAL_KEY", 0x17, bytes(33)),
        FieldCase("TAP_MERKLE_ROOT", 0x18, bytes(31)),
        FieldCase("TAP_MERKLE_ROOT", 0x18, []),
        FieldCase("P2C_TWEAK", 0x19, bytes(33), bytes(31)),
        FieldCase("MUSIG2_PARTICIPANT_PUBKEYS", 0x1A, bytes(33), []),
        FieldCase("MUSIG2_PARTICIPANT_PUBKEYS", 0x1A, bytes(33), bytes(34)),
        FieldCase("MUSIG2_PUB_NONCE", 0x1B, bytes(33) + bytes(33) + bytes(31), bytes(66)),
        FieldCase("MUSIG2_PUB_NONCE", 0x1B, bytes(33) + bytes(33), bytes(67)),
        FieldCase("MUSIG2_PARTIAL_SIG", 0x1C, bytes(33) + bytes(33), bytes(33)),
        FieldCase("PROPRIETARY", 0xFC, [], []),
    ]
}

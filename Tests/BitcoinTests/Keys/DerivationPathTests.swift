import Bitcoin
import TestSupport
import Testing

@Suite("Derivation paths")
struct DerivationPathTests {
    @Test("h and ' are the same path, written with h")
    func marks() throws {
        let paths = try ["m/84'/0'/0'", "m/84h/0h/0h", "84h/0'/0h"].map { try DerivationPath($0) }
        #expect(Set(paths).count == 1)
        #expect(paths[0].description == "m/84h/0h/0h")
        #expect(paths[0].relativeDescription == "84h/0h/0h")
        #expect(try DerivationPath("m") == .empty)
        #expect(DerivationPath.empty.description == "m")
        #expect(DerivationPath.empty.relativeDescription == "")
    }

    @Test("the paths of BIP44, 45 and 48 are read, and written back with h for '")
    func standardPaths() throws {
        let paths = try Fixture.json("keys/accounts.json")["paths"].array
        for row in paths {
            let text = try row.string
            let path = try DerivationPath(text)
            #expect(path.description == text.replacing("'", with: "h"))
            #expect(path.steps.count == text.split(separator: "/").count - 1)
        }
        #expect(paths.count == 38)
    }

    @Test("each fault is named with its place")
    func faults() {
        let faults: [(String, DerivationPathError)] = [
            ("", .emptyStep(position: 0)), ("/", .emptyStep(position: 0)),
            ("m/", .emptyStep(position: 2)), ("m//1", .emptyStep(position: 2)),
            ("m/1/", .emptyStep(position: 4)), ("M", .notANumber(position: 0)),
            ("m/1H", .notANumber(position: 3)), ("m/h", .notANumber(position: 2)),
            ("m/1hh", .notANumber(position: 3)), ("m/+1", .notANumber(position: 2)),
            ("m/-1", .notANumber(position: 2)), ("m/ 1", .notANumber(position: 2)),
            ("m/1 ", .notANumber(position: 3)), ("m/01", .leadingZero(position: 2)),
            ("m/00", .leadingZero(position: 2)), ("m/0x1", .notANumber(position: 3)),
            ("m/*", .notANumber(position: 2)), ("m/<0;1>", .notANumber(position: 2)),
            ("m/1’", .notANumber(position: 3)),
            ("m/2147483648", .indexTooLarge(position: 2, allowed: 2_147_483_647)),
            ("m/4294967296h", .indexTooLarge(position: 2, allowed: 2_147_483_647)),
            ("m/99999999999999999999", .indexTooLarge(position: 2, allowed: 2_147_483_647)),
        ]
        for (text, failure) in faults {
            #expect(throws: failure, "\(text)") { try DerivationPath(text) }
        }
    }

    @Test("255 steps are a path, 256 are not, as text, as steps and by joining")
    func depth() throws {
        let deepest = "m" + String(repeating: "/2147483647h", count: 255)
        let path = try DerivationPath(deepest)
        #expect(path.description == deepest && path.isHardened)
        let tooDeep = DerivationPathError.tooDeep(found: 256, allowed: 255)
        #expect(throws: tooDeep) { try DerivationPath("m" + String(repeating: "/0", count: 256)) }
        #expect(throws: tooDeep) { try path.appending(ChildNumber(rawValue: 0)) }
        #expect(throws: tooDeep) { try path.appending(DerivationPath("0")) }
        #expect(throws: DerivationPathError.textTooLong(found: 3063, allowed: 3061)) {
            try DerivationPath(deepest + "/0")
        }
    }

    @Test("what is read from mutated text is the path that is written, with h for '")
    func mutations() throws {
        var generator = SeededGenerator(seed: 32)
        let start = Array("m/84h/0'/2147483647h/1/19".utf8)
        var read = 0
        for _ in 0..<20_000 {
            let text = String(decoding: generator.mutated(start), as: UTF8.self)
            guard let path = try? DerivationPath(text) else { continue }
            let canonical = text.replacing("'", with: "h")
            #expect(path.description == (text.hasPrefix("m") ? canonical : "m/" + canonical))
            read += 1
        }
        #expect(read > 1000)
    }

    @Test("prefixes, hardening and child numbers")
    func parts() throws {
        let account = try DerivationPath("m/84h/0h/0h")
        let child = try account.appending(DerivationPath("1/7"))
        #expect(account.isPrefix(of: child) && !child.isPrefix(of: account))
        #expect(child.steps.map(\.index) == [84, 0, 0, 1, 7])
        #expect(child.steps.map(\.isHardened) == [true, true, true, false, false])
        #expect(child.steps.map(\.rawValue) == [0x8000_0054, 0x8000_0000, 0x8000_0000, 1, 7])
        #expect(ChildNumber(1 << 31) == nil && ChildNumber(hardened: 1 << 31) == nil)
        #expect(ChildNumber(hardened: 5)?.description == "5h")
    }
}

@Suite("Key origins")
struct KeyOriginTests {
    @Test("a fingerprint is four bytes, read from exactly eight digits")
    func fingerprint() throws {
        let fingerprint = try #require(Fingerprint(hex: "D34DB33F"))
        #expect(fingerprint.bytes == [0xD3, 0x4D, 0xB3, 0x3F])
        #expect(fingerprint.rawValue == 0xD34D_B33F && fingerprint.description == "d34db33f")
        #expect(Fingerprint([0xD3, 0x4D, 0xB3, 0x3F]) == fingerprint)
        for bad in ["", "d34db33", "d34db33f0", "d34db33g", "０1234567"] {
            #expect(Fingerprint(hex: bad) == nil)
        }
        #expect(Fingerprint([1, 2, 3]) == nil && Fingerprint([1, 2, 3, 4, 5]) == nil)
    }

    @Test("specter-desktop#90: a fingerprint as an integer of either byte order is no third key")
    func integerFingerprint() throws {
        // Coldcard prints the four bytes read as a little-endian number too.
        let fingerprint = try #require(Fingerprint(hex: "fa496ea4"))
        #expect(Fingerprint(rawValue: UInt32(2_758_691_322).byteSwapped) == fingerprint)
        #expect(Fingerprint(hex: "2758691322") == nil && Fingerprint(hex: "fa-49-6e-a4") == nil)
    }

    @Test("an origin prints as in a descriptor, with and without a path")
    func description() throws {
        let fingerprint = try #require(Fingerprint(hex: "d34db33f"))
        let origin = KeyOrigin(fingerprint: fingerprint, path: try DerivationPath("m/84'/0'"))
        #expect(origin.description == "d34db33f/84h/0h")
        let master = KeyOrigin(fingerprint: fingerprint, path: .empty)
        #expect(master.description == "d34db33f")
    }
}

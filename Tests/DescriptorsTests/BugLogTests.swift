import Bitcoin
import Curve
import PSBT
import Testing
import Wire

@testable import Descriptors

/// Public bug reports about descriptors in other signers and wallets, each as the smallest input
/// that shows the fault. The numbers are those of the project's list of reports.
@Suite("Reported bugs of others: descriptors")
struct BugLogTests {
    static let otherKey =
        "xpub68NZiKmJWnxxS6aaHmn81bvJeTESw724CRDs6HbuccFQN9Ku14VQrADWgqbhhTHBaohPX4CjNLf9fq9MYo6oDaPPLPxSb7gwQN3ih19Zm4Y"
    static let thirdKey =
        "xpub69H7F5dQzmVd3vPuLKtcXJziMEQByuDidnX3YdwgtNsecY5HRGtAAQC5mXTt4dsv9RzyjgDjAQs9VGVV6ydYCHnprc9vvaA5YtqWyL6hyds"
    let x = "[aaaaaaaa/48h/0h/0h/2h]" + KeyExpressionTests.xpub
    let y = "[bbbbbbbb/48h/0h/0h/2h]" + otherKey
    let z = "[cccccccc/48h/0h/0h/2h]" + thirdKey

    @Test("23, specter-desktop#715: each cosigner keeps a path of its own")
    func row23() throws {
        let other = "[bbbbbbbb/49h/0h/6940h]" + Self.otherKey
        let descriptor = try Descriptor("wsh(sortedmulti(2,\(x)/<0;1>/*,\(other)/<0;1>/*))")
        let origins = try descriptor.output(at: 5, branch: 1).form.keys.map(\.origin.description)
        #expect(origins == ["aaaaaaaa/48h/0h/0h/2h/1/5", "bbbbbbbb/49h/0h/6940h/1/5"])
    }

    @Test("24, specter-diy#186: a wrong fingerprint changes no output, and stays visible")
    func row24() throws {
        let right = try Descriptor("wpkh(\(x)/0/*)")
        let wrong = try Descriptor("wpkh(\(x.replacing("aaaaaaaa", with: "00000000"))/0/*)")
        #expect(try right.output(at: 3).scriptPubKey == wrong.output(at: 3).scriptPubKey)
        #expect(right != wrong && right.identifier != wrong.identifier)
        #expect(wrong.keys[0].origin?.fingerprint.description == "00000000")
    }

    @Test(
        "25, specter-desktop#90: a fingerprint is eight digits in the order of the bytes",
        arguments: ["a4-6e-59-fa", "2758691322", "A46E59", "0xa46e59fa"])
    func row25(text: String) throws {
        expectReason(.fingerprint, "wpkh([\(text)/84h]\(Self.otherKey)/0/*)")
        let upper = try Descriptor("wpkh([A46E59FA/84h]\(Self.otherKey)/0/*)")
        #expect(upper.keys[0].origin?.fingerprint.bytes == [0xA4, 0x6E, 0x59, 0xFA])
        #expect(upper.body.hasPrefix("wpkh([a46e59fa/84h]"))
    }

    @Test("26, caravan#219: a key without origin comes from itself")
    func row26() throws {
        let output = try Descriptor("wpkh(\(Self.otherKey)/0/*)").output(at: 7)
        let own = try ExtendedPublicKey(Self.otherKey).fingerprint
        #expect(output.form.keys[0].origin.description == "\(own)/0/7")
    }

    @Test("27, HWI#401: a key without origin does not inherit that of its neighbour")
    func row27() throws {
        let output = try Descriptor("wsh(multi(2,\(x)/0/*,\(Self.otherKey)/0/*))").output()
        let own = try ExtendedPublicKey(Self.otherKey).fingerprint
        #expect(
            output.form.keys.map(\.origin.fingerprint.description) == ["aaaaaaaa", "\(own)"])
    }

    @Test("34, app-bitcoin#343 and HWI#605: h and ' are the same policy")
    func row34() throws {
        let h = "wsh(sortedmulti(2,\(x)/<0;1>/*,\(y)/<0;1>/*))"
        let apostrophe = h.replacing("h/", with: "'/").replacing("h]", with: "']")
        #expect(apostrophe.contains("48'/0'/0'/2'"))
        #expect(try Descriptor(h) == Descriptor(apostrophe))
        #expect(try WalletPolicy(Descriptor(h)) == WalletPolicy(Descriptor(apostrophe)))
    }

    @Test("35 and 36, libnunchuk#5 and bitcoin#15740: each spelling has a checksum of its own")
    func rows35And36() throws {
        let h = "wpkh(\(x)/0/*)"
        let apostrophe = h.replacing("h/", with: "'/").replacing("h]", with: "']")
        let sumOfH = try DescriptorChecksum.compute(h)
        let sumOfApostrophe = try DescriptorChecksum.compute(apostrophe)
        #expect(sumOfH != sumOfApostrophe)
        #expect(try Descriptor(h + "#" + sumOfH) == Descriptor(apostrophe + "#" + sumOfApostrophe))
        #expect(try Descriptor(apostrophe).description == h + "#" + sumOfH)
        expectReason(.checksumMismatch, h + "#" + sumOfApostrophe)
        expectReason(.checksumMismatch, apostrophe + "#" + sumOfH)
    }

    @Test("37 and 38, specter-desktop#982 and Coldcard 5.3.1: ' in and h out is the same wallet")
    func rows37And38() throws {
        let apostrophes = "[aaaaaaaa/48'/0'/0'/2']" + KeyExpressionTests.xpub
        let imported = try Descriptor("wsh(sortedmulti(1,\(apostrophes)/<0;1>/*,\(y)/<0;1>/*))")
        let exported = try Descriptor(imported.description)
        #expect(exported.identifier == imported.identifier)
        #expect(exported.description == imported.description)
    }

    @Test("39, sparrow#698: multi never becomes sortedmulti")
    func row39() throws {
        let a = "02ff12471208c14bd580709cb2358d98975247d8765f92bc25eab3b2763ed605f8"
        let b = "02fe6f0a5a297eb38c391581c4413e084773ea23954d93f7753db7dc0adc188b2f"
        let multi = try Descriptor("wsh(multi(2,\(a),\(b)))")
        let script = try multi.output().witnessScript.map { Hex.encode($0.bytes) }
        #expect(script == "5221\(a)21\(b)52ae")
        #expect(try Descriptor(multi.description) == multi)
        let sorted = try Descriptor("wsh(sortedmulti(2,\(a),\(b)))").output()
        #expect(sorted.witnessScript.map { Hex.encode($0.bytes) } == "5221\(b)21\(a)52ae")
    }

    @Test("40, HWI#487: sortedmulti sorts the derived keys, not the extended ones")
    func row40() throws {
        let one = try OutputSeries(Descriptor("wsh(sortedmulti(2,\(x)/0/*,\(y)/0/*))"))
        let other = try OutputSeries(Descriptor("wsh(sortedmulti(2,\(y)/0/*,\(x)/0/*))"))
        var firstKeys: Set<Bool> = []
        for index in 0..<20 as Range<UInt32> {
            let output = try one.output(at: index)
            #expect(try output.witnessScript == other.output(at: index).witnessScript)
            let keys = output.form.keys.map(\.publicKey)
            firstKeys.insert(keys[0] < keys[1])
            let expected = Script.multisig(required: 2, keys: keys.sorted().map(\.compressed))
            #expect(output.witnessScript == expected)
        }
        #expect(firstKeys == [true, false], "both orders have to occur")
    }

    @Test("41, sparrow#429: a script with unsorted keys is found for what it is, all keys known")
    func row41() throws {
        let keys = ["\(z)/0/*", "\(x)/0/*", "\(y)/0/*", "\(x)/1/*"].joined(separator: ",")
        let output = try Descriptor("wsh(multi(2,\(keys)))").output(at: 1)
        var known = KnownScripts()
        for key in output.form.keys { known.insert(key.publicKey, origin: key.origin) }
        known.insert(try #require(output.witnessScript))
        let inferred = known.descriptor(of: output.scriptPubKey, network: .mainnet)
        #expect(
            inferred.keys.map { $0.origin?.fingerprint.description }
                == ["cccccccc", "aaaaaaaa", "bbbbbbbb", "aaaaaaaa"])
        #expect(inferred.body.hasPrefix("wsh(multi(2,"))
    }

    @Test("42, sparrow#1324: the order of cosigners in sortedmulti is no part of the wallet")
    func row42() throws {
        let keys = [x, y, z].map { $0 + "/<0;1>/*" }
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
        for form in [
            "wsh(sortedmulti(2,%))", "sh(sortedmulti(2,%))", "tr(\(x)/9/*,sortedmulti_a(2,%))",
        ] {
            let descriptors = try orders.map { order in
                let list = order.map { keys[$0] }.joined(separator: ",")
                return try Descriptor(form.replacing("%", with: list))
            }
            #expect(Set(descriptors).count == 6)
            #expect(Set(descriptors.map(\.identifier)).count == 1)
            #expect(Set(descriptors.map(\.canonical)).count == 1)
        }
    }

    @Test("43, Coldcard: multi(A,B), multi(B,A) and sortedmulti(A,B) are three wallets")
    func row43() throws {
        let forms = [("multi", x, y), ("multi", y, x), ("sortedmulti", x, y)]
        let descriptors = try forms.map {
            try Descriptor("wsh(\($0.0)(2,\($0.1)/<0;1>/*,\($0.2)/<0;1>/*))")
        }
        #expect(Set(descriptors.map(\.identifier)).count == 3)
    }

    @Test("44, HWI#591: a taproot output has no derivations of ECDSA keys")
    func row44() throws {
        let output = try Descriptor("tr(\(x)/1/*,pk(\(y)/1/*))").output(at: 3)
        #expect(output.outputUpdate.derivations.isEmpty && output.inputUpdate.derivations.isEmpty)
        #expect(output.outputUpdate.taprootDerivations.count == 2)
        let segwit = try Descriptor("wpkh(\(x)/1/*)").output(at: 3)
        #expect(segwit.outputUpdate.derivations.count == 1)
        #expect(segwit.outputUpdate.taprootDerivations.isEmpty)
    }

    @Test("50, liana#706: of a signer with two keys in a script both are named")
    func row50() throws {
        let text = "wsh(or_d(pk(\(x)/<0;1>/*),and_v(v:pkh(\(x)/<2;3>/*),older(65535))))"
        let update = try Descriptor(text).output(at: 6).inputUpdate
        #expect(
            Set(update.derivations.map(\.origin.description))
                == ["aaaaaaaa/48h/0h/0h/2h/0/6", "aaaaaaaa/48h/0h/0h/2h/2/6"])
        #expect(Set(update.derivations.map(\.publicKey)).count == 2)
    }

    @Test("49, app-bitcoin#243: a leaf with a key at <2;3>/* has the keys of branches 2 and 3")
    func row49() throws {
        let policy = try WalletPolicy(
            template: "tr(@0/**,pk(@1/<2;3>/*))", keys: [x, y])
        let parent = try ExtendedPublicKey(Self.otherKey)
        for branch in 0..<2 {
            let output = try policy.descriptor.output(at: 4, branch: branch)
            let key = try parent.derive(DerivationPath("\(branch + 2)/4")).publicKey
            let script = Script([0x20] + key.xOnly.bytes.array + [0xAC])
            #expect(output.taproot?.tree?.nodes.map(\.leaf) == [TapLeaf(script)])
            #expect(output.taproot?.tree?.merkleRoot == TapLeaf(script).hash)
        }
    }

    @Test("56, bitcoin#34697: two musig() of the same keys name each origin once")
    func row56() throws {
        let (a, b) = (
            "[aaaaaaaa/86h/1h/0h]" + KeyExpressionTests.xpub, "[bbbbbbbb/86h/1h/0h]" + Self.otherKey
        )
        let text = "tr(musig(\(a),\(b))/0/*,pk(musig(\(a),\(b))/1/*))"
        let output = try Descriptor(text).output(at: 2)
        for (key, suffix) in zip(output.form.keys, ["0/2", "1/2"]) {
            #expect(
                Set(key.leafKeys.map(\.origin.description))
                    == ["aaaaaaaa/86h/1h/0h", "bbbbbbbb/86h/1h/0h"])
            #expect(key.origin.path.relativeDescription == suffix)
            #expect(key.aggregate == output.form.keys[0].aggregate)
        }
        #expect(try Descriptor(text).body == text)
    }

    @Test("74, Jade#30 and trezor#4351: cosigners at different indices are no wallet policy")
    func row74() throws {
        let descriptor = try Descriptor("wsh(sortedmulti(2,\(x)/0/2,\(y)/0/7,\(z)/0/9))")
        #expect(!descriptor.isRanged)
        #expect(throws: WalletPolicyError.notTwoBranches) { try WalletPolicy(descriptor) }
        let ranged = try Descriptor("wsh(sortedmulti(2,\(x)/<0;1>/*,\(y)/<0;1>/*,\(z)/<0;1>/*))")
        let steps = try ranged.output(at: 9, branch: 1).form.keys.map {
            $0.origin.path.steps.suffix(2)
        }
        #expect(Set(steps) == [[ChildNumber(rawValue: 1), ChildNumber(rawValue: 9)]])
    }

    @Test("93, HWI#680: a wallet of five keys is one, registered as descriptor or as policy")
    func row93() throws {
        let parent = try ExtendedPublicKey(Self.otherKey)
        let keys = try (0..<5 as Range<UInt32>).map { index in
            "[bbbbbbbb/48h/0h/0h/2h/\(index)]"
                + (try parent.derive(ChildNumber(rawValue: index)).description)
        }
        let list = keys.reversed().map { $0 + "/<0;1>/*" }.joined(separator: ",")
        let descriptor = try Descriptor("wsh(sortedmulti(3,\(list)))")
        let policy = try WalletPolicy(
            template: "wsh(sortedmulti(3,@0/**,@1/**,@2/**,@3/**,@4/**))", keys: keys)
        #expect(policy.descriptor.identifier == descriptor.identifier)
        #expect(try WalletPolicy(descriptor).template == policy.template)
    }

    @Test("94, HWI#624: sh(multi) below m/45h derives like any other wallet")
    func row94() throws {
        let keys = [
            "[aaaaaaaa/45h]\(KeyExpressionTests.xpub)/0/<0;1>/*",
            "[bbbbbbbb/45h]\(Self.otherKey)/0/<0;1>/*",
        ]
        let output = try Descriptor("sh(multi(1,\(keys.joined(separator: ","))))").output(branch: 1)
        #expect(output.form.keys[0].origin.description == "aaaaaaaa/45h/0/1/0")
        #expect(output.redeemScript != nil && output.witnessScript == nil)
    }
}

import Bitcoin
import TestSupport
import Testing

@testable import Descriptors

@Suite("Descriptor")
struct DescriptorTests {
    @Test("the identifier is the tagged hash of the canonical text, computed elsewhere too")
    func identifier() throws {
        let keys = [
            "[bbbbbbbb/48'/0'/0'/2']" + BugLogTests.otherKey,
            "[AAAAAAAA/48h/0h/0h/2h]" + KeyExpressionTests.xpub,
        ]
        let list = keys.map { $0 + "/<0;1>/*" }.joined(separator: ",")
        #expect(
            try Descriptor("wsh(sortedmulti(2,\(list)))").identifier.description
                == "4a67e3bac7ce2c9664d776662e2615e7b33f70d3387f97a7407c13b988ac1122")
    }

    @Test("a series gives in bulk what single derivations give")
    func bulk() throws {
        let x = KeyExpressionTests.xpub
        let y = BugLogTests.otherKey
        for text in [
            "wpkh(\(x)/<0;1>/*)", "sh(wsh(multi(2,\(x)/<0;1>/*,\(y)/7)))",
            "tr(musig(\(x)/<0;1>/*,\(y)/3/*),pk(\(y)/<5;6>/*))",
        ] {
            let descriptor = try Descriptor(text)
            let scripts = try OutputSeries(descriptor, branch: 1).scriptPubKeys(in: 10..<20)
            let single = try (10..<20 as Range<UInt32>).map {
                try descriptor.branch(1).output(at: $0).scriptPubKey
            }
            #expect(scripts == single)
            #expect(Set(scripts).count == 10)
        }
    }

    @Test("a descriptor without a wildcard has the same output at every index")
    func notRanged() throws {
        let descriptor = try Descriptor("wpkh(\(KeyExpressionTests.xpub)/0)")
        #expect(!descriptor.isRanged)
        #expect(try descriptor.output(at: 0) == descriptor.output(at: 9))
    }

    @Test("extended keys tell the network, unless they are of both kinds")
    func network() throws {
        let main = KeyExpressionTests.xpub
        let test = try ExtendedPublicKey(main)
        let tpub = ExtendedPublicKey(
            network: .test, depth: test.depth, parentFingerprint: test.parentFingerprint,
            childNumber: test.childNumber, chainCode: test.chainCode, publicKey: test.publicKey)
        #expect(try Descriptor("wpkh(\(main))").network == .main)
        #expect(try Descriptor("wpkh(\(tpub))").network == .test)
        #expect(try Descriptor("wsh(multi(1,\(main)/0,\(tpub)/1))").network == nil)
        #expect(try Descriptor("raw(51)").network == nil)
        #expect(throws: WalletPolicyError.mixedNetworks) {
            try WalletPolicy(Descriptor("wsh(multi(1,\(main)/<0;1>/*,\(tpub)/<2;3>/*))"))
        }
    }

    @Test("one key with two origins stands twice in a script, and is refused")
    func sameKeyTwice() {
        let x = KeyExpressionTests.xpub
        let text = "wsh(multi(2,[aaaaaaaa]\(x)/<0;1>/*,[bbbbbbbb]\(x)/<0;1>/*))"
        expectReason(.insane(.duplicateKey), text)
        expectReason(.insane(.duplicateKey), text.replacing("multi", with: "sortedmulti"))
        let point = KeyExpressionTests.point
        expectReason(
            .insane(.duplicateKey),
            "tr(\(x),multi_a(1,\(point),\(point.dropFirst(2))))")
    }
}

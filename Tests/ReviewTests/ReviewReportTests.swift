import Bitcoin
import Hashing
import PSBT
import Review
import TestSupport
import Testing
import Wire

@Suite("The report")
struct ReviewReportTests {
    @Test("the canonical form is JSON in ASCII that names its format and its version")
    func json() throws {
        for attack in Attack.all {
            let bytes = try attack.bytes()
            let report = try Own.reviewer().review(bytes)
            #expect(report.canonical.allSatisfy { (0x20...0x7E).contains($0) })
            let json = try JSON(parsing: report.canonical, name: attack.name)
            #expect(try json["format"].string == "bulkhead-review")
            #expect(try json["version"].int == ReviewReport.formatVersion)
            #expect(try json["verdict"].string == attack.verdict.rawValue)
            #expect(try json["psbt_sha256"].string == SHA256.hash(bytes).description)
            let checks = try json["checks"].array
            #expect(try checks.map { try $0["code"].string } == ReviewCheck.allCases.map(\.code))
            let failed = try checks.filter { try $0["outcome"].string == "failed" }
            #expect(try Set(failed.map { try $0["code"].string }) == Set(attack.codes.map(\.code)))
            for check in checks { #expect(try !check["why"].string.isEmpty) }
            for finding in try json["findings"].array {
                #expect(try finding["sentence"].string.hasSuffix("."))
            }
        }
    }

    @Test("an honest payment reads in JSON as it is")
    func honestJSON() throws {
        let report = try Own.reviewer().review(Draft.honest().bytes)
        let json = try JSON(parsing: report.canonical, name: "honest")
        let transaction = try json["transaction"]
        #expect(try transaction["fee"].string == "proven")
        #expect(try transaction["fee_sat"].int == 2_000)
        #expect(try transaction["own_spent_sat"].int == 1_100_000)
        #expect(try transaction["own_received_sat"].int == 798_000)
        #expect(try transaction["paid_sat"].int == 300_000)
        #expect(try transaction["vsize"].int == 209)
        #expect(try json["wallets"][0]["fingerprint"].string == "73c5da0a")
        #expect(try json["limits"]["index_distance"].int == 1_000)
        let input = try json["inputs"][1]
        #expect(try input["own"]["path"].string == "m/84h/1h/0h/1/7")
        #expect(try input["own"]["branch"].string == "change")
        #expect(try input["proof"].string == "proven")
        #expect(try input["amount_sat"].int == 500_000)
        #expect(try json["outputs"][0]["own"].isNull)
        #expect(try json["outputs"][0]["role"].string == "payment")
        #expect(try json["outputs"][1]["role"].string == "change")
        #expect(
            try json["outputs"][0]["address"].string
                == "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080")
    }

    @Test("the same file gives the same digest, whoever reviews it, and any change another")
    func digest() throws {
        var seen: [Bytes32: String] = [:]
        for attack in Attack.all {
            let bytes = try attack.bytes()
            let report = try Own.reviewer().review(bytes)
            #expect(try Own.reviewer().review(bytes).digest == report.digest)
            #expect(report.digest == SHA256.hash(report.canonical))
            let twin = seen.updateValue(attack.name, forKey: report.digest)
            #expect(twin == nil, "\(attack.name)")
        }
    }

    @Test("other wallets, another network and other limits give other digests")
    func digestOfTheRest() throws {
        let bytes = try Draft.honest().bytes
        var limits = ReviewLimits()
        limits.changeOutputs = 3
        let wallet = try Own.wallet()
        let renamed = KnownWallet(
            id: [0xA2], fingerprint: wallet.fingerprint, policies: wallet.policies)
        let reviewers = [
            try Own.reviewer(), try Own.reviewer([.bip84]), try Own.reviewer(limits: limits),
            Reviewer(wallets: [wallet], network: .signet),
            Reviewer(wallets: [renamed], network: .regtest),
        ]
        #expect(Set(reviewers.map { $0.review(bytes).digest }).count == reviewers.count)
    }

    @Test("findings stand in the order of their severity, and each says what to do")
    func findings() throws {
        for attack in Attack.all {
            let report = try Own.reviewer().review(attack.bytes())
            let severities = report.findings.map(\.check.severity)
            #expect(severities == severities.sorted(by: >))
            for finding in report.findings {
                #expect(finding.sentence.hasSuffix(finding.check.advice))
                #expect(finding.sentence.first?.isLowercase == false, "\(finding.sentence)")
            }
        }
    }

    @Test("of one check a hundred findings are listed, and all are counted")
    func manyFindings() throws {
        var draft = try Draft.honest()
        for _ in 0..<150 { draft.addOutput(100, try Stranger(1).p2wpkh()) }
        let report = try Own.reviewer().review(draft.bytes)
        #expect(report.outcome(of: .outputDust) == .failed(150))
        #expect(report.findings.count { $0.check == .outputDust } == Finding.maximumListed)
    }

    @Test("an account is told by its path and key, and nothing else is taken for one")
    func policies() throws {
        let key = try #require(Own.keys[.bip84])
        let xpub = try ExtendedPublicKey(key)
        func policy(_ kind: AccountKind, _ path: String) throws -> OwnPolicy {
            try OwnPolicy(
                kind,
                origin: KeyOrigin(fingerprint: Own.fingerprint, path: DerivationPath(path)),
                key: xpub)
        }
        #expect(try policy(.bip84, "m/84h/1h/0h").kind == .bip84)
        for (kind, path) in [
            (AccountKind.bip84, "m/86h/1h/0h"), (.bip86, "m/84h/1h/0h"), (.bip84, "m/84h/1h"),
            (.bip84, "m/84h/1h/0"), (.bip84, "m/84h/1h/0h/0"), (.bip84, "m/84h/0h/0h"),
            (.bip84, "m/84h/1h/1h"),
        ] {
            #expect(throws: OwnPolicyError.self, "\(path)") { try policy(kind, path) }
        }
    }
}

import Bitcoin
import PSBT
import Wire

extension ReviewReport {
    /// The version of the form that `canonical` has. It changes with every change of the form.
    public static let formatVersion = 1

    /// The report as JSON in one fixed form, ASCII only: what `--json` prints, and what an approval
    /// names by its SHA-256. The schema is in docs/review.md.
    public var canonical: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("format", "bulkhead-review")
            writer.member("version", ReviewReport.formatVersion)
            writer.member("psbt_sha256", psbtHash.description)
            writer.member("network", network.rawValue)
            writer.member("verdict", verdict.rawValue)
            writer.array("wallets", wallets) { $1.write(to: &$0) }
            writer.object("limits") { limits.write(to: &$0) }
            if let transaction {
                writer.object("transaction") { transaction.write(to: &$0) }
            } else {
                writer.null("transaction")
            }
            writer.array("inputs", inputs.enumerated()) { $1.element.write(to: &$0, $1.offset) }
            writer.array("outputs", outputs.enumerated()) {
                $1.element.write(to: &$0, $1.offset, network)
            }
            writer.array("findings", findings) { $1.write(to: &$0) }
            writer.array("checks", zip(ReviewCheck.allCases, outcomes)) { writer, row in
                row.0.write(row.1, to: &writer)
            }
        }
        return writer.bytes
    }
}

extension ReportedWallet {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", Hex.encode(id))
            writer.member("fingerprint", fingerprint.description)
            writer.array("accounts", accounts) { writer, account in
                writer.object { writer in
                    writer.member("kind", account.kind.rawValue)
                    writer.member("path", account.path.description)
                    writer.member("descriptor_id", account.identifier.description)
                }
            }
        }
    }
}

extension ReviewLimits {
    fileprivate func write(to writer: inout JSONWriter) {
        for row in ReviewLimits.rows { writer.member(row.name, self[keyPath: row.path]) }
    }
}

extension TransactionFact {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("psbt_version", psbtVersion.rawValue)
        writer.member("unsigned_txid", unsignedTxid.description)
        writer.member("version", version)
        writer.member("locktime", lockTime.rawValue)
        writer.member("locktime_enforced", lockTimeIsEnforced)
        writer.member("signals_replacement", signalsReplacement)
        switch fee {
        case .proven(let amount):
            writer.member("fee", "proven")
            writer.member("fee_sat", amount.sats)
        case .notProvable:
            writer.member("fee", "not-provable")
            writer.null("fee_sat")
        case .negative:
            writer.member("fee", "negative")
            writer.null("fee_sat")
        }
        writer.member("vsize", vsize)
        writer.member("feerate_sat_per_kvb", feerate)
        writer.member("own_spent_sat", ownSpent.sats)
        writer.member("own_received_sat", ownReceived.sats)
        writer.member("paid_sat", paid.sats)
    }
}

extension InputFact {
    fileprivate func write(to writer: inout JSONWriter, _ index: Int) {
        writer.object { writer in
            writer.member("index", index)
            writer.member("txid", outpoint.txid.description)
            writer.member("vout", outpoint.vout)
            writer.member("sequence", sequence.rawValue)
            writer.member("amount_sat", spent?.value.sats)
            writer.member("script", spent.map { Hex.encode($0.scriptPubKey.bytes) })
            writer.member("proof", proof.rawValue)
            OwnPlace.write(owner, to: &writer)
            writer.member("signable", isSignable)
            writer.member("verified_signatures", verifiedSignatures)
            writer.member("sighash", sighashType?.rawValue)
        }
    }
}

extension OutputFact {
    fileprivate func write(to writer: inout JSONWriter, _ index: Int, _ network: Network) {
        writer.object { writer in
            writer.member("index", index)
            writer.member("amount_sat", value.sats)
            writer.member("script", Hex.encode(scriptPubKey.bytes))
            writer.member(
                "address", Address(scriptPubKey: scriptPubKey, network: network)?.text)
            writer.member("role", role.rawValue)
            OwnPlace.write(owner, to: &writer)
        }
    }
}

extension OwnPlace {
    fileprivate static func write(_ place: OwnPlace?, to writer: inout JSONWriter) {
        guard let place else { return writer.null("own") }
        writer.object("own") { writer in
            writer.member("wallet", place.wallet)
            writer.member("account", place.policy)
            writer.member("path", place.path.description)
            switch place.branch {
            case .receive: writer.member("branch", "receive")
            case .change: writer.member("branch", "change")
            case .unusual: writer.member("branch", "unusual")
            }
        }
    }
}

extension Finding {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("code", check.code)
            writer.member("severity", check.severity.description)
            switch place {
            case .file, .global:
                writer.null("input")
                writer.null("output")
            case .input(let index):
                writer.member("input", index)
                writer.null("output")
            case .output(let index):
                writer.null("input")
                writer.member("output", index)
            }
            writer.member("sentence", sentence)
        }
    }
}

extension ReviewCheck {
    fileprivate func write(_ outcome: CheckOutcome, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("code", code)
            writer.member("severity", severity.description)
            switch outcome {
            case .passed:
                writer.member("outcome", "passed")
                writer.member("findings", 0)
                writer.member("why", subject)
            case .failed(let count):
                writer.member("outcome", "failed")
                writer.member("findings", count)
                writer.member("why", "Not so: \(subject)")
            case .notApplicable(let reason):
                writer.member("outcome", "not-applicable")
                writer.member("findings", 0)
                writer.member("why", reason)
            }
        }
    }
}

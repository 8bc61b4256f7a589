/// The page that is made from the tables of this module.
public enum ReviewDocuments {
    /// docs/review.md.
    public static var page: String {
        [
            introduction, proofs, checks, rules, limits, schema,
        ].joined(separator: "\n")
    }

    private static let introduction = """
        # Review

        *Made from `Sources/Review` by `scripts/docs`; change it there.*

        A review is a pure function: a PSBT, the public side of the own wallets, the network and limits
        go in; facts, findings and the outcome of every check come out. It holds no secret, reads no
        clock and no disk. The signing worker runs it again and compares the digest before it asks for
        the password.

        | verdict | when | what follows |
        |---|---|---|
        | `ready` | no finding, or notes alone | it may be signed |
        | `warned` | a warning | a person must type what the warning says; without a person it is refused |
        | `stopped` | a check that stops | nothing is signed, whoever asks |

        """

    private static let proofs = """
        ## How sure an amount is

        | state | when |
        |---|---|
        | `proven` | The full previous transaction is in the file, at this input or at another one, and hashes to the txid that is spent. |
        | `committed` | There is only somebody's word, but a wrong amount makes our own signature worthless: an own taproot input is signed, whose signature commits to the amounts of all inputs (BIP341), or the input itself is an own one of segwit version 0 (BIP143). |
        | `unproven` | There is only somebody's word. |
        | `contradictory` | The previous transaction at another input says otherwise. (A file that contradicts itself within one input is refused when it is read.) |
        | `missing` | The file says nothing about it. |

        The fee is a number only where every input is `proven` or `committed`. A signature of segwit version
        0 commits to its own amount alone: whoever gets two reviews approved, with another lie in each, can
        join one signature of each to a transaction that pays far more fee. Two or more amounts that rest on
        such signatures are therefore a warning (`segwit-unproven`), one is a note.

        An input or output is ours when the script that a known account makes at the claimed path is equal
        to its script. The claim is a hint where to look and nothing more; one false claim with our
        fingerprint stops the signing. What is not derived again is shown as leaving.

        | role of an output | when |
        |---|---|
        | `change` | derived on the change branch of an account that is spent from |
        | `receive` | derived on the receive branch of such an account |
        | `transfer` | derived in another account or wallet of ours |
        | `payment` | everything else, own scripts at unusual paths included |
        | `data` | OP_RETURN and whatever else nobody can spend |

        """

    private static var checks: String {
        let rows = ReviewCheck.allCases.map { check in
            "| `\(check.code)` | \(check.severity) | \(check.rules.joined(separator: " ")) "
                + "| \(check.subject) | \(check.advice) |\n"
        }
        return """
            ## Checks

            Every report has the outcome of all \(ReviewCheck.allCases.count): `passed`, `failed` with the \
            number of findings, or `not-applicable` with the reason. A code never changes its meaning.

            | code | severity | rules | what must hold | what to do if not |
            |---|---|---|---|---|

            """ + rows.joined()
    }

    private static var rules: String {
        let rows = ReviewRule.all.map { rule in
            let codes = rule.checks.map { "`\($0.code)`" }.joined(separator: ", ")
            let places = [codes, rule.elsewhere ?? ""].filter { !$0.isEmpty }
            return "| \(rule.name) | \(rule.text) | \(places.joined(separator: "; ")) |\n"
        }
        return """

            ## Rules

            What the signers of this field check, and where it is kept here. Accounts of one key are \
            reviewed now; rules about several keys wait for registered policies.

            | rule | what it asks for | where it is kept |
            |---|---|---|

            """ + rows.joined()
    }

    private static var limits: String {
        let rows = ReviewLimits.rows.map {
            "| `\($0.name)` | \(ReviewLimits.standard[keyPath: $0.path]) | \($0.meaning) |\n"
        }
        return """

            ## Limits

            | name | default | what it counts |
            |---|---|---|

            """ + rows.joined()
    }

    private static let schema = """

        ## The report as JSON, version \(ReviewReport.formatVersion)

        One object on one line, ASCII, members in this order, whole numbers only. These bytes are the
        canonical form: their SHA-256 is the digest that an approval names, so `sha256sum` of what
        `--json` prints, without a final newline, gives it. Amounts are satoshis, scripts hexadecimal.
        Nothing in it is text from outside: names, labels and data stand there as hexadecimal or not at all.

        | member | type | what |
        |---|---|---|
        | `format` | text | `bulkhead-review` |
        | `version` | number | \(ReviewReport.formatVersion); changes with every change of this form |
        | `psbt_sha256` | text | SHA-256 of the PSBT in binary |
        | `network` | text | the network of the signer |
        | `verdict` | text | `ready`, `warned`, `stopped` |
        | `wallets` | list | `id`, `fingerprint`, `accounts`: `kind`, `path`, `descriptor_id` |
        | `limits` | object | the table above |
        | `transaction` | object or null | null where the file describes no transaction |
        | `inputs` | list | see below |
        | `outputs` | list | see below |
        | `findings` | list | `code`, `severity`, `input` and `output` (index or null), `sentence`; the gravest first; at most \(Finding.maximumListed) of one code |
        | `checks` | list | `code`, `severity`, `outcome`, `findings` (how many), `why` |

        | member of `transaction` | type | what |
        |---|---|---|
        | `psbt_version` | number | 0 or 2 |
        | `unsigned_txid` | text | the txid without signatures |
        | `version`, `locktime` | number | as in the transaction; the lock time by BIP370 |
        | `locktime_enforced`, `signals_replacement` | true or false | by the sequence numbers |
        | `fee` | text | `proven`, `not-provable`, `negative` |
        | `fee_sat` | number or null | where it is proven |
        | `vsize` | number or null | with all signatures, at most |
        | `feerate_sat_per_kvb` | number or null | satoshis per 1,000 vbytes |
        | `own_spent_sat`, `own_received_sat`, `paid_sat` | number | what own inputs spend, what comes back, what leaves |

        | member of `inputs` | type | what |
        |---|---|---|
        | `index`, `txid`, `vout`, `sequence` | number, text | the input |
        | `amount_sat`, `script` | number, text or null | the output that is spent, as far as the file says |
        | `proof` | text | how sure that is |
        | `own` | object or null | `wallet` and `account` (places in `wallets`), `path`, `branch`: `receive`, `change`, `unusual` |
        | `signable` | true or false | whether it may get a signature of ours |
        | `verified_signatures` | number | signatures that came with the file and are right |
        | `sighash` | number or null | the type that the file asks for |

        | member of `outputs` | type | what |
        |---|---|---|
        | `index`, `amount_sat`, `script` | number, text | the output |
        | `address` | text or null | null for scripts without one |
        | `role` | text | the table above |
        | `own` | object or null | as for inputs |

        """
}

#!/usr/bin/env python3
"""Runs finished transactions through Bitcoin Core's own script engine.

Reads one JSON object a line: {"name": text, "tx": hex, "prevouts": [[sats, scriptPubKey hex], ...]}
with the spent outputs in input order. Prints one line a transaction, `ok NAME` or
`invalid NAME input N`, and a last line `verified COUNT inputs`. The exit status is 0 only if there
was at least one transaction and every input of every one is a valid spend.

Needs the package py-bitcoinkernel (libbitcoinkernel); scripts/setup puts it into a virtual environment.
"""
import json
import sys

import pbk
from pbk.script import PrecomputedTransactionData

FLAGS = pbk.ScriptVerificationFlags
ALL = (
    FLAGS.P2SH
    | FLAGS.DERSIG
    | FLAGS.NULLDUMMY
    | FLAGS.CHECKLOCKTIMEVERIFY
    | FLAGS.CHECKSEQUENCEVERIFY
    | FLAGS.WITNESS
    | FLAGS.TAPROOT
)


def invalid_inputs(case):
    """The numbers of the inputs that the script engine refuses."""
    transaction = pbk.Transaction(bytes.fromhex(case["tx"]))
    scripts = [(sats, pbk.ScriptPubkey(bytes.fromhex(script))) for sats, script in case["prevouts"]]
    outputs = [pbk.TransactionOutput(script, sats) for sats, script in scripts]
    hashes = PrecomputedTransactionData(transaction, outputs)
    refused = []
    for number, (sats, script) in enumerate(scripts):
        try:
            good = bool(script.verify(sats, transaction, hashes, number, ALL))
        except Exception:
            good = False
        if not good:
            refused.append(number)
    return refused


def main():
    inputs = transactions = failures = 0
    for line in sys.stdin:
        if not line.strip():
            continue
        case = json.loads(line)
        refused = invalid_inputs(case)
        transactions += 1
        inputs += len(case["prevouts"])
        failures += len(refused)
        for number in refused:
            print(f"invalid {case['name']} input {number}")
        if not refused:
            print(f"ok {case['name']}")
    print(f"verified {inputs - failures} inputs")
    return 0 if transactions and inputs and not failures else 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""A second implementation of the formats of docs/formats.md, written from that page alone.

    main.py check FILE...   derives the cases of the files again; prints a line for each and the sum
    main.py serve           answers requests, one JSON object a line on standard input:
                            {"do": "write", "format": NAME, "inputs": {...}} with {"bytes": hex}, and
                            {"do": "open", "format": NAME, "inputs": {...}, "bytes": hex} with
                            {"contents": {...}}; what is refused is answered with {"refused": reason}

A case has a name, a format, its inputs, the values that come up on the way, the bytes of the file and
what the file holds. A module has a FORMATS table: name to (derive, open).

    derive(inputs) -> (bytes, values on the way)
    open(bytes, inputs) -> contents
"""
import json
import sys

import kit
import logs
import small_files
import streams
import vault
from common import Refused, Values

MODULES = [vault, small_files, kit, streams, logs]
FORMATS = {name: pair for module in MODULES for name, pair in module.FORMATS.items()}


def problems(case):
    """What differs between a case and what is derived from its inputs."""
    derive, open_file = FORMATS[case["format"]]
    inputs = Values(case["inputs"])
    data, on_the_way = derive(inputs)
    found = []
    if data.hex() != case["bytes"]:
        found.append("bytes")
    for name in sorted(on_the_way.keys() | case["on the way"].keys()):
        if on_the_way.get(name) != case["on the way"].get(name):
            found.append(name)
    if open_file(bytes.fromhex(case["bytes"]), inputs) != case["contents"]:
        found.append("contents")
    return found, 2 + len(on_the_way)


def check(files):
    cases = values = failures = 0
    for file in files:
        with open(file, encoding="utf-8") as text:
            listed = json.load(text)
        for case in listed:
            found, count = problems(case)
            cases += 1
            values += count
            failures += bool(found)
            print(f"differs {case['name']}: {', '.join(found)}" if found else f"ok {case['name']}")
    print(f"{cases - failures} of {cases} cases, {values} values")
    return 0 if cases and not failures else 1


def answer(request):
    derive, open_file = FORMATS[request["format"]]
    inputs = Values(request["inputs"])
    try:
        if request["do"] == "write":
            return {"bytes": derive(inputs)[0].hex()}
        return {"contents": open_file(bytes.fromhex(request["bytes"]), inputs)}
    except Refused as reason:
        return {"refused": str(reason)}


def main():
    if sys.argv[1:2] == ["check"] and len(sys.argv) > 2:
        return check(sys.argv[2:])
    if sys.argv[1:] == ["serve"]:
        for line in sys.stdin:
            print(json.dumps(answer(json.loads(line))))
        return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""count_tests.py LOG REPORT.xml...

Prints a line a suite (tests run, tests failed, seconds) from the xunit reports of `swift test`, the
sum, what was left out here and why, and for a run that failed the lines of its log that say why. The exit status is 1 if a test
failed or none ran.
"""
import collections
import re
import sys
import xml.etree.ElementTree


def read(report):
    """The root of a report. What a test says may hold characters that XML forbids."""
    text = open(report, encoding="utf-8", errors="replace").read()
    return xml.etree.ElementTree.fromstring(re.sub(r"[^\t\n\r -\ud7ff\ue000-\ufffd]", "?", text))


def main(log, reports):
    suites = collections.defaultdict(lambda: [0, 0, 0.0])
    left_out = collections.Counter()
    for report in reports:
        for case in read(report).iter("testcase"):
            skipped = case.find("skipped")
            if skipped is not None:
                left_out[case.get("classname"), (skipped.text or "no reason given").strip()] += 1
                continue
            row = suites[case.get("classname")]
            row[0] += 1
            row[1] += case.find("failure") is not None
            row[2] += float(case.get("time") or 0)
    for name in sorted(suites):
        ran, failed, seconds = suites[name]
        print(f"{name:58} {ran:5} tests {failed:3} failed {seconds:9.2f} s")
    ran = sum(row[0] for row in suites.values())
    failed = sum(row[1] for row in suites.values())
    for (name, reason), count in sorted(left_out.items()):
        print(f"{name:58} {count:5} left out: {reason}")
    print(f"{ran} tests in {len(suites)} suites, {failed} failed, {left_out.total()} left out")

    text = open(log, encoding="utf-8", errors="replace").read()
    completed = re.search(r"Test run with \d+ tests.* passed", text)
    if failed or not ran or not completed:
        wanted = re.compile(r"recorded an issue|error:|failed after|[Ff]atal|signal|↳")
        print("\n".join(line for line in text.splitlines() if wanted.search(line)))
        if not completed:
            print("\n".join(text.splitlines()[-40:]))
    return 0 if ran and completed and not failed else 1


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))

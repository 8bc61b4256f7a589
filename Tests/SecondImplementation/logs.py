"""Logs: the ledger with its key, records and export, and the log of items."""
import hashlib
import json
import struct

from nacl import bindings
from nacl.exceptions import BadSignatureError

from common import Refused, Values, key, label, require, seal, unseal
from streams import xseal, xunseal


def signing_pair(root, name):
    """Public key and libsodium's secret key."""
    return bindings.crypto_sign_seed_keypair(key(root, name, "log/sign"))


def scope_key(root, scope):
    return key(root, scope, "log/scope")


def seal_record(entry_key, nonce, name, clear, record):
    padded = struct.pack("<H", len(record)) + record
    padded += bytes(-len(padded) % 64)
    return xseal(entry_key, nonce, "log/entry", name + clear, padded)


def unseal_record(entry_key, name, entry):
    padded = xunseal(entry_key, entry[68:92], "log/entry", name + entry[:92], entry[92:])
    length = struct.unpack("<H", padded[:2])[0]
    require(len(padded) == length + 2 + -(length + 2) % 64, "wrong length of a record")
    require(not any(padded[2 + length:]), "wrong padding of a record")
    return padded[2:2 + length]


def write_head(root, name, counter, length, last_hash):
    public, secret = signing_pair(root, name)
    head = b"BHLOGEND" + struct.pack("<H", 1) + name + bytes(5)
    head += struct.pack("<QQ", counter, length) + last_hash + public
    signed = bindings.crypto_sign(label("log/head") + b"\0" + head, secret)
    return head + signed[:64]


def read_head(head, name, public):
    """Number of entries, their bytes, and the hash of the last."""
    require(len(head) == 176 and head[:10] == b"BHLOGEND" + struct.pack("<H", 1), "no head")
    require(head[10:27] == name and not any(head[27:32]), "the head of another log")
    require(head[80:112] == public, "the head of another key")
    try:
        bindings.crypto_sign_open(head[112:] + label("log/head") + b"\0" + head[:112], public)
    except BadSignatureError:
        raise Refused("wrong signature of the head") from None
    counter, length = struct.unpack("<QQ", head[32:48])
    return counter, length, head[48:80]


def split(file):
    entries = []
    while file:
        require(len(file) >= 4, "a cut entry")
        length = struct.unpack("<I", file[:4])[0]
        require(172 <= length <= min(16492, len(file)), "a cut entry")
        entries.append(file[:length])
        file = file[length:]
    return entries


def follow(entries):
    """Checks numbers and hashes; the hash of the last entry."""
    last = bytes(32)
    for number, entry in enumerate(entries, 1):
        require(struct.unpack("<Q", entry[4:12])[0] == number, f"entry {number} is missing")
        require(entry[36:68] == last, f"entry {number} does not follow")
        last = hashlib.sha256(entry).digest()
    return last


def derive_log(values):
    root, name = values.bytes("root"), values.bytes("name")
    file, last, scopes = b"", bytes(32), {}
    for number, (scope, time, nonce, record) in enumerate(values["entries"], 1):
        scope, nonce, record = (bytes.fromhex(text) for text in (scope, nonce, record))
        padded = len(record) + 2 + -(len(record) + 2) % 64
        clear = struct.pack("<IQQ", 108 + padded, number, time) + scope + last + nonce
        scopes[scope.hex()] = scope_key(root, scope).hex()
        entry_key = key(scope_key(root, scope), nonce, "log/entry")
        entry = clear + seal_record(entry_key, nonce, name, clear, record)
        file, last = file + entry, hashlib.sha256(entry).digest()
    head = write_head(root, name, len(values["entries"]), len(file), last)
    return file + head, {"public key": signing_pair(root, name)[0].hex(), "scope keys": scopes}


def open_log(file, values):
    root, name = values.bytes("root"), values.bytes("name")
    entries, head = split(file[:-176]), file[-176:]
    counter, length, last = read_head(head, name, signing_pair(root, name)[0])
    require(counter == len(entries) and length == len(file) - 176, "entries cut off or added")
    require(follow(entries) == last, "the head of another entry")
    rows = []
    for entry in entries:
        scope, nonce = entry[20:36], entry[68:92]
        record = unseal_record(key(scope_key(root, scope), nonce, "log/entry"), name, entry)
        rows.append([scope.hex(), struct.unpack("<Q", entry[12:20])[0], nonce.hex(), record.hex()])
    return {"entries": rows}


def derive_ledger_key(values):
    clear = b"BHLEDKEY" + struct.pack("<HB5x", 1, values["kind"]) + values.bytes("ledger")
    clear += values.bytes("scope") + values.bytes("public key")
    sealing_key = key(values.bytes("device key"), values.bytes("ledger"), "ledger-key")
    sealed = seal(sealing_key, "ledger-key", clear, values.bytes("key"), values.bytes("nonce"))
    return clear + sealed, {"sealing key": sealing_key.hex()}


def open_ledger_key(file, values):
    require(len(file) == 140 and file[:10] == b"BHLEDKEY" + struct.pack("<H", 1), "no ledger key")
    require(file[10] in (1, 2) and not any(file[11:16]), "no ledger key")
    sealing_key = key(values.bytes("device key"), file[16:32], "ledger-key")
    return {
        "kind": file[10], "ledger": file[16:32].hex(), "scope": file[32:48].hex(),
        "public key": file[48:80].hex(),
        "key": unseal(sealing_key, "ledger-key", file[:80], file[80:]).hex()}


def derive_imported_keys(values):
    files = [
        derive_ledger_key(Values(one, **{"device key": values["device key"]}))[0]
        for one in values["keys"]]
    return b"".join(files), {}


def open_imported_keys(file, values):
    require(file and len(file) % 140 == 0, "no ledger keys")
    keys = [open_ledger_key(file[at:at + 140], values) for at in range(0, len(file), 140)]
    require(len({(one["ledger"], one["public key"]) for one in keys}) == 1, "several ledgers")
    require(len({one["scope"] for one in keys}) == len(keys), "one scope twice")
    return {"keys": keys}


# Fields of records: the letter says how a field is written.
#   s text, h 32 bytes, i 16 bytes, q 8, l 4, b 1, f an optional number, d destinations
EVENTS = {
    1: "s", 2: "hqfdhhb", 3: "bsqqq", 4: "bl", 5: "bs", 6: "qh", 7: "qh", 8: "sh", 9: "biq", 10: "s",
    11: "sh", 12: "hs", 13: "hs"}
ITEMS = {1: "issqqh", 2: "i", 3: "is"}
NUMBERS = {"q": "<Q", "l": "<I", "b": "<B"}


def text(value):
    data = value.encode()
    return struct.pack("<H", len(data)) + data


def write_field(kind, value):
    if kind == "s":
        return text(value)
    if kind in "hi":
        return bytes.fromhex(value)
    if kind == "f":
        return b"\0" if value is None else b"\1" + struct.pack("<Q", value)
    if kind == "d":
        named = value["named"]
        data = struct.pack("<IB", value["count"], len(named))
        return data + b"".join(struct.pack("<Q", amount) + text(to) for amount, to in named)
    return struct.pack(NUMBERS[kind], value)


class Fields:
    """Takes fields from the start of a record."""

    def __init__(self, data):
        self.data = data

    def take(self, count):
        require(len(self.data) >= count, "a cut record")
        part, self.data = self.data[:count], self.data[count:]
        return part

    def number(self, form):
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def field(self, kind):
        if kind == "s":
            return self.take(self.number("<H")).decode()
        if kind in "hi":
            return self.take(32 if kind == "h" else 16).hex()
        if kind == "f":
            return self.number("<Q") if self.number("<B") else None
        if kind == "d":
            count, named = self.number("<I"), self.number("<B")
            require(named == min(count, 60), "wrong number of destinations")
            return {"count": count, "named": [
                [self.number("<Q"), self.field("s")] for _ in range(named)]}
        return self.number(NUMBERS[kind])


def write_event(event, table):
    fields = zip(table[event[0]], event[1:], strict=True)
    return bytes([event[0]]) + b"".join(write_field(*field) for field in fields)


def read_event(fields, table):
    number = fields.number("<B")
    require(number in table, "an unknown event")
    event = [number] + [fields.field(kind) for kind in table[number]]
    require(not fields.data, "bytes behind a record")
    return event


def derive_ledger_record(values):
    actor = values.get("actor")
    start = b"\0" if actor is None else b"\1" + struct.pack("<I", actor[0]) + text(actor[1])
    return start + write_event(values["event"], EVENTS), {}


def open_ledger_record(data, _):
    fields, contents = Fields(data), {}
    if fields.number("<B"):
        contents["actor"] = [fields.number("<I"), fields.field("s")]
    contents["event"] = read_event(fields, EVENTS)
    return contents


def derive_items_record(values):
    return write_event(values["event"], ITEMS), {}


def open_items_record(data, _):
    return {"event": read_event(Fields(data), ITEMS)}


def no_derivation(_):
    raise Refused("an export is only read")


def open_export(file, values):
    """Checks an export with nothing but what stands in it, and the public key where it is given."""
    first, *lines, last = (json.loads(line) for line in file.decode().splitlines())
    require(first["bulkheadLedger"] == 1, "no export")
    public = first["publicKey"]
    require(values.get("public key", public) == public, "another ledger")
    name = b"\1" + bytes.fromhex(first["ledger"])
    entries = [bytes.fromhex(line["bytes"]) for line in lines]
    head = read_head(bytes.fromhex(last["head"]), name, bytes.fromhex(public))
    require(split(b"".join(entries)) == entries, "entries of a wrong length")
    require(head == (len(entries), sum(map(len, entries)), follow(entries)), "another head")
    records = []
    for line, entry in zip(lines, entries):
        record = unseal_record(bytes.fromhex(line["key"]), name, entry)
        require(line["entry"] == struct.unpack("<Q", entry[4:12])[0], "another number")
        require(line["time"] == struct.unpack("<Q", entry[12:20])[0], "another time")
        require(line["scope"] == entry[20:36].hex(), "another scope")
        records.append(open_ledger_record(record, values))
    return {"records": records}


FORMATS = {
    "log": (derive_log, open_log), "ledger key": (derive_ledger_key, open_ledger_key),
    "imported ledger keys": (derive_imported_keys, open_imported_keys),
    "ledger record": (derive_ledger_record, open_ledger_record),
    "items record": (derive_items_record, open_items_record),
    "ledger export": (no_derivation, open_export),
}

"""Vault files: header, keyslots and body."""
import struct

from argon2.low_level import Type, hash_secret_raw
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.pbkdf2 import PBKDF2HMAC

from common import key, require, seal, unseal

KINDS = ["wallet", "items"]
NETWORKS = ["mainnet", "testnet3", "testnet4", "signet", "regtest"]
HEADER, SLOT, CLEAR = 64, 176, 48


def key_check(secret_key, vault_id):
    return key(secret_key, vault_id, "key-check")[:16]


def write_header(values):
    vault_id = values.bytes("id")
    return (
        b"BHVAULT\0"
        + struct.pack("<HBB", 1, KINDS.index(values["kind"]), NETWORKS.index(values["network"]))
        + vault_id
        + struct.pack("<Q", values["created at"])
        + key_check(values.bytes("secret key"), vault_id)
        + bytes(12)
    )


def stretch(clear, typed):
    derivation, first, second, salt = clear[1], *struct.unpack("<II", clear[4:12]), clear[16:]
    if derivation == 1:
        require(2 <= first <= 16 and 65536 <= second <= 1048576, "absurd cost")
        return hash_secret_raw(typed, salt[:16], first, second, 1, 32, Type.ID, 19)
    if derivation == 2:
        require(600_000 <= first <= 20_000_000 and second == 0, "absurd cost")
        return PBKDF2HMAC(hashes.SHA256(), 32, salt, first).derive(typed)
    require(derivation == 3 and first == second == 0, "unknown derivation")
    return typed


class Slot:
    """One keyslot, from its clear part."""

    def __init__(self, name, clear, header, values):
        self.name, self.clear = name, clear
        self.context = header + clear
        self.secret_key = values.bytes("secret key")
        self.outer_key = key(self.secret_key, values.bytes("id"), f"slot/{name}/outer")

    def inner_key(self, typed):
        self.stretched = stretch(self.clear, typed)
        return key(self.stretched + self.secret_key, self.clear[16:], f"slot/{self.name}/inner")

    def write(self, typed, master_key, inner_nonce, outer_nonce):
        inner = seal(
            self.inner_key(typed), f"slot/{self.name}/inner", self.context, master_key, inner_nonce)
        outer = seal(
            self.outer_key, f"slot/{self.name}/outer", self.context, inner + bytes(40), outer_nonce)
        return self.clear + outer

    def open_outer(self, slot):
        padded = unseal(self.outer_key, f"slot/{self.name}/outer", self.context, slot[CLEAR:])
        require(len(padded) == 100 and padded[60:] == bytes(40), "wrong filling")
        return padded[:60]

    def open_inner(self, inner, typed):
        return unseal(self.inner_key(typed), f"slot/{self.name}/inner", self.context, inner)


def clear_part(kind, derivation, first, second, salt):
    return struct.pack("<BBHIII", kind, derivation, 0, first, second, 0) + salt


def write_body(values):
    fields = [
        (1, values.bytes("entropy")),
        (2, values.text("passphrase")),
        (3, values.text("extended key")),
        (4, b"" if values["birthday"] is None else struct.pack("<Q", values["birthday"])),
    ]
    plain = struct.pack("<H", 1)
    for number, value in fields:
        if value:
            plain += struct.pack("<BH", number, len(value)) + value
    return plain + bytes(-len(plain) % 256)


def read_body(plain):
    require(len(plain) % 256 == 0 and plain[:2] == b"\1\0", "unknown body")
    fields, position, last = {}, 2, 0
    while position < len(plain) and plain[position]:
        number, length = struct.unpack_from("<BH", plain, position)
        require(last < number <= 4, "unknown field")
        position, last = position + 3 + length, number
        require(length > 0 and position <= len(plain), "a field beyond the end")
        fields[number] = plain[position - length:position]
    require(not any(plain[position:]), "bytes behind the fields")
    return {
        "entropy": fields.get(1, b"").hex(),
        "passphrase": fields.get(2, b"").decode(),
        "extended key": fields.get(3, b"").decode(),
        "birthday": struct.unpack("<Q", fields[4])[0] if 4 in fields else None,
    }


def derive(values):
    """The file, and what comes up on the way."""
    vault_id, secret_key = values.bytes("id"), values.bytes("secret key")
    master_key, header = values.bytes("master key"), write_header(values)
    derivation = {"argon2id": 1, "pbkdf2": 2}[values["derivation"]]
    password = Slot("password", clear_part(
        1, derivation, values["cost"], values["memory"], values.bytes("password salt")),
        header, values)
    password_slot = password.write(
        values.text("password"), master_key, values.bytes("password inner nonce"),
        values.bytes("password outer nonce"))
    recovery = Slot(
        "recovery", clear_part(2, 3, 0, 0, values.bytes("recovery salt")), header, values)
    recovery_slot = recovery.write(
        values.bytes("recovery code"), master_key, values.bytes("recovery inner nonce"),
        values.bytes("recovery outer nonce"))
    inner_key = key(master_key, vault_id, "body/inner")
    outer_key = key(secret_key, vault_id, "body/outer")
    inner = seal(
        inner_key, "body/inner", header, write_body(values), values.bytes("body inner nonce"))
    body = seal(outer_key, "body/outer", header, inner, values.bytes("body outer nonce"))
    file = header + password_slot + recovery_slot + struct.pack("<I", len(body)) + body
    return file, {
        "header": header.hex(),
        "stretched password": password.stretched.hex(),
        "password inner key": password.inner_key(values.text("password")).hex(),
        "password outer key": password.outer_key.hex(),
        "password slot": password_slot.hex(),
        "recovery inner key": recovery.inner_key(values.bytes("recovery code")).hex(),
        "recovery outer key": recovery.outer_key.hex(),
        "recovery slot": recovery_slot.hex(),
        "body inner key": inner_key.hex(),
        "body outer key": outer_key.hex(),
    }


def open_file(file, values):
    """What the file holds, by the password and by the code."""
    vault_id, secret_key, header = values.bytes("id"), values.bytes("secret key"), file[:HEADER]
    require(header[:10] == b"BHVAULT\0\1\0" and header[52:] == bytes(12), "another kind of file")
    require(header[12:28] == vault_id, "another vault")
    require(header[36:52] == key_check(secret_key, vault_id), "another secret key")
    slots = file[HEADER:HEADER + SLOT], file[HEADER + SLOT:HEADER + 2 * SLOT]
    rest = file[HEADER + 2 * SLOT:]
    require(struct.unpack("<I", rest[:4])[0] == len(rest) - 4, "wrong length of the body")
    password = Slot("password", slots[0][:CLEAR], header, values)
    recovery = Slot("recovery", slots[1][:CLEAR], header, values)
    inner_slots = password.open_outer(slots[0]), recovery.open_outer(slots[1])
    inner_body = unseal(key(secret_key, vault_id, "body/outer"), "body/outer", header, rest[4:])
    master_key = password.open_inner(inner_slots[0], values.text("password"))
    require(
        recovery.open_inner(inner_slots[1], values.bytes("recovery code")) == master_key,
        "the slots hold different keys")
    plain = unseal(key(master_key, vault_id, "body/inner"), "body/inner", header, inner_body)
    return {
        "kind": KINDS[header[10]],
        "network": NETWORKS[header[11]],
        "created at": struct.unpack("<Q", header[28:36])[0],
        **read_body(plain),
    }


FORMATS = {"vault": (derive, open_file)}

"""Secret key, name, failed passwords and public index."""
import hashlib
import struct

from common import after_prefix, check_code, code, key, prefix, require, seal, unseal
from vault import NETWORKS

BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def derive_secret_key(values):
    vault_id, start = values.bytes("id"), prefix(b"BHSECRET", values.bytes("id"))
    sealing_key = key(values.bytes("device key"), vault_id, "secret-key")
    sealed = seal(
        sealing_key, "secret-key", start, values.bytes("secret key"), values.bytes("nonce"))
    return start + sealed, {"sealing key": sealing_key.hex()}


def open_secret_key(file, values):
    vault_id = values.bytes("id")
    sealed = after_prefix(b"BHSECRET", vault_id, file)
    sealing_key = key(values.bytes("device key"), vault_id, "secret-key")
    return {"secret key": unseal(sealing_key, "secret-key", file[:26], sealed).hex()}


def derive_attempts(values):
    vault_id, start = values.bytes("id"), prefix(b"BHTRIES", values.bytes("id"))
    sealing_key = key(values.bytes("device key"), vault_id, "attempts")
    plain = struct.pack("<II", values["failures"], values["wait"])
    sealed = seal(sealing_key, "attempts", start, plain, values.bytes("nonce"))
    return start + sealed, {"sealing key": sealing_key.hex()}


def open_attempts(file, values):
    vault_id = values.bytes("id")
    sealed = after_prefix(b"BHTRIES", vault_id, file)
    plain = unseal(
        key(values.bytes("device key"), vault_id, "attempts"), "attempts", file[:26], sealed)
    failures, wait = struct.unpack("<II", plain)
    return {"failures": failures, "wait": wait}


def derive_name(values):
    vault_id, text = values.bytes("id"), values.text("name")
    named = prefix(b"BHNAME", vault_id) + struct.pack("<H", len(text)) + text
    index_key = values.bytes("index key")
    return named + code(index_key, vault_id, "name", named), {
        "code key": key(index_key, vault_id, "name").hex()}


def open_name(file, values):
    vault_id = values.bytes("id")
    rest = after_prefix(
        b"BHNAME", vault_id, check_code(values.bytes("index key"), vault_id, "name", file))
    require(struct.unpack("<H", rest[:2])[0] == len(rest) - 2, "wrong length of the name")
    return {"name": rest[2:].decode()}


def base58(data):
    number, text = int.from_bytes(data, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        text = BASE58[digit] + text
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + text


def base58check(data):
    return base58(data + hashlib.sha256(hashlib.sha256(data).digest()).digest()[:4])


def from_base58(text, count):
    number = 0
    for character in text:
        number = number * 58 + BASE58.index(character)
    return number.to_bytes(count, "big")


def from_base58check(text, count):
    data = from_base58(text, count + 4)
    require(base58check(data[:count]) == text, "wrong checksum")
    return data[:count]


def derive_index(values):
    vault_id = values.bytes("id")
    file = prefix(b"BHINDEX", vault_id) + bytes([NETWORKS.index(values["network"])])
    file += values.bytes("fingerprint")
    birthday = values["birthday"]
    file += struct.pack("<BQ", birthday is not None, birthday or 0)
    file += b"".join(from_base58check(text, 78) for text in values["accounts"])
    file += b"".join(bytes.fromhex(text[2:]) for text in values["evm addresses"])
    file += b"".join(from_base58check(text, 21)[1:] for text in values["tron addresses"])
    file += bytes([len(values["solana"])])
    file += b"".join(from_base58(text, 32) for text in values["solana"])
    index_key = values.bytes("index key")
    return file + code(index_key, vault_id, "index", file), {
        "code key": key(index_key, vault_id, "index").hex()}


def open_birthday(data):
    is_known, birthday = struct.unpack("<BQ", data)
    require(is_known == 1 or (is_known, birthday) == (0, 0), "wrong birthday")
    return birthday if is_known else None


def open_index(file, values):
    vault_id = values.bytes("id")
    rest = after_prefix(
        b"BHINDEX", vault_id, check_code(values.bytes("index key"), vault_id, "index", file))
    position = 0

    def take(count):
        nonlocal position
        position += count
        require(position <= len(rest), "the index ends early")
        return rest[position - count:position]

    contents = {
        "network": NETWORKS[take(1)[0]],
        "fingerprint": take(4).hex(),
        "birthday": open_birthday(take(9)),
        "accounts": [base58check(take(78)) for _ in range(8)],
        "evm addresses": ["0x" + take(20).hex() for _ in range(100)],
        "tron addresses": [base58check(b"\x41" + take(20)) for _ in range(100)],
        "solana": [base58(take(32)) for _ in range(take(1)[0])],
    }
    require(position == len(rest), "bytes behind the index")
    return contents


FORMATS = {
    "secret key": (derive_secret_key, open_secret_key),
    "attempts": (derive_attempts, open_attempts),
    "name": (derive_name, open_name),
    "index": (derive_index, open_index),
}

"""Sealed streams: items and backups."""
import hashlib
import struct

from nacl import bindings
from nacl.exceptions import CryptoError

from common import Refused, key, label, require

CAPACITY = 65516
LARGEST = 65536


def xseal(sealing_key, nonce, purpose, context, plaintext):
    return bindings.crypto_aead_xchacha20poly1305_ietf_encrypt(
        plaintext, label(purpose) + b"\0" + context, nonce, sealing_key)


def xunseal(sealing_key, nonce, purpose, context, sealed):
    try:
        return bindings.crypto_aead_xchacha20poly1305_ietf_decrypt(
            sealed, label(purpose) + b"\0" + context, nonce, sealing_key)
    except (CryptoError, ValueError):
        raise Refused(f"not authentic: {purpose}") from None


def padded(count):
    if count <= 4096:
        return 4096
    exponent = count.bit_length() - 1
    step = 1 << exponent - exponent.bit_length()
    return (count + step - 1) // step * step


def header(kind, vault_id, subject, salt):
    return b"BHSTREAM" + struct.pack("<HB5x", 1, kind) + vault_id + subject + salt


def chunk_place(start, number, last):
    nonce = struct.pack("<Q16x", number)
    return nonce, hashlib.sha256(start).digest() + struct.pack("<QB", number, last)


def write_stream(material, start, content):
    stream_key = key(material, start[48:], "stream")
    size, file = padded(len(content)), start
    numbers = range((size + CAPACITY - 1) // CAPACITY)
    for number in numbers:
        part = content[number * CAPACITY:(number + 1) * CAPACITY]
        length = min(CAPACITY, size - number * CAPACITY)
        nonce, context = chunk_place(start, number, number == numbers[-1])
        plain = part.ljust(length, b"\0") + struct.pack("<I", len(part))
        file += xseal(stream_key, nonce, "stream/chunk", context, plain)
    return file, stream_key


def read_stream(material, kind, vault_id, subject, file):
    start, rest = file[:80], file[80:]
    require(start == header(kind, vault_id, subject, start[48:]), "another stream")
    stream_key = key(material, start[48:], "stream")
    content, size, number, is_padding = b"", 0, 0, False
    while True:
        chunk, rest = rest[:LARGEST], rest[LARGEST:]
        nonce, context = chunk_place(start, number, not rest)
        plain = xunseal(stream_key, nonce, "stream/chunk", context, chunk)
        require(len(plain) > 4, "an empty chunk")
        used = struct.unpack("<I", plain[-4:])[0]
        part = plain[:-4]
        require(used <= len(part) and not any(part[used:]), "wrong padding of a chunk")
        require(not is_padding or used == 0, "content behind padding")
        is_padding |= used < len(part)
        content, size, number = content + part[:used], size + len(part), number + 1
        if not rest:
            require(size == padded(len(content)), "wrong padding of the stream")
            return content


def item_key(values):
    return key(values.bytes("master key"), values.bytes("item"), "item")


def derive_item(values):
    start = header(1, values.bytes("vault"), values.bytes("item"), values.bytes("salt"))
    file, stream_key = write_stream(item_key(values), start, values.bytes("content"))
    return file, {"item key": item_key(values).hex(), "stream key": stream_key.hex()}


def open_item(file, values):
    content = read_stream(
        item_key(values), 1, values.bytes("vault"), values.bytes("item"), file)
    return {"content": content.hex()}


def backup_key(values):
    return key(values.bytes("secret key"), values.bytes("vault"), "backup")


def key_check(values):
    return key(values.bytes("secret key"), values.bytes("vault"), "key-check")[:16]


def derive_backup(values):
    content, last = b"", b""
    for kind, name, data in values["parts"] + [[255, "", struct.pack(
            "<Q", len(values["parts"])).hex()]]:
        place = bytes([kind]) + bytes.fromhex(name)
        require(place > last, "parts in the wrong order")
        last, data = place, bytes.fromhex(data)
        content += struct.pack("<BBQ", kind, len(place) - 1, len(data)) + place[1:] + data
    start = header(2, values.bytes("vault"), key_check(values), values.bytes("salt"))
    file, stream_key = write_stream(backup_key(values), start, content)
    return file, {"backup key": backup_key(values).hex(), "stream key": stream_key.hex()}


def open_backup(file, values):
    content = read_stream(
        backup_key(values), 2, values.bytes("vault"), key_check(values), file)
    parts, last = [], b""
    while content:
        require(len(content) >= 10, "a cut part")
        kind, name_length, length = struct.unpack("<BBQ", content[:10])
        name, content = content[10:10 + name_length], content[10 + name_length:]
        require(len(content) >= length, "a cut part")
        require(bytes([kind]) + name > last, "parts in the wrong order")
        last = bytes([kind]) + name
        parts.append([kind, name.hex(), content[:length].hex()])
        content = content[length:]
    end = parts.pop()
    require(end[:2] == [255, ""], "no end")
    require(bytes.fromhex(end[2]) == struct.pack("<Q", len(parts)), "wrong number of parts")
    require(parts[0][0] == 1 and any(kind == 2 for kind, _, _ in parts), "parts are missing")
    return {"parts": parts}


FORMATS = {"item": (derive_item, open_item), "backup": (derive_backup, open_backup)}

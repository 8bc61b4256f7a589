"""What the recovery kit prints, and the fields of a pipe."""
import struct

from common import require

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
FIRST_NUMBER = {"recovery code": 1, "secret key": 9}
TAGS = {
    "password": 1, "new password": 2, "words": 3, "passphrase": 4, "dice": 5, "extended key": 6,
    "recovery code": 7, "secret key": 8, "vault id": 9, "item name": 10, "suggestions": 11,
    "kernel entropy": 12,
    "item type": 13,
    "item date": 14,
    "item size": 15,
}


def times_x(value, power):
    """A product in GF(32) with x^5 + x^2 + 1."""
    for _ in range(power):
        value <<= 1
        if value & 32:
            value ^= 0b100101
    return value


def derive_text(values):
    data = values.bytes("bytes")
    bits = "".join(f"{byte:08b}" for byte in data)
    bits += "0" * (-len(bits) % 20)
    groups = []
    for group, start in enumerate(range(0, len(bits), 20)):
        digits = [int(bits[start + 5 * d:start + 5 * d + 5], 2) for d in range(4)]
        check = FIRST_NUMBER[values["kind"]] + group
        for place, digit in enumerate(digits):
            check ^= times_x(digit, place + 1)
        groups.append("".join(ALPHABET[digit] for digit in digits + [check]))
    return "-".join(groups).encode(), {}


def open_text(text, values):
    typed = text.decode().upper().replace("-", "").replace(" ", "")
    typed = typed.replace("O", "0").replace("I", "1").replace("L", "1")
    digits = [ALPHABET.index(character) for character in typed]
    bits = ""
    for group in range(len(digits) // 5):
        part = digits[5 * group:5 * group + 5]
        check = FIRST_NUMBER[values["kind"]] + group
        for place, digit in enumerate(part[:4]):
            check ^= times_x(digit, place + 1)
        require(check == part[4], f"a slip in group {group + 1}")
        bits += "".join(f"{digit:05b}" for digit in part[:4])
    count = {"recovery code": 20, "secret key": 32}[values["kind"]]
    require(len(bits) == (count * 8 + 19) // 20 * 20, "wrong length")
    require(set(bits[8 * count:]) <= {"0"}, "bits behind the end")
    return {"bytes": int(bits[:8 * count], 2).to_bytes(count, "big").hex()}


def derive_fields(values):
    pipe = b""
    for name, value in values["fields"]:
        data = bytes.fromhex(value)
        pipe += struct.pack("<BH", TAGS[name], len(data)) + data
    require(len(pipe) <= 8192, "too long for a pipe")
    return pipe, {}


def open_fields(pipe, values):
    names, fields, position = {tag: name for name, tag in TAGS.items()}, [], 0
    while position < len(pipe):
        tag, length = struct.unpack_from("<BH", pipe, position)
        position += 3 + length
        require(position <= len(pipe), "a field beyond the end")
        require(names[tag] not in [name for name, _ in fields], "a field that is there twice")
        fields.append([names[tag], pipe[position - length:position].hex()])
    return {"fields": fields}


FORMATS = {"kit text": (derive_text, open_text), "pipe fields": (derive_fields, open_fields)}

"""What docs/formats.md calls common ground."""
import struct

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import constant_time, hashes, hmac
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


class Refused(Exception):
    """The bytes are not what docs/formats.md allows."""


def require(holds, what):
    if not holds:
        raise Refused(what)


def label(purpose):
    return b"bulkhead/1/" + purpose.encode()


def key(material, salt, purpose):
    return HKDF(hashes.SHA256(), 32, salt, label(purpose)).derive(material)


def seal(sealing_key, purpose, context, plaintext, nonce):
    data = label(purpose) + b"\0" + context
    return nonce + AESGCM(sealing_key).encrypt(nonce, plaintext, data)


def unseal(sealing_key, purpose, context, sealed):
    data = label(purpose) + b"\0" + context
    require(len(sealed) >= 28, "too short to be sealed")
    try:
        return AESGCM(sealing_key).decrypt(sealed[:12], sealed[12:], data)
    except InvalidTag:
        raise Refused(f"not authentic: {purpose}") from None


def code(code_key, salt, purpose, message):
    mac = hmac.HMAC(key(code_key, salt, purpose), hashes.SHA256())
    mac.update(message)
    return mac.finalize()


def check_code(code_key, salt, purpose, signed):
    """The bytes before a code of 32 bytes that holds."""
    message, found = signed[:-32], signed[-32:]
    require(constant_time.bytes_eq(code(code_key, salt, purpose, message), found), "wrong code")
    return message


def prefix(kind, vault_id):
    return kind.ljust(8, b"\0") + struct.pack("<H", 1) + vault_id


def after_prefix(kind, vault_id, file):
    """What follows the prefix of a small file."""
    require(file[:8] == kind.ljust(8, b"\0"), "another kind of file")
    require(file[8:10] == struct.pack("<H", 1), "another version")
    require(file[10:26] == vault_id, "another vault")
    return file[26:]


class Values(dict):
    """Named values of a case: hexadecimal where they are bytes."""

    def bytes(self, name):
        return bytes.fromhex(self[name])

    def text(self, name):
        return self[name].encode()

"""JSON Web Tokens of Doorward: form, signature, claims, checked in the order that all clients share."""

from __future__ import annotations

import base64
import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from doorward import _json
from doorward._errors import TokenError

ACCESS, ASSERTION = "at+jwt", "gate+jwt"
_MAX_BYTES = 4096
_LEEWAY = 60
_LAST_SECOND = 253_402_300_799  # of the year 9999


@dataclass(frozen=True)
class Key:
    """A key that verifies; `use` and `algorithm` are None where the set does not state them."""

    kid: str
    type: str
    use: str | None
    algorithm: str | None
    material: Ed25519PublicKey | ec.EllipticCurvePublicKey | bytes

    def fits(self, algorithm: str) -> bool:
        return self.type == algorithm and self.use in (None, "sig") and self.algorithm in (None, algorithm)

    def verifies(self, signed: bytes, signature: bytes) -> bool:
        try:
            if isinstance(self.material, bytes):
                return hmac.compare_digest(hmac.digest(self.material, signed, "sha256"), signature)
            if isinstance(self.material, Ed25519PublicKey):
                self.material.verify(signature, signed)
                return True
            if len(signature) != 64:
                return False
            r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
            self.material.verify(encode_dss_signature(r, s), signed, ec.ECDSA(SHA256()))
            return True
        except InvalidSignature:
            return False


def shared_key(kid: str, secret: bytes) -> Key:
    return Key(kid, "HS256", None, None, secret)


def read_set(document: object) -> tuple[Key, ...] | None:
    """The keys of a JWK set that this library can use; None if the document is no set."""
    keys = document.get("keys") if isinstance(document, dict) else None
    if not isinstance(keys, list):
        return None
    return tuple(key for key in map(_read_key, keys) if key is not None)


def _read_key(jwk: object) -> Key | None:
    if not isinstance(jwk, dict) or not isinstance(jwk.get("kid"), str):
        return None
    try:
        kind = (jwk.get("kty"), jwk.get("crv"))
        material: Ed25519PublicKey | ec.EllipticCurvePublicKey
        if kind == ("OKP", "Ed25519"):
            algorithm, material = "EdDSA", Ed25519PublicKey.from_public_bytes(_decode(jwk["x"]))
        elif kind == ("EC", "P-256"):
            x, y = (_decode(jwk[name]) for name in ("x", "y"))
            if len(x) != 32 or len(y) != 32:
                return None
            material = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), b"\x04" + x + y)
            algorithm = "ES256"
        else:
            return None
    except (ValueError, KeyError, TypeError):
        return None
    return Key(jwk["kid"], algorithm, jwk.get("use"), jwk.get("alg"), material)


@dataclass(frozen=True)
class Token:
    """A token that has the form of one; nothing in it is believed yet."""

    kid: str
    algorithm: object
    typ: object
    claims: dict[str, Any]
    signed: bytes
    signature: bytes

    def check_signature(self, keys: Iterable[Key]) -> None:
        fitting = [key for key in keys if isinstance(self.algorithm, str) and key.fits(self.algorithm)]
        if not fitting:
            raise TokenError("key")
        if not any(key.verifies(self.signed, self.signature) for key in fitting):
            raise TokenError("signature")

    def check_claims(self, typ: str, issuer: str, audience: str, now: float) -> None:
        if not isinstance(self.typ, str) or self.typ.lower().removeprefix("application/") != typ:
            raise TokenError("typ")
        if self.claims.get("iss") != issuer:
            raise TokenError("issuer")
        audiences = self.claims.get("aud")
        if not isinstance(audiences, list) or audience not in audiences:
            raise TokenError("audience")
        if now > self.claims["exp"] + _LEEWAY:
            raise TokenError("expired")
        if self.claims.get("nbf", 0) > now + _LEEWAY:
            raise TokenError("not_yet")


def parse(text: str) -> Token:
    """Raises `malformed` for what no key could make a token."""
    parts = text.split(".") if len(text) <= _MAX_BYTES else []
    if len(parts) != 3:
        raise TokenError("malformed")
    try:
        header, claims = (_json.loads(_decode(part)) for part in parts[:2])
        signature = _decode(parts[2])
    except ValueError:
        raise TokenError("malformed") from None
    if not isinstance(header, dict) or not isinstance(claims, dict):
        raise TokenError("malformed")
    kid = header.get("kid")
    if "crit" in header or not isinstance(kid, str) or not _has_types(claims):
        raise TokenError("malformed")
    signed = f"{parts[0]}.{parts[1]}".encode("ascii")
    return Token(kid, header.get("alg"), header.get("typ"), claims, signed, signature)


def _has_types(claims: dict[str, Any]) -> bool:
    roles = claims.get("roles", [])
    return (
        isinstance(claims.get("sub"), str)
        and claims["sub"] != ""
        and _is_time(claims.get("exp"))
        and _is_time(claims.get("nbf", 0))
        and all(isinstance(claims.get(name), (str, type(None))) for name in ("sid", "org_id", "org_role"))
        and isinstance(roles, list)
        and all(isinstance(role, str) for role in roles)
    )


def _is_time(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value <= _LAST_SECOND


def _decode(part: object) -> bytes:
    """Base64url without padding, and letter by letter what an encoder writes: no token has two spellings."""
    if not isinstance(part, str) or not re.fullmatch("[A-Za-z0-9_-]*", part):
        raise ValueError
    data = base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
    if base64.urlsafe_b64encode(data).rstrip(b"=").decode() != part:
        raise ValueError
    return data

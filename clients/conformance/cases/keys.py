"""Key pairs, their JWKs, and signatures as a JWS carries them."""

import base64
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, padding, rsa, x25519
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256, SHA384, SHA512
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

# The orders of the base points (FIPS 186-5; RFC 8032, 5.1).
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
ED25519_ORDER = 2**252 + 27742317777372353535851937790883648493


@dataclass
class Key:
    alg: str
    jwk: dict
    sign: Callable[[bytes], bytes]
    private: object = None

    @property
    def kid(self) -> str:
        return self.jwk["kid"]


def b64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64url(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _jwk(alg: str, members: dict) -> dict:
    """As the service publishes it: `kid` is the thumbprint (RFC 7638)."""
    canonical = json.dumps(dict(sorted(members.items())), separators=(",", ":")).encode()
    return {**members, "kid": b64url(hashlib.sha256(canonical).digest()), "alg": alg, "use": "sig"}


def _raw(public) -> bytes:
    return public.public_bytes(Encoding.Raw, PublicFormat.Raw)


def _okp(alg: str, curve: str, private) -> Key:
    jwk = _jwk(alg, {"kty": "OKP", "crv": curve, "x": b64url(_raw(private.public_key()))})
    return Key(alg, jwk, getattr(private, "sign", None), private)


def _ec(alg: str, curve: str, private, digest) -> Key:
    size = (private.key_size + 7) // 8
    point = private.public_key().public_numbers()
    members = {
        "kty": "EC",
        "crv": curve,
        "x": b64url(point.x.to_bytes(size, "big")),
        "y": b64url(point.y.to_bytes(size, "big")),
    }

    def sign(message: bytes) -> bytes:
        return fixed(*decode_dss_signature(private.sign(message, ec.ECDSA(digest))), size)

    return Key(alg, _jwk(alg, members), sign, private)


def fixed(r: int, s: int, size: int = 32) -> bytes:
    """Two numbers as JWS wants them (RFC 7518, 3.4)."""
    return r.to_bytes(size, "big") + s.to_bytes(size, "big")


def numbers(signature: bytes) -> tuple[int, int]:
    half = len(signature) // 2
    return int.from_bytes(signature[:half], "big"), int.from_bytes(signature[half:], "big")


def eddsa() -> Key:
    return _okp("EdDSA", "Ed25519", ed25519.Ed25519PrivateKey.generate())


def es256() -> Key:
    return _ec("ES256", "P-256", ec.generate_private_key(ec.SECP256R1()), SHA256())


def ed448_key() -> Key:
    return _okp("EdDSA", "Ed448", ed448.Ed448PrivateKey.generate())


def x25519_key() -> Key:
    return _okp("EdDSA", "X25519", x25519.X25519PrivateKey.generate())


def es384() -> Key:
    return _ec("ES384", "P-384", ec.generate_private_key(ec.SECP384R1()), SHA384())


def es512() -> Key:
    return _ec("ES512", "P-521", ec.generate_private_key(ec.SECP521R1()), SHA512())


def es256k() -> Key:
    return _ec("ES256K", "secp256k1", ec.generate_private_key(ec.SECP256K1()), SHA256())


def es256_over(curve: str) -> Key:
    """Signs ES256's hash on a curve that is not ES256's."""
    private = ec.generate_private_key({"P-384": ec.SECP384R1(), "secp256k1": ec.SECP256K1()}[curve])
    return _ec("ES256", curve, private, SHA256())


def es256_with_short_x() -> Key:
    """A key whose x begins with a zero byte, which its JWK leaves out against RFC 7518, 6.2.1.2."""
    while True:
        key = es256()
        x = unb64url(key.jwk["x"])
        if x[0] == 0:
            key.jwk["x"] = b64url(x[1:])
            return key


def rs256(alg: str = "RS256") -> Key:
    private = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    public = private.public_key().public_numbers()
    members = {"kty": "RSA", "n": b64url(public.n.to_bytes(256, "big")), "e": b64url(public.e.to_bytes(3, "big"))}
    pss = padding.PSS(padding.MGF1(SHA256()), 32)
    scheme = pss if alg == "PS256" else padding.PKCS1v15()
    return Key(alg, _jwk(alg, members), lambda message: private.sign(message, scheme, SHA256()), private)


def other_hash(key: Key, message: bytes) -> bytes:
    """A signature of the same key over another digest of the message."""
    if key.alg == "EdDSA":
        return key.sign(hashlib.sha512(message).digest())
    return fixed(*decode_dss_signature(key.private.sign(message, ec.ECDSA(SHA512()))))


def der(signature: bytes) -> bytes:
    return encode_dss_signature(*numbers(signature))


def pem(key: Key) -> bytes:
    return key.private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def raw_public(key: Key) -> bytes:
    """The public key's bytes, which confused verifiers take for a shared secret."""
    if key.alg == "EdDSA":
        return _raw(key.private.public_key())
    return key.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

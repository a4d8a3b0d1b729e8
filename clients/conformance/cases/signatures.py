"""Rows for both kinds: the algorithm, the key and its sets, the signature."""

import hashlib
import hmac
import uuid

from . import keys
from .keys import ED25519_ORDER, P256_ORDER, b64url, fixed, numbers
from .token import Draft, compact, word

NONE = ["none", "None", "NONE", "nOnE", ""]
# Algorithms that exist, and ours in other spellings. All but ours are refused by name, before any key is looked for.
OTHERS = [
    "RS384",
    "RS512",
    "PS384",
    "HS384",
    "HS512",
    "Ed25519",
    "Ed448",
    "ESP256",
    "RSA-OAEP",
    "dir",
    "eddsa",
    "EDDSA",
]
OTHERS += [
    "es256",
    "ES256 ",
    " EdDSA",
    "EdDSA\0",
    "EdDSA,ES256",
    "EdDSA ES256",
    "HMAC",
    "NULL",
    "undefined",
    "__proto__",
]


def by_hmac(draft: Draft, secret: bytes, alg: str = "HS256") -> Draft:
    digest = {"HS256": hashlib.sha256, "HS384": hashlib.sha384, "HS512": hashlib.sha512}[alg]
    return draft.header(alg=alg).signed(lambda message: hmac.digest(secret, message, digest))


def by_shared_key(draft: Draft) -> Draft:
    secret, kid = hashlib.sha256(word().encode()).digest(), word()
    draft.jwks(draft.set({"kty": "oct", "k": b64url(secret), "kid": kid, "alg": "HS256", "use": "sig"}))
    return by_hmac(draft.header(kid=kid), secret)


ALGORITHMS = [
    ("ok", "EdDSA", lambda d: d.by("EdDSA")),
    ("ok", "ES256", lambda d: d.by("ES256")),
    *(("algorithm", f"alg {a!r}, not signed", lambda d, a=a: d.header(alg=a).signed(lambda _: b"")) for a in NONE),
    ("algorithm", "alg none, with a right signature", lambda d: d.header(alg="none")),
    *(
        ("algorithm", f"alg {a!r}, with a right signature of EdDSA", lambda d, a=a: d.by("EdDSA").header(alg=a))
        for a in OTHERS
    ),
    ("algorithm", "no alg", lambda d: d.without("alg")),
    ("algorithm", "alg is null", lambda d: d.header(alg=None)),
    ("algorithm", "alg is a number", lambda d: d.header(alg=1)),
    ("algorithm", "the right alg in a list", lambda d: d.header(alg=[d.key.alg])),
    ("algorithm", "the right alg as a member's name", lambda d: d.header(alg={d.key.alg: True})),
    ("algorithm", "RS256, all right", lambda d: d.by(keys.rs256())),
    ("algorithm", "PS256, all right", lambda d: d.by(keys.rs256("PS256"))),
    ("algorithm", "ES384, all right", lambda d: d.by(keys.es384())),
    ("algorithm", "ES512, all right", lambda d: d.by(keys.es512())),
    ("algorithm", "ES256K, all right", lambda d: d.by(keys.es256k())),
    ("algorithm", "HS256, all right, with a shared key in the set", by_shared_key),
    ("algorithm", "HS256 with the public key's bytes", lambda d: by_hmac(d, keys.raw_public(d.key))),
    ("algorithm", "HS256 with the public key's PEM", lambda d: by_hmac(d, keys.pem(d.key))),
    ("algorithm", "HS256 with the public key's JWK", lambda d: by_hmac(d, compact(d.key.jwk).encode())),
    ("algorithm", "HS256 with the kid", lambda d: by_hmac(d, d.key.kid.encode())),
    ("algorithm", "HS256 with an empty secret", lambda d: by_hmac(d, b"")),
    ("algorithm", "HS384 with the public key's bytes", lambda d: by_hmac(d, keys.raw_public(d.key), "HS384")),
]


def high_s(signature: bytes) -> bytes:
    r, s = numbers(signature)
    return fixed(r, max(s, P256_ORDER - s))


def low_s(signature: bytes) -> bytes:
    r, s = numbers(signature)
    return fixed(r, min(s, P256_ORDER - s))


def beyond_order(signature: bytes) -> bytes:
    """S + L, which is no number of RFC 8032, 5.1.7, and verifies in code that forgets to look."""
    s = int.from_bytes(signature[32:], "little") + ED25519_ORDER
    return signature[:32] + s.to_bytes(32, "little")


def flipped(signature: bytes, at: int) -> bytes:
    changed = bytearray(signature)
    changed[at] ^= 1
    return bytes(changed)


def swapped(draft: Draft, part: int) -> Draft:
    """A part of another right token of the same key."""
    other = Draft(draft.kind).by(draft.key).header(x="another")
    other.said = {**draft.said, "sub": str(uuid.uuid4())}
    taken = other.case("ok")["token"].split(".")[part]
    return draft.token(lambda t: ".".join(taken if at == part else mine for at, mine in enumerate(t.split("."))))


def embedded(draft: Draft, **members) -> Draft:
    """Signed by a stranger, whose key the header brings along or points to."""
    kid = draft.key.kid
    draft.by_stranger()
    return draft.header(kid=kid, jwk=draft.key.jwk, jku="https://evil.example/jwks.json", **members)


def renewed(draft: Draft) -> Draft:
    """The key's name has another key in the first set, and the right one only in the second."""
    first = Draft(draft.kind).by(draft.key.alg).named(draft.key.kid)
    return draft.jwks({"keys": [first.key.jwk]}, draft.set())


SIGNATURES = [
    ("ok", "ES256 with the larger s", lambda d: d.by("ES256").bent(high_s)),
    ("ok", "ES256 with the smaller s", lambda d: d.by("ES256").bent(low_s)),
    ("signature", "ES256 in DER", lambda d: d.by("ES256").bent(keys.der)),
    ("signature", "ES256 with r and s of 0", lambda d: d.by("ES256").bent(lambda s: bytes(64))),
    ("signature", "ES256 with r of 0", lambda d: d.by("ES256").bent(lambda s: bytes(32) + s[32:])),
    ("signature", "ES256 with s of 0", lambda d: d.by("ES256").bent(lambda s: s[:32] + bytes(32))),
    (
        "signature",
        "ES256 with r and s of the order",
        lambda d: d.by("ES256").bent(lambda s: fixed(P256_ORDER, P256_ORDER)),
    ),
    ("signature", "ES256 with all bits", lambda d: d.by("ES256").bent(lambda s: b"\xff" * 64)),
    ("signature", "ES256, s first", lambda d: d.by("ES256").bent(lambda s: s[32:] + s[:32])),
    (
        "signature",
        "ES256 with a zero before each number",
        lambda d: d.by("ES256").bent(lambda s: b"\0" + s[:32] + b"\0" + s[32:]),
    ),
    ("signature", "ES256 with the hash of ES512", lambda d: d.by("ES256").signed(lambda m: keys.other_hash(d.key, m))),
    ("signature", "EdDSA with S beyond the order", lambda d: d.by("EdDSA").bent(beyond_order)),
    ("signature", "EdDSA, S first", lambda d: d.by("EdDSA").bent(lambda s: s[32:] + s[:32])),
    ("signature", "EdDSA of a hash", lambda d: d.by("EdDSA").signed(lambda m: keys.other_hash(d.key, m))),
    ("signature", "EdDSA with zeros", lambda d: d.by("EdDSA").bent(lambda s: bytes(64))),
    *(
        ("signature", f"{alg} with {what}", lambda d, alg=alg, change=change: d.by(alg).bent(change))
        for alg in ("EdDSA", "ES256")
        for what, change in [
            ("no bytes", lambda s: b""),
            ("one byte less", lambda s: s[:-1]),
            ("one byte more", lambda s: s + b"\0"),
            ("half of its bytes", lambda s: s[:32]),
            ("twice its bytes", lambda s: s + s),
            ("its first bit changed", lambda s: flipped(s, 0)),
            ("its last bit changed", lambda s: flipped(s, -1)),
        ]
    ),
    ("signature", "the claims of another token", lambda d: swapped(d, 1)),
    ("signature", "the header of another token", lambda d: swapped(d, 0)),
    ("signature", "the signature of another token", lambda d: swapped(d, 2)),
    ("signature", "signed are the claims alone", lambda d: d.signed(lambda m: d.key.sign(m.split(b".")[1]))),
    (
        "signature",
        "signed is the JSON",
        lambda d: d.signed(lambda m: d.key.sign(b".".join(map(decoded, m.split(b"."))))),
    ),
    ("signature", "another key of the same kind", lambda d: d.by_stranger().header(kid=d.keys[d.key.alg].kid)),
    ("signature", "a stranger's key in the header", embedded),
    (
        "signature",
        "a stranger's certificate in the header",
        lambda d: embedded(d, x5c=["MIIB"], x5u="https://evil.example/"),
    ),
    ("signature", "another key of this name in the first set, which is not fetched again", renewed),
    (
        "signature",
        "a wrong signature, and the next fetch would fail",
        lambda d: d.jwks(d.set(), None).bent(lambda s: flipped(s, 9)),
    ),
]


def decoded(part: bytes) -> bytes:
    return keys.unb64url(part.decode())

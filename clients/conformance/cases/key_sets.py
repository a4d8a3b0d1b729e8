"""Rows for both kinds: which key of the fetched sets a token may name."""

import secrets

from . import keys
from .keys import b64url, unb64url
from .token import Draft, loosened, word

EMPTY = {"keys": []}
NO_SETS = [{}, {"keys": None}, {"keys": {}}, {"keys": "none"}, {"key": []}, [], "", 0]
UNUSABLE = [
    None,
    1,
    "key",
    [],
    {},
    {"kid": 1, "kty": "OKP"},
    {"kty": 2},
    {"kty": "OKP", "crv": ["Ed25519"]},
    {"kty": "AKP"},
]


def strange_members(draft: Draft) -> list:
    """What a set may hold beside the key, of which a verifier takes no notice (RFC 7517, 5)."""
    size = {"kty": "OKP", "crv": "Ed25519", "kid": word(), "alg": "EdDSA", "use": "sig"}
    known = [keys.rs256().jwk, keys.ed448_key().jwk, keys.x25519_key().jwk, keys.es384().jwk, keys.es256k().jwk]
    unnamed = {name: value for name, value in keys.eddsa().jwk.items() if name != "kid"}
    wrong = [{**size, "x": ""}, {**size, "x": "!"}, {**size, "x": 5}, {**size, "x": "A" * 2000}, size, unnamed]
    numbered = {**keys.es256().jwk, "kid": 7, "use": ["sig"]}
    return UNUSABLE + known + wrong + [numbered, {**draft.keys["ES256"].jwk, "kid": word(), "y": None}]


def beside_strange_members(draft: Draft) -> Draft:
    strange = strange_members(draft)
    half = len(strange) // 2
    return draft.jwks({"keys": [*strange[:half], draft.key.jwk, *strange[half:]]})


def twins(draft: Draft) -> Draft:
    """Two kinds share a name (RFC 7517, 4.5); the algorithm says which it is."""
    kid = word()
    for key in draft.keys.values():
        key.jwk["kid"] = kid
    return draft.header(kid=kid)


def stranger(draft: Draft, *answers) -> Draft:
    """Signed by a key that is in none of the first answers; `"all"` stands for a set with it."""
    first = draft.set()
    draft.by_stranger()
    every = {"keys": [*first["keys"], draft.key.jwk]}
    return draft.jwks(*(every if answer == "all" else first if answer == "first" else answer for answer in answers))


def stranger_in_header(draft: Draft) -> Draft:
    stranger(draft, "first", "first")
    return draft.header(jwk=draft.key.jwk, jku="https://evil.example/jwks.json")


def many(draft: Draft) -> Draft:
    return draft.jwks({"keys": [keys.eddsa().jwk for _ in range(59)] + [draft.key.jwk]})


def x25519(draft: Draft) -> Draft:
    jwk = {**keys.x25519_key().jwk, "kid": draft.by("EdDSA").key.kid}
    return draft.jwks({"keys": [jwk]}, {"keys": [jwk]})


def off_curve(draft: Draft) -> Draft:
    y = bytearray(unb64url(draft.by("ES256").key.jwk["y"]))
    y[-1] ^= 1
    return draft.member(y=b64url(bytes(y)))


def numbered(draft: Draft) -> Draft:
    draft.key.jwk["kid"] = 1
    return draft.header(kid="1").jwks(draft.set(), draft.set())


def other_case(kid: str) -> str:
    return kid.swapcase()


def unknown(kid):
    """The token names a key that neither set has; `kid` makes the name from that of the right key."""
    return lambda d: d.header(kid=kid(d.key.kid)).jwks(d.set(), d.set())


def of_other_kind(draft: Draft, alg: str, named: str) -> Draft:
    """Signed by one key, and names the other."""
    return draft.by(alg).header(kid=draft.keys[named].kid).jwks(draft.set(), draft.set())


CERTIFICATE = {"x5c": ["MIIB"], "x5t": "AAAA", "x5t#S256": "AAAA", "x5u": "https://example.org/cert.pem"}

SETS = [
    ("ok", "a set with this key alone", lambda d: d.jwks({"keys": [d.key.jwk]})),
    ("ok", "a set of sixty keys, this one last", many),
    ("ok", "a key and its successor", lambda d: d.jwks(d.set(keys.eddsa().jwk, keys.es256().jwk))),
    ("ok", "unusable members beside the key", beside_strange_members),
    ("ok", "a key without use", lambda d: d.member(use=None)),
    ("ok", "a key without alg", lambda d: d.member(alg=None)),
    ("ok", "a key with key_ops and unknown members", lambda d: d.member(key_ops=["verify"], ext=True, exp=1)),
    ("ok", "a key with certificates", lambda d: d.member(**CERTIFICATE)),
    ("ok", "a key whose name objects have by themselves", lambda d: d.named("__proto__")),
    ("ok", "a key whose name is not ASCII", lambda d: d.named("schlüssel-🔑-ключ")),
    ("ok", "a key with a long name", lambda d: d.named(secrets.token_urlsafe(300))),
    ("ok", "two kinds of keys with one name", twins),
    ("ok", "no second fetch where the first set has the key", lambda d: d.jwks(d.set(), None)),
    ("ok", "a key that only the second fetch has", lambda d: stranger(d, "first", "all")),
    ("ok", "an empty set, then the key", lambda d: d.jwks(EMPTY, d.set())),
    ("key", "an unknown key", lambda d: stranger(d, "first", "first")),
    ("key", "a key that only a third fetch would have", lambda d: stranger(d, "first", "first", "all")),
    ("key", "empty sets, as with shared keys", lambda d: d.jwks(EMPTY, EMPTY)),
    ("key", "a stranger's key in the header under its own name", stranger_in_header),
    ("key", "the name in other letters", unknown(other_case)),
    ("key", "what the name begins with", unknown(lambda kid: kid[:-1])),
    ("key", "the name with a blank behind", unknown(lambda kid: kid + " ")),
    ("key", "the name with a NUL behind", unknown(lambda kid: kid + "\0")),
    ("key", "a path for a name", unknown(lambda kid: "../../../../dev/null")),
    ("key", "SQL for a name", unknown(lambda kid: "' OR '1'='1")),
    ("key", "__proto__ for a name", unknown(lambda kid: "__proto__")),
    ("key", "constructor for a name", unknown(lambda kid: "constructor")),
    ("key", "toString for a name", unknown(lambda kid: "toString")),
    ("key", "a name that the set has as a number", numbered),
    ("key", "the only key has no name", lambda d: d.member(kid=None)),
    ("key", "EdDSA names a key for ES256", lambda d: of_other_kind(d, "EdDSA", "ES256")),
    ("key", "ES256 names a key for EdDSA", lambda d: of_other_kind(d, "ES256", "EdDSA")),
    ("key", "a key for encryption", lambda d: d.member(use="enc")),
    ("key", "use in capitals", lambda d: d.member(use="SIG")),
    ("key", "use that is a list", lambda d: d.member(use=["sig"])),
    ("key", "an EdDSA key that says ES256", lambda d: d.by("EdDSA").member(alg="ES256")),
    ("key", "an EdDSA key that says Ed25519", lambda d: d.by("EdDSA").member(alg="Ed25519")),
    ("key", "an ES256 key that says ES384", lambda d: d.by("ES256").member(alg="ES384")),
    ("key", "an ES256 key that says ECDH-ES", lambda d: d.by("ES256").member(alg="ECDH-ES")),
    ("key", "an RSA key of this name", lambda d: d.jwks(*[{"keys": [{**keys.rs256().jwk, "kid": d.key.kid}]}] * 2)),
    (
        "key",
        "a shared key of this name",
        lambda d: d.jwks(*[{"keys": [{"kty": "oct", "k": "AAAA", "kid": d.key.kid}]}] * 2),
    ),
    ("key", "a key without kty", lambda d: d.member(kty=None)),
    ("key", "a key with another kty", lambda d: d.member(kty={"OKP": "EC", "EC": "OKP"}[d.key.jwk["kty"]])),
    ("key", "a key without crv", lambda d: d.member(crv=None)),
    ("key", "a key without x", lambda d: d.member(x=None)),
    ("key", "an ES256 key without y", lambda d: d.by("ES256").member(y=None)),
    ("key", "EdDSA on Ed448, all right", lambda d: d.by(keys.ed448_key()).member()),
    ("key", "X25519 for EdDSA", x25519),
    ("key", "ES256 on P-384, all right", lambda d: d.by(keys.es256_over("P-384")).member()),
    ("key", "ES256 on secp256k1, all right", lambda d: d.by(keys.es256_over("secp256k1")).member()),
    ("key", "an EdDSA key with a byte less", lambda d: d.by("EdDSA").member(x=b64url(unb64url(d.key.jwk["x"])[:-1]))),
    (
        "key",
        "an EdDSA key with a byte more",
        lambda d: d.by("EdDSA").member(x=b64url(unb64url(d.key.jwk["x"]) + b"\0")),
    ),
    ("key", "a key with padding", lambda d: d.member(x=d.key.jwk["x"] + "=")),
    ("key", "a key with bits to spare", lambda d: d.by("EdDSA").member(x=loosened(d.key.jwk["x"]))),
    ("key", "an ES256 key whose point is not on the curve", off_curve),
    ("key", "an ES256 key whose x lacks its zero byte", lambda d: d.by(keys.es256_with_short_x()).member()),
    ("unavailable", "the fetch fails", lambda d: d.jwks(None)),
    ("unavailable", "the fetch fails, and is not tried again", lambda d: d.jwks(None, d.set())),
    ("unavailable", "the fetch for an unknown key fails", lambda d: stranger(d, "first", None)),
    (
        "unavailable",
        "the fetch for an unknown key fails, and is not tried again",
        lambda d: stranger(d, "first", None, "all"),
    ),
    ("unavailable", "an empty set, then a fetch that fails", lambda d: d.jwks(EMPTY, None)),
    *(("unavailable", f"the answer {answer!r} is no key set", lambda d, a=answer: d.jwks(a, a)) for answer in NO_SETS),
    ("malformed", "not worth a fetch: two parts", lambda d: d.jwks(None).token(lambda t: t.rpartition(".")[0])),
    ("malformed", "not worth a fetch: no kid", lambda d: d.jwks(None).without("kid")),
    ("algorithm", "not worth a fetch: alg none", lambda d: d.jwks(None).header(alg="none")),
]

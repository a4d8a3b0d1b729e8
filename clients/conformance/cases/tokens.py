"""The cases of `verify` (access tokens) and of `gate` (assertions)."""

from .claims import CLAIMS, types
from .form import FORM
from .key_sets import SETS
from .order import ALL_LATER, PAIRS
from .signatures import ALGORITHMS, SIGNATURES
from .token import Draft, b64url, compact

BOTH = FORM + ALGORITHMS + SETS + SIGNATURES + CLAIMS + ALL_LATER
# The longest access token that the service takes (docs/reference/api-v1.md 6.5).
LONGEST = 4096


def of_length(length: int):
    """A token of exactly this many characters: base64url has no length of 4n + 1, so the header gives way by one."""

    def change(draft: Draft) -> Draft:
        signature = 86
        for header in range(1, 5):
            draft.header(x="y" * header)
            rest = length - signature - 2 - len(b64url(compact(draft.head).encode()))
            draft.said.pop("x", None)
            filling = rest * 3 // 4 - len(compact(draft.claim(x="").said).encode())
            draft.claim(x="z" * filling)
            if len(b64url(compact(draft.said).encode())) == rest:
                return draft
        raise AssertionError(length)

    return change


VERIFY = PAIRS + [
    *(
        ("ok", f"typ {typ}", lambda d, typ=typ: d.header(typ=typ))
        for typ in ["AT+JWT", "application/at+jwt", "Application/At+Jwt"]
    ),
    ("ok", "another audience before the right one", lambda d: d.claim(aud=["another", d.audience])),
    ("ok", "another audience behind the right one", lambda d: d.claim(aud=[d.audience, "another"])),
    ("ok", "as long as an access token may be", of_length(LONGEST)),
    ("malformed", "longer than an access token may be", of_length(LONGEST + 1)),
]


def with_port(draft: Draft) -> Draft:
    draft.audience += ":8443"
    return draft.claim(aud=[draft.audience])


def aud(change):
    return lambda d: d.claim(aud=[change(d.audience)])


GATE = [
    ("ok", "no organization", lambda d: d.without("org_id").without("org_role")),
    ("ok", "an address that is not verified", lambda d: d.claim(email_verified=False)),
    ("ok", "names that are not ASCII", lambda d: d.claim(email="jürgen@bücher.example", username="ユルゲン🌱")),
    ("ok", "an origin with a port", with_port),
    ("audience", "the origin with a slash behind", aud(lambda origin: origin + "/")),
    ("audience", "the origin with a path", aud(lambda origin: origin + "/auth")),
    ("audience", "the origin as http", aud(lambda origin: origin.replace("https", "http"))),
    ("audience", "the origin with its default port", aud(lambda origin: origin + ":443")),
    ("audience", "the origin with another port", lambda d: with_port(d).claim(aud=[d.audience[:-1] + "4"])),
    ("audience", "the host alone", aud(lambda origin: origin.removeprefix("https://"))),
    ("audience", "a host below the origin's", aud(lambda origin: origin.replace("://", "://www."))),
    ("audience", "the origin's parent", lambda d: d.claim(aud=["https://example.org"])),
    ("audience", "the origin with user information", aud(lambda origin: origin.replace("://", "://evil.example@"))),
    ("audience", "the origin of a sandbox", lambda d: d.claim(aud=["null"])),
    ("audience", "the issuer", lambda d: d.claim(aud=[d.issuer])),
]


def rows(kind: str) -> list:
    return BOTH + types(kind) + (VERIFY if kind == "verify" else GATE)


def cases(kind: str) -> list[tuple[str, dict]]:
    """What each case is, and the case without its id."""
    return [(about, change(Draft(kind)).case(expected)) for expected, about, change in rows(kind)]

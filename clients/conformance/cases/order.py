"""Rows for both kinds: of two errors in one token the earlier one is told."""

from itertools import combinations

from .signatures import flipped
from .token import Draft

# One cause of each error, in the order in which they are judged.
ERRORS = [
    ("malformed", "no kid", lambda d: d.without("kid")),
    ("algorithm", "alg RS256", lambda d: d.header(alg="RS256")),
    ("unavailable", "no key set", lambda d: d.jwks(None)),
    ("key", "an unknown kid", lambda d: unknown_kid(d)),
    ("signature", "a changed signature", lambda d: d.bent(lambda s: flipped(s, 5))),
    ("typ", "typ JWT", lambda d: d.header(typ="JWT")),
    ("issuer", "another issuer", lambda d: d.claim(iss="https://another.example.org")),
    ("audience", "another audience", lambda d: d.claim(aud=["another"])),
    ("expired", "exp long ago", lambda d: late(d)),
    ("not_yet", "nbf far ahead", lambda d: d.claim(nbf=d.now + 10**5)),
]


def unknown_kid(draft: Draft) -> Draft:
    if "kid" in draft.head:
        draft.header(kid="another")
    return draft if draft.answers else draft.jwks(draft.set(), draft.set())


def late(draft: Draft) -> Draft:
    return draft.claim(exp=draft.now - 10**5) if "exp" in draft.said else draft


def both(first, second):
    def change(draft: Draft) -> Draft:
        return second(first(draft))

    return change


def and_later(first, at: int):
    def change(draft: Draft) -> Draft:
        first(draft)
        for _, _, spoil in ERRORS[at + 1 :]:
            spoil(draft)
        return draft

    return change


PAIRS = [(one[0], f"{one[1]}, and {two[1]}", both(one[2], two[2])) for one, two in combinations(ERRORS, 2)]
ALL_LATER = [
    *(
        (error, f"{about}, and every later error", and_later(spoil, at))
        for at, (error, about, spoil) in enumerate(ERRORS[:-2])
    ),
    ("malformed", "no exp, and every later error", and_later(lambda d: d.without("exp"), 0)),
    (
        "malformed",
        "claims that are no JSON, and every later error",
        and_later(lambda d: d.claims_json(lambda v: "sub=1"), 0),
    ),
]

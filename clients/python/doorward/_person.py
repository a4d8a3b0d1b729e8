"""Who is there: by the access token, or as Doorward says at the moment."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NoReturn

from doorward._errors import Unavailable

_SECOND_FACTORS = frozenset({"totp", "recovery_code", "passkey", "provider_mfa"})


@dataclass(frozen=True)
class Person:
    """A logged-in person, by the access token. Store what belongs to the person under `id`, which never changes."""

    id: str
    session_id: str
    organization_id: str | None
    organization_role: str | None
    """`owner`, `admin` or `member`."""
    roles: tuple[str, ...]
    """Platform roles, such as `svc:admin`; mostly none."""

    @classmethod
    def __get_pydantic_core_schema__(cls, *_: object) -> NoReturn:
        """Stops a FastAPI application that would read the person from a request's body, for lack of `Depends`."""
        raise TypeError(
            f"A {cls.__name__} is no part of a request: write Depends(doorward.protect()). In an answer, give the route "
            "response_model=None."
        )


@dataclass(frozen=True)
class AssertedPerson(Person):
    """A logged-in person, by the gate's assertion."""

    email: str
    email_verified: bool
    username: str


@dataclass(frozen=True)
class LivePerson(Person):
    """A logged-in person as Doorward knows them now: at most a second old."""

    email: str
    email_verified: bool
    username: str
    name: str | None
    external_id: str | None
    organization_name: str | None
    organization_kind: str | None
    """`personal` or `team`."""
    methods: tuple[str, ...]
    """How the person authenticated in this session, such as `password` and `totp`."""
    authenticated_at: datetime
    """When the person last proved who they are."""
    expires_at: datetime
    """When the session ends."""

    @property
    def has_second_factor(self) -> bool:
        """Whether this session showed a second factor or a passkey; a trusted device does not count."""
        return not _SECOND_FACTORS.isdisjoint(self.methods)


def of_claims(claims: dict[str, Any]) -> Person:
    """The person of an access token's claims, whose types were checked."""
    return Person(**_common(claims))


def of_assertion(claims: dict[str, Any]) -> AssertedPerson:
    """The person of an assertion's claims, whose types were checked."""
    return AssertedPerson(
        **_common(claims),
        email=str(claims.get("email", "")),
        email_verified=claims.get("email_verified") is True,
        username=str(claims.get("username", "")),
    )


def _common(claims: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": claims["sub"],
        "session_id": claims.get("sid") or "",
        "organization_id": claims.get("org_id"),
        "organization_role": claims.get("org_role"),
        "roles": tuple(claims.get("roles", ())),
    }


def of_session(document: Any) -> LivePerson:
    """The person in the answer of `GET /auth/api/v2/session`."""
    try:
        user, session = document["user"], document["session"]
        organization = document["organization"] or dict.fromkeys(("id", "role", "name", "kind"))
        return LivePerson(
            id=str(user["id"]),
            session_id=str(session["id"]),
            organization_id=organization["id"],
            organization_role=organization["role"],
            roles=tuple(user["roles"]),
            email=str(user["email"]),
            email_verified=user["email_verified"] is True,
            username=str(user["username"]),
            name=user["name"],
            external_id=user["external_id"],
            organization_name=organization["name"],
            organization_kind=organization["kind"],
            methods=tuple(session["methods"]),
            authenticated_at=_time(session["authenticated_at"]),
            expires_at=_time(session["expires_at"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        raise Unavailable("Doorward's answer about the session cannot be read.") from None


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))

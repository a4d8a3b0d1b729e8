"""What `protect` may ask of a person: the rules of Doorward's gate."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal, TypedDict
from uuid import UUID

from doorward._person import LivePerson, Person

_ROLES = ("member", "admin", "owner")
_PLATFORM = ("admin", "auditor", "monitor")
_UNITS = {"ms": 0.001, "s": 1, "m": 60, "h": 3600}

Lack = Literal["other", "mfa", "fresh"]


class RuleOptions(TypedDict, total=False):
    """The rules of `protect`; all must be met."""

    organization: str
    """The id of the session's active organization."""
    role: Literal["member", "admin", "owner"]
    """At least this role in it. Everybody owns their personal organization."""
    platform: Literal["admin", "auditor", "monitor"]
    """This platform role, or admin."""
    verified: bool
    """A verified email address. Asks Doorward."""
    mfa: bool
    """A session that showed a second factor or a passkey. Asks Doorward."""
    fresh: str | timedelta
    """The person proved who they are within this time, such as `15m`. Asks Doorward."""
    live: bool
    """Asks Doorward at each request, which sees a logout within a second; without it and the three above, within
    SVC_ACCESS_TTL. The person is then a `LivePerson`."""


@dataclass(frozen=True)
class Rules:
    organization: str | None = None
    role: str | None = None
    platform: str | None = None
    verified: bool = False
    mfa: bool = False
    fresh: float | None = None
    live: bool = False

    @property
    def looks(self) -> bool:
        """Whether the access token cannot answer."""
        return self.verified or self.mfa or self.fresh is not None or self.live

    def lack(self, person: Person, service: str, now: float) -> Lack | None:
        """What the person lacks, if anything; first what a step-up would not help with."""
        role = person.organization_role
        is_in = self.organization in (None, person.organization_id)
        has_role = self.role is None or (role in _ROLES and _ROLES.index(role) >= _ROLES.index(self.role))
        named = {f"{service}:{self.platform}", f"{service}:admin"}
        has_platform = self.platform is None or not named.isdisjoint(person.roles)
        if not (is_in and has_role and has_platform):
            return "other"
        if not isinstance(person, LivePerson):
            return "other" if self.looks else None
        if self.verified and not person.email_verified:
            return "other"
        if self.mfa and not person.has_second_factor:
            return "mfa"
        if self.fresh is not None and now - person.authenticated_at.timestamp() > self.fresh:
            return "fresh"
        return None


def read(options: RuleOptions) -> Rules:
    """The rules, or a `ValueError` or `TypeError` where the application starts: a wrong rule lets nobody pass."""
    unknown = sorted(set(options) - set(RuleOptions.__annotations__))
    if unknown:
        raise TypeError(f"There is no rule {unknown[0]!r}; there are {', '.join(RuleOptions.__annotations__)}.")
    for name, value in options.items():
        if value is None:
            raise TypeError(f"The rule {name} is None, which would let everybody in: is a variable missing?")
    for name in ("verified", "mfa", "live"):
        if not isinstance(options.get(name, False), bool):
            raise TypeError(f"The rule {name} is True or False.")
    organization, fresh = options.get("organization"), options.get("fresh")
    return Rules(
        organization=None if organization is None else str(UUID(organization)),
        role=_one_of("role", options.get("role"), _ROLES),
        platform=_one_of("platform", options.get("platform"), _PLATFORM),
        verified=options.get("verified", False),
        mfa=options.get("mfa", False),
        fresh=None if fresh is None else seconds(fresh),
        live=options.get("live", False),
    )


def seconds(duration: str | timedelta) -> float:
    """A duration as Doorward writes it, such as `15m` or `1h30m`, in seconds."""
    if isinstance(duration, timedelta):
        found = duration.total_seconds()
    else:
        parts = re.findall(r"(\d{1,9})(ms|s|m|h)", duration)
        whole = "".join(number + unit for number, unit in parts) == duration
        found = sum(int(number) * _UNITS[unit] for number, unit in parts) if whole else 0
    if found <= 0:
        raise ValueError(f"{duration!r} is no duration, such as 15m.")
    return found


def _one_of(rule: str, value: str | None, values: tuple[str, ...]) -> str | None:
    if value is not None and value not in values:
        raise ValueError(f"The rule {rule} is one of {', '.join(values)}.")
    return value

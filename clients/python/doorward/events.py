"""Webhook events: a class for each of the twelve kinds, so that `match` and `isinstance` tell them apart.

    match event:
        case UserDeleted():
            forget(event.data["user_id"])

`data` is what came, so it may have members that are newer than this library.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NoReturn, TypedDict

from doorward import _json
from doorward._errors import WebhookError

Role = Literal["owner", "admin", "member"]


class UserData(TypedDict):
    user_id: str


class OrganizationData(TypedDict):
    organization_id: str
    name: str
    kind: Literal["personal", "team"]
    created_by_user_id: str | None


class MembershipData(TypedDict):
    organization_id: str
    user_id: str
    role: Role


class MembershipCreatedData(MembershipData):
    is_initial_membership: bool
    invitation_id: str | None
    metadata: dict[str, Any]


class InvitationData(TypedDict):
    invitation_id: str
    organization_id: str
    email: str
    role: Role
    metadata: dict[str, Any]


class InvitationCreatedData(InvitationData):
    invited_by_user_id: str | None
    expires_at: str


class InvitationAcceptedData(InvitationData):
    accepted_by_user_id: str
    accepted_at: str


class InvitationRevokedData(InvitationData):
    revoked_by_user_id: str | None
    revoked_at: str


@dataclass(frozen=True)
class Event:
    """An event of any kind: `ping` and kinds that are newer than this library are of this class alone."""

    id: str
    """The same at every delivery."""
    type: str
    created_at: str
    """When it happened: RFC 3339, in UTC."""
    data: Mapping[str, Any]

    @classmethod
    def __get_pydantic_core_schema__(cls, *_: object) -> NoReturn:
        """Stops a FastAPI application that would take the event from a body that nobody has checked."""
        raise TypeError(f"An {cls.__name__} is no part of a request: write Depends(doorward.webhook).")


@dataclass(frozen=True)
class UserCreated(Event):
    """An account was made."""

    data: UserData


@dataclass(frozen=True)
class UserUpdated(Event):
    """Something of an account changed; it does not say what."""

    data: UserData


@dataclass(frozen=True)
class UserDeleted(Event):
    """An account was deleted."""

    data: UserData


@dataclass(frozen=True)
class OrganizationCreated(Event):
    """An organization was made."""

    data: OrganizationData


@dataclass(frozen=True)
class OrganizationUpdated(Event):
    """An organization has another name."""

    data: OrganizationData


@dataclass(frozen=True)
class OrganizationDeleted(Event):
    """An organization was deleted."""

    data: OrganizationData


@dataclass(frozen=True)
class MembershipCreated(Event):
    """A user has become a member of an organization."""

    data: MembershipCreatedData


@dataclass(frozen=True)
class MembershipUpdated(Event):
    """A member has another role."""

    data: MembershipData


@dataclass(frozen=True)
class MembershipDeleted(Event):
    """A membership has ended."""

    data: MembershipData


@dataclass(frozen=True)
class InvitationCreated(Event):
    """A person was invited."""

    data: InvitationCreatedData


@dataclass(frozen=True)
class InvitationAccepted(Event):
    """An invitation was accepted."""

    data: InvitationAcceptedData


@dataclass(frozen=True)
class InvitationRevoked(Event):
    """An invitation was revoked or declined."""

    data: InvitationRevokedData


KINDS: dict[str, type[Event]] = {
    "user.created": UserCreated,
    "user.updated": UserUpdated,
    "user.deleted": UserDeleted,
    "organization.created": OrganizationCreated,
    "organization.updated": OrganizationUpdated,
    "organization.deleted": OrganizationDeleted,
    "organization.membership.created": MembershipCreated,
    "organization.membership.updated": MembershipUpdated,
    "organization.membership.deleted": MembershipDeleted,
    "organization.invitation.created": InvitationCreated,
    "organization.invitation.accepted": InvitationAccepted,
    "organization.invitation.revoked": InvitationRevoked,
}
"""The class of each kind."""


def read(body: bytes, event_id: str) -> Event:
    """The event in a body whose signature was checked; `malformed` where it is none, or another than was signed for."""
    try:
        document = _json.loads(body)
    except ValueError:
        raise WebhookError("malformed") from None
    if not isinstance(document, dict) or document.get("id") != event_id:
        raise WebhookError("malformed")
    kind, created_at, data = (document.get(name) for name in ("type", "created_at", "data"))
    if not isinstance(kind, str) or not isinstance(created_at, str) or not isinstance(data, dict):
        raise WebhookError("malformed")
    return KINDS.get(kind, Event)(event_id, kind, created_at, data)

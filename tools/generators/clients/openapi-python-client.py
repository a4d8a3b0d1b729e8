"""What a client of openapi-python-client does against a running service."""
import os

from client import AuthenticatedClient
from client.api.organizations import create_invitation, create_organization, list_invitations
from client.api.users import create_user, list_user_sessions, list_users
from client.models import (
    CreateInvitation, CreateOrganization, CreateUser, CreateUserMetadataType0, ErrorBody, ErrorCode, MemberRole, User,
)

backend = AuthenticatedClient(
    base_url=os.environ["DOORWARD_URL"], token=os.environ["DOORWARD_KEY"], raise_on_unexpected_status=True
)


def address(number):
    return f"{os.environ['CLIENT']}-{number}@example.com"


def create(email, **more):
    metadata = CreateUserMetadataType0.from_dict({"plan": "gold", "seats": [1]})
    return create_user.sync(client=backend, body=CreateUser(email=email, metadata=metadata), **more)


for number in range(1, 7):
    made = create(address(number), idempotency_key=address(number))
    assert isinstance(made, User) and made.metadata.to_dict() == {"plan": "gold", "seats": [1]}, made
assert create(address(6), idempotency_key=address(6)).id == made.id
taken = create(address(1))
assert isinstance(taken, ErrorBody) and taken.error.code is ErrorCode.EMAIL_TAKEN, taken
wrong = create("nobody")
assert isinstance(wrong, ErrorBody) and list(wrong.error.details.to_dict()) == ["email"], wrong

found, page = [], list_users.sync(client=backend, limit=5)
while True:
    assert len(page.data) <= 5, page
    found += [user.email for user in page.data if user.email.startswith(os.environ["CLIENT"])]
    if page.next_ is None:
        break
    page = list_users.sync(client=backend, limit=5, after=page.next_)
assert len(found) == 6, found

sessions = list_user_sessions.sync(os.environ["DOORWARD_USER"], client=backend)
assert sessions.data[0].methods == ["password"], sessions

crew = create_organization.sync(client=backend, body=CreateOrganization(name="Crew", owner_id=made.id))
guest = CreateInvitation(email="grace@example.com", role=MemberRole.MEMBER, send_mail=False)
invited = create_invitation.sync(crew.id, client=backend, body=guest)
assert invited.link.startswith("http"), invited
invitations = list_invitations.sync(crew.id, client=backend)
assert [invitation.email for invitation in invitations.data] == ["grace@example.com"], invitations

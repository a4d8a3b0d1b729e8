"""What a client of openapi-generator's `python` does against a running service."""
import os

from client import ApiClient, Configuration, CreateUser, ErrorCode, UpdateUser, UsersApi
from client.exceptions import ConflictException, UnprocessableEntityException

configuration = Configuration(host=os.environ["DOORWARD_URL"], access_token=os.environ["DOORWARD_KEY"])
api = UsersApi(ApiClient(configuration))


def address(number):
    return f"{os.environ['CLIENT']}-{number}@example.com"


def create(email):
    return api.create_user(CreateUser(email=email, metadata={"plan": "gold", "seats": [1]}, external_id="7"))


def refusal(kind, email):
    try:
        create(email)
    except kind as why:
        return why.data.error
    raise AssertionError(f"{email} was not refused")


for number in range(1, 7):
    made = create(address(number))
    assert made.metadata == {"plan": "gold", "seats": [1]}, made
assert refusal(ConflictException, address(1)).code is ErrorCode.EMAIL_TAKEN
assert list(refusal(UnprocessableEntityException, "nobody").details) == ["email"]
assert api.update_user(made.id, UpdateUser(external_id=None)).external_id is None

found, page = [], api.list_users(limit=5)
while True:
    assert len(page.data) <= 5, page
    found += [user.email for user in page.data if user.email.startswith(os.environ["CLIENT"])]
    if page.next is None:
        break
    page = api.list_users(limit=5, after=page.next)
assert len(found) == 6, found

sessions = api.list_user_sessions(os.environ["DOORWARD_USER"])
assert sessions.data[0].methods == ["password"], sessions

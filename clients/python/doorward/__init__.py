"""Login for Python applications by Doorward: authenticates requests, renews sessions, protects pages.

Take `Doorward` from the module of the framework: `doorward.fastapi`, `doorward.asgi` or `doorward.wsgi`; Django has
`doorward.django`, and tests `doorward.testing`.
"""

from doorward._errors import ConfigurationError, DoorwardError, TokenError, Unavailable, WebhookError
from doorward._person import AssertedPerson, LivePerson, Person

__version__ = "0.4.0"
__all__ = [
    "AssertedPerson",
    "ConfigurationError",
    "DoorwardError",
    "LivePerson",
    "Person",
    "TokenError",
    "Unavailable",
    "WebhookError",
]

"""The cases, their outcomes as lines of verdicts, and those that each application is tried with."""

import re

from browser import Browser
from place import HOST

# How a visitor may spell a name: many servers read all of these as one.
SIGNS = ["-", "_", "."]


class Cases:
    """Prints a line for each case: `yes`; `no` with what came instead; `note` with what one should know."""

    def __init__(self, kind, name, version):
        self.head = [kind, name, version]

    def line(self, group, what, outcome):
        print(*self.head, group, "", what, " ".join(outcome.split()), sep="\t", flush=True)

    def hope(self, what, is_so, instead="", group="own"):
        self.line(group, what, "yes" if is_so else f"no {instead}")

    def note(self, outcome):
        self.line("note", "", f"note {outcome}")


def spellings(name, value):
    """The header in three spellings, and one that mixes them."""
    parts = name.split("-")
    mixed = "-".join(parts[:-1]) + "_" + parts[-1]
    return [(sign.join(parts), value) for sign in SIGNS] + [(mixed, value)]


def try_gate(application, cases, browser, ada, bob):
    """What must hold for every application. `who` asks it who is there, `identity` is what it should know of them."""
    def hope(what, is_so, instead):
        cases.hope(what, is_so, instead, group="each")

    path, identity = application.path, application.identity
    forged = [pair for name in application.headers for pair in spellings(name, identity(bob))]

    # Without the proxy the application believes them: else their refusal below would say nothing.
    believed = [(name, identity(bob)) for name in application.headers] + [("X-Svc-User-Email", bob["email"])]
    who = application.who(Browser(application.port), believed)
    assert who == identity(bob), f"{application.name} knows {who} by its headers alone"

    led = browser.page(path)
    to_login = led.location.startswith(f"http://{HOST}:{browser.port}/auth/login?return_to=")
    hope("a page without a login leads to the login", led.status == 302 and to_login, f"{led.status} {led.location}")
    answer = browser.script("GET", path)
    hope("a script without a login gets 401", answer.status == 401, str(answer.status))
    answer = browser.script("GET", path, headers=forged)
    hope("forged identity headers let no one in", answer.status == 401, str(answer.status))

    page = browser.log_in(path, ada)
    is_there = page.status == 200 and re.search(application.mark, page.text) and browser.at == path
    hope("the login leads back to the application's page", is_there, f"{page.status} at {browser.at}")
    who = application.who(browser)
    hope("the application knows the person", who == identity(ada), f"knows {who}")
    who = application.who(browser, forged)
    hope("forged identity headers do not make another person", who == identity(ada), f"knows {who}")

    application.own_cases(cases, browser, ada)

    ended = browser.log_out()
    fresh, browser.cookies = browser.cookies, ended
    page, answer = browser.page(path), browser.script("GET", path)
    statuses = f"{page.status} and {answer.status}"
    hope("the session's cookies are worth nothing after the logout", statuses == "302 and 401", statuses)
    application.cases_after_logout(cases, browser)

    # The cookies of the application itself are still there.
    browser.cookies = fresh
    browser.log_in(path, bob)
    who = application.who(browser)
    hope("the next person in the same browser is another one there", who == identity(bob), f"knows {who}")

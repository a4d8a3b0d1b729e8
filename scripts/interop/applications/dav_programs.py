"""rclone and curl before the gate, and on a host with a password."""

import re
import shlex
import shutil

from page import blocks
from place import replaced, start_nginx
from program import COOKIE, PASSWORD, Program, printed
from python_apps import BIN, WsgiDav


class OfWebDav(Program):
    """A program before WsgiDAV; on the other host is a second one with passwords of its own."""

    def start(self):
        WsgiDav(self.programs, self.port).start()
        (self.folder / "other.yaml").write_text(
            f"host: 127.0.0.1\nport: {self.other_port}\nserver: cheroot\nprovider_mapping:\n  /: {self.folder}/share\n"
            "simple_dc:\n  user_mapping:\n    '*':\n      robot: {password: a password}\n")
        command = [f"{BIN}/wsgidav", "--config", str(self.folder / "other.yaml")]
        self.programs.start("other", command, self.other_port)
        start_nginx(self.programs, self.doorward.port, self.doorward.file_of_nginx(self.port))
        (self.folder / "share/a.txt").write_text("some text")


class Rclone(OfWebDav):
    name, title = "rclone", "rclone (PyPI), before WsgiDAV"

    def version(self):
        return printed(f"{BIN}/rclone", "version").split()[1].lstrip("v")

    # What it has in its environment.
    cookie = {}

    def rclone(self, url, *arguments):
        options = ["--config", "", "--retries", "1", "--low-level-retries", "1", "--webdav-vendor", "other"]
        return self.programs.run([f"{BIN}/rclone", *options, "--webdav-url", url, *arguments], **self.cookie)

    def copies(self, url, *options):
        """A file there and another back; returns the first failure, or None."""
        (self.folder / "there").mkdir(exist_ok=True)
        (self.folder / "there/b.txt").write_text("more text")
        (self.folder / "share/b.txt").unlink(missing_ok=True)
        shutil.rmtree(self.folder / "back", ignore_errors=True)
        for command in [["copy", "there", ":webdav:"], ["copy", ":webdav:", "back"]]:
            ended = self.rclone(url, *options, *command)
            if ended.returncode != 0:
                return ended
        assert (self.folder / "share/b.txt").read_text() == "more text"
        assert (self.folder / "back/a.txt").read_text() == "some text"
        return None

    def without_cookies(self):
        ended = self.rclone(self.gate, "lsf", ":webdav:")
        self.cases.note(f"without cookies it says `{self.said(ended, 'error')}`")

    def with_cookie(self, token, person):
        name, value = shlex.split(replaced(blocks("rclone")[0], "VALUE", token))[0].split("=", 1)
        self.cookie = {name: value}
        failed = self.copies(self.gate)
        what = f"files are copied there and back {COOKIE}, by `{name}`"
        self.cases.hope(what, not failed, failed and failed.stderr)
        return []

    def header(self, name, value):
        return ["--header", f"{name}: {value}"]

    def asks(self, url, options):
        return self.rclone(url, *options, "lsf", ":webdav:").returncode == 0

    def on_other_host(self):
        self.cookie = {}
        hidden = printed(f"{BIN}/rclone", "obscure", "a password").strip()
        failed = self.copies(self.other, "--webdav-user", "robot", "--webdav-pass", hidden)
        what = f"files are copied there and back {PASSWORD}, by `--webdav-pass`"
        self.cases.hope(what, not failed, failed and failed.stderr)


class Curl(OfWebDav):
    name, title = "curl", "curl, before WsgiDAV"

    def version(self):
        return printed("curl", "--version").split()[1]

    def curl(self, url, *options):
        """The status, the challenge and the text."""
        ended = self.programs.run(["curl", "--silent", "--show-error", "--include", *options, f"{url}/a.txt"])
        # The program's text mode reads line ends as they are written.
        head, _, text = ended.stdout.partition("\n\n")
        challenge = re.search("^www-authenticate: *(.*)$", head, re.IGNORECASE | re.MULTILINE)
        return head.split(" ")[1], challenge and challenge[1], text

    def without_cookies(self):
        status, challenge, text = self.curl(self.gate)
        is_told = challenge == f'Cookie realm="{self.doorward.origin}"'
        self.cases.hope("401 with the challenge `Cookie`", status == "401" and is_told, f"{status} {challenge}")

    def with_cookie(self, token, person):
        by_password = self.curl(self.gate, "--user", f"{person['email']}:{person['password']}")
        self.cases.hope("401 also with the person's password, by `--user`", by_password[0] == "401", by_password[0])
        option = ["--cookie", self.cookie_file(token)]
        status, _, text = self.curl(self.gate, *option)
        self.cases.hope(f"a file is read {COOKIE}, by `--cookie`", text == "some text", f"{status} {text}")
        return option

    def header(self, name, value):
        return ["--header", f"{name}: {value}"]

    def asks(self, url, options):
        return self.curl(url, *options)[0] != "401"

    def on_other_host(self):
        status, _, text = self.curl(self.other, "--user", "robot:a password")
        self.cases.hope(f"a file is read {PASSWORD}, by `--user`", text == "some text", f"{status} {text}")

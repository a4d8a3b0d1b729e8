"""git before the gate, and on a host with a password."""

import base64
import shlex

from cases import spellings
from page import blocks
from place import free_port, start_nginx
from program import COOKIE, PASSWORD, Program, printed


def server(port, *lines):
    return f"server {{ listen 127.0.0.1:{port}; " + "\n".join(lines) + " }\n"


class Git(Program):
    """With `git http-backend`, which nginx runs by fcgiwrap, and which writes the name of who pushes into its log."""

    name, title = "git", "git, before `git http-backend`"

    def version(self):
        return printed("git", "--version").split()[2]

    def start(self):
        repository, fcgi = self.folder / "served/one.git", free_port()
        commands = [
            ["git", "init", "--quiet", "--bare", "--initial-branch=main", str(repository)],
            ["git", "-C", str(repository), "config", "core.logAllRefUpdates", "true"]]
        for command in commands:
            assert self.programs.run(command).returncode == 0
        (self.folder / "passwords").write_text(f"robot:{printed('openssl', 'passwd', '-apr1', 'a password')}")
        libraries = str(self.debian / "usr/lib/x86_64-linux-gnu")
        wrap = [str(self.debian / "usr/sbin/fcgiwrap"), "-s", f"tcp:127.0.0.1:{fcgi}"]
        self.programs.start("fcgiwrap", wrap, fcgi, LD_LIBRARY_PATH=libraries)
        backend = printed("git", "--exec-path").strip() + "/git-http-backend"
        cgi = "\n".join([
            f"fastcgi_param SCRIPT_FILENAME {backend};", f"fastcgi_param GIT_PROJECT_ROOT {self.folder}/served;",
            "fastcgi_param GIT_HTTP_EXPORT_ALL 1;", "fastcgi_param PATH_INFO $uri;",
            "fastcgi_param QUERY_STRING $query_string;", "fastcgi_param REQUEST_METHOD $request_method;",
            "fastcgi_param CONTENT_TYPE $content_type;", "fastcgi_param CONTENT_LENGTH $content_length;",
            "fastcgi_param HTTP_CONTENT_ENCODING $http_content_encoding;", f"fastcgi_pass 127.0.0.1:{fcgi};"])
        page = blocks("git")[0]
        behind = server(self.port, "location / {", page, cgi, "}")
        other = server(
            self.other_port, f"auth_basic git; auth_basic_user_file {self.folder}/passwords; location / {{",
            "fastcgi_param REMOTE_USER $remote_user;", cgi, "}")
        start_nginx(self.programs, self.doorward.port, self.doorward.file_of_nginx(self.port), behind, other)

    def git(self, *arguments, **variables):
        # Neither the machine's settings nor a terminal.
        quiet = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_TERMINAL_PROMPT": "0"}
        return self.programs.run(["git", *arguments], LC_ALL="C", **(quiet | variables))

    def clone_and_push(self, name, url, *options):
        """Clones, commits, pushes; returns the first failure, or None, and under which name the push was logged."""
        who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
        steps = [
            [*options, "clone", "--quiet", f"{url}/one.git", name],
            ["-C", name, *who, "commit", "--quiet", "--allow-empty", "--message", name],
            [*options, "-C", name, "push", "--quiet", "origin", "HEAD:main"]]
        for step in steps:
            ended = self.git(*step)
            if ended.returncode != 0:
                return ended, None
        log = (self.folder / "served/one.git/logs/refs/heads/main").read_text().strip().split("\n")[-1]
        return None, log.split(" ")[2]

    def without_cookies(self):
        ask = self.folder / "ask"
        ask.write_text(f'#!/bin/sh\necho "$1" >> {shlex.quote(str(self.folder))}/asked\necho something\n')
        ask.chmod(0o755)
        ended = self.git("ls-remote", f"{self.gate}/one.git", GIT_ASKPASS=str(ask))
        asked = (self.folder / "asked").read_text() if (self.folder / "asked").exists() else ""
        question = "asks for a username and a password, and" if "Username" in asked else ""
        self.cases.note(f"without cookies it {question} says `{self.said(ended, 'fatal')}`")

    def with_cookie(self, token, person):
        option = ["-c", f"http.{self.gate}/.cookieFile={self.cookie_file(token)}"]
        failed, who = self.clone_and_push("by-cookie", self.gate, *option)
        outcome = failed.stderr if failed else f"pushes as {who}"
        self.cases.hope(f"clone and push {COOKIE}, by `http.cookieFile`", who == person["id"], outcome)
        forged = self.headers(spellings("X-Svc-User-Id", "bob"))
        failed, who = self.clone_and_push("forged", self.gate, *option, *forged)
        outcome = failed.stderr if failed else f"pushes as {who}"
        self.cases.hope("a forged identity header does not make another person of it", who == person["id"], outcome)
        return option

    def header(self, name, value):
        return ["-c", f"http.extraHeader={name}: {value}"]

    def asks(self, url, options):
        return self.git(*options, "ls-remote", f"{url}/one.git").returncode == 0

    def on_other_host(self):
        option = self.header("Authorization", "Basic " + base64.b64encode(b"robot:a password").decode())
        failed, who = self.clone_and_push("by-password", self.other, *option, *self.header("X-Svc-User-Id", "bob"))
        outcome = failed.stderr if failed else f"pushes as {who}"
        self.cases.hope(f"clone and push {PASSWORD}, by `http.extraHeader`", who == "robot", outcome)

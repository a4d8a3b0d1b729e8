"""Tries applications and programs of others behind the gate: Doorward's binary, nginx with the file that Doorward
prints, and each application unmodified, with the settings of docs/guides/applications.md. Prints a line a verdict.

Arguments: Doorward's binary, the folder of npm's packages, that of Debian's, an empty folder to work in; then the names
of those to try, or nothing for all. It runs in a Python that has the applications of PyPI."""

import json
import pathlib
import sys

import dav_programs
import git_program
import live_apps
import python_apps
from browser import Browser
from cases import Cases, try_gate
from page import USED
from place import Doorward, Programs, folder_of, free_port, start_nginx

APPLICATIONS = [
    python_apps.Django, python_apps.Flask, python_apps.Radicale, python_apps.WsgiDav, live_apps.JupyterLab,
    live_apps.Streamlit, live_apps.TiddlyWiki]
PROGRAMS = [git_program.Git, dav_programs.Rclone, dav_programs.Curl]


def try_application(kind, doorward, work, people):
    programs, port = Programs(folder_of(work, kind.name)), free_port()
    application = kind(programs, port)
    try:
        application.start()
        start_nginx(programs, doorward.port, application.edit_nginx(doorward.file_of_nginx(port)))
        cases = Cases("applications", application.title, application.version)
        try_gate(application, cases, Browser(doorward.port), *people)
    finally:
        programs.end()


def main():
    binary, node, debian, work, *names = sys.argv[1:]
    live_apps.TiddlyWiki.node = pathlib.Path(node).resolve()
    work = pathlib.Path(work).resolve()
    doorward = Doorward(binary, work / "doorward")
    try:
        people = [doorward.create_user(email) for email in ["ada+ä@example.com", "bob@example.com"]]
        for kind in APPLICATIONS:
            if not names or kind.name in names:
                print(kind.name, file=sys.stderr)
                try_application(kind, doorward, work, people)
        for kind in PROGRAMS:
            if not names or kind.name in names:
                print(kind.name, file=sys.stderr)
                kind(doorward, work, pathlib.Path(debian).resolve()).run(people[0])
    finally:
        doorward.programs.end()
    for block in USED:
        print("settings", json.dumps(block), sep="\t")


main()

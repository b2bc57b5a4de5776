#!/usr/bin/env python3
"""A program for LoginCommand of the hub (docs/emissary-hub.md, "A program of your own"): users and groups from a file.

Usage: login_command.py FILE, with lines `user password group,group`. Reads questions, one JSON object a line, until
its input ends, and writes an answer for each. Desks may have every item, others only those whose name ends in .DLY.
"""
import hmac
import json
import sys


def users(path):
    with open(path, encoding="utf-8") as file:
        rows = [line.split() for line in file if line.strip() and not line.startswith("#")]
    return {row[0]: (row[1], row[2].split(",") if len(row) > 2 else []) for row in rows}


def answer(question, known):
    if question["ask"] == "item":
        return {"ok": "desk" in question["groups"] or question["name"].endswith(".DLY")}
    password, groups = known.get(question["user"], ("", []))
    given = question.get("password", "")
    if not password or not hmac.compare_digest(given.encode(), password.encode()):
        return {"ok": False, "text": "The user or the password is not accepted."}
    return {"ok": True, "user": question["user"], "groups": groups, "limits": {"logins": 5}}


def main():
    for line in sys.stdin:
        number = None
        try:
            question = json.loads(line)
            number = question["id"]
            said = answer(question, users(sys.argv[1]))
        except OSError as error:
            print(error, file=sys.stderr, flush=True)  # to the hub's log; never a password
            said = {"ok": False, "code": "unavailable"}
        except Exception as error:  # one question, or a broken file, must not end the program for all others
            print(f"no answer: {type(error).__name__}", file=sys.stderr, flush=True)  # its text may have a password
            said = {"ok": False, "code": "unavailable"}
        if number is not None:
            print(json.dumps({"id": number, **said}), flush=True)


main()

#!/usr/bin/env python3
"""Runs the example programs of one pair file against each other and checks what they printed.

run_pair.py --programs DIR ... --sources DIR --dictionaries DIR PAIR.txt

A pair file holds one step a line; NAME is the role a program plays in this pair:
  config NAME DIR          EmaConfig.xml of examples/DIR lies beside NAME; its ports 14002 and 14003 become {port}, {port2}
  certificates DIR         makes keys and certificates for localhost in {work}/DIR
  env NAME VARIABLE=VALUE  NAME is started with this environment variable
  start NAME PROGRAM ARGS  starts a program and waits for its line that begins with "ready"
  launch NAME PROGRAM ARGS starts a program
  wait NAME REGEX          waits until it has printed such a line
  end NAME                 waits until it has ended by itself
  kill NAME                ends it without a chance to say good-bye, as a crash would
  exit NAME CODE           its exit status, when that is not 0
  expect NAME              the indented lines that follow are regular expressions for its lines, in this order;
                           "! REGEX": no line matches; "N x REGEX": so many lines match in all
{port} and {port2} are free ports, {dir} is the program's folder, {dictionaries} and {sources} the folders given. At the end of the file every program must have ended.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "PerfTools/scenarios"))
from free_ports import free_ports  # noqa: E402

STEP_SECONDS = 45


class Failure(Exception):
    pass


class PortTaken(Exception):
    pass


class Program:
    def __init__(self, name, command, folder, environment):
        self.name, self.lines, self.changed = name, [], threading.Condition()
        self.process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        self.ended = False
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            with self.changed:
                self.lines.append(line.rstrip("\r\n"))
                self.changed.notify_all()
        with self.changed:
            self.ended = True
            self.changed.notify_all()

    def wait_for(self, regex):
        pattern = re.compile(regex)
        with self.changed:
            self.changed.wait_for(lambda: self.ended or any(pattern.search(line) for line in self.lines), STEP_SECONDS)
            if not any(pattern.search(line) for line in self.lines):
                why = "ended" if self.ended else f"waited {STEP_SECONDS} s"
                raise Failure(f"{self.name} printed no line like '{regex}' ({why})")

    def wait_for_end(self):
        try:
            status = self.process.wait(STEP_SECONDS)
        except subprocess.TimeoutExpired:
            raise Failure(f"{self.name} did not end within {STEP_SECONDS} s")
        self.reader.join()
        return status

    def stop(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.reader.join()


def read_steps(path):
    """[(line number, words)], where 'expect' has its patterns as a list."""
    steps = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if line[0].isspace():
            if not steps or steps[-1][1][0] != "expect":
                raise Failure(f"{path}:{number}: a pattern outside 'expect'")
            steps[-1][1][2].append(line.strip())
            continue
        words = line.split(None, 2)
        words += [""] * (3 - len(words))
        steps.append((number, [words[0], words[1], [] if words[0] == "expect" else words[2]]))
    return steps


def check(name, lines, patterns):
    at = 0
    for pattern in patterns:
        counted = re.match(r"(\d+) x (.*)", pattern)
        if pattern.startswith("! "):
            for line in lines:
                if re.search(pattern[2:], line):
                    raise Failure(f"{name} printed '{line}', which '{pattern}' forbids")
        elif counted:
            count = sum(1 for line in lines if re.search(counted[2], line))
            if count != int(counted[1]):
                raise Failure(f"{name} printed {count} lines like '{counted[2]}', expected {counted[1]}")
        else:
            while at < len(lines) and not re.search(pattern, lines[at]):
                at += 1
            if at == len(lines):
                raise Failure(f"{name} did not print '{pattern}' (or not in this order)")
            at += 1


class Pair:
    def __init__(self, arguments):
        self.arguments = arguments
        self.steps = read_steps(arguments.pair)
        self.programs, self.killed, self.statuses, self.environment = {}, set(), {}, {}

    def folder(self, name):
        folder = self.work / name
        if not folder.exists():
            folder.mkdir()
            for file in ("RDMFieldDictionary", "enumtype.def"):
                (folder / file).symlink_to(self.arguments.dictionaries / file)
        return folder

    def find(self, program):
        for folder in self.arguments.programs:
            if (folder / program).exists():
                return folder / program
        raise Failure(f"there is no program {program} in {' or '.join(map(str, self.arguments.programs))}")

    def fill(self, text, name):
        for key, value in (("{port}", self.ports[0]), ("{port2}", self.ports[1]), ("{dir}", self.folder(name)),
                           ("{dictionaries}", self.arguments.dictionaries), ("{sources}", self.arguments.sources),
                           ("{work}", self.work)):
            text = text.replace(key, str(value))
        return text

    def launch(self, name, text):
        program, *rest = self.fill(text, name).split()
        path = self.find(program)
        before = []
        if name in self.programs:  # a second life under the same name; what the first one printed is kept
            self.check_end(name)
            before = self.programs[name].lines
        self.killed.discard(name)
        environment = dict(os.environ, **self.environment.get(name, {}))
        self.programs[name] = Program(name, [str(path), *rest], self.folder(name), environment)
        with self.programs[name].changed:
            self.programs[name].lines[:0] = before

    def step(self, verb, name, rest):
        if verb == "config":
            text = (self.arguments.sources / rest / "EmaConfig.xml").read_text()
            text = text.replace("14002", str(self.ports[0])).replace("14003", str(self.ports[1]))
            (self.folder(name) / "EmaConfig.xml").write_text(text)
        elif verb == "certificates":
            script = pathlib.Path(__file__).resolve().parents[2] / "dev" / "make_test_certificates.sh"
            made = subprocess.run([str(script), str(self.work / name)], capture_output=True, text=True)
            if made.returncode != 0:
                raise Failure(f"no certificates: {made.stderr}")
        elif verb == "env":
            key, _, value = self.fill(rest, name).partition("=")
            self.environment.setdefault(name, {})[key] = value
        elif verb in ("start", "launch"):
            self.launch(name, rest)
            if verb == "start":
                self.programs[name].wait_for("^ready")
        elif verb == "wait":
            self.programs[name].wait_for(self.fill(rest, name))
        elif verb == "end":
            self.programs[name].wait_for_end()
        elif verb == "kill":
            self.programs[name].stop()
            self.killed.add(name)
        elif verb == "exit":
            self.statuses[name] = int(rest)
        elif verb != "expect":
            raise Failure(f"unknown step '{verb}'")

    def run(self):
        self.ports = free_ports(2)
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="emissary-example-"))
        try:
            for number, (verb, name, rest) in self.steps:
                try:
                    self.step(verb, name, rest)
                except Failure as failure:
                    raise Failure(f"{self.arguments.pair}:{number}: {failure}")
            self.check_all()
        except Failure:
            for program in self.programs.values():
                program.stop()
            if any(re.search("address already in use", line, re.I) for p in self.programs.values() for line in p.lines):
                raise PortTaken
            for program in self.programs.values():
                print(f"---- {program.name} printed (status {program.process.returncode}):")
                print("\n".join(program.lines))
            raise
        finally:
            for program in self.programs.values():
                program.stop()
            shutil.rmtree(self.work, ignore_errors=True)

    def check_end(self, name):
        if name not in self.killed:
            status = self.programs[name].wait_for_end()
            if status != self.statuses.get(name, 0):
                raise Failure(f"{name} ended with status {status}, expected {self.statuses.get(name, 0)}")

    def check_all(self):
        for name in reversed(self.programs):  # servers end when their clients have gone, so clients first
            self.check_end(name)
        for number, (verb, name, rest) in self.steps:
            if verb == "expect":
                try:
                    check(name, self.programs[name].lines, [self.fill(pattern, name) for pattern in rest])
                except Failure as failure:
                    raise Failure(f"{self.arguments.pair}:{number}: {failure}")


def main():
    parser = argparse.ArgumentParser()
    folder = lambda path: pathlib.Path(path).resolve()
    parser.add_argument("--programs", type=folder, required=True, action="append", help="may be given more than once")
    parser.add_argument("--sources", type=folder, required=True, help="the folder examples/")
    parser.add_argument("--dictionaries", type=folder, required=True)
    parser.add_argument("pair", type=pathlib.Path)
    arguments = parser.parse_args()
    for attempt in range(5):
        try:
            Pair(arguments).run()
            return 0
        except PortTaken:
            continue
        except Failure as failure:
            print(failure)
            return 1
    print("every port was taken by someone else")
    return 1


if __name__ == "__main__":
    began = time.monotonic()
    result = main()
    print(f"{time.monotonic() - began:.1f} s")
    sys.exit(result)

#!/usr/bin/env python3
"""manpages.py --version V --out FOLDER PROGRAM...: for each program a page of the manual (FOLDER/NAME.1) and a completion for
bash (FOLDER/completions/NAME), both made from what `PROGRAM --help` prints."""
import argparse
import pathlib
import re
import subprocess
import sys

SUMMARY = {
    "EmaCppConsPerf": "measures an EMA consumer: images, updates, posts, latency",
    "EmaCppIProvPerf": "measures an interactive EMA provider",
    "EmaCppNIProvPerf": "measures a non-interactive EMA provider",
    "TransportPerf": "measures the transport alone",
    "rwfcat": "prints RWF messages of files, captures and traces",
    "perfreport": "turns the files of performance runs into one page",
    "bookbench": "measures order books, in process and over a connection",
    "hubload": "many bare consumers in one process",
    "emissary-hub": "market-data distribution hub",
}
DATA = ("EmaCppConsPerf", "EmaCppIProvPerf", "EmaCppNIProvPerf", "bookbench")


def help_of(program):
    told = subprocess.run([program, "--help"], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    text = told.stdout or told.stderr
    if told.returncode != 0 or not text.strip():
        sys.exit(f"{program} --help ended with {told.returncode} and said [{text[:200]}]: no page can be made of that")
    return text.rstrip("\n")


def options_of(text):
    """The options that stand at the beginning of a line, each once, in their order."""
    found = {}
    for line in text.splitlines():
        begin = re.match(r"^\s{1,6}(-[-\w?]*)((?:,\s+--?[\w-]+)*)", line)
        if begin:
            for word in [begin.group(1), *re.findall(r"--?[\w-]+", begin.group(2))]:
                found[word] = True
    return list(found)


def escaped(line):
    """A line of plain text for troff: no request at its beginning, no minus that becomes a hyphen."""
    line = line.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + line if line[:1] in (".", "'") else line


def page(name, text, version):
    lines = [f'.TH "{name.upper()}" 1 "" "Emissary {version}" "Emissary"', ".SH NAME",
             f"{escaped(name)} \\- {SUMMARY[name]}", ".SH DESCRIPTION", ".nf", *map(escaped, text.splitlines()), ".fi"]
    if name in DATA:
        lines += [".SH FILES", "EmaConfig.xml, RDMFieldDictionary, enumtype.def, MsgData.xml and 350k.xml are read from the "
                  "working folder; /usr/share/emissary has them."]
    if name == "emissary-hub":
        lines += [".SH FILES", "/etc/emissary/HubConfig.xml is read by the service; /usr/share/emissary/HubConfig.xml is one to "
                  "begin with."]
    lines += [".SH SEE ALSO", "/usr/share/doc/emissary"]
    return "\n".join(lines) + "\n"


def completion(name, options):
    function = "_" + re.sub(r"\W", "_", name)
    return (f"# bash completion of {name}\n{function}() {{\n"
            '    local word="${COMP_WORDS[COMP_CWORD]}"\n    if [[ $word == -* ]]; then\n'
            f"        mapfile -t COMPREPLY < <(compgen -W '{' '.join(options)}' -- \"$word\")\n"
            "    else\n        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n    fi\n}\n"
            f"complete -o filenames -F {function} {name}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--version", required=True)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("programs", nargs="+")
    arguments = parser.parse_args()
    (arguments.out / "completions").mkdir(parents=True, exist_ok=True)
    for program in arguments.programs:
        name, text = pathlib.Path(program).name, help_of(program)
        options = options_of(text)
        if not options:
            sys.exit(f"{program} --help lists no option at the beginning of a line")
        (arguments.out / f"{name}.1").write_text(page(name, text, arguments.version))
        (arguments.out / "completions" / name).write_text(completion(name, options))


if __name__ == "__main__":
    main()

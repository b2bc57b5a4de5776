#!/usr/bin/env python3
"""manpages.py --version V --out FOLDER PROGRAM...: for each program a page of the manual (FOLDER/NAME.1.gz) and a completion for
bash (FOLDER/completions/NAME), both made from what `PROGRAM --help` prints.
manpages.py --version V --out FOLDER --parameters emissary-hub.conf=docs/hub-config.md: a page of section 5 made from the reference of a
configuration file."""
import argparse
import gzip
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
    "itemlist-generator": "writes an item list for the performance tools",
    "hubload": "many bare consumers in one process",
    "webfeed": "quotes with time stamps for web clients",
    "wsload": "measures a hub with thousands of virtual web clients",
    "emissary-hub": "market-data distribution hub",
}
DATA = ("EmaCppConsPerf", "EmaCppIProvPerf", "EmaCppNIProvPerf", "bookbench")


def help_of(program, emulator=""):
    told = subprocess.run([*filter(None, emulator.split(";")), program, "--help"], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
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
    see = ["/usr/share/doc/emissary"]
    if name == "emissary-hub":
        see.insert(0, "emissary\\-hub.conf(5),")
    lines += [".SH SEE ALSO", *see]
    return "\n".join(lines) + "\n"


def plain(text):
    """A sentence of Markdown without its marks."""
    return escaped(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text).replace("`", "").replace("**", ""))


def parameters_page(name, text, version):
    """The reference of a configuration file: headings, paragraphs, examples, and a paragraph for each row of a table."""
    lines = [f'.TH "{name.upper()}" 5 "" "Emissary {version}" "Emissary"', ".SH NAME",
             f"{escaped(name)} \\- configuration of the market\\-data distribution hub", ".SH DESCRIPTION"]
    columns, example = None, False
    for line in text.splitlines():
        if line.startswith("```"):
            example = not example
            lines.append(".nf" if example else ".fi")
        elif example:
            lines.append(escaped(line))
        elif line.startswith("|"):
            cells = [c.strip().replace("\\|", "|") for c in re.split(r"(?<!\\)\|", line.strip("|"))]
            if columns is None:
                columns = [c.lower() for c in cells]
            elif not set("".join(cells)) <= set("-: "):
                facts = [f"{column}: {plain(cell)}" for column, cell in zip(columns[1:-1], cells[1:-1]) if cell.strip("` -–")]
                lines += [".TP", f".B {plain(cells[0])}", plain(cells[-1]) + ".", *(["(" + "; ".join(facts) + ")"] if facts else [])]
        elif line.startswith("## "):
            lines.append(f'.SH "{plain(line[3:]).upper()}"')
        elif line.startswith("# ") or not line.strip():
            lines.append(".PP" if lines[-1][:1] != "." else "")
        else:
            lines.append(plain(line))
        if not line.startswith("|"):
            columns = None
    lines += [".SH SEE ALSO", "emissary\\-hub(1)"]
    return "\n".join(line for line in lines if line) + "\n"


def write(path, text):
    """Compressed without a time, so that the same text makes the same file."""
    with path.open("wb") as raw, gzip.GzipFile(filename="", fileobj=raw, mode="wb", compresslevel=9, mtime=0) as out:
        out.write(text.encode())


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
    parser.add_argument("--parameters", metavar="NAME=FILE", action="append", default=[])
    parser.add_argument("--emulator", default="", help="command that runs the programs, its words separated by semicolons")
    parser.add_argument("programs", nargs="*")
    arguments = parser.parse_args()
    (arguments.out / "completions").mkdir(parents=True, exist_ok=True)
    for pair in arguments.parameters:
        name, _, source = pair.partition("=")
        write(arguments.out / f"{name}.5.gz", parameters_page(name, pathlib.Path(source).read_text(), arguments.version))
    for program in arguments.programs:
        name, text = pathlib.Path(program).name, help_of(program, arguments.emulator)
        options = options_of(text)
        if not options:
            sys.exit(f"{program} --help lists no option at the beginning of a line")
        write(arguments.out / f"{name}.1.gz", page(name, text, arguments.version))
        (arguments.out / "completions" / name).write_text(completion(name, options))


if __name__ == "__main__":
    main()

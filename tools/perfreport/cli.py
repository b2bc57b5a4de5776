"""The command line."""
import argparse
import os
import pathlib
import re
import sys
import tempfile

import export
from files import ReportError
from page import page
from runs import MAX_RUNS, load

_EPILOG = """\
A RUN is a directory, a file, or several of them with commas between, each run with an optional name before:
  perfreport -o report.html before=runs/1 after=runs/2
  perfreport ConsStats1.csv,ConsSummary.out,latency1.csv
In a directory the files <name>Stats<n>.csv, <name>latency<n>.csv and <name>Summary.out are taken. Percentiles and
distributions need latency files: run EmaCppConsPerf or TransportPerf with -latencyFile latency.
--export FOLDER writes perfreport.json (figures of the steady state, and how the runs differ) and a .hgrm file for every kind
of latency, which plotters of HdrHistogram read; values in microseconds."""


def _write(path, text):
    """Whole or not at all: a page that is there stays as it was when this fails."""
    try:
        if os.path.exists(path) and not os.path.isfile(path):  # a pipe, /dev/stdout
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            return
        folder = os.path.dirname(os.path.abspath(path))
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=folder, suffix=os.path.splitext(path)[1], delete=False) as file:
            try:
                file.write(text)
                file.flush()
                mask = os.umask(0)
                os.umask(mask)
                os.chmod(file.name, 0o666 & ~mask)
                os.replace(file.name, path)
            except BaseException:
                os.unlink(file.name)
                raise
    except OSError as error:
        raise ReportError(f"{path}: cannot be written: {error.strerror}") from None


def _version():
    """The installed program has it in its archive; one that runs from the tree reads it where it is written down."""
    try:
        from version import VERSION
        return VERSION
    except ImportError:
        project = pathlib.Path(__file__).resolve().parents[2] / "CMakeLists.txt"
        return re.search(r"project\(Emissary VERSION (\S+)", project.read_text(encoding="utf-8")).group(1)


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="perfreport", epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Turns the files of performance tool runs into one HTML page that needs no network.")
    parser.add_argument("-o", "--output", default="report.html", metavar="FILE", help="the page (default: report.html)")
    parser.add_argument("--title", metavar="T", help="its title (default: the names of the runs)")
    parser.add_argument("--partial", action="store_true", help="leave out an unfinished last line: the run goes on or was killed")
    parser.add_argument("--export", metavar="FOLDER", help="write perfreport.json and .hgrm files there as well")
    parser.add_argument("--version", action="version", version=f"perfreport (Emissary) {_version()}")
    parser.add_argument("runs", nargs="+", metavar="RUN", help=f"[name=]directory-or-files, up to {MAX_RUNS} runs")
    options = parser.parse_args(arguments)
    try:
        runs = load(options.runs, options.partial, lambda text: print(f"perfreport: warning: {text}", file=sys.stderr))
        text = page(runs, options.title)
        if options.export is not None:
            export.write(runs, options.export, _version(), _write)
        _write(options.output, text)
    except ReportError as error:
        print(f"perfreport: {error}", file=sys.stderr)
        return 1
    return 0

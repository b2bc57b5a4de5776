#!/usr/bin/env python3
"""sbom.py TREE VERSION PROGRAM...: the bill of materials that dev/sbom.py makes of the programs has the shape of SPDX 2.3, names what they are
linked to, is the same when it is made again, and is refused when NOTICE lacks a licence."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

TIME = "2026-01-02T03:04:05Z"


def made(tree, version, notice, programs):
    return subprocess.run([sys.executable, tree / "dev/sbom.py", "--version", version, "--notice", notice, "--created", TIME, *programs],
                          capture_output=True, text=True, timeout=120)


def faults(document, version, programs):
    """Of the shape: what SPDX 2.3 demands of the elements that are used here."""
    found = []
    for key, value in (("spdxVersion", "SPDX-2.3"), ("dataLicense", "CC0-1.0"), ("SPDXID", "SPDXRef-DOCUMENT")):
        if document.get(key) != value:
            found.append(f"{key} is {document.get(key)}")
    if not re.fullmatch(r"https://\S+[^#\s]", document["documentNamespace"]) or not document["name"]:
        found.append("no name space or name")
    if document["creationInfo"]["created"] != TIME or not document["creationInfo"]["creators"]:
        found.append("no time or creator")
    ids = [p["SPDXID"] for p in document["packages"]]
    if len(set(ids)) != len(ids) or not all(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", i) for i in ids):
        found.append("identifiers are not unique, or have other characters")
    for p in document["packages"]:
        if not all(p.get(k) for k in ("name", "versionInfo", "downloadLocation", "licenseConcluded", "licenseDeclared", "copyrightText")):
            found.append(f"{p['name']} lacks something")
        if not re.fullmatch(r"[\w.+-]+( WITH [\w.-]+)?", p["licenseDeclared"]):
            found.append(f"{p['name']}: {p['licenseDeclared']} is no licence expression")
    for r in document["relationships"]:
        if not {r["spdxElementId"], r["relatedSpdxElement"]} <= {*ids, "SPDXRef-DOCUMENT"}:
            found.append(f"a relationship of something that is not there: {r}")
    described = {r["relatedSpdxElement"] for r in document["relationships"] if r["relationshipType"] == "DESCRIBES"}
    own = {p["name"]: p for p in document["packages"] if p["SPDXID"] in described}
    if set(own) != {p.name for p in programs} or any(p["versionInfo"] != version for p in own.values()):
        found.append(f"it describes {sorted(own)}")
    linked = {r["relatedSpdxElement"] for r in document["relationships"] if r["relationshipType"] == "DYNAMIC_LINK"}
    if linked | described != set(ids):
        found.append("a package is neither a program nor linked to one")
    for name in ("libc6", "libstdc++6"):
        if not any(p["name"] == name for p in document["packages"]):
            found.append(f"{name} is missing, which every program is linked to")
    return found


def main():
    tree, version, programs = pathlib.Path(sys.argv[1]), sys.argv[2], [pathlib.Path(p) for p in sys.argv[3:]]
    first = made(tree, version, tree / "NOTICE", programs)
    if first.returncode != 0:
        sys.exit(first.stderr)
    document = json.loads(first.stdout)
    found = faults(document, version, programs)
    if made(tree, version, tree / "NOTICE", programs).stdout != first.stdout:
        found.append("made again, it differs")
    with tempfile.TemporaryDirectory() as work:
        shorter = pathlib.Path(work) / "NOTICE"
        shorter.write_text("".join(x for x in (tree / "NOTICE").read_text().splitlines(True) if "libssl-dev" not in x))
        refused = made(tree, version, shorter, programs)
        if refused.returncode != 1 or "licence is not in NOTICE" not in refused.stderr or refused.stdout:
            found.append("a licence that NOTICE lacks was not noticed")
    print("\n".join(found) if found else f"{len(document['packages'])} packages, each with version and licence")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

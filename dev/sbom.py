#!/usr/bin/env python3
"""sbom.py --version V --notice NOTICE --created TIME PROGRAM...: the parts of a release as SPDX 2.3 (JSON, on standard output).

Each program is a package; so is each Debian package that has a library it is linked to (as readelf says), with its version on this
machine and its licence from the tables of NOTICE. A library without a package, or without a licence there, ends with 1: nothing is left out.
"""
import argparse
import hashlib
import json
import pathlib
import re
import subprocess
import sys
from urllib.parse import quote

OF_THE_SYSTEM = {"glibc": "LGPL-2.1-or-later", "gcc": "GPL-3.0-or-later WITH GCC-exception-3.1"}


def told(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def source_of(package):
    return re.sub(r"-\d+$", "", told("dpkg-query", "-W", "-f", "${source:Package}\n", package).split()[0])


def licences(notice):
    """Of source packages: the tables of NOTICE name -dev packages."""
    found = dict(OF_THE_SYSTEM)
    for package, licence in re.findall(r"^  \S.*?\s{1,}([a-z][\w.+-]+-dev|catch2)\s+([\w.+-]+)", notice, flags=re.M):
        try:
            found[source_of(package)] = licence
        except subprocess.CalledProcessError:
            pass  # not installed here, so nothing is linked to it
    return found


def package_of(library):
    """The Debian package of a file; on systems where /lib is /usr/lib it may be known by either name."""
    real = pathlib.Path(library).resolve()
    for path in (library, str(real), "/usr" + library, str(real).removeprefix("/usr")):
        done = subprocess.run(["dpkg-query", "-S", path], capture_output=True, text=True)
        if done.returncode == 0:
            return done.stdout.split(": ")[0]
    raise LookupError(f"{library} belongs to no package")


def linked(program):
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", told("readelf", "-d", program))
    places = dict(re.findall(r"(\S+) => (/\S+)", told("ldd", program)))
    for name in needed:
        if name.startswith("libemissary"):
            continue
        if name.startswith("ld-linux"):
            continue  # the loader is a part of the C library
        if name not in places:
            raise LookupError(f"{program} needs {name}, which is not here")
        yield package_of(places[name])


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def bill(version, notice, created, programs):
    known, packages, relations, contents = licences(notice), {}, [], hashlib.sha256()
    for program in sorted(programs, key=lambda p: p.name):
        digest = hashlib.sha256(program.read_bytes()).hexdigest()
        contents.update(digest.encode())
        own = identifier(program.name)
        packages[own] = {"SPDXID": own, "name": program.name, "versionInfo": version, "supplier": "NOASSERTION", "filesAnalyzed": False,
                         "downloadLocation": "NOASSERTION", "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0",
                         "copyrightText": "Copyright 2026 the Emissary authors", "checksums": [{"algorithm": "SHA256", "checksumValue": digest}]}
        relations.append(("SPDXRef-DOCUMENT", "DESCRIBES", own))
        for package in sorted(set(linked(program))):
            name, of = package.split(":")[0], source_of(package)
            if of not in known:
                raise LookupError(f"{program.name} is linked to {name} (source {of}), whose licence is not in NOTICE")
            used = told("dpkg-query", "-W", "-f", "${Version} ${Architecture}", package).split()
            packages[identifier(name)] = {
                "SPDXID": identifier(name), "name": name, "versionInfo": used[0], "supplier": "Organization: Debian", "filesAnalyzed": False,
                "downloadLocation": "NOASSERTION", "licenseConcluded": known[of], "licenseDeclared": known[of], "copyrightText": "NOASSERTION",
                "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                  "referenceLocator": f"pkg:deb/debian/{quote(name)}@{quote(used[0])}?arch={used[1]}"}]}
            relations.append((own, "DYNAMIC_LINK", identifier(name)))
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"emissary-{version}",
            "documentNamespace": f"https://emissary.invalid/spdx/emissary-{version}-{contents.hexdigest()[:16]}",
            "creationInfo": {"created": created, "creators": ["Organization: The Emissary authors", "Tool: sbom.py"]},
            "packages": list(packages.values()),
            "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b} for a, kind, b in relations]}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--version", required=True)
    parser.add_argument("--notice", required=True, type=pathlib.Path)
    parser.add_argument("--created", required=True, help="as 2026-11-28T12:00:00Z: of the release, so that it can be made again")
    parser.add_argument("programs", nargs="+", type=pathlib.Path)
    asked = parser.parse_args()
    try:
        print(json.dumps(bill(asked.version, asked.notice.read_text(), asked.created, asked.programs), indent=1))
    except (LookupError, subprocess.CalledProcessError) as failed:
        sys.exit(f"sbom.py: {failed}")


if __name__ == "__main__":
    main()

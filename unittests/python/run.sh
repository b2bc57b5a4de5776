#!/usr/bin/env bash
# run.sh TREE: makes an empty virtual environment, installs the Python package into it with pip, and runs its tests there.
# EMISSARY_PYTHON names the interpreter; PyPI, or what stands in for it, must be within reach of pip.
# The hub that the tests publish to and the rwfcat that reads captures are EMISSARY_HUB and EMISSARY_RWFCAT, or those of the tree's
# build, which are brought up to date.
set -eu
tree=$1
if [ -z "${EMISSARY_HUB:-}" ] || [ -z "${EMISSARY_RWFCAT:-}" ]; then
  cmake --build "$tree/build/release" --target emissary-hub rwfcat > /dev/null
fi
export EMISSARY_HUB=${EMISSARY_HUB:-$tree/build/release/bin/emissary-hub} EMISSARY_RWFCAT=${EMISSARY_RWFCAT:-$tree/build/release/bin/rwfcat}
python=${EMISSARY_PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m venv "$work/venv"
pip=("$work/venv/bin/pip" --disable-pip-version-check --quiet)
"${pip[@]}" install "$tree/python"
# Without numpy and Arrow the package imports: what it needs is the interpreter alone.
"$work/venv/bin/python" -c 'import emissary, emissary.testing; print("emissary", emissary.__version__)'
"${pip[@]}" install pytest numpy pyarrow polars mypy
cd "$work"
"$work/venv/bin/mypy" --strict "$tree/python/emissary"
"$work/venv/bin/python" -m pytest -q -p no:cacheprovider "$tree/unittests/python"

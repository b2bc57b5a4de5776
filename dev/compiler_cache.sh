# What ccache must know to serve this tree; sourced by the scripts that build all of it, with the tree as the current folder.
#
# Precompiled headers need the sloppiness, or nothing that uses them is served. The base makes the paths in the command lines
# relative, and the folder of the build is left out of the key: so a fresh clone is served with what another one compiled, the
# precompiled headers of GCC included (without this each path misses all of them, some six minutes of a routine run). Clang is
# told the path of a precompiled header behind -Xclang, where ccache leaves it absolute: its objects are served in the
# same path only.
export CCACHE_SLOPPINESS="${CCACHE_SLOPPINESS:-pch_defines,time_macros}"
export CCACHE_BASEDIR="${CCACHE_BASEDIR:-$PWD}"
export CCACHE_NOHASHDIR="${CCACHE_NOHASHDIR:-1}"

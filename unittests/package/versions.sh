#!/usr/bin/env bash
# versions.sh FOLDER VERSION: every program of the folder answers --version with its name and this version, and ends at once.
set -u
bad=0
for program in EmaCppConsPerf EmaCppIProvPerf EmaCppNIProvPerf TransportPerf emissary-hub rwfcat hubload webfeed wsload bookbench perfreport; do
    said=$(timeout 20 "$1/$program" --version </dev/null 2>&1)
    [ "$said" = "$program (Emissary) $2" ] || { echo "$program --version said [$said], not [$program (Emissary) $2]" >&2; bad=1; }
done
exit $bad

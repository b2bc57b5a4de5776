#!/usr/bin/env bash
# The Helm chart as a cluster would have it, without a cluster.
#
#     unittests/package/helm.sh TREE [BUILD]     # BUILD: a build with the hub, TREE/build/release by default
#
# helm and the types of Kubernetes are fetched as modules by Go's own means; both stay in BUILD/helm. For each set
# of values: helm lint --strict, what it renders is read as objects of Kubernetes in which no field is unknown, the HubConfig.xml in it is one
# that emissary-hub --check takes, and its ports and probes are those of that file. Exit status 0: all of it holds.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tree=$(cd "${1:?helm.sh TREE [BUILD]}" && pwd)
build=$(cd "${2:-$tree/build/release}" && pwd) || { echo "helm.sh: there is no build; ./runtests.sh makes one" >&2; exit 1; }
hub=$build/bin/emissary-hub
[ -x "$hub" ] || { echo "helm.sh: $hub is missing: cmake --build $build --target emissary-hub" >&2; exit 1; }
. "$tree/dev/newer_go.sh"
newer_go helm.sh "$build/helm"
helm=$build/helm/bin/helm strict=$build/helm/bin/strict
[ -x "$helm" ] || (cd /; GOBIN=$build/helm/bin "$go" install helm.sh/helm/v3/cmd/helm@v3.19.0)
if [ ! "$strict" -nt "$here/helm_strict/main.go" ]; then
    cp -r "$here/helm_strict" "$build/helm/"
    (cd "$build/helm/helm_strict"; "$go" mod tidy; "$go" build -o "$strict" .)
fi
exec python3 -B "$here/helm.py" "$tree/packaging/helm/emissary-hub" "$helm" "$strict" "$hub"

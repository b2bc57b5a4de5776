#!/usr/bin/env bash
# The mesh's tests over the current nats-server: a second version beside Debian's, and the one that operators install.
#
#     unittests/hub/nats/current_server.sh TREE [BUILD]     # BUILD: a build with tests, TREE/build/release by default
#
# The server is built from its module, fetched by Go's own means; a Go that is too old for it fetches the one that it needs. Both stay in
# BUILD/nats. Exit status 0: all of these tests passed with it.
set -euo pipefail
version=v2.15.3
tree=$(cd "${1:?current_server.sh TREE [BUILD]}" && pwd)
build=$(cd "${2:-$tree/build/release}" && pwd) || { echo "current_server.sh: there is no build with tests; ./runtests.sh makes one" >&2; exit 1; }
server=$build/nats/$version/nats-server
if [ ! -x "$server" ]; then
    . "$tree/dev/newer_go.sh"
    newer_go current_server.sh "$build/nats"
    (cd /; GOBIN=$(dirname "$server") "$go" install "github.com/nats-io/nats-server/v2@$version")
fi
"$server" --version
# The first nats-server on PATH is the one that the tests start.
export PATH=$(dirname "$server"):$PATH
tests=(test_hub_nats test_hub_node)
failed=0
for t in "${tests[@]}"; do
    [ -x "$build/tests/$t" ] || { echo "current_server.sh: $build/tests/$t is missing: cmake --build $build --target $t" >&2; exit 1; }
done
"$build/tests/test_hub_nats" || failed=1
"$build/tests/test_hub_node" "[nats]" || failed=1
[ "$failed" -eq 0 ] && echo "current_server.sh: ok"
exit "$failed"

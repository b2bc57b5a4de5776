#!/bin/bash
# Echoes messages of every size between our transport and the vendor's Java transport: each end as server and as client,
# plain, compressed, over WebSocket and encrypted. One PASS or FAIL line each.
# Usage: interop/transport.sh [mode...]
# TRANSPORT_PEER  our end (build/release/tests/transport_peer)
# needs the Java libraries that interop/run.sh fetches, and the programs openssl and keytool
set -u

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
peer=$(realpath -m "${TRANSPORT_PEER:-$here/../build/release/tests/transport_peer}")
modes=(plain zlib lz4 websocket websocket+zlib websocket+lz4 tls tls+zlib tls+websocket+lz4)
[[ $# -gt 0 ]] && modes=("$@")

stop() { printf '%s\n' "$1" >&2; exit 1; }
[[ -x $peer ]] || stop "interop: no $peer; build the target transport_peer"
[[ -d $here/target/lib ]] || stop "interop: no Java libraries; interop/run.sh fetches them"
folder=$(mktemp -d)
server=
trap '[[ -n $server ]] && kill "$server" 2>/dev/null; rm -rf "$folder"' EXIT

"$here/../tools/make_test_certificates.sh" "$folder" || exit 1
openssl pkcs12 -export -in "$folder/server.pem" -inkey "$folder/server-key.pem" -out "$folder/server.p12" \
    -passout pass:changeit || stop "interop: openssl pkcs12 failed"
keytool -importcert -noprompt -alias ca -file "$folder/ca.pem" -keystore "$folder/trust.p12" -storetype PKCS12 \
    -storepass changeit >/dev/null 2>&1 || stop "interop: keytool failed"
mkdir "$folder/classes"
javac -d "$folder/classes" -cp "$here/target/lib/*" "$here/src/main/java/emissary/interop/JavaTransport.java" ||
    stop "interop: JavaTransport.java does not compile"
java=(java -cp "$folder/classes:$here/target/lib/*" emissary.interop.JavaTransport)

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("", 0)); print(s.getsockname()[1])'; }

failures=0
# echo_between NAME MODE SERVER-COMMAND... -- CLIENT-COMMAND...
echo_between() {
    local name=$1 mode=$2 port said
    shift 2
    local serving=() connecting=()
    while [[ $1 != -- ]]; do serving+=("$1"); shift; done
    shift
    connecting=("$@")
    port=$(free_port)
    "${serving[@]}" serve "$port" "$mode" "$folder" >"$folder/server.out" 2>&1 &
    server=$!
    for _ in $(seq 300); do
        grep -q '^ready' "$folder/server.out" && break
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    said=$("${connecting[@]}" connect "$port" "$mode" "$folder" 2>&1 | tail -n 1)
    kill "$server" 2>/dev/null
    wait "$server" 2>/dev/null
    server=
    if [[ $said == PASS* ]]; then
        echo "PASS $name $mode: ${said#PASS }"
    else
        echo "FAIL $name $mode: $said; server: $(tail -n 1 "$folder/server.out")"
        failures=$((failures + 1))
    fi
}

for mode in "${modes[@]}"; do
    echo_between java-client-cpp-server "$mode" "$peer" -- "${java[@]}"
    echo_between cpp-client-java-server "$mode" "${java[@]}" -- "$peer"
done
[[ $failures -eq 0 ]]

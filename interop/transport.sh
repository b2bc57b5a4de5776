#!/bin/bash
# Echoes messages of every size between our transport and the vendor's Java transport: each end as server and as client,
# plain, compressed, over WebSocket and encrypted. Then connections that must be refused: authorities, names and dates of
# certificates, plain and encrypted ends. One PASS or FAIL line each.
# Usage: interop/transport.sh [mode...]      refusals: only the second part
# TRANSPORT_PEER  our end (build/release/tests/transport_peer)
# needs the Java libraries that interop/run.sh fetches, and the programs openssl and keytool
set -u

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
peer=$(realpath -m "${TRANSPORT_PEER:-$here/../build/release/tests/transport_peer}")
modes=(plain zlib lz4 websocket websocket+zlib websocket+lz4 tls tls+zlib tls+lz4 tls+websocket tls+websocket+zlib
    tls+websocket+lz4)
[[ $# -gt 0 ]] && modes=("$@")

stop() { printf '%s\n' "$1" >&2; exit 1; }
[[ -x $peer ]] || stop "interop: no $peer; build the target transport_peer"
[[ -d $here/target/lib ]] || stop "interop: no Java libraries; interop/run.sh fetches them"
folder=$(mktemp -d)
server=
trap '[[ -n $server ]] && kill "$server" 2>/dev/null; rm -rf "$folder"' EXIT

"$here/../dev/make_test_certificates.sh" "$folder" || exit 1
for name in other-host out-of-date unknown; do
    cp "$folder/bad/$name.pem" "$folder" && cp "$folder/ec-key.pem" "$folder/$name-key.pem" || exit 1
done
cp "$folder/bad/unknown-ca.pem" "$folder" || exit 1
for name in server other-host out-of-date unknown; do
    openssl pkcs12 -export -in "$folder/$name.pem" -inkey "$folder/$name-key.pem" -out "$folder/$name.p12" \
        -passout pass:changeit || stop "interop: openssl pkcs12 failed"
done
for name in ca unknown-ca; do
    keytool -importcert -noprompt -alias ca -file "$folder/$name.pem" -keystore "$folder/$name.p12" -storetype PKCS12 \
        -storepass changeit >/dev/null 2>&1 || stop "interop: keytool failed"
done
mkdir "$folder/classes"
javac -d "$folder/classes" -cp "$here/target/lib/*" "$here/src/main/java/emissary/interop/JavaTransport.java" ||
    stop "interop: JavaTransport.java does not compile"
java=(java -cp "$folder/classes:$here/target/lib/*" emissary.interop.JavaTransport)

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("", 0)); print(s.getsockname()[1])'; }

failures=0
report() {  # report PASS|FAIL TEXT
    echo "$1 $2"
    [[ $1 == PASS ]] || failures=$((failures + 1))
}

# between SERVER SERVER-MODE SERVER-NAME CLIENT CLIENT-MODE CLIENT-NAME: leaves what they said last in $served and $said
between() {
    local port
    local -n server_command=$1 client_command=$4
    port=$(free_port)
    "${server_command[@]}" serve "$port" "$2" "$folder" "$3" >"$folder/server.out" 2>&1 &
    server=$!
    for _ in $(seq 1800); do
        grep -q '^ready' "$folder/server.out" && break
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    said=$(timeout 600 "${client_command[@]}" connect "$port" "$5" "$folder" "$6" 2>&1 | tail -n 1)
    for _ in $(seq 600); do  # a server that refused has something to say and ends
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    kill "$server" 2>/dev/null
    wait "$server" 2>/dev/null
    server=
    served=$(tail -n 1 "$folder/server.out")
}

# echo_between NAME MODE SERVER CLIENT
echo_between() {
    between "$3" "$2" server "$4" "$2" ca
    if [[ $said == PASS* ]]; then report PASS "$1 $2: ${said#PASS }"
    else report FAIL "$1 $2: $said; server: $served"
    fi
}

# refused NAME PATTERN SERVER SERVER-MODE SERVER-NAME CLIENT CLIENT-MODE CLIENT-NAME: no connection, neither end waits for
# its timeout (180 s), and ours says why in words that match.
refused() {
    local start=$SECONDS ours
    between "${@:3}"
    [[ $3 == cpp ]] && ours=$served || ours=$said
    if [[ $said != FAIL* ]]; then report FAIL "$1: the client was let in ($said)"
    elif (( SECONDS - start > 120 )); then report FAIL "$1: only after $((SECONDS - start)) s; ours: $ours"
    elif [[ ! $ours =~ $2 ]]; then report FAIL "$1: ours said: $ours"
    else report PASS "$1: ${ours#FAIL }"
    fi
}

cpp=("$peer")
for mode in "${modes[@]}"; do
    [[ $mode == refusals ]] && continue
    echo_between java-client-cpp-server "$mode" cpp java
    echo_between cpp-client-java-server "$mode" java cpp
done
if [[ $# -eq 0 || " $* " == *" refusals "* ]]; then
    for inner in tls tls+websocket; do
        refused "cpp-client-java-server $inner, client of another authority" 'verif.*certificate|certificate.*verif' \
            java "$inner" server cpp "$inner" unknown-ca
        refused "cpp-client-java-server $inner, certificate of an unknown authority" 'verif.*certificate|certificate.*verif' \
            java "$inner" unknown cpp "$inner" ca
        refused "cpp-client-java-server $inner, certificate of another host" 'not for "localhost"' \
            java "$inner" other-host cpp "$inner" ca
        refused "cpp-client-java-server $inner, certificate out of date" 'expired' java "$inner" out-of-date cpp "$inner" ca
        refused "java-client-cpp-server $inner, client of another authority" 'TLS handshake' cpp "$inner" server java "$inner" unknown-ca
        refused "java-client-cpp-server $inner, certificate of an unknown authority" 'TLS handshake' cpp "$inner" unknown java "$inner" ca
        refused "java-client-cpp-server $inner, certificate of another host" 'TLS handshake' cpp "$inner" other-host java "$inner" ca
        refused "java-client-cpp-server $inner, certificate out of date" 'TLS handshake' cpp "$inner" out-of-date java "$inner" ca
    done
    for inner in plain websocket; do
        tls=tls$([[ $inner == websocket ]] && echo +websocket)
        refused "cpp-client-java-server $inner client, encrypted server" 'encrypted|RSSL_ENCRYPTED' java "$tls" server cpp "$inner" ca
        refused "cpp-client-java-server encrypted client, $inner server" 'not encrypted|does not speak TLS' java "$inner" server cpp "$tls" ca
        refused "java-client-cpp-server $inner client, encrypted server" 'in the clear to an encrypted port' cpp "$tls" server java "$inner" ca
        refused "java-client-cpp-server encrypted client, $inner server" 'TLS|encrypted' cpp "$inner" server java "$tls" ca
    done
fi
[[ $failures -eq 0 ]]

# Part of run.sh: programs in other languages that speak JSON over WebSocket, as strangers write them (websocket/), against a provider
# and the hub, with and without TLS. Libraries are Debian's packages; no registry is asked.

# The programs: their name is the scenario's.
ws_programs=(python-asyncio python-threads python-blocking python-frames node-controller node-stream node-crowd java-jdk go-gorilla go-net)
for program in "${ws_programs[@]}"; do
    scenarios+=("websocket-$program")
    eval "websocket-$program() { ws_everywhere '$program'; }"
done
scenarios+=(websocket-publisher websocket-performance-tool websocket-pings)

# need COMMAND PACKAGE: a tool that is missing is a failure, with the remedy
need() { [[ -x $(command -v "$1") ]] || fail "$1 is not there: install the Debian package $2 (dev/install_packages.sh tests)"; }

# need_file FILE PACKAGE
need_file() { [[ -e $1 ]] || fail "$1 is not there: install the Debian package $2 (dev/install_packages.sh tests)"; }

# Sets $ws_command to the command line of a program; what must be compiled is compiled once.
ws_program() {
    local sources=$here/websocket to=$here/target/websocket
    case $1 in
    python-*)
        # Debian's own interpreter: another one on PATH does not see Debian's packages.
        need /usr/bin/python3 python3
        need_file /usr/lib/python3/dist-packages/websockets python3-websockets
        need_file /usr/lib/python3/dist-packages/websocket python3-websocket
        local -A file_of=([python-asyncio]=asyncio_client.py [python-threads]=threaded_client.py [python-frames]=frames_client.py
            [python-blocking]=blocking_client.py [python-publisher]=publisher.py)
        ws_command=(/usr/bin/python3 -B "$sources/${file_of[$1]}")
        ;;
    node-*)
        need node nodejs
        need_file /usr/share/nodejs/ws/package.json node-ws
        ws_command=(env NODE_PATH=/usr/share/nodejs node "$sources/${1#node-}.js")
        ;;
    java-*)
        need javac openjdk-17-jdk-headless
        if [[ ! $to/JdkClient.class -nt $sources/JdkClient.java ]]; then
            javac -d "$to" "$sources/JdkClient.java" >javac.out 2>&1 || fail "javac: $(tail -n 3 javac.out)"
        fi
        ws_command=(java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx256m -XX:-UsePerfData -cp "$to" JdkClient)
        ;;
    go-*)
        # Debian's compiler with Debian's sources; a later one from elsewhere builds them as well.
        local go=/usr/bin/go source=$sources/${1/-/_}/main.go
        [[ -x $go ]] || go=go
        need "$go" golang-go
        need_file /usr/share/gocode/src/github.com/gorilla/websocket golang-github-gorilla-websocket-dev
        need_file /usr/share/gocode/src/golang.org/x/net/websocket golang-golang-x-net-dev
        if [[ ! $to/$1 -nt $source ]]; then
            env -u GOROOT -u GOFLAGS GO111MODULE=off GOPATH=/usr/share/gocode GOTOOLCHAIN=local GOCACHE="$to/go-cache" \
                "$go" build -o "$to/$1" "$source" >go.out 2>&1 || fail "go build: $(tail -n 3 go.out)"
        fi
        ws_command=("$to/$1")
        ;;
    esac
}

# ws_servers [PING-MILLIS]: the provider on $port and $port_tls, the hub in front of it on $hub_port and $hub_tls, publishers on
# $publishers. Sets ws_urls: name -> URL.
ws_servers() {
    ws_provider "$@"
    ws_hub "$@"
    declare -gA ws_urls=(
        [provider-ws]="ws://127.0.0.1:$port/WebSocket" [provider-wss]="wss://localhost:$port_tls/WebSocket"
        [hub-ws]="ws://127.0.0.1:$hub_port/WebSocket" [hub-wss]="wss://localhost:$hub_tls/WebSocket"
    )
}

ws_provider() {
    local program=$tests/interop_websocket_provider
    [[ -x $program ]] || fail "$program is not there: build the target interop_websocket_provider"
    certificates=$(certificates)
    port_tls=$((port - 10000))
    ln -sf "$dict_dir/RDMFieldDictionary" "$dict_dir/enumtype.def" .
    start provider "$program" --port "$port" --tls-port "$port_tls" --certificates "$certificates" --patience "$patience" \
        ${1:+--ping-millis "$1"}
    wait_line provider '^READY'
}

ws_hub() {
    [[ -x $bin/emissary-hub ]] || fail "$bin/emissary-hub is not there: build it first, or set EMISSARY_BIN"
    certificates=$(certificates)
    hub_port=$((port - 10001)) hub_tls=$((port - 10002)) publishers=$((port - 10003)) pages=$((port - 10004))
    # Programs of other libraries that send an origin, as golang.org/x/net/websocket always does; with one that is not the port's own
    # they count as pages, which post where they may.
    local inside="<AllowedOrigins value=\"http://localhost:8000, http://another.example, http://localhost\"/><WebPosting value=\"1\"/>"
    inside+=${1:+<ConnectionPingTimeout value=\"$1\"/><ConnectionMinPingTimeout value=\"$1\"/>}
    ln -sf "$dict_dir/RDMFieldDictionary" "$dict_dir/enumtype.def" .
    cat >HubConfig.xml <<END
<HubConfig>
  <Hub><Name value="interop"/><Listeners value="Clients, Encrypted"/><NiListeners value="Publishers"/><HttpPort value="$pages"/>
    <Dictionary value="Files"/><DefaultService value="${ws_service:-DIRECT_FEED}"/></Hub>
  <ServerGroup><ServerList>
    <Server><Name value="Clients"/><Port value="$hub_port"/>$inside</Server>
    <Server><Name value="Encrypted"/><Port value="$hub_tls"/><ServerType value="RSSL_ENCRYPTED"/><CompressionType value="ZLib"/>$inside
      <ServerCert value="$certificates/server.pem"/><ServerPrivateKey value="$certificates/server-key.pem"/></Server>
    <Server><Name value="Publishers"/><Port value="$publishers"/></Server>
  </ServerList></ServerGroup>
  <SourceGroup><SourceList>
    <Source><Name value="Upstream"/><Channel value="Upstream"/><ReconnectMinDelay value="100"/><ReconnectMaxDelay value="200"/></Source>
  </SourceList></SourceGroup>
  <ChannelGroup><ChannelList>
    <Channel><Name value="Upstream"/><Host value="localhost"/><Port value="$port"/></Channel>
  </ChannelList></ChannelGroup>
  <ServiceGroup><ServiceList><Service><Name value="PYTHON_FEED"/><UnknownItem value="wait"/></Service></ServiceList></ServiceGroup>
  <DictionaryGroup><DictionaryList><Dictionary><Name value="Files"/><DictionaryType value="FileDictionary"/></Dictionary></DictionaryList></DictionaryGroup>
</HubConfig>
END
    start hub "$bin/emissary-hub" -c "$PWD/HubConfig.xml"
    wait_port "$hub_port"
    wait_port "$hub_tls"
}

# ws_client NAME URL MODE SECONDS: $ws_command, in the background. Item names are its own: posts reach whoever watches the item.
ws_client() { start "$1" "${ws_command[@]}" "$2" "$(certificates)/ca.pem" "$3" "$4" "${1^^}"; }

# One program against provider and hub, in clear and in TLS, all four at once.
ws_everywhere() {
    local url
    ws_program "$1"
    ws_servers
    for url in "${!ws_urls[@]}"; do ws_client "$url" "${ws_urls[$url]}" all 0; done
    for url in "${!ws_urls[@]}"; do
        expect_ok "$url"
        ws_quiet "$url"
    done
    expect_drained
}

# A program that succeeded has complained of nothing.
ws_quiet() { [[ ! -s $1.err ]] || fail "$1 says: $(head -c 300 "$1.err")"; }

# A publisher that speaks JSON at the hub's port for publishers, and a reader at its port for clients, who asks first.
websocket-publisher() {
    local ws_service=PYTHON_FEED
    ws_program python-publisher
    ws_hub
    start plain "${ws_command[@]}" "ws://127.0.0.1:$publishers/WebSocket" - "ws://127.0.0.1:$hub_port/WebSocket"
    expect_ok plain
    ws_quiet plain
    expect_drained
    ws_hub  # one that knows nothing
    start encrypted "${ws_command[@]}" "ws://127.0.0.1:$publishers/WebSocket" "$(certificates)/ca.pem" "wss://localhost:$hub_tls/WebSocket"
    expect_ok encrypted
    ws_quiet encrypted
    expect_drained
}

# The performance tool as provider, which refuses nothing and knows no views: prices and posts, direct and through the hub.
websocket-performance-tool() {
    cpp_provider -tickRate 100 -updateRate 500
    wait_port_of provider "$port"
    ws_hub
    ws_program python-asyncio
    ws_client direct "ws://127.0.0.1:$port/WebSocket" prices 0
    ws_client through-hub "ws://127.0.0.1:$hub_port/WebSocket" prices 0
    ws_client encrypted "wss://localhost:$hub_tls/WebSocket" prices 0
    for client in direct through-hub encrypted; do
        expect_ok "$client"
        ws_quiet "$client"
    done
    expect_drained
}

# Every program twice at provider and hub, with nothing but pings: one of each only answers them, the other one sends them. The ping
# timeout is a quarter of the time: pings come every two seconds. A client that does neither is ended.
websocket-pings() {
    local seconds=24 program place mode names=()
    ws_servers 6000
    for program in "${ws_programs[@]}"; do
        ws_program "$program"
        for place in provider-ws hub-ws; do
            for mode in answer send; do
                names+=("$program-$mode-$place")
                ws_client "${names[-1]}" "${ws_urls[$place]}" "$mode" "$seconds"
            done
        done
    done
    ws_program python-frames
    for place in provider-wss hub-wss; do ws_client "silent-$place" "${ws_urls[$place]}" silent "$seconds"; done
    local counts=''
    for program in "${names[@]}" silent-provider-wss silent-hub-wss; do
        details=
        expect_ok "$program"
        ws_quiet "$program"
        counts+="${counts:+; }$program $details"
    done
    details=$counts
    expect_drained
}

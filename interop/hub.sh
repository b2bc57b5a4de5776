# Part of run.sh: emissary-hub between our programs and the vendor's.

publishers='' pages=''  # the hub's other ports

scenarios+=(
    java-consumer-cpp-hub
    java-consumer-cpp-hub-cached
    java-consumer-cpp-hub-json
    java-consumer-cpp-hub-json-threads
    java-consumer-cpp-hub-joined
    java-consumer-cpp-hub-joined-state
    java-consumer-cpp-hub-restart
    java-consumer-cpp-hub-posts
    cpp-consumer-java-provider-hub
    java-java-hub
    java-java-hub-cached
    java-java-hub-restart
    java-niprovider-cpp-hub
    java-niprovider-cpp-hub-restart
    java-standby-cpp-hubs-login
    java-standby-cpp-hubs-login-json
    java-standby-cpp-hubs-service
)

# cpp_hub [CACHE [HUB [SERVICE]]]: between the provider and its consumers, who find it on $port from now on; publishers on $publishers.
# Images of the domains CACHE are kept; HUB and SERVICE are added to the sections of these names.
# What a slow client misses is no subject here: a busy machine's Java reads late, and a joined update is none that is due.
cpp_hub() {
    [[ -x $bin/emissary-hub ]] || fail "$bin/emissary-hub is not there: build it first, or set EMISSARY_BIN"
    local upstream=$port
    port=$((upstream - 10000))  # free_port might give the one that the provider has not bound yet
    publishers=$((port - 1)) pages=$((port - 2))
    hub_file hub "$upstream" "$@"
    start_hub
}

# hub_file NAME UPSTREAM [CACHE [HUB [SERVICE]]]: NAME.xml, a hub on $port, $publishers and $pages
hub_file() {
    local name=$1 upstream=$2
    shift 2
    ln -sf "$dict_dir/RDMFieldDictionary" "$dict_dir/enumtype.def" .
    cat >"$name.xml" <<END
<HubConfig>
  <Hub><Name value="interop"/><Listeners value="Clients"/><NiListeners value="Publishers"/><HttpPort value="$pages"/>${2:-}</Hub>
  <ServerGroup><ServerList>
    <Server><Name value="Clients"/><Port value="$port"/><JsonExpandedEnumFields value="0"/><ConflateAbove value="16777216"/></Server>
    <Server><Name value="Publishers"/><Port value="$publishers"/></Server>
  </ServerList></ServerGroup>
  <SourceGroup><SourceList>
    <Source><Name value="Upstream"/><Channel value="Upstream"/><ReconnectMinDelay value="100"/><ReconnectMaxDelay value="200"/></Source>
  </SourceList></SourceGroup>
  <ChannelGroup><ChannelList>
    <Channel><Name value="Upstream"/><Host value="localhost"/><Port value="$upstream"/></Channel>
  </ChannelList></ChannelGroup>
  <ServiceGroup><ServiceList>
    <Service><Name value="DIRECT_FEED"/><Cache value="${1:-none}"/>${3:-}</Service>
  </ServiceList></ServiceGroup>
  <DictionaryGroup><DictionaryList><Dictionary><Name value="Files"/><DictionaryType value="FileDictionary"/></Dictionary></DictionaryList></DictionaryGroup>
</HubConfig>
END
}

start_hub() {
    start hub "$bin/emissary-hub" -c "$PWD/hub.xml"
    wait_port "$port"
    wait_port "$pages"
}

wait_port() { wait_port_of hub "$1"; }

# wait_port_of NAME PORT: until the program listens there
wait_port_of() {
    local deadline=$((SECONDS + patience))
    until (exec 3<>"/dev/tcp/127.0.0.1/$2") 2>/dev/null; do
        alive "$1" || fail "the $1 ended before it listened: $(tail -n 1 "$1.err")"
        ((SECONDS < deadline)) || fail "nobody listens on port $2 within $patience s"
        sleep 0.05
    done
}

# The hub has gone when it was asked to, after its clients.
expect_drained() {
    kill -TERM "${pid_of[hub]}"
    wait_exit hub
    [[ $status == 0 ]] || fail "the hub ended with status $status"
}

# The same as without a hub: every value of 1,000 items compared behind it.
java-consumer-cpp-hub() {
    cpp_provider
    cpp_hub
    java_consumer --updates 3
    expect_ok consumer
    expect_drained
    kill -INT "${pid_of[provider]}"
    expect_summary provider
}

java-consumer-cpp-hub-cached() {
    cpp_provider
    cpp_hub all
    java_consumer --updates 3
    expect_ok consumer
    java_start second JavaConsumer --port "$port" --updates 3
    expect_ok second
    expect_drained
}

java-consumer-cpp-hub-json() {
    cpp_provider -tickRate 100 -updateRate 300
    cpp_hub
    java_consumer --updates 3 --transport ws --protocol rssl.json.v2
    expect_ok consumer
    expect_drained
}

# Other threads of the hub serve the consumers.
java-consumer-cpp-hub-json-threads() {
    cpp_provider -tickRate 100 -updateRate 300
    cpp_hub none '<Threads value="3"/>'
    java_consumer --updates 3 --transport ws --protocol rssl.json.v2
    expect_ok consumer
    java_start second JavaConsumer --port "$port" --updates 3
    expect_ok second
    expect_drained
}

# At most one update of an item in half a second: each value is one that the provider sent, and what is left out is counted.
java-consumer-cpp-hub-joined() {
    cpp_provider -updateRate 20000
    cpp_hub none '<Threads value="3"/>' '<Conflation value="interval"/><ConflationInterval value="500"/>'
    java_consumer --updates 20 --joined --snapshots 0
    expect_ok consumer
    expect_drained
}

# The provider behind the hub is killed: the hub recovers the items, the consumer does nothing.
java-consumer-cpp-hub-restart() {
    local upstream=$port clients
    cpp_provider
    cpp_hub
    clients=$port
    java_consumer --expect-restart
    wait_line consumer '^EXPECT-RESTART'
    kill_hard provider
    wait_line consumer '^SUSPECT'
    port=$upstream
    cpp_provider
    port=$clients
    expect_ok consumer
    expect_drained
}

java-consumer-cpp-hub-posts() {
    cpp_provider
    cpp_hub
    java_consumer --items 200 --snapshots 0 --posts 100
    expect_ok consumer
    expect_drained
}

# The vendor's provider behind the hub, our consumer in front of it.
cpp-consumer-java-provider-hub() {
    java_provider --rate 2000 --latency-rate 100 --exit-after-logout
    wait_line provider '^READY'
    cpp_hub
    cpp_consumer -itemCount 1000 -requestRate 10000 -steadyStateTime "$endless"
    steady_state_then_interrupt
    expect_summary consumer
    expect_steady_state 1000
    expect_drained
    expect_ok provider
    grep -q ' requests=1000 ' <<<"$details " || fail "provider counted other requests: $details"
}

# The vendor's library at both ends: every value, posts and generic messages pass.
java-java-hub() {
    java_provider --rate 2000 --exit-after-logout
    wait_line provider '^READY'
    cpp_hub "${1:-none}"
    java_consumer --posts 50 --generics 50
    expect_ok consumer
    expect_drained
    expect_ok provider
}

java-java-hub-cached() { java-java-hub all; }

java-java-hub-restart() {
    local upstream=$port clients
    java_provider --rate 2000
    wait_line provider '^READY'
    cpp_hub
    clients=$port
    java_consumer --expect-restart
    wait_line consumer '^EXPECT-RESTART'
    kill_hard provider
    wait_line consumer '^SUSPECT'
    port=$upstream
    java_provider --rate 2000 --exit-after-logout
    port=$clients
    expect_ok consumer
    expect_drained
    expect_ok provider
}

# page PATH: a page of the hub, without its head
page() {
    exec 4<>"/dev/tcp/127.0.0.1/$pages" || return 1
    printf 'GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' "$1" >&4
    sed '1,/^\r$/d' <&4
    exec 4>&-
}

# until_item NAME PATTERN: until the hub's page of the item has it
until_item() {
    local deadline=$((SECONDS + patience)) text
    until text=$(page "/itemz?service=DIRECT_FEED&name=$1&domain=6") && grep -qE "$2" <<<"$text"; do
        alive hub || fail "the hub ended"
        ((SECONDS < deadline)) || fail "the hub's item $1 has no '$2': ${text:0:300}"
        sleep 0.05
    done
}

# What FeaturesNiProvider publishes is in the hub: images with their updates, one of 3,000 entries; what it closed is not.
expect_kept() {
    until_item NI.A '"BID":39\.95[,}]'
    until_item NI.BIG '"ORDER0"'
    until_item NI.BIG '"ORDER2999"'
    until_item NI.B '^[^{]*$|"error"'
}

java-niprovider-cpp-hub() {
    cpp_hub all '<Dictionary value="Files"/>'
    java_start niprovider FeaturesNiProvider --port "$publishers"
    expect_ok niprovider
    expect_kept
    # It is gone: what it left is told to be suspect.
    until_item NI.A '"state":"Open/Suspect/'
    expect_drained
}

java-niprovider-cpp-hub-restart() {
    cpp_hub all '<Dictionary value="Files"/>'
    java_start niprovider FeaturesNiProvider --port "$publishers" --expect-restart
    wait_line niprovider '^EXPECT-RESTART'
    until_item NI.A '"state":"Open/Ok/'
    kill_hard hub
    wait_line niprovider '^SUSPECT'
    start_hub
    expect_ok niprovider
    expect_kept
    expect_drained
}

# until_said PORT PATTERN: until /connz of the hub that serves there has it
until_said() {
    local deadline=$((SECONDS + patience)) text pages=$(($1 - 2))
    until text=$(page /connz) && grep -qF "$2" <<<"$text"; do
        alive consumer || fail "the consumer ended: $(tail -n 1 consumer.out)"
        ((SECONDS < deadline)) || fail "/connz of the hub on port $1 has no '$2': ${text:0:800}"
        sleep 0.05
    done
}

# start_one PORT: the hub of the pair that serves consumers there
start_one() {
    start "hub$1" "$bin/emissary-hub" -c "$PWD/hub$1.xml"
    wait_port_of "hub$1" "$1"
    wait_port_of "hub$1" "$(($1 - 2))"
}

# A warm standby pair of the vendor's consumer: STANDBY_MODE OF_ACTIVE OF_STANDBY [OPTION...] on two hubs of one provider, which say in
# /connz how they are used. Killing the active one makes every item go on at the other, with the values that were held back; the first
# comes back as a standby, and takes over when the second is killed.
standby() {
    local mode=$1 active=$2 standby=$3 upstream=$port one two
    shift 3
    cpp_provider -tickRate 100 -updateRate 1000
    one=$((upstream - 10000)) two=$((upstream - 10003))
    for port in "$one" "$two"; do
        publishers=$((port - 1)) pages=$((port - 2))
        hub_file "hub$port" "$upstream" all '<SupportStandby value="1"/>'
        start_one "$port"
    done
    port=$one
    java_consumer --standby "$two" --standby-mode "$mode" --updates 3 --items 200 --snapshots 0 --failovers 2 "$@"
    wait_line consumer '^EXPECT-FAILOVER 1 '
    until_said "$one" "$active"
    until_said "$two" "$standby"
    kill_hard "hub$one"
    wait_line consumer '^FAILED-OVER 1 '
    until_said "$two" "$active"
    start_one "$one"
    until_said "$one" "$standby"
    kill_hard "hub$two"
    expect_ok consumer
}

java-standby-cpp-hubs-login() { standby LOGIN_BASED '"standby":false' '"standby":true' "$@"; }
java-standby-cpp-hubs-login-json() { java-standby-cpp-hubs-login --transport ws --protocol rssl.json.v2; }
java-standby-cpp-hubs-service() { standby SERVICE_BASED '"DIRECT_FEED":"warm_active"' '"DIRECT_FEED":"warm_standby"'; }

# What joined updates leave behind: of two consumers one is at a hub, and one at a second hub behind it that sends at most one update of
# an item in half a second. When the provider stands still, both have the same value of every field of every item.
java-consumer-cpp-hub-joined-state() {
    local upstream=$port first second
    cpp_provider -updateRate 3000
    first=$((upstream - 10000)) second=$((upstream - 10003))
    port=$first publishers=$((first - 1)) pages=$((first - 2))
    hub_file "hub$first" "$upstream" all
    port=$second publishers=$((second - 1)) pages=$((second - 2))
    hub_file "hub$second" "$first" none '<Threads value="3"/>' '<Conflation value="interval"/><ConflationInterval value="500"/>'
    start_one "$first"
    start_one "$second"
    java_start plain JavaConsumer --port "$first" --updates 5 --items 200 --snapshots 0 --joined --watch
    java_consumer --updates 5 --items 200 --snapshots 0 --joined --watch
    wait_line plain '^STATE'
    wait_line consumer '^STATE'
    kill -STOP "${pid_of[provider]}"
    local deadline=$((SECONDS + patience)) plain='' joined=none
    while [[ ${plain% joined=*} != "${joined% joined=*}" ]]; do
        sleep 0.05
        plain=$(grep '^STATE' plain.out | tail -n 1) joined=$(grep '^STATE' consumer.out | tail -n 1)
        alive plain && alive consumer || fail "a consumer ended: $(tail -qn 1 plain.out consumer.out)"
        ((SECONDS < deadline)) || fail "the states stay different: '$plain' and '$joined'"
    done
    local updates=${joined##*updates=} stands_for=${joined##*joined=}
    # fields that ripple come with each of their values
    ((4 * ${stands_for% *} >= 5 * updates)) || fail "nothing was joined: '$joined'"
    details="plain: $plain; joined: $joined"
}

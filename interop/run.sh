#!/bin/bash
# Runs our programs against strangers: programs on the vendor's Java libraries, and WebSocket programs in four languages.
#   run.sh              all scenarios, one PASS or FAIL line each, then a count
#   run.sh NAME...      only these;  run.sh --list  names them
# EMISSARY_BIN      folder of the C++ tools and EmaConfig.xml, 350k.xml   (build/release/bin)
# INTEROP_MSG_FILE  message templates used by both sides                  (etc/MsgData.xml)
# INTEROP_DICT_DIR  folder of RDMFieldDictionary and enumtype.def         (etc)
# INTEROP_PATIENCE  seconds that each step may take, however busy the machine is (180): a limit for what hangs
# INTEROP_JOBS      scenarios at once (the processors); those with WebSocket programs, which build what they need, run one by one
# INTEROP_KEEP=1    keep the logs of scenarios that passed, too
set -u

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
bin=$(realpath -m "${EMISSARY_BIN:-$root/build/release/bin}")
tests=$(dirname "$bin")/tests
msg_file=$(realpath -m "${INTEROP_MSG_FILE:-$root/etc/MsgData.xml}")
dict_dir=$(realpath -m "${INTEROP_DICT_DIR:-$root/etc}")
patience=${INTEROP_PATIENCE:-180}
endless=$((10 * patience))  # seconds that a program runs which the scenario ends
for section in Perf_Consumer_1 Perf_Consumer_WSJSON_1; do
    for parameter in LoginRequestTimeOut DirectoryRequestTimeOut DictionaryRequestTimeOut RequestTimeout; do
        export "EMISSARY_CONSUMER_${section}_$parameter=$((1000 * patience))"
    done
done

scenarios=(
    java-java
    java-java-finds-difference
    java-java-json
    java-java-provider-restart
    java-consumer-cpp-provider
    java-consumer-cpp-provider-posts
    java-consumer-cpp-provider-restart
    java-consumer-cpp-provider-websocket
    java-consumer-cpp-provider-json
    cpp-consumer-java-provider
    cpp-consumer-java-provider-json
    module-java-provider
    module-java-provider-restart
    cpp-consumer-starts-first
    cpp-consumer-provider-killed-loading
    cpp-consumer-provider-killed-steady
)

# ---- building ------------------------------------------------------------------------------------------------------

stop() { printf '%s\n' "$1" >&2; exit 1; }

# Builds when a source is newer than the last good build. Tries without the network first: after the first build Maven
# has all it needs in its own cache.
build() {
    local stamp=$here/target/.built log=$here/target/build.log
    if [[ -f $stamp && -z $(find "$here/src" "$here/pom.xml" -newer "$stamp" -print -quit) ]]; then return; fi
    command -v javac >/dev/null || stop "interop: no Java compiler; install the Debian package openjdk-17-jdk-headless"
    command -v mvn >/dev/null || stop "interop: no Maven; install the Debian package maven"
    mkdir -p "$here/target"
    if ! mvn -q -B -o -f "$here/pom.xml" package >"$log" 2>&1 && ! mvn -q -B -f "$here/pom.xml" package >"$log" 2>&1; then
        tail -n 30 "$log" >&2
        stop "interop: the Java programs do not build (the first build needs network access for Maven)"
    fi
    touch "$stamp"
}

# ---- helpers of a scenario: it runs in a subshell inside its own folder, and its processes end with it ---------------

declare -A pid_of=()

# start NAME COMMAND...: in the background; output in NAME.out and NAME.err. SIGINT is given back its default, which the
# shell takes away from background processes.
start() {
    local name=$1
    shift
    env --default-signal=INT "$@" >"$name.out" 2>"$name.err" &
    pid_of[$name]=$!
}

java_start() {
    local name=$1 class=$2
    shift 2
    # Short-lived programs: the simple compiler and collector leave the cores to the program under test.
    start "$name" java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx512m -XX:-UsePerfData -Djava.io.tmpdir="$PWD" \
        -cp "$here/target/interop.jar:$here/target/lib/*" \
        "emissary.interop.$class" --msg-file "$msg_file" --dict-dir "$dict_dir" --patience "$patience" "$@"
}

java_consumer() { java_start consumer JavaConsumer --port "$port" "$@"; }
java_provider() { java_start provider JavaProvider --port "$port" --run-time "$endless" "$@"; }

cpp_start() {
    local name=$1 program=$2
    shift 2
    [[ -x $bin/$program ]] || fail "$bin/$program is not there: build the C++ tools first, or set EMISSARY_BIN"
    local file
    for file in EmaConfig.xml 350k.xml; do
        [[ -e $bin/$file ]] || fail "$bin/$file is not there: the tools' data files are part of the build"
        ln -sf "$bin/$file" .
    done
    ln -sf "$msg_file" MsgData.xml
    ln -sf "$dict_dir/RDMFieldDictionary" "$dict_dir/enumtype.def" .
    start "$name" "$bin/$program" -p "$port" -statsFile "$name-stats" -summaryFile "$name-summary" -writeStatsInterval 1 "$@"
}

cpp_consumer() {
    cpp_start consumer EmaCppConsPerf -consumerName Perf_Consumer_1 -h localhost "$@"
}

cpp_provider() {
    cpp_start provider EmaCppIProvPerf -providerName Perf_Provider_1 -runTime "$endless" -updateRate 2000 \
        -latencyUpdateRate 100 "$@"
}

fail() { printf '%s\n' "$1" >reason; exit 1; }

alive() { kill -0 "${pid_of[$1]}" 2>/dev/null; }

# Sets $status to how the program ended.
wait_exit() {
    local name=$1 deadline=$((SECONDS + patience))
    while alive "$name"; do
        ((SECONDS < deadline)) || fail "$name did not end within $patience s"
        sleep 0.05
    done
    wait "${pid_of[$name]}"
    status=$?
}

# wait_line NAME PATTERN: until the program prints such a line
wait_line() {
    local name=$1 deadline=$((SECONDS + patience))
    until grep -qE "$2" "$name.out" 2>/dev/null; do
        alive "$name" || grep -qE "$2" "$name.out" || fail "$name ended before it printed '$2'"
        ((SECONDS < deadline)) || fail "$name did not print '$2' within $patience s"
        sleep 0.05
    done
}

kill_hard() {
    kill -KILL "${pid_of[$1]}" || fail "$1 was gone before it was killed"
    wait "${pid_of[$1]}" 2>/dev/null
    # a second one of this name writes fresh logs
    mv "$1.out" "$1-killed.out"
    mv "$1.err" "$1-killed.err"
}

# The Java programs state their result in their last line.
expect_ok() {
    wait_exit "$1"
    local result
    result=$(grep -E '^RESULT ' "$1.out" | tail -n 1)
    [[ $status == 0 && $result == 'RESULT ok '* ]] || fail "$1 ended with status $status: ${result:-no result}"
    details="${details:+$details; }${result#RESULT ok }"
}

# The C++ tools end with status 0 and a summary; what they saw is in there.
# expect_summary NAME [STATUS]: a program that failed its test says so by its status, and writes its summary too
expect_summary() {
    local name=$1
    wait_exit "$name"
    [[ $status == "${2:-0}" ]] || fail "$name ended with status $status"
    grep -q -- '--- OVERALL SUMMARY ---' "$name-summary" 2>/dev/null || fail "$name wrote no complete summary"
}

# summary_value NAME SECTION LABEL: a number from the overall part of a summary
summary_value() {
    awk -v section="$2" -v label="$3" '
        /--- OVERALL SUMMARY ---/ { overall = 1 }
        overall && /Statistics:[ \t]*$/ { in_section = index($0, section) > 0 }
        overall && in_section {
            i = index($0, label ": ")
            if (i > 0 && substr($0, 1, i - 1) ~ /^ *$/) { v = substr($0, i + length(label) + 2); gsub(/ /, "", v); print v; exit }
        }' "$1-summary"
}

# Ends the consumer's test when it has been in steady state for a while, however long it took to get there.
steady_state_then_interrupt() {
    local deadline=$((SECONDS + patience))
    until awk '/Image retrieval time/ { steady = 1 } steady && /^ *Latency\(usec\)/ { ++intervals } END { exit intervals < 3 }' \
        consumer.out; do
        alive consumer || fail "consumer ended before it was in steady state: $(tail -n 1 consumer.out)"
        ((SECONDS < deadline)) || fail "consumer was not in steady state within $patience s"
        sleep 0.05
    done
    kill -INT "${pid_of[consumer]}"
}

expect_steady_state() {
    local items=$1 refreshes updates latency rate
    if grep -q 'Steady state was not reached' consumer-summary; then fail "consumer did not reach steady state"; fi
    if grep -q 'TEST FAILED' consumer-summary consumer.out; then fail "consumer reports: $(grep -h 'TEST FAILED' consumer.out | head -n 1)"; fi
    refreshes=$(summary_value consumer 'Test Statistics' 'Refreshes received')
    updates=$(summary_value consumer 'Test Statistics' 'Updates received')
    rate=$(summary_value consumer 'Steady State Statistics' 'Avg update rate')
    latency=$(summary_value consumer 'Steady State Statistics' 'Latency avg (usec)')
    [[ $refreshes == "$items" ]] || fail "summary says '${refreshes:-nothing}' refreshes received, $items are due"
    [[ ${updates:-0} -gt 0 ]] || fail "summary says '${updates:-nothing}' updates received"
    [[ ${rate:-0} -gt 0 ]] || fail "summary says '${rate:-nothing}' updates per second in steady state"
    awk -v v="${latency:-none}" 'BEGIN { exit !(v + 0 > 0 && v + 0 < 600e6) }' \
        || fail "summary says '${latency:-nothing}' as mean latency in steady state"
    details="refreshes=$refreshes updates=$updates steadyRate=$rate latencyAvgUs=$latency"
}

# A port that nobody listens on, below the range that the kernel hands out for outgoing connections, of this lane's own.
free_port() {
    local candidate
    while :; do
        candidate=$((20000 + lane * lane_ports + 5 + RANDOM % (lane_ports - 5)))  # the hub's are up to five lower
        if ! (exec 3<>"/dev/tcp/127.0.0.1/$candidate") 2>/dev/null; then
            printf '%s' "$candidate"
            return
        fi
    done
}

# ---- scenarios -----------------------------------------------------------------------------------------------------

# The harness itself: everything that the two programs check, checked between the two of them.
java-java() {
    java_provider --rate 2000 --exit-after-logout
    wait_line provider '^READY'
    java_consumer --posts 50 --generics 50
    expect_ok consumer
    expect_ok provider
}

# A single value that differs in one update template must not pass.
java-java-finds-difference() {
    sed '/<updateMsg/,$ { 0,/RSSL_DT_REAL/ s/\(RSSL_DT_REAL" data="[^"]*\)"/\19"/ }' "$msg_file" >other.xml
    cmp -s "$msg_file" other.xml && fail "the altered message file is not altered"
    java_provider --rate 2000 --exit-after-logout --msg-file "$PWD/other.xml"
    wait_line provider '^READY'
    java_consumer --items 50
    wait_exit consumer
    details=$(grep '^RESULT failed update of .*, due is' consumer.out) || fail "consumer did not see it, status $status"
    [[ $status == 1 ]] || fail "consumer ended with status $status"
    details="refused as due: ${details#RESULT failed }"
}

java-java-json() {
    java_provider --rate 500 --exit-after-logout --transport ws --protocol rssl.json.v2
    wait_line provider '^READY'
    java_consumer --posts 50 --generics 50 --transport ws --protocol rssl.json.v2
    expect_ok consumer
    expect_ok provider
}

java-java-provider-restart() {
    java_provider --rate 2000
    java_consumer --expect-restart
    wait_line consumer '^EXPECT-RESTART'
    kill_hard provider
    wait_line consumer '^SUSPECT'
    java_provider --rate 2000 --exit-after-logout
    expect_ok consumer
    expect_ok provider
}

# Login, directory, dictionary download, 1,000 items and snapshots, with every value compared; the provider then ends in
# order when interrupted.
java-consumer-cpp-provider() {
    cpp_provider
    java_consumer --updates 3
    expect_ok consumer
    alive provider || fail "provider ended with its client"
    kill -INT "${pid_of[provider]}"
    expect_summary provider
    local sent requests
    requests=$(summary_value provider 'Overall Statistics' 'Image requests received')
    sent=$(summary_value provider 'Overall Statistics' 'Updates sent')
    [[ $requests == 1010 ]] || fail "provider's summary says '${requests:-nothing}' image requests, 1010 are due"
    [[ ${sent:-0} -ge 3000 ]] || fail "provider's summary says '${sent:-nothing}' updates sent"
}

java-consumer-cpp-provider-posts() {
    cpp_provider
    java_consumer --items 200 --snapshots 0 --posts 100
    expect_ok consumer
}

java-consumer-cpp-provider-restart() {
    cpp_provider
    java_consumer --expect-restart
    wait_line consumer '^EXPECT-RESTART'
    kill_hard provider
    wait_line consumer '^SUSPECT'
    cpp_provider
    expect_ok consumer
}

# The values of 1,000 items, on the port that RSSL clients use as well. What JSON does not carry is not compared.
java-consumer-cpp-provider-websocket() {
    cpp_provider
    java_consumer --updates 3 --transport ws --protocol rssl.rwf
    expect_ok consumer
}

# Three updates of each item are all that is looked at: a busy machine's Java reads 2,000 a second as JSON too slowly, and a server
# ends such a client.
java-consumer-cpp-provider-json() {
    cpp_provider -tickRate 100 -updateRate 300
    java_consumer --updates 3 --transport ws --protocol rssl.json.v2
    expect_ok consumer
}

cpp-consumer-java-provider() {
    java_provider --rate 2000 --latency-rate 100 --exit-after-logout
    wait_line provider '^READY'
    cpp_consumer -itemCount 1000 -requestRate 10000 -steadyStateTime "$endless"
    steady_state_then_interrupt
    expect_summary consumer
    expect_steady_state 1000
    expect_ok provider
    grep -q ' requests=1000 ' <<<"$details " || fail "provider counted other requests: $details"
}

cpp-consumer-java-provider-json() {
    java_provider --rate 1000 --latency-rate 100 --exit-after-logout --transport ws --protocol rssl.json.v2
    wait_line provider '^READY'
    cpp_consumer -websocket rssl.json.v2 -itemCount 500 -requestRate 10000 -steadyStateTime "$endless"
    steady_state_then_interrupt
    expect_summary consumer
    expect_steady_state 500
    expect_ok provider
}

# emissary.js, which browsers load, on the vendor's provider.
module_client() {
    need node nodejs
    need_file /usr/share/nodejs/ws/package.json node-ws
    start consumer node "$here/websocket/module_client.mjs" "ws://127.0.0.1:$port/WebSocket" DIRECT_FEED "$@"
}

module-java-provider() {
    java_provider --rate 1000 --exit-after-logout --transport ws --protocol rssl.json.v2
    wait_line provider '^READY'
    module_client
    expect_ok consumer
    expect_ok provider
}

module-java-provider-restart() {
    java_provider --rate 1000 --transport ws --protocol rssl.json.v2
    wait_line provider '^READY'
    module_client restart
    wait_line consumer '^EXPECT-RESTART'
    kill_hard provider
    wait_line consumer '^SUSPECT'
    java_provider --rate 1000 --exit-after-logout --transport ws --protocol rssl.json.v2
    expect_ok consumer
    expect_ok provider
}

# Nobody listens at first: the consumer keeps trying, and is alive to do so.
cpp-consumer-starts-first() {
    cpp_consumer -itemCount 100 -requestRate 10000 -steadyStateTime "$endless"
    local until=$((SECONDS + 2))
    while ((SECONDS < until)); do
        alive consumer || fail "consumer gave up before a provider came"
        sleep 0.05
    done
    java_provider --rate 2000 --latency-rate 100
    steady_state_then_interrupt
    expect_summary consumer
    expect_steady_state 100
}

# The provider dies while images are loading: the consumer's test ends, in order, with its summary written. On the same
# port a second pair then succeeds.
cpp-consumer-provider-killed-loading() {
    java_provider --rate 1000 --mark-requests 200
    wait_line provider '^READY'
    cpp_consumer -itemCount 100000 -tickRate 100 -requestRate 500 -steadyStateTime "$endless"
    wait_line provider '^MARK requests'
    kill_hard provider
    expect_summary consumer 255
    grep -q 'Steady state was not reached' consumer-summary || fail "consumer claims steady state with images missing"
    java_provider --rate 2000 --latency-rate 100
    wait_line provider '^READY'
    cpp_consumer -itemCount 500 -requestRate 10000 -steadyStateTime "$endless"
    steady_state_then_interrupt
    expect_summary consumer
    expect_steady_state 500
}

cpp-consumer-provider-killed-steady() {
    java_provider --rate 2000 --latency-rate 100
    wait_line provider '^READY'
    cpp_consumer -itemCount 1000 -requestRate 10000 -steadyStateTime "$endless"
    wait_line consumer 'Image retrieval time'
    kill_hard provider
    expect_summary consumer 255
    if grep -q 'Steady state was not reached' consumer-summary; then fail "summary denies the steady state"; fi
    java_provider --rate 2000 --latency-rate 100
    wait_line provider '^READY'
    cpp_consumer -itemCount 500 -requestRate 10000 -steadyStateTime "$endless"
    steady_state_then_interrupt
    expect_summary consumer
    expect_steady_state 500
}

# shellcheck source=features.sh
. "$here/features.sh"
# shellcheck source=tunnels.sh
. "$here/tunnels.sh"
# shellcheck source=hub.sh
. "$here/hub.sh"
# shellcheck source=websocket.sh
. "$here/websocket.sh"

# ---- running -------------------------------------------------------------------------------------------------------

run_scenario() (
    cd "$1" || exit 1
    details=
    # shellcheck disable=SC2317
    end_all() {
        local pid
        for pid in "${pid_of[@]}"; do kill -KILL "$pid" 2>/dev/null; done
        wait 2>/dev/null
    }
    trap end_all EXIT
    trap 'exit 130' INT TERM
    port=$(free_port)
    "$2"
    printf '%s\n' "$details" >details
)

[[ ${1-} == --list ]] && { printf '%s\n' "${scenarios[@]}"; exit 0; }
chosen=("${scenarios[@]}")
if (($# > 0)); then
    chosen=("$@")
    for name in "$@"; do
        [[ " ${scenarios[*]} " == *" $name "* ]] || stop "interop: no scenario '$name'; --list names them"
    done
    [[ -z $(printf '%s\n' "$@" | sort | uniq -d) ]] || stop "interop: a scenario is named twice; name it once"
fi
for file in "$msg_file" "$dict_dir/RDMFieldDictionary" "$dict_dir/enumtype.def"; do
    [[ -r $file ]] || stop "interop: $file is not there"
done
mkdir -p "$here/target/websocket"
for name in "${chosen[@]}"; do
    [[ $name == websocket-* ]] || { build; break; }
done

# Lanes run beside each other, each with the scenarios that it draws and ports of its own: two of them never try the same port. The
# last lane has the WebSocket programs.
jobs=${INTEROP_JOBS:-$(nproc)}
[[ $jobs =~ ^[1-9][0-9]?$ ]] || stop "interop: INTEROP_JOBS is '$jobs', and must be a number from 1 to 99"
lane_ports=$((10000 / (jobs + 1)))
logs=$(mktemp -d "${TMPDIR:-/tmp}/interop.XXXXXX")

# One scenario and its line.
one() {
    local name=$1 begin=${EPOCHREALTIME/./} outcome took reason log
    mkdir "$logs/$name"
    run_scenario "$logs/$name" "$name"
    outcome=$?
    took=$(((${EPOCHREALTIME/./} - begin) / 100000))
    took=$((took / 10)).$((took % 10))
    if ((outcome == 0)); then
        printf 'PASS %s (%s s) %s\n' "$name" "$took" "$(<"$logs/$name/details")"
        [[ -n ${INTEROP_KEEP-} ]] || rm -rf "${logs:?}/$name"
        return 0
    fi
    ((outcome == 130)) && return 130
    reason="status $outcome"
    [[ -f $logs/$name/reason ]] && reason=$(<"$logs/$name/reason")
    printf 'FAIL %s (%s s) %s\n' "$name" "$took" "$reason"
    printf '  logs: %s\n' "$logs/$name"
    for log in "$logs/$name"/*.out "$logs/$name"/*.err "$logs/$name"/*-summary; do
        [[ -s $log ]] || continue
        printf '  ---- %s (last lines)\n' "${log##*/}"
        tail -n 15 "$log" | cut -c 1-300 | sed 's/^/  | /'
    done
    return 1
}

# run_lane FILE: the scenarios that are named in FILE, the first line first; lanes may share one.
run_lane() {
    local name report outcome
    set +m
    while :; do
        exec {drawn}<>"$1.lock"
        flock "$drawn"
        name=$(head -n 1 "$1")
        sed -i 1d "$1"
        exec {drawn}>&-
        [[ -n $name ]] || return 0
        report=$logs/.report-$lane
        one "$name" >"$report"
        outcome=$?
        ((outcome == 130)) && return 130
        (flock 9 && cat "$report") 9>"$logs/.printing"  # lines of two lanes stay whole
        printf '%s\n' "$outcome" >>"$logs/.outcomes"
        kill -0 "$$" 2>/dev/null || return 130  # nobody waits any more
    done
}

# A lane is a process group, which ends as one when the run is interrupted.
lanes=()
end_lanes() {
    trap - INT TERM HUP
    local lane_group
    for lane_group in "${lanes[@]}"; do kill -TERM -- "-$lane_group" 2>/dev/null; done
    wait
    exit 130
}
trap end_lanes INT TERM HUP
: >"$logs/.outcomes"
printf '%s\n' "${chosen[@]}" | grep -v '^websocket-' >"$logs/.shared"
printf '%s\n' "${chosen[@]}" | grep '^websocket-' >"$logs/.websocket"
set -m
for ((lane = 0; lane < jobs; ++lane)); do
    run_lane "$logs/.shared" </dev/null &
    lanes+=($!)
done
lane=$jobs
run_lane "$logs/.websocket" </dev/null &
lanes+=($!)
set +m
for lane_group in "${lanes[@]}"; do
    wait "$lane_group"
    (($? != 130)) || end_lanes
done
passed=$(grep -c '^0$' "$logs/.outcomes")
failed=$(grep -cv '^0$' "$logs/.outcomes")
if ((passed + failed != ${#chosen[@]})); then
    printf 'interop: %s scenarios were due, %s ran\n' "${#chosen[@]}" "$((passed + failed))" >&2
    failed=$((failed + ${#chosen[@]} - passed - failed))
fi
printf '%s passed, %s failed\n' "$passed" "$failed"
rm -rf "$logs"/.[a-z]* "$logs"/certificates "$logs"/certificates.lock
rmdir "$logs" 2>/dev/null
((failed == 0))

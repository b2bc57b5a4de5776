# Part of run.sh: the feature programs of both sides against each other, over every kind of connection.

# name of a connection -> options that both programs take
declare -A line_of=(
    [tcp]=""
    [zlib]="--compression zlib"
    [lz4]="--compression lz4"
    [tls12]="--transport tls --tls 1.2"
    [tls13]="--transport tls --tls 1.3"
    [tls13-lz4]="--transport tls --tls 1.3 --compression lz4"
    [ws-rwf]="--transport ws --protocol rssl.rwf"
    [ws-zlib]="--transport ws --protocol rssl.rwf --compression zlib"
    [ws-lz4]="--transport ws --protocol rssl.rwf --compression lz4"
    [ws-json]="--transport ws --protocol rssl.json.v2"
    [ws-json2]="--transport ws --protocol tr_json2"
    [wss-rwf]="--transport wss --tls 1.2 --protocol rssl.rwf"
    [wss-json]="--transport wss --tls 1.3 --protocol rssl.json.v2"
)
lines=(tcp zlib lz4 tls12 tls13 tls13-lz4 ws-rwf ws-zlib ws-lz4 ws-json ws-json2 wss-rwf wss-json)

scenarios+=(java-java-features java-consumer-cpp-provider-features-restart cpp-consumer-java-provider-features-restart)
for line in "${lines[@]}"; do
    scenarios+=("java-consumer-cpp-provider-features-$line" "cpp-consumer-java-provider-features-$line")
    eval "java-consumer-cpp-provider-features-$line() { features_over java cpp '$line'; }"
    eval "cpp-consumer-java-provider-features-$line() { features_over cpp java '$line'; }"
done

# Certificates for both sides, made once: PEM files for ours, key stores for Java.
certificates() {
    local to=$logs/certificates lock
    exec {lock}<>"$to.lock"
    flock "$lock"
    if [[ ! -e $to/trust.p12 ]]; then
        "$root/dev/make_test_certificates.sh" "$to" >&2 || fail "dev/make_test_certificates.sh failed"
        openssl pkcs12 -export -in "$to/server.pem" -inkey "$to/server-key.pem" -name server -out "$to/server.p12" \
            -passout pass:changeit || fail "openssl pkcs12 failed"
        keytool -importcert -noprompt -alias authority -file "$to/ca.pem" -keystore "$to/trust.p12" -storetype PKCS12 \
            -storepass changeit >/dev/null 2>&1 || fail "keytool failed"
    fi
    exec {lock}>&-
    printf '%s' "$to"
}

# features cpp|java consumer|provider OPTION...
features() {
    local side=$1 role=$2
    shift 2
    if [[ $side == java ]]; then
        java_start "$role" "Features${role^}" --port "$port" "$@"
    else
        local program=$tests/interop_$role
        [[ -x $program ]] || fail "$program is not there: build the target interop_$role"
        ln -sf "$dict_dir/RDMFieldDictionary" "$dict_dir/enumtype.def" .
        start "$role" "$program" --port "$port" --patience "$patience" "$@"
    fi
}

# features_over CONSUMER-SIDE PROVIDER-SIDE LINE
features_over() {
    local options
    read -ra options <<<"${line_of[$3]}"
    [[ $3 != *tls* && $3 != wss* ]] || options+=(--certificates "$(certificates)")
    features "$2" provider "${options[@]}"
    wait_line provider '^READY'
    features "$1" consumer "${options[@]}"
    expect_ok consumer
    expect_ok provider
}

# Publishers: ours to a hub on the vendor's reactor, the vendor's to our acceptor.
ni_scenarios=(tcp lz4 tls12 tls13)
for line in "${ni_scenarios[@]}"; do
    scenarios+=("cpp-niprovider-java-hub-$line")
    eval "cpp-niprovider-java-hub-$line() { ni_to_java_hub '$line'; }"
done
scenarios+=(cpp-niprovider-java-hub-restart cpp-nitool-java-hub java-niprovider-cpp-acceptor java-niprovider-cpp-acceptor-restart)

hub() { java_start hub JavaHub --port "$port" "$@"; }

ni_to_java_hub() {
    local options
    read -ra options <<<"${line_of[$1]}"
    [[ $1 != *tls* ]] || options+=(--certificates "$(certificates)")
    hub "${options[@]}"
    wait_line hub '^READY'
    features cpp niprovider "${options[@]}"
    expect_ok niprovider
    expect_ok hub
}

cpp-niprovider-java-hub-restart() {
    hub --expect-restart
    wait_line hub '^READY'
    features cpp niprovider --expect-restart
    wait_line niprovider '^EXPECT-RESTART'
    wait_line hub '^PUBLISHED'
    kill_hard hub
    wait_line niprovider '^SUSPECT'
    hub
    expect_ok niprovider
    expect_ok hub
}

# acceptor OPTION...: the server that publishers connect to, which prints what they publish
acceptor() {
    [[ -x $tests/ni_acceptor ]] || fail "$tests/ni_acceptor is not there: build the target ni_acceptor"
    start acceptor "$tests/ni_acceptor" -p "$port" "$@"
    wait_line acceptor '^listening'
}

# What FeaturesNiProvider publishes, as the acceptor saw it; then it ended in order.
expect_published() {
    local line
    for line in '^LOGIN interop role 1 ' '^DIR RFSH .*: 1 DIRECT_FEED up' '^RFSH -[0-9]+ d6 .* NI.A Open/Ok/0 fids 22 25 30 31$' \
        '^RFSH -[0-9]+ d6 .* NI.B Open/Ok/0 fids 22 25 30 31$' '^RFSH -[0-9]+ d6 .* NI.BIG Open/Ok/0' \
        '^STAT .* NI.B Open/Suspect/0' '^STAT .* NI.B Closed/Suspect/0' '^DOWN '; do
        grep -qE "$line" acceptor.out || fail "the acceptor saw no line '$line'"
    done
    [[ $(grep -cE '^UPD -[0-9]+ d6 .* NI.[AB] fids 22$' acceptor.out) == 10 ]] || fail "not 10 updates: $(tail -n 1 acceptor.out)"
    kill -INT "${pid_of[acceptor]}"
    wait_exit acceptor
    line=$(grep '^total: ' acceptor.out) || fail "the acceptor did not end in order"
    [[ $line == *' images 3 updates 10 statuses 2 generics 0 ignored 0' ]] || fail "the acceptor counted $line"
    details="${details:+$details; }${line#total: }"
}

java-niprovider-cpp-acceptor() {
    acceptor
    java_start niprovider FeaturesNiProvider --port "$port"
    expect_ok niprovider
    wait_line acceptor '^DOWN'
    expect_published
}

java-niprovider-cpp-acceptor-restart() {
    acceptor
    java_start niprovider FeaturesNiProvider --port "$port" --expect-restart
    wait_line niprovider '^EXPECT-RESTART'
    wait_line acceptor '^STAT .* NI.B Closed'
    kill_hard acceptor
    wait_line niprovider '^SUSPECT'
    acceptor
    expect_ok niprovider
    wait_line acceptor '^DOWN'
    expect_published
}

# The tool: every image and every update that it counts arrives.
cpp-nitool-java-hub() {
    hub --count
    wait_line hub '^READY'
    cpp_start niprovider EmaCppNIProvPerf -h localhost -uname interop -itemCount 1000 -updateRate 5000 -runTime "$endless" \
        -maxPackCount 5
    wait_line niprovider 'UpdRate: +[1-9]'
    wait_line niprovider 'images \(total: 1000\)'
    kill -INT "${pid_of[niprovider]}"
    expect_summary niprovider
    expect_ok hub
    local images updates
    images=$(summary_value niprovider 'Overall Statistics' 'Images sent')
    updates=$(summary_value niprovider 'Overall Statistics' 'Updates sent')
    [[ $images == 1000 && ${updates:-0} -gt 0 ]] || fail "the tool sent ${images:-no} images and ${updates:-no} updates"
    grep -q " images=$images updates=$updates\$" hub.out || fail "the hub counted other: $details"
}

java-java-features() { features_over java java tcp; }

# Streams recover with a new provider; a private stream is closed and stays so.
features_restart() {
    features "$2" provider
    wait_line provider '^READY'
    features "$1" consumer --expect-restart
    wait_line consumer '^EXPECT-RESTART'
    kill_hard provider
    wait_line consumer '^SUSPECT'
    features "$2" provider
    expect_ok consumer
    expect_ok provider
}

java-consumer-cpp-provider-features-restart() { features_restart java cpp; }
cpp-consumer-java-provider-features-restart() { features_restart cpp java; }

# Order books: both sides print theirs after the same number of updates, line by line the same.
scenarios+=(java-java-books cpp-books-java-provider java-books-cpp-provider)

cpp_books() {
    [[ -x $tests/interop_books ]] || fail "$tests/interop_books is not there: build the target interop_books"
    ln -sf "$dict_dir/RDMFieldDictionary" "$dict_dir/enumtype.def" .
    start "$1" "$tests/interop_books" --port "$port" --patience "$patience"
}

# expect_same_books NAME NAME
expect_same_books() {
    local name lines
    for name in "$1" "$2"; do grep '^BOOK ' "$name.out" | sort -s -k 2,4 >"$name.books"; done
    cmp -s "$1.books" "$2.books" || fail "other books: $(diff "$1.books" "$2.books" | head -n 3 | tr '\n' ' ')"
    lines=$(wc -l <"$1.books")
    ((lines > 200)) || fail "only $lines entries in the books"
    details="$details; $lines entries"
}

java-java-books() {
    java_start provider BooksProvider --port "$port"
    wait_line provider '^READY'
    java_start consumer BooksConsumer --port "$port"
    expect_ok consumer
    expect_ok provider
    expect_same_books provider consumer
}

cpp-books-java-provider() {
    java_start provider BooksProvider --port "$port"
    wait_line provider '^READY'
    cpp_books consumer
    expect_ok consumer
    expect_ok provider
    expect_same_books provider consumer
}

# The tool's books are made from their names: who asks later has the same ones after the same number of updates.
java-books-cpp-provider() {
    cpp_start provider EmaCppIProvPerf -providerName Perf_Provider_1 -runTime "$endless" -updateRate 2000 -bookOrders 100
    java_start consumer BooksConsumer --port "$port"
    cpp_books second
    expect_ok consumer
    expect_ok second
    expect_same_books consumer second
    kill -INT "${pid_of[provider]}"
    expect_summary provider
}

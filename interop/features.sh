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
    [wss-rwf]="--transport wss --tls 1.2 --protocol rssl.rwf"
    [wss-json]="--transport wss --tls 1.3 --protocol rssl.json.v2"
)
lines=(tcp zlib lz4 tls12 tls13 tls13-lz4 ws-rwf ws-zlib ws-lz4 ws-json wss-rwf wss-json)

scenarios+=(java-java-features java-consumer-cpp-provider-features-restart cpp-consumer-java-provider-features-restart)
for line in "${lines[@]}"; do
    scenarios+=("java-consumer-cpp-provider-features-$line" "cpp-consumer-java-provider-features-$line")
    eval "java-consumer-cpp-provider-features-$line() { features_over java cpp '$line'; }"
    eval "cpp-consumer-java-provider-features-$line() { features_over cpp java '$line'; }"
done

# Certificates for both sides, made once: PEM files for ours, key stores for Java.
certificates() {
    local to=$logs/certificates
    if [[ ! -d $to ]]; then
        "$root/tools/make_test_certificates.sh" "$to" >&2 || fail "tools/make_test_certificates.sh failed"
        openssl pkcs12 -export -in "$to/server.pem" -inkey "$to/server-key.pem" -name server -out "$to/server.p12" \
            -passout pass:changeit || fail "openssl pkcs12 failed"
        keytool -importcert -noprompt -alias authority -file "$to/ca.pem" -keystore "$to/trust.p12" -storetype PKCS12 \
            -storepass changeit >/dev/null 2>&1 || fail "keytool failed"
    fi
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
        start "$role" "$program" --port "$port" "$@"
    fi
}

# features_over CONSUMER-SIDE PROVIDER-SIDE LINE
features_over() {
    local options
    read -ra options <<<"${line_of[$3]}"
    [[ $3 != *tls* && $3 != wss* ]] || options+=(--certificates "$(certificates)")
    features "$2" provider "${options[@]}"
    wait_line provider '^READY' 15
    features "$1" consumer "${options[@]}"
    expect_ok consumer 30
    expect_ok provider 10
}

java-java-features() { features_over java java tcp; }

# Streams recover with a new provider; a private stream is closed and stays so.
features_restart() {
    features "$2" provider
    wait_line provider '^READY' 15
    features "$1" consumer --expect-restart
    wait_line consumer '^EXPECT-RESTART' 15
    kill_hard provider
    wait_line consumer '^SUSPECT' 15
    features "$2" provider
    expect_ok consumer 30
    expect_ok provider 10
}

java-consumer-cpp-provider-features-restart() { features_restart java cpp; }
cpp-consumer-java-provider-features-restart() { features_restart cpp java; }

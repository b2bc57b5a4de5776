# Part of run.sh: tunnels between the public interface and the vendor's reactor, and between the vendor's consumer and ours.

tunnel_lines=(tcp lz4 tls12 tls13 ws-rwf wss-rwf)
scenarios+=(java-java-tunnels)
for line in "${tunnel_lines[@]}"; do
    scenarios+=("java-consumer-cpp-provider-tunnels-$line" "cpp-consumer-java-provider-tunnels-$line")
    eval "java-consumer-cpp-provider-tunnels-$line() { tunnels_over java cpp '$line'; }"
    eval "cpp-consumer-java-provider-tunnels-$line() { tunnels_over cpp java '$line'; }"
done

java-java-tunnels() { tunnels_over java java tcp; }

# tunnels cpp|java consumer|provider OPTION...
tunnels() {
    local side=$1 role=$2
    shift 2
    if [[ $side == java ]]; then
        java_start "$role" "Tunnel${role^}" --port "$port" "$@"
    else
        local program=$tests/interop_tunnel_$role
        [[ -x $program ]] || fail "$program is not there: build the target interop_tunnel_$role"
        ln -sf "$dict_dir/RDMFieldDictionary" "$dict_dir/enumtype.def" .
        start "$role" "$program" --port "$port" --patience "$patience" "$@"
    fi
}

# tunnels_over CONSUMER-SIDE PROVIDER-SIDE LINE
tunnels_over() {
    local options
    read -ra options <<<"${line_of[$3]}"
    [[ $3 != *tls* && $3 != wss* ]] || options+=(--certificates "$(certificates)")
    tunnels "$2" provider "${options[@]}"
    wait_line provider '^READY'
    tunnels "$1" consumer "${options[@]}"
    expect_ok consumer
    expect_ok provider
}

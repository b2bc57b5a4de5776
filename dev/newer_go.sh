# To be sourced: newer_go NAME FOLDER sets $go to a Go that builds today's modules, and GOPATH and GOFLAGS so that what it fetches stays in
# FOLDER. A Go of before 1.21, such as Debian 12's, cannot fetch another one by itself; the toolchain is a module all the same. NAME is the
# script that says what is missing.
newer_go() {
    local toolchain=go1.26.0 machine there
    go=$(command -v go || true)
    [ -n "$go" ] || { echo "$1: go is missing; install it (dev/install_packages.sh peers, Debian package golang-go)" >&2; exit 1; }
    mkdir -p "$2"
    export GOPATH=$2/go GOFLAGS=-modcacherw
    [ "$(printf '%s\n' go1.21 "$("$go" env GOVERSION)" | sort -V | head -n 1)" != go1.21 ] || return 0
    case $(uname -m) in x86_64) machine=amd64 ;; aarch64) machine=arm64 ;; *) echo "$1: no Go for $(uname -m)" >&2; exit 1 ;; esac
    (cd /; "$go" mod download -json "golang.org/toolchain@v0.0.1-$toolchain.linux-$machine") > "$2/toolchain"
    there=$(sed -n 's/^\t"Dir": "\(.*\)",*$/\1/p' "$2/toolchain")
    chmod -R +x "$there/bin" "$there/pkg/tool"
    go=$there/bin/go
    export GOTOOLCHAIN=local
}

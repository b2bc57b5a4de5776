#!/bin/bash
# Makes the certificates that tests and experiments with RSSL_ENCRYPTED need. Not for production: keys have no password.
# Usage: dev/make_test_certificates.sh [directory [host-name...]]
#   ca.pem            the authority to trust: OpenSSLCAStore of clients
#   server.pem, server-key.pem   RSA certificate and key of a server: ServerCert, ServerPrivateKey
#   ec.pem, ec-key.pem           the same with an elliptic curve key
#   dh.pem            DhParams
#   bad/              certificates that must be refused: of another host, out of date, by an unknown authority
# The host names default to localhost, 127.0.0.1, ::1 and *.emissary.test.
set -euo pipefail

case "${1:-}" in -h|--help) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 0 ;; esac
to=${1:-certificates}
shift || true
[[ $# -gt 0 ]] || set -- localhost 127.0.0.1 ::1 '*.emissary.test'
command -v openssl >/dev/null || { echo "Error: the openssl program is missing (Debian package openssl)." >&2; exit 1; }
mkdir -p "$to/bad"
cd "$to"

names() {
  local list=""
  for name in "$@"; do
    if [[ $name =~ ^[0-9.]+$ || $name == *:* ]]; then list+=",IP:$name"; else list+=",DNS:$name"; fi
  done
  echo "${list#,}"
}
run() {
  local said
  said=$(openssl "$@" 2>&1) || { echo "Error: openssl $1 failed: $said" >&2; exit 1; }
}
ec_key() { run genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1"; }
authority() {  # certificate key common-name
  ec_key "$2"
  run req -x509 -new -key "$2" -days 3650 -subj "/CN=$3" -out "$1" \
    -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign
}
certificate() {  # certificate key names days authority authority-key
  run req -new -key "$2" -subj "/CN=Emissary test server" -out request.tmp
  printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth\n' "$3" >extensions.tmp
  run x509 -req -in request.tmp -CA "$5" -CAkey "$6" -CAcreateserial -days "$4" -extfile extensions.tmp -out "$1"
}

authority ca.pem ca-key.pem "Emissary test authority"
authority bad/unknown-ca.pem bad/unknown-ca-key.pem "Unknown test authority"
run genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out server-key.pem
ec_key ec-key.pem
own=$(names "$@")
certificate server.pem server-key.pem "$own" 3650 ca.pem ca-key.pem
certificate ec.pem ec-key.pem "$own" 3650 ca.pem ca-key.pem
certificate bad/other-host.pem ec-key.pem "DNS:elsewhere.test" 3650 ca.pem ca-key.pem
certificate bad/out-of-date.pem ec-key.pem "$own" -1 ca.pem ca-key.pem
certificate bad/soon-out-of-date.pem ec-key.pem "$own" 5 ca.pem ca-key.pem
certificate bad/unknown.pem ec-key.pem "$own" 3650 bad/unknown-ca.pem bad/unknown-ca-key.pem
run genpkey -genparam -algorithm DH -pkeyopt group:ffdhe2048 -out dh.pem
rm -f request.tmp extensions.tmp ./*.srl bad/*.srl

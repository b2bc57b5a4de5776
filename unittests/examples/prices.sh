#!/usr/bin/env bash
# prices.sh PROVIDER CONSUMER DICTIONARIES: the consumer must print an image and ten updates whose price rises, and so must
# one beside it, and one that comes when both have left: the provider goes on.
set -u
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
work=$(mktemp -d)
cd "$work" || exit 1
ln -s "$3/RDMFieldDictionary" "$3/enumtype.def" .
"$1" "$port" 60 >provider.out 2>&1 &
provider=$!
trap 'kill $provider 2>/dev/null; wait $provider 2>/dev/null; rm -rf "$work"' EXIT
stays() { timeout 60 "$consumer" "localhost:$port" >"$1.out" 2>&1; }
consumer=$2 failed=
# check NAME: what a consumer printed that has ended with the status of the last command.
check() {
    local status=$? images updates
    images=$(grep -c '^image .*BID=[0-9]*\.[0-9]' "$1.out")
    updates=$(grep -o '^update .*BID=[0-9.]*' "$1.out" | sed 's/.*BID=//')
    if [ "$status" = 0 ] && [ "$images" = 1 ] && [ "$(wc -l <<<"$updates")" -ge 10 ] && sort -n -C <<<"$updates"; then return; fi
    failed=yes
    echo "the $1 consumer ended with $status, $images images; its output:"
    cat "$1.out"
}
# The consumers wait for the provider by themselves. Two at once, of which one leaves first or both leave together; then one more.
stays other & other=$!
stays first
check first
wait $other
check other
stays second
check second
if ! kill -0 $provider; then failed=yes; echo "the provider has ended with its consumers"; fi
[ -n "$failed" ] || exit 0
echo "provider's output:"
cat provider.out
exit 1

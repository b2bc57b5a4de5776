#!/usr/bin/env bash
# prices.sh PROVIDER CONSUMER DICTIONARIES: the consumer must print an image and ten updates whose price rises.
set -u
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
work=$(mktemp -d)
cd "$work" || exit 1
ln -s "$3/RDMFieldDictionary" "$3/enumtype.def" .
"$1" "$port" 60 >provider.out 2>&1 &
provider=$!
trap 'kill $provider 2>/dev/null; wait $provider 2>/dev/null; rm -rf "$work"' EXIT
# The consumer waits for the provider by itself.
timeout 60 "$2" "localhost:$port" >consumer.out 2>&1
status=$?
images=$(grep -c '^image .*BID=39\.90' consumer.out)
updates=$(grep -o '^update .*BID=[0-9.]*' consumer.out | sed 's/.*BID=//')
if [ "$status" = 0 ] && [ "$images" = 1 ] && [ "$(wc -l <<<"$updates")" -ge 10 ] && sort -n -C <<<"$updates"; then exit 0; fi
echo "consumer ended with $status, $images images; its output:"
cat consumer.out
echo "provider's output:"
cat provider.out
exit 1

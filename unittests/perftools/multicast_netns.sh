#!/bin/bash
# TransportPerf over a pair of virtual network interfaces that lose packets: multicast_netns.sh TRANSPORTPERF
# Each end lives in a network name space of its own; both go with this script. With netem in the kernel packets are lost,
# doubled and reordered at random, otherwise a queue that is too short for the bursts loses some of each.
# Needs the right to make name spaces (root); without it the test says so and counts as skipped (77).
set -euo pipefail

tool=$1
if [[ ${2:-} != inside ]]; then
  for program in ip tc unshare nsenter; do
    if ! PATH=$PATH:/usr/sbin command -v "$program" >/dev/null; then
      echo "not run: $program is missing (Debian: iproute2, util-linux)"
      exit 77
    fi
  done
  if ! unshare -n true 2>/dev/null; then
    echo "not run: making a network name space needs root"
    exit 77
  fi
  exec unshare -n "$BASH" "$0" "$tool" inside
fi

PATH=$PATH:/usr/sbin
work=$(mktemp -d)
peer=
trap '[[ -n $peer ]] && kill "$peer" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work"

fail() {
  echo "FAILED: $*"
  for log in sender.log receiver.log; do [[ -f $log ]] && sed "s/^/$log: /" "$log" | tail -n 40; done
  exit 1
}

# --- two hosts with one link
unshare -n sleep 300 &
peer=$!
other() { nsenter -t "$peer" -n "$@"; }
own=$(readlink /proc/self/ns/net)
until [[ $(readlink "/proc/$peer/ns/net" 2>/dev/null || echo "$own") != "$own" ]]; do kill -0 "$peer" || fail "no second name space"; done
ip link add va type veth peer name vb netns "$peer" || fail "no virtual interfaces"
ip address add 10.14.0.1/24 dev va
ip link set va up
ip link set lo up
other ip address add 10.14.0.2/24 dev vb
other ip link set vb up
other ip link set lo up

if tc qdisc add dev va root netem loss 5% duplicate 2% delay 2ms 1ms reorder 10% 50% 2>/dev/null; then
  other tc qdisc add dev vb root netem loss 5%
  echo "netem: 5 % loss, 2 % duplicates, reordering"
elif tc qdisc add dev va root tbf rate 20mbit burst 4kb limit 6000 2>/dev/null; then
  echo "this kernel has no netem; a queue of 6000 bytes loses a part of each burst"
else
  echo "not run: this kernel has neither netem nor tbf"
  exit 77
fi

# --- a test in bursts, so that there is something to lose
common=(-appType client -connType reliableMCast -u 0 -mcastStats -writeStatsInterval 1)
nsenter -t "$peer" -n "$tool" "${common[@]}" -if 10.14.0.2 -ra 239.255.16.1 -rp 15001 -sa 239.255.16.2 -sp 15002 -msgRate 0 \
  -runTime 60 -summaryFile receiver.out -statsFile receiver >receiver.log &
receiver=$!
for ((i = 0; i < 600; ++i)); do
  grep -q "Channel active" receiver.log && break
  kill -0 $receiver 2>/dev/null || fail "the receiver ended"
  sleep 0.1
done
"$tool" "${common[@]}" -if 10.14.0.1 -ra 239.255.16.2 -rp 15002 -sa 239.255.16.1 -sp 15001 -tickRate 10 -msgRate 2000 \
  -latencyMsgRate 10 -runTime 5 -summaryFile sender.out -statsFile sender >sender.log || fail "the sender failed"
kill -INT $receiver
wait $receiver || fail "the receiver failed"

value() { sed -n "s/^ *$2: *\([0-9]*\).*/\1/p" "$1" | tail -n 1; }
sent=$(value sender.out 'Msgs Sent')
received=$(value receiver.out 'Msgs Received')
repaired=$(value receiver.out 'Retransmission Packets Received')
asked=$(value receiver.out 'Retransmission Requests Sent')
gaps=$(value receiver.out 'Packet Gaps Detected')
echo "sent $sent, received $received, asked for $asked packets, got $repaired again, $gaps lost"
grep -q "out-of-order" receiver.log && fail "messages out of order"
((sent > 5000)) || fail "hardly anything was sent"
((repaired > 0 && asked > 0)) || fail "nothing was lost on the way, or nothing repaired"
# The last burst may still be under repair when the sender takes leave.
((gaps <= 20)) || fail "packets were lost for good"
((received >= sent - 400 && received <= sent)) || fail "messages are missing"

#!/usr/bin/env bash
# read_only.sh HUB: the hub as its unit and its container run it: another user than root, no capabilities, every file system read-only apart
# from two folders. It serves, keeps its audit log and its files of use there, and can write nowhere else.
# In name spaces of its own; needs root, or user name spaces.
set -eu
fail() { echo "$*" >&2; exit 1; }
if [ "${2:-}" != inside ]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    mkdir "$work"/{log,state,etc}
    chmod 0755 "$work"
    cat >"$work/etc/HubConfig.xml" <<END
<HubConfig>
  <Hub><Name value="readonly"/><HttpPort value="14080"/><Listeners value="C"/><NiListeners value="P"/>
    <AuditFolder value="$work/log"/><UsageFolder value="$work/state"/></Hub>
  <ServerGroup><ServerList><Server><Name value="C"/><Port value="0"/></Server><Server><Name value="P"/><Port value="0"/></Server></ServerList></ServerGroup>
</HubConfig>
END
    # A network of its own too: port 14080 of the pages is nobody else's there.
    unshare --mount --net --propagation private "$0" "$1" inside "$work"
    exit
fi

hub=$1 work=$3 user=65534
chown $user "$work/log" "$work/state"
for folder in log state; do mount --bind "$work/$folder" "$work/$folder"; done
while read -r place; do mount -o remount,bind,ro "$place" 2>/dev/null || true; done < <(findmnt -rno TARGET | grep -v "^$work/")
ip link set lo up
cd /
as_user=(setpriv --reuid $user --regid $user --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all)
"${as_user[@]}" touch "$work/log/probe" && rm "$work/log/probe" || fail "the folder of the audit log cannot be written"
if touch "$work/etc/probe" 2>/dev/null; then fail "the file system is not read-only"; fi

"${as_user[@]}" "$hub" -c "$work/etc/HubConfig.xml" >"$work/log/out" 2>&1 &
pid=$!
trap 'kill $pid 2>/dev/null || true' EXIT
page() { python3 -c 'import sys, urllib.request; print(urllib.request.urlopen("http://127.0.0.1:14080" + sys.argv[1], timeout=5).read().decode())' "$1"; }
ready=no
for ((i = 0; i < 200; ++i)); do
    if page /readyz >/dev/null 2>&1; then ready=yes; break; fi
    kill -0 $pid 2>/dev/null || break
done
[ $ready = yes ] || { cat "$work/log/out" >&2; fail "the hub does not serve"; }
page /healthz >/dev/null
counts=$(page /metrics)
grep -qx 'emissary_hub_audit_failing{hub="readonly"} 0' <<<"$counts" || fail "the audit log fails"
grep -qx 'emissary_hub_usage_failing{hub="readonly"} 0' <<<"$counts" || fail "the files of use fail"
[ "$(grep -cE '^Cap(Prm|Eff|Bnd):[[:space:]]*0{16}$' /proc/$pid/status)" = 3 ] || fail "the hub has capabilities"
[ "$(stat -c %u /proc/$pid)" = $user ] || fail "the hub is not another user"
kill -TERM $pid
wait $pid || { cat "$work/log/out" >&2; fail "the hub ended with $?"; }
trap - EXIT
compgen -G "$work/log/*.jsonl*" >/dev/null || compgen -G "$work/log/audit*" >/dev/null || { ls -R "$work" >&2; fail "there is no audit log"; }
echo "it serves as user $user with a read-only file system"

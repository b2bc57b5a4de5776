#!/usr/bin/env bash
# debian.sh CPACK BUILD-DIR VERSION PROVIDER COMPILER: makes the packages, has lintian look at them, installs them into an empty
# root, uses what is there, and removes them without a trace. dpkg works on that root alone; what the packages need is checked by
# name and taken from this machine.
set -eu
cpack=$1 build=$2 version=$3 provider=$4 compiler=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
fail() { echo "$*" >&2; exit 1; }

"$cpack" --config "$build/CPackConfig.cmake" -G "DEB;TGZ" -B "$work/packages" -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip >"$work/cpack.log" 2>&1 ||
    { cat "$work/cpack.log" >&2; fail "cpack ended with $?"; }
rm -rf "$work/packages/_CPack_Packages"
library=libemissary${version%.*}
packages=("$library" emissary-data libemissary-dev emissary-tools emissary-hub)
debs=()
for name in "${packages[@]}"; do
    deb=$(ls "$work/packages/${name}_${version}"*.deb) || fail "there is no package $name"
    debs+=("$deb")
    needs=$(dpkg-deb -f "$deb" Depends)
    case $name in
    libemissary-dev) [[ $needs == *"$library (= $version)"* && $needs == *libssl-dev* ]] || fail "$name needs [$needs]" ;;
    emissary-data) [ -z "$needs" ] || fail "$name needs [$needs]" ;;
    emissary-tools) [[ $needs == *python3* && $needs == *libxml2* ]] || fail "$name needs [$needs]" ;;
    *) [[ $needs == *libssl3* && $needs == *libstdc++6* && $needs != *boost* ]] || fail "$name needs [$needs]" ;;
    esac
done
[ -n "$(ls "$work"/packages/*.tar.gz)" ] || fail "there is no archive"

# Every error and warning is mended, or overridden by a line of usr/share/lintian/overrides below a comment that says why.
command -v lintian >/dev/null || fail "lintian is missing: dev/install_packages.sh peers installs it"
lintian --allow-root --no-cfg --fail-on error,warning "${debs[@]}" 2>&1 || fail "lintian objects to the packages"
for deb in "${debs[@]}"; do
    overrides=$(dpkg-deb --fsys-tarfile "$deb" | tar -xO --wildcards './usr/share/lintian/overrides/*' 2>/dev/null || true)
    awk '/^#/ {said = 1; next} NF && !said {bad = 1} {said = 0} END {exit bad}' <<<"$overrides" || fail "$deb: an override without a reason"
done

mkdir -p "$root"/etc "$root"/var/lib/dpkg/{info,updates,triggers} "$root"/tmp
touch "$root/var/lib/dpkg/status" "$root/var/lib/dpkg/available"
printf 'root:x:0:0:root:/root:/bin/sh\n' >"$root/etc/passwd"
printf 'root:x:0:\n' >"$root/etc/group"
cp "$root/etc/passwd" "$work/passwd"
(cd "$root" && find . -path ./var -prune -o -print | sort) >"$work/before"
in_root() { dpkg --root="$root" --log=/dev/null --force-script-chrootless --force-depends --force-not-root "$@" >"$work/dpkg.log" 2>&1 ||
    { cat "$work/dpkg.log" >&2; fail "dpkg $* ended with an error"; }; }
in_root -i "${debs[@]}"

lib=lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
for file in "$lib/libemissary.so.0" "$lib/libemissary.so" "$lib/libemissary.a" include/emissary/Ema.h \
    "$lib/cmake/Emissary/EmissaryConfig.cmake" "$lib/pkgconfig/emissary-ema.pc" \
    bin/EmaCppConsPerf bin/perfreport share/emissary/EmaConfig.xml share/emissary/RDMFieldDictionary share/emissary/350k.xml \
    share/man/man1/EmaCppConsPerf.1 share/bash-completion/completions/EmaCppConsPerf bin/emissary-hub \
    lib/systemd/system/emissary-hub.service share/emissary/HubConfig.xml share/emissary/monitoring/alerts.yaml share/emissary/monitoring/dashboard.json share/doc/emissary-hub/copyright share/doc/emissary-hub/changelog.gz share/man/man5/emissary-hub.conf.5 \
    lib/sysusers.d/emissary-hub.conf \
    share/doc/emissary/examples/PriceConsumer/PriceConsumer.cpp share/doc/emissary/errors.m[d]; do
    compgen -G "$root/usr/$file*" >/dev/null || fail "/usr/$file is not installed"
done
grep -q '^emissary:' "$root/etc/passwd" || fail "the hub has no user"
for program in EmaCppConsPerf EmaCppIProvPerf EmaCppNIProvPerf TransportPerf rwfcat perfreport bookbench hubload webfeed wsload itemlist-generator emissary-hub; do
    [ "$("$root/usr/bin/$program" --version)" = "$program (Emissary) $version" ] || fail "$program does not tell the version"
    man -l -Tutf8 "$root/usr/share/man/man1/$program.1.gz" >"$work/page" 2>"$work/page.err" || fail "man $program fails"
    [ ! -s "$work/page.err" ] || fail "man $program: $(cat "$work/page.err")"
    bash -n "$root/usr/share/bash-completion/completions/$program" || fail "completion of $program"
done
# shellcheck disable=SC1091
offered=$(. "$root/usr/share/bash-completion/completions/EmaCppConsPerf"
    COMP_WORDS=(EmaCppConsPerf -itemC) COMP_CWORD=1
    _EmaCppConsPerf
    printf '%s ' "${COMPREPLY[@]}")
[ "$offered" = "-itemCount " ] || fail "completion of -itemC offers [$offered]"
"$root/usr/bin/emissary-hub" -c "$root/usr/share/emissary/HubConfig.xml" --check || fail "the configuration to begin with cannot be used"

# The README's provider with what libemissary-dev brings along, in a folder without dictionaries.
mkdir "$work/empty"
"$compiler" -std=c++17 -I "$root/usr/include/emissary" "$provider" -o "$work/provider" -L "$root/usr/$lib" -lemissary
(cd "$work/empty" && LD_LIBRARY_PATH="$root/usr/$lib" timeout 60 "$work/provider" 0 1) || fail "the provider ended with $?"
grep -q "read from '$root/usr/share/emissary/RDMFieldDictionary'" "$work"/empty/* || fail "no record says which dictionary was read"

in_root -P "${packages[@]}"
(cd "$root" && find . -path ./var -prune -o -print | sort) | grep -vE '^\./(etc/(passwd|group|shadow|gshadow)-?|etc/\.pwd\.lock|etc/sub[ug]id-?)$' >"$work/after"
grep -vE '^\./etc/(passwd|group)$' "$work/before" | diff - "$work/after" || fail "files are left after removal"
diff "$root/etc/passwd" "$work/passwd" || fail "the user is left after removal"

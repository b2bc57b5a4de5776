#!/bin/sh
# cached_compiler.sh CACHE COMPILER OPTION...: in front of the compiler cache. Removes an old precompiled header of GCC before the new one is
# made: the cache preprocesses with it, so its key would be that of the old headers, and whoever had the same old one, in another
# branch say, would be given what became of it there.
last=
for word; do
    case $last$word in
    -o*.gch) rm -f "$word" ;;
    esac
    last=$word
done
exec "$@"

#!/usr/bin/env bash
# exports.sh LIBRARY SONAME: what the shared library exports is the public API, and its name has the version.
set -eu
library=$1
soname=$(readelf -d "$library" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
[ "$soname" = "$2" ] || { echo "the library calls itself [$soname], not [$2]" >&2; exit 1; }
names=$(nm -DC --defined-only "$library" | cut -d' ' -f3-)
strange=$(grep -vE '^(emi_[a-z_]+$|((typeinfo|typeinfo name|vtable|VTT|guard variable) for |(non-)?virtual thunk to )?(refinitiv::ema::|emissary::(eta|rest|reactor|book)::|emissary::ema::(FieldCursor|LoadCell|PrimitiveView)::|emissary::(version|holdUntilLogin|logTo|dictionaryOf|readWith|listeningPort|outputQueued|outputAccepted|SubmitBurst|offerTunnels|tunnelBuffersUsed|metrics|Metrics|AddedCounts|effectiveConfiguration|EffectiveConfiguration)))' <<<"$names" || true)
[ -z "$strange" ] || { echo "exported, and no part of the public API:" >&2; head -20 <<<"$strange" >&2; exit 1; }
for wanted in 'refinitiv::ema::access::OmmConsumer::OmmConsumer(' 'typeinfo for refinitiv::ema::access::OmmException' \
    'emissary::book::Store::add(' 'emissary::holdUntilLogin(' 'emissary::logTo(' 'emissary::dictionaryOf(' 'emissary::readWith(' 'emissary::listeningPort(' 'emissary::outputQueued(' 'emissary::outputAccepted(' \
    'emissary::SubmitBurst::SubmitBurst(' 'emissary::offerTunnels(' 'emissary::tunnelBuffersUsed(' 'emissary::metrics(' 'emissary::version()' \
    'emi_consumer_next_batch'; do
    grep -qF "$wanted" <<<"$names" || { echo "not exported: $wanted" >&2; exit 1; }
done

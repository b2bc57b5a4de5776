// Any bytes as each message of the RIPC handshake; what is understood is written and understood again.
#include "transport/channel/handshake.h"

#include <cstdlib>

using namespace emissary::eta;
using namespace emissary::eta::transport;

namespace {

void require(bool good) {
    if (!good) std::abort();
}

template <class T>
bool usable(const Parsed<T>& p, std::size_t size) {
    using Kind = typename Parsed<T>::Kind;
    require(p.kind != Kind::bad || !p.reason.empty());
    if (p.kind != Kind::ok && p.kind != Kind::nak) return false;
    require(p.consumed > 0 && p.consumed <= size);
    return p.kind == Kind::ok;
}

void asRequest(Bytes in) {
    const auto first = parseRequest(in);
    if (!usable(first, in.size())) return;
    const WireBytes wire = encodeRequest(first.value);
    const auto again = parseRequest(wire);
    require(usable(again, wire.size()) && again.consumed == wire.size());
    require(again.value.ripcVersion == first.value.ripcVersion && again.value.major == first.value.major);
    require(again.value.pingTimeout == first.value.pingTimeout);
    static_cast<void>(negotiate(BindOptions{}, first.value));
}

void asAck(Bytes in, bool keyAsked) {
    const auto first = parseAck(in, keyAsked);
    if (!usable(first, in.size())) return;
    require(first.value.maxMessage >= 16);
    const WireBytes wire = encodeAck(first.value);
    const auto again = parseAck(wire, first.value.hasKey);
    require(usable(again, wire.size()) && again.value.maxMessage == first.value.maxMessage);
    static_cast<void>(powMod(first.value.key.g, first.value.key.serverKey, first.value.key.p));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes in = std::as_bytes(std::span{data, size});
    asRequest(in);
    asAck(in, false);
    asAck(in, true);
    const auto key = parseClientKey(in);
    if (usable(key, size)) {
        const WireBytes wire = encodeClientKey(key.value);
        const auto again = parseClientKey(wire);
        require(usable(again, wire.size()) && again.value.key == key.value.key);
    }
    return 0;
}

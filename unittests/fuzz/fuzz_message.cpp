// Any bytes as a message: decoded, walked to the bottom, and what decodes is written again.
#include "eta/codec/Msg.h"
#include "eta/codec/containers.h"
#include "support/same_key.h"

#include <array>
#include <cstdlib>

using namespace emissary::eta;
using namespace emissary::eta::codec;
using emissary::test::sameKey;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes in = std::as_bytes(std::span{data, size});
    Msg msg;
    static_cast<void>(peekMsg(in));
    if (!decodeMsg(in, msg).ok()) return 0;
    static_cast<void>(validate(in, DataType::Msg));
    // A header that was read can be written unless it holds what must not be (unspecified qos and the like), and then
    // reads as the same header.
    static std::array<std::byte, 1u << 18> block;
    BeWriter out{block};
    if (!encodeMsgHeader(out, msg).ok()) return 0;
    Msg again;
    if (!decodeMsg(out.view(), again).ok()) std::abort();
    if (again.cls != msg.cls || again.streamId != msg.streamId || again.containerType != msg.containerType)
        std::abort();
    if (msg.hasKey() != again.hasKey()) std::abort();
    MsgKey key = msg.key;
    key.flags &= 0x3F;  // others are ignored on input and written 0; so is a name without bytes
    if (msg.hasKey() && !key.name.empty() && !sameKey(key, again.key)) std::abort();
    return 0;
}

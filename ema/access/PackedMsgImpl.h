// The content of a PackedMsg: {u16 length, message}... ready to be one transport message.
#pragma once

#include "Access/Include/OmmProvider.h"
#include "eta/codec/Msg.h"

#include <vector>

namespace emissary::ema {

struct PackedMsgImpl {
    /// A stream that ends, or a login that changes, once the pack is on its way.
    struct Ending {
        std::uint64_t handle = 0;
        eta::codec::Msg msg;  ///< class, flags and state only
    };
    refinitiv::ema::access::OmmProvider* provider = nullptr;
    std::uint64_t clientHandle = 0;
    std::vector<std::byte> body;  ///< empty = no buffer; its size is the pack's limit
    std::size_t used = 0;
    std::uint32_t messages = 0;
    std::vector<Ending> endings;

    [[nodiscard]] bool ready() const noexcept { return !body.empty(); }
    void release() noexcept {
        body.clear();
        used = 0;
        messages = 0;
        endings.clear();
    }
};

}  // namespace emissary::ema

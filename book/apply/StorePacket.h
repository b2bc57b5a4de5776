// book/apply: what a store keeps for messages that come in packets.
#pragma once

#include "emissary/book/Store.h"
#include "eta/codec/Msg.h"

#include <array>

namespace emissary::book::detail {

/// The store's thread. A listener may remove books whose messages are still to be applied: Store::remove() says so
/// here.
struct StorePacket {
    /// As many messages are looked at before the first of them is applied: what they ask for has room in a first-level
    /// cache.
    static constexpr std::size_t kAhead = 16;
    std::array<eta::codec::Msg, kAhead> decoded;
    Span<PacketMessage> left;  // still to be applied
    void forget(const Book& book) noexcept {
        for (PacketMessage& m : left)
            if (m.book == &book) m.book = nullptr;
    }
};

}  // namespace emissary::book::detail

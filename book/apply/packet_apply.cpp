// Messages of one packet: looked at together, then applied one after the other.
#include "apply/StoreAccess.h"
#include "apply/StorePacket.h"
#include "apply/wire_apply.h"

#include <stdexcept>

namespace emissary::book {

namespace {

using detail::StorePacket;

/// A message whose book is being fetched.
struct Ahead {
    const detail::Content* content = nullptr;  ///< null: nothing is fetched for it
    std::uint32_t tag = 0, row = detail::kNone;
};

/// Each step asks for what the next one reads, for all messages, so that they wait for memory together.
void lookAhead(Span<const PacketMessage> messages, const std::array<eta::codec::Msg, StorePacket::kAhead>& decoded,
               const std::array<bool, StorePacket::kAhead>& known) noexcept {
    std::array<Ahead, StorePacket::kAhead> ahead;
    const std::size_t n = messages.size();
    for (std::size_t i = 0; i != n; ++i) {
        if (!known[i]) continue;
        if (!detail::firstTag(decoded[i].payload, ahead[i].tag)) continue;
        ahead[i].content = &detail::Applier::shown(*messages[i].book);
        detail::ContentAccess::prefetch(*ahead[i].content);
    }
    for (std::size_t i = 0; i != n; ++i)
        if (ahead[i].content != nullptr) detail::ContentAccess::prefetchSlot(*ahead[i].content, ahead[i].tag);
    for (std::size_t i = 0; i != n; ++i)
        if (ahead[i].content != nullptr)
            ahead[i].row = detail::ContentAccess::prefetchRow(*ahead[i].content, ahead[i].tag);
    for (std::size_t i = 0; i != n; ++i)
        if (ahead[i].row != detail::kNone) detail::ContentAccess::prefetchLevel(*ahead[i].content, ahead[i].row);
}

}  // namespace

void Store::apply(Span<PacketMessage> messages) {
    std::shared_ptr<StorePacket>& packet = applier_->packet;
    if (packet == nullptr) packet = std::make_shared<StorePacket>();
    if (!packet->left.empty())
        throw std::logic_error(
            "emissary::book::Store::apply(): a listener called it while a packet was being applied; keep the "
            "messages and apply them when the call for the packet has returned");
    packet->left = messages;
    for (PacketMessage& m : messages) {
        m.applied = false;
        m.verdict = Verdict::fine;
        if (m.book != nullptr) eta::prefetch(m.book, sizeof *m.book);
    }
    struct Done {
        StorePacket& packet;
        ~Done() { packet.left = {}; }
    } const done{*packet};
    while (!packet->left.empty()) {
        const std::size_t n = std::min(packet->left.size(), StorePacket::kAhead);
        std::array<bool, StorePacket::kAhead> known{};
        for (std::size_t i = 0; i != n; ++i) {
            const PacketMessage& m = packet->left[i];
            known[i] = m.book != nullptr && eta::codec::decodeMsg({m.bytes, m.length}, packet->decoded[i]).ok();
        }
        lookAhead({packet->left.data(), n}, packet->decoded, known);
        for (std::size_t i = 0; i != n; ++i) {
            PacketMessage& m = packet->left.front();
            if (m.book != nullptr) {
                m.verdict = known[i] ? StoreAccess::apply(*this, *m.book, packet->decoded[i])
                                     : StoreAccess::applyMalformed(*this, *m.book);
                m.applied = true;
            }
            packet->left = {packet->left.data() + 1, packet->left.size() - 1};
        }
    }
}

}  // namespace emissary::book

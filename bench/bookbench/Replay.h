// A channel's books in a store, and its packets through them.
#pragma once

#include "Feed.h"
#include "apply/StoreAccess.h"
#include "emissary/book/Store.h"
#include "eta/codec/Msg.h"

#include <stdexcept>

namespace bookbench {

namespace codec = emissary::eta::codec;
using emissary::eta::Bytes;

/// Reads both best prices, as a program would.
struct Reader : emissary::book::BookListener {
    void onBookChanged(const emissary::book::Book& book, std::span<const emissary::book::Change>) override {
        if (!book.bids().empty()) sum += book.bids().best().price().ticks;
        if (!book.asks().empty()) sum -= book.asks().best().price().ticks;
    }
    std::int64_t sum = 0;
};

/// Calls `each` with every message of a packet.
template <class Each>
inline void messagesOf(const Packets& all, const Packets::Packet& packet, Each&& each) {
    const std::byte* p = all.memory.data() + packet.at;
    for (const std::byte* const end = p + packet.bytes; p != end;) {
        const std::size_t length = emissary::eta::loadBe<std::uint16_t>(p);
        each(Bytes{p + 2, length});
        p += 2 + length;
    }
}

/// Whom an encoded message is for.
[[nodiscard]] inline std::int32_t streamOf(Bytes message) {
    return static_cast<std::int32_t>(emissary::eta::loadBe<std::uint32_t>(message.data() + 4));  // rwf.md 4.1
}

class Replay {
public:
    Replay(const Feed& feed, emissary::book::BookListener& listener) : store_(listener) {
        for (std::uint32_t i = 0; i != feed.traits().instruments; ++i) {
            books_.push_back(&store_.add("I" + std::to_string(i), feed.kind()));
            image(i, feed.image(i));
        }
    }
    void image(std::uint32_t instrument, const std::vector<std::vector<std::byte>>& parts) {
        for (const auto& part : parts) {
            if (!codec::decodeMsg(part, msg_).ok()) throw std::runtime_error("an image cannot be read");
            emissary::book::StoreAccess::apply(store_, *books_[instrument], msg_);
        }
    }
    /// One message, header and all.
    void apply(Bytes message) {
        if (!codec::decodeMsg(message, msg_).ok()) throw std::runtime_error("an update cannot be read");
        emissary::book::StoreAccess::apply(store_, bookOf(msg_.streamId), msg_);
    }
    /// All messages of a packet: decodes, looks ahead and applies.
    void apply(const Packets& all, const Packets::Packet& packet) {
        parts_.clear();
        messagesOf(all, packet, [this](Bytes m) {
            auto& part = parts_.emplace_back();
            part.book = &bookOf(streamOf(m));
            part.bytes = m.data();
            part.length = m.size();
        });
        store_.apply(parts_);
    }
    [[nodiscard]] emissary::book::Book& bookOf(std::int32_t stream) const {
        return *books_[static_cast<std::size_t>(stream - kFirstStream)];
    }
    [[nodiscard]] emissary::book::Store& store() { return store_; }

private:
    emissary::book::Store store_;
    std::vector<emissary::book::Book*> books_;
    codec::Msg msg_;
    std::vector<emissary::book::PacketMessage> parts_;
};

/// The message layer alone: header, map, entries and fields, nothing kept. The number of bytes seen keeps it alive.
[[nodiscard]] std::uint64_t walkMessage(Bytes message);

}  // namespace bookbench

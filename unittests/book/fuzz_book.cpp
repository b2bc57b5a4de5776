// Any bytes as the payloads of a book's messages: lengths (u16) and payloads, one message after the other. The first
// byte chooses the domain and what kind of message comes first; the invariants must hold after each.
#include "apply/StoreAccess.h"
#include "emissary/book/Store.h"
#include "eta/core/bytes.h"

#include <cstdlib>

namespace {

namespace book = emissary::book;
namespace codec = emissary::eta::codec;
using emissary::eta::Bytes;

struct Silent : book::BookListener {
    void onBookChanged(const book::Book& b, std::span<const book::Change> changes) override {
        for (const book::Change& c : changes) {
            const book::BookSide& side = c.side == book::Side::bid ? b.bids() : b.asks();
            if (!c.market && c.action != book::Change::removed && c.index >= side.depth()) std::abort();
        }
    }
};

codec::Msg messageOf(unsigned head, Bytes payload) {
    codec::Msg msg;
    msg.cls = (head & 3) == 0 ? codec::MsgClass::Refresh : codec::MsgClass::Update;
    msg.containerType = codec::DataType::Map;
    msg.payload = payload;
    if (msg.cls == codec::MsgClass::Refresh) {
        // Whole and partial images, with and without a clean start.
        msg.flags = static_cast<std::uint16_t>(((head & 4) != 0 ? 0 : codec::RefreshFlag::complete) |
                                               ((head & 8) != 0 ? 0 : codec::RefreshFlag::clearCache) |
                                               ((head & 16) != 0 ? codec::RefreshFlag::partNum : 0));
        msg.partNum = static_cast<std::uint16_t>(head >> 5);
        msg.state = {codec::StreamState::open, codec::DataState::ok, 0, {}};
    }
    return msg;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    Silent silent;
    book::BookOptions options;
    options.now = [] { return std::chrono::steady_clock::time_point{}; };
    options.perEntry = (data[0] & 0x80) != 0;
    options.visibleWhileBuilding = (data[0] & 0x40) != 0;
    book::Store store(silent, options);
    constexpr book::Kind kKinds[] = {book::Kind::orders, book::Kind::prices, book::Kind::makers};
    book::Book& b = store.add("A", kKinds[data[0] % 3]);
    book::StoreAccess::apply(store, b, messageOf(0, {}));
    emissary::eta::BeReader in{std::as_bytes(std::span{data + 1, size - 1})};
    while (in.remaining() >= 3) {
        const unsigned head = in.u8();
        const std::size_t length = std::min<std::size_t>(in.u16(), in.remaining());
        book::StoreAccess::apply(store, b, messageOf(head, in.take(length)));
        if (!b.verify().empty()) std::abort();
    }
    return 0;
}

// Payloads that break off, at every byte (docs/spec/order-books.md 3.4, 7 row 8).
#include "apply/StoreAccess.h"
#include "support.h"

using namespace booktest;

namespace {

/// In memory of its own size, so that AddressSanitizer sees what is read behind it.
struct Cut {
    Cut(const std::string& all, std::size_t n) : bytes(new std::byte[n]), length(n) {
        std::memcpy(bytes.get(), all.data(), n);
    }
    std::unique_ptr<std::byte[]> bytes;
    std::size_t length;
};

codec::Msg messageOf(codec::MsgClass cls, const Cut& payload) {
    codec::Msg msg;
    msg.cls = cls;
    msg.containerType = codec::DataType::Map;
    msg.payload = {payload.bytes.get(), payload.length};
    if (cls == codec::MsgClass::Refresh) {
        msg.flags = codec::RefreshFlag::complete | codec::RefreshFlag::clearCache;
        msg.state = {codec::StreamState::open, codec::DataState::ok, 0, {}};
    }
    return msg;
}

}  // namespace

TEST_CASE("A payload cut at any byte: what came before counts, the book is stale and asks for an image", "[book]") {
    const Kind kind = GENERATE(Kind::orders, Kind::prices, Kind::makers);
    const std::vector<Entry> entries = {{kAdd, "first", {price(1001), bid(), size(3)}},
                                        {kUpdate, "o1", {size(5)}},
                                        {kDelete, "o2", {}},
                                        {kAdd, "a key of more than sixteen bytes", {price(1010), ask(), size(1)}}};
    const std::string image =
        map({{kAdd, "o1", {price(1000), bid(), size(1)}}, {kAdd, "o2", {price(1009), ask(), size(2)}}});
    const bool summary = GENERATE(false, true);
    const std::string payload = summary ? map(entries, {enumeration(15, 840), enumeration(6516, 1)}) : map(entries);
    for (std::size_t n = 1; n <= payload.size(); ++n) {  // no bytes at all are an empty map
        Recorder ears;
        book::Store store(ears);
        book::Book& b = store.add("A", kind);
        const Cut whole(image, image.size()), cut(payload, n);
        book::StoreAccess::apply(store, b, messageOf(codec::MsgClass::Refresh, whole));
        REQUIRE(b.state() == State::live);
        const book::Verdict verdict = book::StoreAccess::apply(store, b, messageOf(codec::MsgClass::Update, cut));
        INFO("cut at " << n << " of " << payload.size());
        REQUIRE(b.verify() == "");
        REQUIRE(ears.broken == "");
        const bool all = n == payload.size();
        REQUIRE(b.state() == (all ? State::live : State::stale));
        REQUIRE((verdict == book::Verdict::askImage) != all);
        const auto& faults = store.counters().faults;
        REQUIRE(faults[static_cast<std::size_t>(book::Fault::malformedMap)].get() == (all ? 0 : 1));
        // Entries are whole or not there.
        REQUIRE(b.keys() == 2 + (b.order("first") ? 1u : 0u) - (b.order("o2") ? 0u : 1u) + (all ? 1u : 0u));
        // An image mends it.
        book::StoreAccess::apply(store, b, messageOf(codec::MsgClass::Refresh, whole));
        REQUIRE(b.state() == State::live);
        REQUIRE(b.keys() == 2);
    }
}

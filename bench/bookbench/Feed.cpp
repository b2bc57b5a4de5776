// Encodes the generator's changes as packets of updates, and images of all instruments.
#include "Feed.h"

#include "eta/codec/Msg.h"
#include "eta/codec/encoders.h"

#include <algorithm>
#include <stdexcept>

namespace bookbench {

namespace codec = emissary::eta::codec;
using emissary::eta::asBytes;
using emissary::eta::BeWriter;

namespace {

void addEntry(codec::MapEncoder& map, const FeedEntry& e, Kind kind, std::uint32_t time) {
    char key[24];
    map.beginEntry(e.action, asBytes(keyText(e, kind == Kind::prices, key)));
    if (e.action != FeedEntry::remove) {
        codec::FieldListEncoder list;
        list.begin(map.writer());
        if (e.priceChanged) {
            // ORDER_PRC with two decimals (hint 12) and ORDER_SIDE, only when the price is new; then ORDER_SIZE, and
            // NO_ORD and the time.
            list.addReal(3427, {e.price, 12});
            list.addEnum(3428, e.side);
        }
        list.addReal(3429, {e.size, 14});
        if (kind == Kind::prices) {
            list.addUInt(3430, e.orders);
            list.addUInt(6527, time);
        } else {
            list.addUInt(3855, time);
        }
        if (!list.complete().ok()) throw std::runtime_error("a field list does not fit");
    }
    map.endEntry();
}

codec::Msg header(codec::MsgClass cls, Kind kind, std::uint32_t instrument) {
    codec::Msg msg;
    msg.cls = cls;
    msg.domain = static_cast<std::uint8_t>(kind);
    msg.streamId = kFirstStream + static_cast<std::int32_t>(instrument);
    msg.containerType = codec::DataType::Map;
    return msg;
}

template <class Entries>
std::size_t encode(std::span<std::byte> to, const codec::Msg& msg, const Entries& entries, Kind kind,
                   std::uint32_t time) {
    BeWriter out{to};
    if (!codec::encodeMsgHeader(out, msg).ok()) throw std::runtime_error("a header does not fit");
    codec::EntryContainerHeader head;
    head.entryType = codec::DataType::FieldList;
    codec::MapEncoder map;
    map.begin(out, head, codec::DataType::Buffer);
    for (const FeedEntry& e : entries)
        addEntry(map, e, kind, time);
    if (!map.complete().ok() || !out.ok()) throw std::runtime_error("a map does not fit");
    return out.size();
}

}  // namespace

Feed::Feed(FeedTraits traits, Kind kind)
    : traits_(std::move(traits)), kind_(kind), chooser_(traits_.instruments), random_(traits_.seed) {
    for (std::uint32_t i = 0; i != traits_.instruments; ++i) {
        const std::uint64_t seed = traits_.seed * 100'000 + i;
        if (kind == Kind::prices) {
            prices_.emplace_back(traits_.averageLevels, traits_.mostLevels, seed);
            continue;
        }
        // Evenly around the average, up to the most.
        const std::uint32_t half = std::min(traits_.mostOrders - traits_.averageOrders, traits_.averageOrders - 1);
        const auto orders = [&] {
            return static_cast<std::uint32_t>(traits_.averageOrders - half + random_() % (2 * half + 1));
        };
        const std::uint32_t bids = orders();
        orders_.emplace_back(bids, orders(), seed);
    }
}

void Feed::imageEntries(std::uint32_t instrument, std::vector<FeedEntry>& to) const {
    if (kind_ == Kind::prices) prices_[instrument].image(to);
    else orders_[instrument].image(to);
}

std::vector<std::vector<std::byte>> Feed::image(std::uint32_t instrument) const {
    std::vector<FeedEntry> all;
    imageEntries(instrument, all);
    std::vector<std::vector<std::byte>> parts;
    // Parts of at most 1000 entries, as providers send deep books.
    constexpr std::size_t kPart = 1000;
    for (std::size_t from = 0; from == 0 || from < all.size(); from += kPart) {
        codec::Msg msg = header(codec::MsgClass::Refresh, kind_, instrument);
        const std::size_t n = std::min(kPart, all.size() - from);
        msg.flags = static_cast<std::uint16_t>(codec::RefreshFlag::solicited |
                                               (from == 0 ? codec::RefreshFlag::clearCache : 0) |
                                               (from + n == all.size() ? codec::RefreshFlag::complete : 0));
        msg.state = {codec::StreamState::open, codec::DataState::ok, 0, {}};
        auto& part = parts.emplace_back(64 * n + 256);
        part.resize(encode(part, msg, std::span(all).subspan(from, n), kind_, time_));
    }
    return parts;
}

void Feed::step(std::uint32_t instrument, FeedEntry& to) {
    if (kind_ == Kind::prices) return prices_[instrument].step(to);
    points_.clear();
    orders_[instrument].step(to, points_);
}

std::uint32_t Feed::message(std::vector<FeedEntry>& to) {
    const std::uint32_t instrument = chooser_(random_);
    // One message in a hundred has several entries, as the report says of both channels.
    for (std::uint64_t n = random_() % 100 == 0 ? 2 + random_() % 3 : 1; n != 0; --n)
        step(instrument, to.emplace_back());
    return instrument;
}

void Feed::next(std::size_t messages, Packets& to) {
    // A packet is closed when it has reached a size chosen evenly around the average.
    std::size_t start = to.memory.size();
    std::uint32_t held = 0, operations = 0;
    const auto limit = [&] { return traits_.packetBytes / 2 + random_() % traits_.packetBytes; };
    std::size_t wanted = limit();
    std::vector<FeedEntry> entries;
    std::byte block[1024];
    for (std::size_t i = 0; i != messages; ++i) {
        entries.clear();
        const std::uint32_t instrument = message(entries);
        for (const FeedEntry& e : entries)
            to.operations.push_back({instrument, e});
        const std::size_t size =
            encode(block, header(codec::MsgClass::Update, kind_, instrument), entries, kind_, time_ += 1);
        std::byte length[2];
        emissary::eta::storeBe(length, static_cast<std::uint16_t>(size));
        // Half of a message on each side of the limit: the average is what was asked for.
        if (held != 0 && to.memory.size() - start + size / 2 > wanted) {
            to.packets.push_back({start, static_cast<std::uint32_t>(to.memory.size() - start), held, operations});
            start = to.memory.size();
            held = operations = 0;
            wanted = limit();
        }
        to.memory.insert(to.memory.end(), length, length + 2);
        to.memory.insert(to.memory.end(), block, block + size);
        ++held;
        operations += static_cast<std::uint32_t>(entries.size());
        ++to.messages;
        to.single += entries.size() == 1;
    }
    if (held != 0)
        to.packets.push_back({start, static_cast<std::uint32_t>(to.memory.size() - start), held, operations});
}

Feed::Depth Feed::levels() const {
    Depth d;
    std::size_t n = 0;
    const auto add = [&](std::size_t levels) {
        d.average += static_cast<double>(levels);
        d.most = std::max(d.most, levels);
        ++n;
    };
    for (const auto& p : prices_)
        add(p.levels(1)), add(p.levels(2));
    for (const auto& o : orders_)
        add(o.levels(1)), add(o.levels(2));
    d.average /= static_cast<double>(std::max<std::size_t>(n, 1));
    return d;
}

Feed::Depth Feed::orders() const {
    Depth d;
    for (const auto& o : orders_)
        for (const int side : {1, 2}) {
            d.average += static_cast<double>(o.orders(side)) / (2.0 * static_cast<double>(orders_.size()));
            d.most = std::max(d.most, o.orders(side));
        }
    return d;
}

}  // namespace bookbench

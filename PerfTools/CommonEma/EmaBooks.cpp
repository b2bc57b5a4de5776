// Encodes entries of a book generator into maps.
#include "EmaBooks.h"

namespace emissary::perf {

using namespace refinitiv::ema::access;

namespace {

/// The seed comes from the name alone, so that a reader can make the same book.
std::uint64_t seedOf(std::string_view name) noexcept {
    std::uint64_t seed = 1469598103934665603u;  // FNV-1a
    for (const char c : name)
        seed = (seed ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return seed;
}

}  // namespace

OrderSource BookItem::sourceOf(std::string_view name, std::uint32_t ordersPerSide) {
    return OrderSource(ordersPerSide, ordersPerSide, seedOf(name));
}

BookItem::BookItem(std::string_view name, Content content, std::uint32_t ordersPerSide)
    : source_(sourceOf(name, ordersPerSide)), content_(content) {}

const Map& BookItem::image() {
    all_.clear();
    if (content_ == Content::orders) source_.image(all_);
    else source_.priceImage(all_);
    map_.clear().keyType(DataType::BufferEnum).totalCountHint(static_cast<UInt32>(all_.size()));
    for (const FeedEntry& e : all_)
        add(e);
    return map_.complete();
}

const Map& BookItem::next() {
    points_.clear();
    source_.step(order_, points_);
    // Numbers of the stream, from 1 after the first image: a reader sees a lost update by the gap.
    ++sequence_;
    map_.clear().keyType(DataType::BufferEnum);
    if (content_ == Content::orders) add(order_);
    else
        for (const FeedEntry& e : points_)
            add(e);
    return map_.complete();
}

void BookItem::add(const FeedEntry& e) {
    char text[24];
    const std::string_view key = keyText(e, content_ == Content::pricePoints, text);
    key_.setFrom(key.data(), static_cast<UInt32>(key.size()));
    if (e.action == FeedEntry::remove) {
        map_.addKeyBuffer(key_, MapEntry::DeleteEnum);
        return;
    }
    fields_.clear();
    // Price and side go out only when they are new: an update of a size is then as small as a real one.
    if (e.priceChanged)
        fields_.addReal(3427, e.price, OmmReal::ExponentNeg2Enum).addEnum(3428, e.side);  // ORDER_PRC, ORDER_SIDE
    fields_.addReal(3429, e.size, OmmReal::Exponent0Enum);                                // ORDER_SIZE
    if (content_ == Content::pricePoints) fields_.addUInt(3430, e.orders);                // NO_ORD
    map_.addKeyBuffer(key_, static_cast<MapEntry::MapAction>(e.action), fields_.complete());
}

}  // namespace emissary::perf

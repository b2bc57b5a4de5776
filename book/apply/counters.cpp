// The table of the counters: names, units and meanings stand once, in the order of the members.
#include "emissary/book/Counters.h"

#include <array>

namespace emissary::book {

namespace {

template <Fault F>
const Counter& faultOf(const Counters& c) {
    return c.faults[static_cast<std::size_t>(F)];
}
#define EMISSARY_BOOK_COUNTER(member, unit, meaning)                                                                   \
    {                                                                                                                  \
#member, unit, meaning, [](const Counters& c) -> const Counter& { return c.member; }                           \
    }
#define EMISSARY_BOOK_FAULT(kind, unit, meaning)                                                                       \
    { "fault." #kind, unit, meaning, &faultOf<Fault::kind> }

constexpr CounterInfo kTable[] = {
    EMISSARY_BOOK_COUNTER(refreshes, "messages", "refreshes that came, each part of an image counted"),
    EMISSARY_BOOK_COUNTER(updates, "messages", "updates that came"),
    EMISSARY_BOOK_COUNTER(statuses, "messages", "status messages that came"),
    EMISSARY_BOOK_COUNTER(entries, "entries", "map entries that were looked at"),
    EMISSARY_BOOK_COUNTER(images, "images", "images that became complete"),
    EMISSARY_BOOK_COUNTER(addOfKnown, "entries", "Add of a key that was there; it took the place of the old entry"),
    EMISSARY_BOOK_COUNTER(updateWithoutAdd, "entries", "Update of an unknown key, taken as Add"),
    EMISSARY_BOOK_COUNTER(deleteOfUnknown, "entries", "Delete of a key that was not there, ignored"),
    EMISSARY_BOOK_COUNTER(updateBeforeImage, "messages",
                          "updates of a book without an image or after its end, dropped"),
    EMISSARY_BOOK_COUNTER(notToBeCached, "messages", "updates marked as not to be cached, not applied"),
    EMISSARY_BOOK_COUNTER(rescaled, "books", "times that a finer price or size made a book change its scale"),
    EMISSARY_BOOK_COUNTER(accSizeDiffers, "levels", "levels whose accumulated size was not what verify() added up"),
    EMISSARY_BOOK_COUNTER(imagesAsked, "requests", "images asked for again after something was missed"),
    EMISSARY_BOOK_COUNTER(staled, "books", "times that a book became stale"),
    EMISSARY_BOOK_FAULT(fieldType, "entries", "entries ignored: a field has a value of another type"),
    EMISSARY_BOOK_FAULT(malformedField, "entries", "entries ignored: a value or the field list breaks off"),
    EMISSARY_BOOK_FAULT(noSide, "entries", "entries ignored: new and without a side"),
    EMISSARY_BOOK_FAULT(noPrice, "entries", "entries ignored: new and without a word on the price"),
    EMISSARY_BOOK_FAULT(priceValue, "entries", "entries ignored: the price is infinite or not a number"),
    EMISSARY_BOOK_FAULT(priceRange, "entries", "entries ignored: the price does not fit at the book's scale"),
    EMISSARY_BOOK_FAULT(sizeValue, "entries", "entries ignored: the size is negative, infinite or not a number"),
    EMISSARY_BOOK_FAULT(sizeRange, "entries", "entries ignored: the size is too large"),
    EMISSARY_BOOK_FAULT(sideValue, "entries", "entries ignored: the side is neither bid nor ask"),
    EMISSARY_BOOK_FAULT(unknownAction, "entries", "entries ignored: not Add, Update or Delete"),
    EMISSARY_BOOK_FAULT(malformedMap, "messages", "payloads that are not a map of field lists; the book became stale"),
    EMISSARY_BOOK_FAULT(tooManyFaults, "messages", "messages given up for their many faults; the book became stale"),
    EMISSARY_BOOK_FAULT(sequenceGap, "messages", "gaps of sequence numbers; the book became stale"),
    EMISSARY_BOOK_FAULT(partGap, "messages", "gaps of part numbers; the image did not complete"),
};

}  // namespace

Span<const CounterInfo> counterTable() noexcept {
    return kTable;
}

}  // namespace emissary::book

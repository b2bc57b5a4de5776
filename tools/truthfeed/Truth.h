// tools/truthfeed: an item's right image at a sequence number, so that a wrong one is found by its number.
#pragma once

#include "Ema.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace emissary::truthfeed {

/// Sequence numbers follow from the time, so a provider that comes back goes on where its predecessor would be.
struct Schedule {
    std::int64_t startMs = 0;  ///< wall clock; at least a few seconds ago, so that every value has had its first change
    std::int64_t endMs = 0;    ///< nothing changes after it
    unsigned perSecond = 10;   ///< updates of one item

    /// The number that an item has at this time; items are spread over the interval between two updates.
    [[nodiscard]] std::uint64_t at(std::int64_t nowMs, unsigned item) const;
    /// Since when, in ms at this time, an item at this number lacks the next one; 0: it does not.
    [[nodiscard]] std::int64_t ageOf(std::uint64_t sequence, std::int64_t nowMs, unsigned item) const;
};

/// Milliseconds since 1970.
std::int64_t wallClockMs();

/// An item with an even number is a price (domain 6) of six fields that change in turn, one of which ripples; one with
/// an odd number is a book (domain 7) of six orders that come, change and go in turn. Both carry sequence number and
/// check sum.
class Truth {
public:
    static constexpr unsigned kSlots = 6;
    static constexpr unsigned kViews = 4;

    explicit Truth(unsigned item) : item_(item) {}

    [[nodiscard]] std::string name() const;
    [[nodiscard]] bool book() const { return item_ % 2 == 1; }
    [[nodiscard]] refinitiv::ema::access::UInt16 domain() const;

    /// Payloads of the whole item and of the one change that leads to `sequence`.
    /// `posted`: the value that was posted last; 0: none.
    void image(std::uint64_t sequence, refinitiv::ema::access::RefreshMsg& into, std::int64_t posted = 0) const;
    void update(std::uint64_t sequence, refinitiv::ema::access::UpdateMsg& into, bool lie = false) const;
    /// The payload of a post: one field that the truth does not have, bare or in an update.
    void posted(std::uint32_t postId, bool nested, refinitiv::ema::access::PostMsg& into) const;
    /// The value in such a post; 0: there is none.
    [[nodiscard]] static std::int64_t postedIn(const refinitiv::ema::access::PostMsg& post);
    /// The payload of the update that tells others of it.
    void posted(std::int64_t value, refinitiv::ema::access::UpdateMsg& into) const;
    /// Field ids of a view; empty: all fields. The ripple is in it as a whole or not at all.
    [[nodiscard]] std::vector<int> fieldsOf(unsigned view) const;

    struct Order {
        bool there = false;
        std::int64_t price = 0;
        bool operator==(const Order&) const = default;
    };
    struct State {
        std::uint64_t sequence = 0, check = 0;
        std::map<int, std::int64_t> fields;  ///< of a price, by field id
        std::array<Order, kSlots> orders{};  ///< of a book
        bool operator==(const State&) const = default;
    };
    [[nodiscard]] State at(std::uint64_t sequence) const;
    /// Whether the value of a posted field is one that a post has given.
    [[nodiscard]] bool postedValue(std::int64_t value) const;

private:
    [[nodiscard]] std::int64_t value(unsigned slot, std::uint64_t sequence) const;
    [[nodiscard]] std::uint64_t check(std::uint64_t sequence) const;
    [[nodiscard]] Order order(unsigned slot, std::uint64_t sequence) const;

    unsigned item_;
};

/// A consumer's own copy of an item, changed by what arrives.
class Copy {
public:
    explicit Copy(unsigned item) : truth_(item) {}

    /// What is wrong with the image, or empty.
    std::string refresh(const refinitiv::ema::access::RefreshMsg& msg);
    /// What is wrong with the update, or with the image behind it; empty when nothing is.
    std::string update(const refinitiv::ema::access::UpdateMsg& msg);
    [[nodiscard]] std::uint64_t sequence() const { return state_.sequence; }
    /// The posted value that it shows; 0: none.
    [[nodiscard]] std::int64_t posted() const { return posted_; }

    /// The view last asked for (Truth::fieldsOf).
    [[nodiscard]] unsigned view() const { return views_.back(); }
    /// Another view is asked for: until the answer, only what both have is there for sure.
    void ask(unsigned view) { views_.push_back(view); }
    /// What comes now has the view last asked for.
    void answered() { views_.assign(1, views_.back()); }

private:
    [[nodiscard]] bool due(int fid) const;
    void take(const refinitiv::ema::access::ComplexType& payload, bool ripple);
    void takeFields(const refinitiv::ema::access::FieldList& fields, bool ripple);
    [[nodiscard]] std::string compared() const;

    Truth truth_;
    Truth::State state_;
    std::int64_t posted_ = 0;  // 0: nobody has posted
    std::vector<unsigned> views_{0};
};

}  // namespace emissary::truthfeed

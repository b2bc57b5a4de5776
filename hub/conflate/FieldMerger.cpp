// hub/conflate: what the fields of two updates become (hub.md 8.1).
#include "hub/conflate/FieldMerger.h"

#include "eta/codec/encoders.h"
#include "eta/codec/standard_form.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <unordered_map>

namespace emissary::hub::conflate {

using namespace eta::codec;

namespace {

/// Entries of standard data with short contents, as they stand. The place is in locals, and so in registers.
class Steps {
public:
    explicit Steps(const FieldListDecoder::Plain& from) noexcept
        : at_(from.rest.data()), end_(at_ + from.rest.size()), left_(from.left) {}
    [[nodiscard]] bool more() const noexcept { return left_ != 0; }
    /// The next entry, id and length included; none when it is malformed, or its content is long.
    [[nodiscard]] Bytes next() noexcept {
        const auto rest = static_cast<std::size_t>(end_ - at_);
        if (rest < kHead) return {};
        const std::size_t length = std::to_integer<std::size_t>(at_[2]);
        if (length >= 0xFE || length > rest - kHead) return {};
        const Bytes entry{at_, kHead + length};
        at_ += entry.size();
        --left_;
        return entry;
    }
    [[nodiscard]] static std::uint16_t idOf(Bytes entry) noexcept { return eta::loadBe<std::uint16_t>(entry.data()); }
    [[nodiscard]] static Bytes valueOf(Bytes entry) noexcept { return entry.subspan(kHead); }

private:
    static constexpr std::size_t kHead = 3;  // id, length
    const std::byte *at_, *end_;
    std::uint16_t left_;
};

}  // namespace

FieldMerger::FieldMerger() : marks_(65536), listOf_(65536), placeOf_(65536) {}

void FieldMerger::setDictionary(const eta::dictionary::Dictionary* dictionary) {
    known_ = dictionary != nullptr && dictionary->hasFields();
    // Without a dictionary any field might be text with a command, and might ripple.
    std::fill(marks_.begin(), marks_.end(), kMayCommand);
    if (!known_) return;
    // A copy, since chains are followed from each field.
    std::unordered_map<std::int16_t, std::int16_t> next;
    for (const auto* const field : dictionary->fields())
        if (field->rippleTo != 0) next.emplace(field->fieldId, field->rippleTo);
    for (const auto* const field : dictionary->fields()) {
        std::uint8_t hops = 0;
        // kMostHops: beyond that a chain is not joined at all (hub.md 8.1).
        for (auto at = next.find(field->fieldId); at != next.end() && hops <= kMostHops; at = next.find(at->second))
            ++hops;
        marks_[static_cast<std::uint16_t>(field->fieldId)] = static_cast<std::uint8_t>(
            (hops != 0 ? kRipples : 0) | (hops <= kMostHops ? hops << kHopsShift : kTarget) |
            (field->type == DataType::RmtesString || field->type == DataType::Unknown ? kMayCommand : 0));
    }
    // Where a chain leads, an older value may be overwritten by a later ripple.
    for (const auto& [from, to] : next)
        marks_[static_cast<std::uint16_t>(to)] |= kTarget;
}

/// A command of RMTES may change a part of the value only. Looking for its first byte may refuse more than needed.
bool FieldMerger::commands(std::uint8_t marks, Bytes value) noexcept {
    return (marks & kMayCommand) != 0 && !value.empty() && std::memchr(value.data(), 0x1B, value.size()) != nullptr;
}

bool FieldMerger::refuses(std::int16_t id, Bytes value) const noexcept {
    const std::uint8_t marks = marks_[static_cast<std::uint16_t>(id)];
    if (marks == 0) [[likely]]
        return false;
    if ((marks & kRipples) != 0 && ripple_ != Ripple::no) return true;
    return commands(marks, value);
}

/// True when `newer` begins with the fields of `older` in the same order, so that it says all that both say.
bool FieldMerger::covers(Bytes older, Bytes newer) const noexcept {
    FieldListDecoder a, b;
    // A field list with set data is expanded, and so is one that has no info while the other has.
    if (!a.start(older).ok() || !b.start(newer).ok()) return false;
    if (a.hasInfo() != b.hasInfo() || a.setSkipped() || b.setSkipped() || b.setId() != 0 || a.setId() != 0)
        return false;
    FieldEntry x, y;
    while (a.next(x))
        // Standard values only, so that the newer payload can go out as it is.
        if (!b.next(y) || x.fieldId != y.fieldId || y.setType != DataType::Unknown || refuses(x.fieldId, x.data) ||
            refuses(y.fieldId, y.data))
            return false;
    while (b.next(y))
        if (y.setType != DataType::Unknown || refuses(y.fieldId, y.data)) return false;
    return a.error().ok() && b.error().ok();
}

/// Lists of standard data with no field twice, none of a chain that ripples, and short contents: entries are copied as
/// they stand.
FieldMerger::Outcome FieldMerger::joinInto(eta::BeWriter& out, Bytes older, Bytes newer) {
    constexpr std::size_t kWide = 16;           // bytes that are copied at once: entries are rarely longer
    constexpr std::uint16_t kOfOlder = 0xFFFF;  // placeOf_ of a field that was in the older one
    FieldListDecoder a, b;
    if (!a.start(older).ok() || !b.start(newer).ok() || a.setSkipped() || b.setSkipped()) return Outcome::open;
    const auto look = [this](std::uint16_t id, Bytes value) {
        const std::uint8_t marks = marks_[id];
        if (marks == 0) [[likely]]
            return Outcome::joined;
        if (ripple_ == Ripple::yes && isOfChain(marks)) return Outcome::open;
        return refuses(static_cast<std::int16_t>(id), value) ? Outcome::refused : Outcome::joined;
    };
    beginList();
    for (Steps steps(b.plain()); steps.more();) {
        const Bytes entry = steps.next();
        if (entry.empty()) return Outcome::open;
        const std::uint16_t id = Steps::idOf(entry);
        if (const Outcome is = look(id, Steps::valueOf(entry)); is != Outcome::joined) return is;
        if (listOf_[id] == list_) return Outcome::open;
        listOf_[id] = list_;
        placeOf_[id] = static_cast<std::uint16_t>(fields_.size());
        fields_.push_back({static_cast<std::int16_t>(id), entry});
    }

    FieldListEncoder head;
    const FieldListDecoder& said = b.hasInfo() ? b : a;
    if (said.hasInfo()) head.begin(out, {said.dictionaryId(), said.fieldListNum()});
    else head.begin(out);
    std::byte* to = out.room(older.size() + newer.size() + kWide);
    if (to == nullptr) return Outcome::refused;
    const std::byte* const first = to;
    // Both together have at most kMostBytes, so that their entries fit a count of 16 bits, and places are below
    // kOfOlder.
    static_assert(kMostBytes / 3 < kOfOlder);
    std::uint16_t count = 0;
    const auto add = [&](Bytes entry, Bytes list) {
        ++count;
        // What is behind a short entry is overwritten by the next one.
        if (entry.size() <= kWide && list.data() + list.size() - entry.data() >= std::ptrdiff_t{kWide}) [[likely]]
            std::memcpy(to, entry.data(), kWide);
        else std::memcpy(to, entry.data(), entry.size());
        to += entry.size();
    };
    for (Steps steps(a.plain()); steps.more();) {
        const Bytes entry = steps.next();
        if (entry.empty()) return Outcome::open;
        const std::uint16_t id = Steps::idOf(entry);
        if (const Outcome is = look(id, Steps::valueOf(entry)); is != Outcome::joined) return is;
        if (listOf_[id] != list_) {
            listOf_[id] = list_;
            add(entry, older);
        } else {
            // The last value, in the place where the field appeared first.
            if (placeOf_[id] == kOfOlder) return Outcome::open;
            Field& later = fields_[placeOf_[id]];
            add(later.value, newer);
            later.value = {};
        }
        placeOf_[id] = kOfOlder;
    }
    for (const Field& field : fields_)
        if (!field.value.empty()) add(field.value, newer);
    const std::size_t countAt = out.size() - sizeof count;
    out.advance(static_cast<std::size_t>(to - first));
    eta::storeBe(out.at(countAt), count);
    return Outcome::joined;
}

void FieldMerger::beginList() noexcept {
    // The lists are cleared by number, not by erasing 65,536 places.
    fields_.clear();
    if (++list_ != 0) return;
    std::fill(listOf_.begin(), listOf_.end(), 0u);  // the numbers begin again
    list_ = 1;
}

Bytes FieldMerger::partFrom(Bytes joined, std::size_t& at, eta::GrowingBuffer& result) {
    FieldListDecoder list;
    FieldListEncoder made;
    if (!list.start(joined).ok()) return at = kNoPart, joined;
    if (list.hasInfo()) made.begin(result.start(), {list.dictionaryId(), list.fieldListNum()});
    else made.begin(result.start());
    beginList();
    FieldEntry e;
    for (std::size_t number = 0; list.next(e); ++number) {
        if (number < at) continue;
        const auto id = static_cast<std::uint16_t>(e.fieldId);
        // The field is in this update already; what comes next is another update.
        if (listOf_[id] == list_) {
            at = number;
            if (!made.complete().ok()) throw std::bad_alloc();
            return result.view();
        }
        listOf_[id] = list_;
        made.add(e.fieldId, e.data);
    }
    at = kNoPart;
    if (!made.complete().ok()) throw std::bad_alloc();
    return result.view();
}

/// In the list that an item is, fields of a chain stay in the order in which they came, each with as many values as the
/// chain has fields from it on. An older value decides nothing: each later one moves whatever it left a field further,
/// and in the end out of the chain; fields of the same chain that are set in between only move it further. That holds
/// where the image of a client lacks fields of the chain, too.
bool FieldMerger::join(Inputs in, eta::BeWriter& out, int level, std::pmr::memory_resource& memory) {
    // Without a dictionary no field list is joined (hub.md 8.1).
    if (!known_) return false;
    beginList();
    // Only updates that ripple, at the top level, keep several values of a chain.
    const bool repeats = level == 0 && ripple_ == Ripple::yes;
    bool hasInfo = false;
    FieldListEncoder::Info info{};
    for (const Input& source : in) {
        FieldListDecoder list;
        if (!list.start(source.bytes, source.sets).ok()) return false;
        if (list.hasInfo()) info = {list.dictionaryId(), list.fieldListNum()};
        hasInfo = hasInfo || list.hasInfo();
        FieldEntry e;
        ValueScratch scratch;
        while (list.next(e)) {
            Bytes value = e.data;
            // Reals of a set have a form of their own (rwf.md 2.13), and what is sent has none but the standard one.
            if (e.setType == DataType::Real4RB || e.setType == DataType::Real8RB)
                value = keep(memory, standardForm(e.setType, e.data, scratch));
            const auto id = static_cast<std::uint16_t>(e.fieldId);
            const std::uint8_t marks = marks_[id];
            if (repeats && isOfChain(marks)) {
                // 65,535 entries are the most that a field list can have.
                if (fields_.size() == 0xFFFF || commands(marks, value)) return false;
                placeOf_[id] = static_cast<std::uint16_t>(listOf_[id] == list_ ? placeOf_[id] + 1 : 1);
                repeats_ = repeats_ || placeOf_[id] > 1;
                listOf_[id] = list_;
                fields_.push_back({e.fieldId, value});
                continue;
            }
            // A refused field sends the older update out at once, before this one.
            if (refuses(e.fieldId, value)) return false;
            if (listOf_[id] == list_) {
                // The last value wins, in the place where the field appeared first.
                fields_[placeOf_[id]].value = value;
                continue;
            }
            if (fields_.size() == 0xFFFF) return false;
            listOf_[id] = list_;
            placeOf_[id] = static_cast<std::uint16_t>(fields_.size());
            fields_.push_back({e.fieldId, value});
        }
        // A list that was cut short would be sent as if it were whole.
        if (!list.error().ok() || list.setSkipped()) return false;
    }
    FieldListEncoder made;
    if (hasInfo) made.begin(out, info);
    else made.begin(out);
    for (const Field& field : fields_) {
        const auto id = static_cast<std::uint16_t>(field.id);
        const std::uint8_t marks = marks_[id];
        // Only as many of the last values as the chain has fields from there on can still be seen (hub.md 8.1).
        if (repeats && isOfChain(marks) && placeOf_[id] > (marks >> kHopsShift) + 1) {
            --placeOf_[id];
            continue;
        }
        made.add(field.id, field.value);
    }
    return made.complete().ok();
}

}  // namespace emissary::hub::conflate

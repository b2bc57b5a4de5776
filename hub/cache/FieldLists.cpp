// Writes the fields of an update into the slots of an image, with ripples, and erases them.
#include "hub/cache/FieldLists.h"

#include "eta/codec/Rmtes.h"
#include "eta/codec/standard_form.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

namespace emissary::hub::cache {

using eta::codec::FieldEntry;
// Limit of the specification; it also ends a chain that runs in a circle (hub.md 6.3).
using eta::codec::FieldListDecoder;
using eta::codec::standardForm;
using eta::codec::ValueScratch;

namespace {

constexpr int kMostRipples = 16;

/// Whether there is an ESC among 8 bytes: only with one can RMTES text be an update of what is stored. At times says
/// yes for nothing.
bool hasEscape(const std::byte* p) noexcept {
    std::uint64_t v;
    std::memcpy(&v, p, sizeof v);
    // The well-known test for a zero byte, after ESC has been turned into zero.
    v ^= 0x1B1B1B1B1B1B1B1Bull;
    return ((v - 0x0101010101010101ull) & ~v & 0x8080808080808080ull) != 0;
}

std::byte* slotOf(FieldsNode& node, const Slot& slot) noexcept {
    return reinterpret_cast<std::byte*>(&node) + slot.offset();
}

}  // namespace

struct FieldLists::Target {
    Ref& ref;
    FieldsNode* node;
    bool added;   // a field has just been added, and may be without value
    bool update;  // of a list that was there
    bool ripple;
    bool addUnknown;
    Pass& pass;
};

void FieldLists::apply(Ref& ref, Bytes payload, const eta::codec::SetDefinitionDb* sets, Way way, Pass& pass) noexcept {
    FieldListDecoder in;
    if (!in.start(payload, sets).ok()) return pass.fail(Applied::malformed);
    // Some of the set-defined data had no definition, so the image lacks values.
    if (in.setSkipped()) pass.current = false;
    // A list that is not there is made, whatever the message is; unknown fields of it are then no surprise.
    const bool update = way == Way::update && ref != 0;
    Target to{ref, nullptr, false, update, pass.ripple && way == Way::update, !update || pass.addUnknownFields, pass};
    // Once for the message: a shape with all its fields, so that fields do not grow the node one by one.
    if (ref == 0 || way == Way::replace) {
        if (!addFields(to, in, nullptr)) return;
    }
    to.node = pool_.as<FieldsNode>(ref);
    if (in.hasInfo()) {
        to.node->dictionaryId = in.dictionaryId();
        to.node->listNum = in.fieldListNum();
        to.node->has |= FieldsNode::info;
    }
    applyEntries(to, in);
    // After a message that was cut short in the middle.
    if (to.added) settle(ref);
}

void FieldLists::applyEntries(Target& to, FieldListDecoder& in) noexcept {
    FieldEntry entry;
    for (;;) {
        // Values of up to 8 bytes into slots without rules of their own: found, and copied as 8 bytes.
        auto [rest, left] = in.plain();
        const std::byte* p = rest.data();
        const std::byte* const end = p + rest.size();
        FieldsNode* const node = to.node;
        const Shape& shape = *node->shape;
        // A field that ripples is an ordinary field in a refresh.
        const std::uint32_t special = to.ripple ? 0xFF : 0xFF & ~Slot::ripples;
        const bool noLong = (node->has & FieldsNode::longValues) == 0;
        // 11 bytes: id, length and 8 of the value, which are read whatever the length is.
        while (left != 0 && end - p >= 11) {
            const auto length = eta::loadBe<std::uint8_t>(p + 2);
            if (length > 8) break;
            const Slot* const slot = shape.find(static_cast<std::int16_t>(eta::loadBe<std::uint16_t>(p)));
            if (slot == nullptr) break;
            if (const std::uint32_t flags = slot->flags() & special;
                flags != 0 && (flags != Slot::rmtes || hasEscape(p + 3)))
                break;
            std::byte* const at = slotOf(*node, *slot);
            // A slot whose value lies elsewhere has to give that memory back.
            if (!noLong && *at == std::byte{FieldView::kLong}) break;
            *at = static_cast<std::byte>(length);
            // 8 bytes are written into any slot, which holds 8 at least (capacityOf): one store instead of a loop.
            std::memcpy(at + 1, p + 3, 8);
            p += 3 + length;
            --left;
        }
        // The decoder goes on where the fast part stopped, and has the checks for everything else.
        in.resume(p, left);
        if (!in.next(entry)) break;
        put(to, in, entry);
        if (!to.pass.ok()) return;
    }
    if (!in.error().ok()) to.pass.fail(Applied::malformed);
}

void FieldLists::put(Target& to, const FieldListDecoder& in, const FieldEntry& entry) noexcept {
    const Slot* slot = to.node->shape->find(entry.fieldId);
    if (slot == nullptr) {
        if (!to.addUnknown) return static_cast<void>(++to.pass.counts->unknownFields);
        if (!addFields(to, in, &entry)) return;
        // The shape is another one now.
        slot = to.node->shape->find(entry.fieldId);
    }
    ValueScratch scratch;
    // Images hold standard forms only: set-defined values are expanded (hub.md 6.3).
    const Bytes value = standardForm(entry.setType, entry.data, scratch);
    if (slot->flags() != 0) putSlow(to, *slot, value);
    else store(to, *slot, value);
}

/// Fields that ripple, and those whose values may be updates of what is stored.
void FieldLists::putSlow(Target& to, const Slot& slot, Bytes value) noexcept {
    if ((slot.flags() & Slot::ripples) != 0 && to.ripple) ripple(to, slot);
    if ((slot.flags() & Slot::rmtes) != 0) {
        // A partial RMTES value without a whole one to apply it to: late joiners must not get it.
        if (!values_.wholeRmtes(FieldView{pool_, *to.node}.value(slot), value)) {
            to.pass.current = false;
            return;
        }
        // The dictionary does not know the field, so whether it is text is unknown; it looks like a partial update.
    } else if ((slot.flags() & Slot::untyped) != 0 && value.size() >= 3 && eta::codec::isRmtesPartial(value)) {
        to.pass.current = false;
    }
    store(to, slot, value);
}

/// The stored values of the chain move on by one, the last one first (hub.md 6.3).
void FieldLists::ripple(Target& to, const Slot& slot) noexcept {
    const Shape& shape = *to.node->shape;
    // Ends at 0, at a field that the image does not hold, or after 16 steps (hub.md 6.3).
    const auto slots = shape.slots();
    std::array<std::uint16_t, kMostRipples + 1> chain;
    const auto absent = [&](std::uint16_t i) { return *slotOf(*to.node, slots[i]) == std::byte{FieldView::kAbsent}; };
    int length = 0;
    for (std::uint16_t i = slot.number; i != Shape::kNoSlot && !absent(i) && length <= kMostRipples;
         i = shape.ripplesTo(i))
        chain[static_cast<std::size_t>(length++)] = i;
    // From the tail: each value moves before its place is overwritten.
    for (auto i = static_cast<std::size_t>(std::max(length, 1)) - 1; i > 0; --i) {
        const Slot &from = slots[chain[i - 1]], &into = slots[chain[i]];
        // A chain that runs in a circle.
        if (&from == &into) continue;
        const std::byte* const source = slotOf(*to.node, from);
        std::byte* const target = slotOf(*to.node, into);
        // 9 bytes: the length and a short value, as one copy.
        if (*source <= std::byte{8} && *target != std::byte{FieldView::kLong}) std::memcpy(target, source, 9);
        else store(to, into, FieldView{pool_, *to.node}.value(from));
    }
}

void FieldLists::store(Target& to, const Slot& slot, Bytes value) noexcept {
    FieldsNode& node = *to.node;
    std::byte* const at = slotOf(node, slot);
    const bool wasLong = *at == std::byte{FieldView::kLong};
    // A value in the slot; memmove because a ripple may copy within the node.
    if (value.size() <= node.shape->capacity(slot.number)) [[likely]] {
        if (wasLong) pool_.give(FieldView::longRef(at));
        *at = static_cast<std::byte>(value.size());
        if (!value.empty()) std::memmove(at + 1, value.data(), value.size());
        return;
    }
    // A longer value is in a block of its own, whose reference stands in the slot.
    Ref ref = wasLong ? FieldView::longRef(at) : 0;
    if (!values_.set(ref, value)) return to.pass.fail(Applied::full);
    *at = std::byte{FieldView::kLong};
    std::memcpy(at + 1, &ref, sizeof ref);
    node.has |= FieldsNode::longValues;
}

/// What `first` and the rest of the message have beyond the known fields, into needs_, which begins with the known.
// needed_ marks what is listed already: a message may have a field twice.
void FieldLists::gather(const Shape* known, FieldListDecoder& in, const FieldEntry* first) {
    needs_.clear();
    if (known != nullptr)
        for (const Slot& s : known->slots())
            needs_.push_back({s.id, 0});
    const std::size_t old = needs_.size();
    const auto add = [&](const FieldEntry& e) {
        if (needed_[static_cast<std::uint16_t>(e.fieldId)]) return;
        if (known != nullptr && known->find(e.fieldId) != nullptr) return;
        // Lengths above 64 KiB cannot be on the wire; the minimum is for the cast.
        needs_.push_back({e.fieldId, static_cast<std::uint16_t>(std::min<std::size_t>(e.data.size(), 0xFFFF))});
        needed_.set(static_cast<std::uint16_t>(e.fieldId));
    };
    if (first != nullptr) add(*first);
    FieldEntry entry;
    while (in.next(entry))
        add(entry);
    for (std::size_t i = old; i < needs_.size(); ++i)
        needed_.reset(static_cast<std::uint16_t>(needs_[i].id));
}

/// Gives the list the fields that the rest of the message has and it has not, all at once. They are without value until
/// their turn comes. False when that cannot be done.
bool FieldLists::addFields(Target& to, FieldListDecoder in, const FieldEntry* first) noexcept {
    const bool anew = first == nullptr;  // nothing is kept
    FieldsNode* const old = to.ref != 0 ? pool_.as<FieldsNode>(to.ref) : nullptr;
    try {
        gather(anew ? nullptr : old->shape, in, first);
        // noexcept from here on, so the allocation is caught, and the marks of half a list are wiped.
    } catch (const std::bad_alloc&) {
        needed_.reset();
        return to.pass.fail(Applied::full), false;
    }
    if (needs_.size() >= Shape::kNoSlot) return to.pass.fail(Applied::full), false;
    // Shapes are shared by all items with the same fields in the same order (hub.md 6.4).
    Shape* const shape = shapes_.get(needs_, anew ? nullptr : old->shape);
    if (shape == nullptr) return to.pass.fail(Applied::full), false;
    to.added = true;
    if (to.update) to.pass.counts->unknownFields += needs_.size() - old->shape->slots().size();
    // The same list again, which a source's refresh nearly always is: no new memory.
    if (anew && old != nullptr && old->shape == shape) {  // the same fields: their slots are used again
        shapes_.leave(shape);
        clearLong(*old);
        old->has = 0;
        old->dictionaryId = 1;
        old->listNum = 0;
        for (const Slot& s : shape->slots())
            *slotOf(*old, s) = std::byte{FieldView::kAbsent};
        return true;
    }
    const Ref made = make(shape, anew ? nullptr : old, to.pass);
    if (made == 0) {
        shapes_.leave(shape);
        return to.pass.fail(Applied::full), false;
    }
    if (old != nullptr) {
        const std::uint8_t flags = old->flags;
        // Long values of a list that grows have moved to the new node.
        if (anew) clearLong(*old);  // else they have moved
        shapes_.leave(old->shape);
        pool_.give(to.ref);
        pool_.as<FieldsNode>(made)->flags = flags;
    }
    to.ref = made;
    to.node = pool_.as<FieldsNode>(made);
    return true;
}

/// A node without values, but for those of `from`, whose slots come first.
Ref FieldLists::make(Shape* shape, const FieldsNode* from, Pass& pass) noexcept {
    const Ref ref = pool_.take(shape->nodeBytes());
    if (ref == 0) return 0;
    FieldsNode& node = *new (pool_.at(ref)) FieldsNode;
    if (from != nullptr) node = *from;
    node.kind = Kind::fields;
    node.type = DataType::FieldList;
    node.shape = shape;
    for (const Slot& s : shape->slots())
        *slotOf(node, s) = std::byte{FieldView::kAbsent};
    if (from == nullptr) return ref;
    for (const Slot& s : from->shape->slots()) {
        const std::byte* const source = reinterpret_cast<const std::byte*>(from) + s.offset();
        const Slot& into = shape->slots()[s.number];
        std::byte* const target = slotOf(node, into);
        const auto length = std::to_integer<std::size_t>(*source);
        if (length == FieldView::kLong) {
            std::memcpy(target, source, 1 + sizeof(Ref));
        } else if (length <= shape->capacity(s.number)) {
            std::memcpy(target, source, 1 + length);
        } else if (length != FieldView::kAbsent) {  // the shape was made for shorter values
            Ref value = 0;
            if (!values_.set(value, {source + 1, length})) pass.fail(Applied::full);
            *target = std::byte{value != 0 ? FieldView::kLong : std::uint8_t{0}};
            std::memcpy(target + 1, &value, sizeof value);
            node.has |= FieldsNode::longValues;
        }
    }
    return ref;
}

/// After a message that was cut short: fields whose turn never came are blank.
void FieldLists::settle(Ref ref) noexcept {
    FieldsNode& node = *pool_.as<FieldsNode>(ref);
    for (const Slot& s : node.shape->slots())
        if (std::byte* const at = slotOf(node, s); *at == std::byte{FieldView::kAbsent}) *at = std::byte{0};
}

void FieldLists::clearLong(FieldsNode& node) noexcept {
    if ((node.has & FieldsNode::longValues) == 0) return;
    for (const Slot& s : node.shape->slots()) {
        // Its block goes back before the slot is used for something else.
        std::byte* const at = slotOf(node, s);
        if (*at != std::byte{FieldView::kLong}) continue;
        pool_.give(FieldView::longRef(at));
        *at = std::byte{0};
    }
}

void FieldLists::erase(Ref ref) noexcept {
    FieldsNode& node = *pool_.as<FieldsNode>(ref);
    clearLong(node);
    shapes_.leave(node.shape);
    pool_.give(ref);
}

}  // namespace emissary::hub::cache

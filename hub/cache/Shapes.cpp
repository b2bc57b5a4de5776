// Finds or makes the shape of a set of fields, with a hash that places each field without a collision.
#include "hub/cache/Shapes.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <new>

namespace emissary::hub::cache {
namespace {

/// Slots hold 8 bytes at least, since short values are copied as 8.
// A value that grows a little must not leave its slot, so text has the dictionary's length, within limits.
std::uint8_t capacityOf(const FieldNeed& field, const eta::dictionary::Dictionary* dictionary) noexcept {
    std::size_t room = 8;
    const auto* const known = dictionary != nullptr ? dictionary->find(field.id) : nullptr;
    if (known != nullptr) {
        const bool small = known->type <= DataType::Qos || known->type == DataType::Enum;
        // A small type that the dictionary knows never needs more than 8 bytes.
        if (small && known->type != DataType::Unknown) return 8;
        const bool text = known->type >= DataType::Buffer && known->type <= DataType::RmtesString;
        if (text) room = std::clamp<std::size_t>(known->rwfLength, 8, Shape::kLongestByDictionary);
    }
    // The first value decides for fields that are no text, within kLongestInline.
    if (field.bytes <= Shape::kLongestInline) room = std::max<std::size_t>(room, field.bytes);
    // In steps of 8, so that copies of 8 bytes stay inside a slot.
    return static_cast<std::uint8_t>((room + 7) / 8 * 8);
}

std::uint64_t hashOf(std::span<const FieldNeed> fields) noexcept {
    std::uint64_t h = 0x9E3779B97F4A7C15ull ^ fields.size();
    for (const FieldNeed& f : fields) {
        h = (h ^ static_cast<std::uint16_t>(f.id)) * 0xD6E8FEB86659FD93ull;
        h ^= h >> 32;
    }
    return h;
}

}  // namespace

// A shape that grew keeps the capacities of the old one: values can be copied slot by slot.
Shape::Shape(std::uint64_t hash, std::span<const FieldNeed> fields, const Shape* from,
             const eta::dictionary::Dictionary* dictionary)
    : hash_(hash), slots_(fields.size()), capacities_(fields.size()), ripples_(fields.size(), kNoSlot) {
    std::uint32_t offset = sizeof(FieldsNode);
    for (std::uint16_t i = 0; i < fields.size(); ++i) {
        capacities_[i] =
            from != nullptr && i < from->slots_.size() ? from->capacities_[i] : capacityOf(fields[i], dictionary);
        slots_[i] = {fields[i].id, i, offset << 8};
        offset += 1u + capacities_[i];
        // 3: id and length on the wire.
        maxWire_ += 3u + capacities_[i];
    }
    nodeBytes_ = offset;
    // Three times as many places as fields, and as many again at the end: the search needs no wrap-around.
    const unsigned bits = std::max(2u, static_cast<unsigned>(std::bit_width(slots_.size() * 3)));
    table_.resize((std::size_t{1} << bits) + slots_.size() + 1);
    shift_ = 32 - bits;
    chooseMultiplier();
    follow(dictionary);
}

/// Of a few multipliers the one with the fewest fields out of their place.
void Shape::chooseMultiplier() noexcept {
    std::size_t fewest = slots_.size() + 1;
    std::uint32_t best = 1, candidate = 0x9E3779B1u;
    // Each trial places all fields, so shapes of many fields get few.
    const int tries = slots_.size() <= 256 ? 32 : 2;
    for (int i = 0; i < tries && fewest != 0; ++i, candidate = candidate * 0x2C1B3C6Du + 0x297A2D3Au) {
        multiplier_ = candidate | 1;
        std::fill(table_.begin(), table_.end(), Slot{});
        std::size_t displaced = 0;
        for (const Slot& s : slots_) {
            place(s);
            if (table_[(static_cast<std::uint16_t>(s.id) * multiplier_) >> shift_].id != s.id) ++displaced;
        }
        if (displaced < fewest) fewest = displaced, best = multiplier_;
    }
    multiplier_ = best;
}

void Shape::place(const Slot& slot) noexcept {
    std::uint32_t i = (static_cast<std::uint16_t>(slot.id) * multiplier_) >> shift_;
    // Linear search from the hashed place; the end of the table stands for the wrap-around.
    while (table_[i].place != 0 && table_[i].id != slot.id)
        ++i;
    table_[i] = slot;
}

void Shape::follow(const eta::dictionary::Dictionary* dictionary) noexcept {
    std::fill(table_.begin(), table_.end(), Slot{});
    for (const Slot& s : slots_)
        place(s);
    std::fill(ripples_.begin(), ripples_.end(), kNoSlot);
    for (Slot& s : slots_) {
        std::uint32_t flags = 0;
        // Types and ripples come from the dictionary, and change when another one is loaded.
        const auto* const known = dictionary != nullptr ? dictionary->find(s.id) : nullptr;
        if (known == nullptr) flags = Slot::untyped;
        else {
            if (known->type == DataType::RmtesString) flags |= Slot::rmtes;
            const Slot* const to = known->rippleTo != 0 ? find(known->rippleTo) : nullptr;
            if (to != nullptr) {
                flags |= Slot::ripples;
                ripples_[s.number] = to->number;
            }
        }
        // The place has the flags in its low byte, so that the fast way reads both at once.
        s.place = s.offset() << 8 | flags;
    }
    for (const Slot& s : slots_)
        place(s);
}

std::size_t Shape::memory() const noexcept {
    constexpr std::size_t aside = 128;  // of the heap and of the table of shapes
    return sizeof(Shape) + aside + (table_.size() + slots_.size()) * sizeof(Slot) + slots_.size() * 3;
}

bool Shape::is(std::span<const FieldNeed> fields) const noexcept {
    return std::equal(fields.begin(), fields.end(), slots_.begin(), slots_.end(),
                      [](const FieldNeed& f, const Slot& s) { return f.id == s.id; });
}

Shapes::~Shapes() {
    for (auto& [hash, first] : byHash_)
        for (const Shape* s = first; s != nullptr;)
            delete std::exchange(s, s->next);
}

Shape* Shapes::get(std::span<const FieldNeed> fields, const Shape* from) noexcept {
    const std::uint64_t hash = hashOf(fields);
    try {
        Shape*& first = byHash_[hash];
        // The list behind one hash value: shapes with the same hash are compared field by field.
        for (Shape* s = first; s != nullptr; s = s->next)
            if (s->is(fields)) {
                if (s->users++ == 0) --unused_;
                return s;
            }
        std::unique_ptr<Shape> made(new Shape(hash, fields, from, dictionary_));
        // Shapes count as memory of the service.
        if (!pool_.charge(made->memory())) {
            if (first == nullptr) byHash_.erase(hash);
            return nullptr;
        }
        ++counts_.shapes;
        made->users = 1;
        made->next = first;
        return first = made.release();
    } catch (const std::bad_alloc&) { return nullptr; }
}

void Shapes::leave(Shape* shape) noexcept {
    if (--shape->users != 0) return;
    // A few are kept for images that are made anew all the time.
    // Shapes that nobody uses are kept while images come and go; many unused ones are swept at once.
    if (++unused_ > 64 + counts_.shapes.get() / 4) sweep();
}

void Shapes::sweep() noexcept {
    for (auto it = byHash_.begin(); it != byHash_.end();) {
        for (Shape** at = &it->second; *at != nullptr;) {
            Shape* const s = *at;
            if (s->users != 0) {
                at = &s->next;
                continue;
            }
            *at = s->next;
            pool_.discharge(s->memory());
            --unused_;
            counts_.shapes -= 1;
            delete s;
        }
        it = it->second == nullptr ? byHash_.erase(it) : std::next(it);
    }
}

void Shapes::setDictionary(const eta::dictionary::Dictionary* dictionary) noexcept {
    // Slots point nowhere into the dictionary, so the old one may go.
    dictionary_ = dictionary;
    for (auto& [hash, first] : byHash_)
        for (Shape* s = first; s != nullptr; s = s->next)
            s->follow(dictionary);
}

}  // namespace emissary::hub::cache

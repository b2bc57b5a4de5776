// Fields by the names of members.
#pragma once

#include "eta/dictionary/Dictionary.h"
#include "json/EncodeScratch.h"
#include "json/digits.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>

namespace emissary::eta::json {

/// The fields of one message, guessed by their places in it.
class FieldOrder {
public:
    FieldOrder(const dictionary::Dictionary& dictionary, EncodeScratch::Order& ids) noexcept
        : dictionary_(dictionary), ids_(ids) {}

    /// The field of the next place, when it has the `n` characters at `member`, `"BID":`; else null. The text has
    /// kDigitRoom bytes behind it.
    [[nodiscard]] const dictionary::FieldDefinition* guess(const char* member, std::size_t n) noexcept {
        at_ = (at_ + 1) % ids_.size();
        const dictionary::FieldDefinition* const field = dictionary_.find(ids_[at_]);
        if (field == nullptr || field->jsonMember.size() != n || !equal(field->jsonMember.data(), member, n))
            [[unlikely]]
            return nullptr;
        return field;
    }
    /// What guess() did not know.
    void learn(std::int16_t id) noexcept { ids_[at_] = id; }

private:
    /// 32 bytes may be read at both places (FieldDefinition::jsonMember).
    [[nodiscard]] static bool equal(const char* a, const char* b, std::size_t n) noexcept {
        return n <= kLongestDigits ? equalBegin(a, b, n) : std::memcmp(a, b, n) == 0;
    }

    const dictionary::Dictionary& dictionary_;
    EncodeScratch::Order& ids_;
    std::size_t at_ = 0;
};

/// Looks acronyms, and ids in digits, up in a dictionary.
class FieldNames {
public:
    FieldNames(const dictionary::Dictionary* dictionary, EncodeScratch& scratch) noexcept
        : dictionary_(dictionary), scratch_(scratch) {}

    [[nodiscard]] bool any() const noexcept { return dictionary_ != nullptr; }
    /// Null for a name that the dictionary has not. Only with any().
    [[nodiscard]] const dictionary::FieldDefinition* find(std::string_view name) const noexcept;
    /// The same for the member behind field `before` (0: the first one).
    [[nodiscard]] const dictionary::FieldDefinition* next(std::string_view name, std::int16_t before) noexcept;
    /// The order of a message whose first member has `length` characters at `name`, with its quotes, among that many
    /// tokens: quotes and trades differ in one or the other. Only with any().
    [[nodiscard]] FieldOrder order(const char* name, std::size_t length, std::ptrdiff_t tokens) noexcept {
        const std::uint64_t word = detail::eightCharacters(name) << 8 * (8 - std::min<std::size_t>(length, 8));
        constexpr std::uint64_t kSpread = 0x9E37'79B9'7F4A'7C15;
        return {*dictionary_, scratch_.orders[(word + static_cast<std::uint64_t>(tokens)) * kSpread >> 60]};
    }

private:
    const dictionary::Dictionary* dictionary_;
    EncodeScratch& scratch_;
};

}  // namespace emissary::eta::json

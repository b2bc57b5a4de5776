// Fields by the names of members.
#pragma once

#include "eta/dictionary/Dictionary.h"
#include "json/EncodeScratch.h"

#include <string_view>

namespace emissary::eta::json {

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

private:
    const dictionary::Dictionary* dictionary_;
    EncodeScratch& scratch_;
};

}  // namespace emissary::eta::json

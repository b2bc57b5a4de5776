// Finds a field by its acronym or by its number in digits; those that came after the same field lately are tried first.
#include "json/FieldNames.h"

#include "eta/core/copy_short.h"
#include "json/text_values.h"

namespace emissary::eta::json {

const dictionary::FieldDefinition* FieldNames::find(std::string_view name) const noexcept {
    if (const auto* field = dictionary_->find(name); field != nullptr) return field;
    const std::string_view digits = name.substr(name.starts_with('-') ? 1 : 0);
    constexpr std::size_t kLongestId = 5;
    if (digits.empty() || digits.size() > kLongestId) return nullptr;
    for (const char c : digits)
        if (c < '0' || c > '9') return nullptr;
    std::int64_t id = 0;
    if (readInt(name, id) != Decoded::value || id != static_cast<std::int16_t>(id)) return nullptr;
    return dictionary_->find(static_cast<std::int16_t>(id));
}

const dictionary::FieldDefinition* FieldNames::next(std::string_view name, std::int16_t before) noexcept {
    auto& guesses = scratch_.fieldsAfter[static_cast<std::uint16_t>(before) % scratch_.fieldsAfter.size()];
    for (const std::int16_t guess : guesses)
        if (const auto* field = dictionary_->find(guess); field != nullptr && equalShort(field->acronym, name))
            [[likely]]
            return field;
    const dictionary::FieldDefinition* const found = find(name);
    if (found != nullptr) guesses = {found->fieldId, guesses[0]};
    return found;
}

}  // namespace emissary::eta::json

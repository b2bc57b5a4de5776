// What a dictionary holds: the set of fields and the set of enumerated types. Each is built on the side and put in
// place when it is complete and consistent, so a failed load leaves no trace.
#pragma once

#include "dictionary/Arena.h"
#include "eta/dictionary/Dictionary.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::eta::dictionary {

/// Field ids reach from -32768 to 32767; a slot for each.
inline constexpr std::size_t kIdSlots = 65536;
[[nodiscard]] inline std::size_t slotOf(std::int16_t fieldId) noexcept {
    return static_cast<std::uint16_t>(fieldId);
}

/// Field definitions, found by id and by name.
class FieldSet {
public:
    FieldSet() = default;
    FieldSet(const FieldSet& other);
    FieldSet& operator=(const FieldSet&) = delete;

    [[nodiscard]] FieldDefinition* find(std::int16_t id) const noexcept {
        return byId_ ? byId_.get()[slotOf(id)] : nullptr;
    }
    [[nodiscard]] FieldDefinition* find(std::string_view acronym) const noexcept {
        const auto it = byName_.find(acronym);
        return it == byName_.end() ? nullptr : it->second;
    }
    /// Copies the definition and its strings. The id must be new; an acronym that several fields have is that of the
    /// lowest id, whatever order they came in.
    FieldDefinition* add(const FieldDefinition& definition);
    /// Remembers the first few oddities that are accepted all the same.
    void warn(std::string text);
    void reserve(std::size_t fields);
    /// To be called after add() and before the set is used.
    void sort();

    [[nodiscard]] const std::vector<const FieldDefinition*>& inOrder() const noexcept { return inOrder_; }
    [[nodiscard]] const FieldDefinition* const* slots() const noexcept { return byId_.get(); }
    [[nodiscard]] const codec::DataType* types() const noexcept { return types_.get(); }

    Tags tags;
    std::optional<std::int32_t> dictionaryId;  ///< as stated, if stated
    std::vector<std::string> warnings;

private:
    struct Free {
        void operator()(void* p) const noexcept { std::free(p); }
    };
    Arena arena_;
    // From calloc: only the pages in use become resident.
    std::unique_ptr<FieldDefinition*, Free> byId_;
    std::unique_ptr<codec::DataType, Free> types_;
    boost::unordered_flat_map<std::string_view, FieldDefinition*> byName_;
    std::vector<const FieldDefinition*> inOrder_;
};

/// Enumerated types and the fields that refer to them.
class EnumSet {
public:
    struct Reference {
        EnumTable* table = nullptr;
        std::string_view acronym;  ///< empty when it came over the wire
    };

    EnumSet() = default;
    EnumSet(const EnumSet& other);
    EnumSet& operator=(const EnumSet&) = delete;

    [[nodiscard]] const Reference* find(std::int16_t id) const noexcept {
        const auto it = byField_.find(id);
        return it == byField_.end() ? nullptr : &it->second;
    }
    /// Copies the strings. `acronyms` has one for each field or is empty. No field may have a table yet.
    void add(std::vector<EnumValue> values, std::vector<std::int16_t> fields,
             const std::vector<std::string_view>& acronyms);

    [[nodiscard]] const std::vector<const EnumTable*>& inOrder() const noexcept { return inOrder_; }

    Tags tags;
    std::optional<std::int32_t> dictionaryId;

private:
    Arena arena_;
    std::vector<std::unique_ptr<EnumTable>> tables_;
    std::vector<const EnumTable*> inOrder_;
    boost::unordered_flat_map<std::int16_t, Reference> byField_;
};

struct Dictionary::Store {
    std::unique_ptr<FieldSet> fields;  ///< null: none loaded
    std::unique_ptr<EnumSet> enums;

    /// Put in place what has been checked to fit, and tie fields to tables.
    void install(std::unique_ptr<FieldSet> next);
    void install(std::unique_ptr<EnumSet> next);
    void attach() noexcept;
};

/// Whether two stated dictionary ids may be used together: 0 and "not stated" go with all.
[[nodiscard]] inline bool idsAgree(std::optional<std::int32_t> a, std::optional<std::int32_t> b) noexcept {
    return a.value_or(0) == 0 || b.value_or(0) == 0 || *a == *b;
}

/// Parse a file's text into an empty set. `others` are what the dictionary holds of the other kind, or null.
[[nodiscard]] Refused parseFieldFile(std::string_view text, std::string_view name, const EnumSet* others,
                                     FieldSet& out);
[[nodiscard]] Refused parseEnumFile(std::string_view text, std::string_view name, const FieldSet* others, EnumSet& out);

/// Reads a whole file; the error names it and says what to do.
[[nodiscard]] Refused readFile(const std::string& path, std::string_view what, std::string& out);

}  // namespace emissary::eta::dictionary

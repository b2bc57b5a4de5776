// config/schema: what a configuration may say: a table of parameters, and where they stand in the document. Reader,
// clamping, warnings and the reference page come from one such table, so they cannot drift apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace emissary::parameters {

/// Where a parameter may stand. A bit mask, because similar sections share most of theirs.
using SectionMask = std::uint32_t;

/// Sections that every product has. The bits above `ownSections` are the product's own.
namespace Section {
inline constexpr SectionMask channel = 8, server = 16, logger = 32, dictionary = 64, directory = 128, service = 256,
                             serviceInfo = 512, serviceState = 1024, serviceStatus = 2048, serviceLoad = 4096,
                             qosEntry = 8192;
}  // namespace Section

enum class Kind : std::uint8_t { text, list, unsignedInteger, integer, boolean, real, enumeration };

struct EnumName {
    const char* name;
    std::int64_t value;
};

/// Values written Type::Name in the file and as the number in programmatic configuration.
struct EnumType {
    const char* name;
    std::span<const EnumName> values;
};

/// How a number below the minimum is treated. Above the maximum it is always clamped.
enum class Below : std::uint8_t { raise, useDefault };

struct Parameter {
    SectionMask sections;
    const char* name;
    Kind kind;
    const char* defaultText;  ///< as shown to people; "" = none
    const char* unit;         ///< "ms", "s", "bytes" ...; "" = a plain number or text
    const char* meaning;
    std::int64_t minimum = 0;
    std::int64_t maximum = 4294967295;
    Below below = Below::raise;
    const EnumType* enums = nullptr;
    const char* idleBecause =
        nullptr;         ///< why it is read and checked, and then without effect; null: it has its effect
    bool moved = false;  ///< old location: still read, with a warning that it moved to the instance section
};

/// A value as a person would write it: the word of an enumeration, a number, a text.
[[nodiscard]] std::string shownValue(const Parameter& p, std::int64_t number, std::string_view text);
/// Whether these are the default's number or text.
[[nodiscard]] bool isDefault(const Parameter& p, std::int64_t number, std::string_view text);

/// The word for a section in texts: "Consumer", "InfoFilter".
struct SectionTitle {
    SectionMask section;
    const char* name;
};

/// Where named entries stand in a document: group, list and entry element names.
struct EntryGroup {
    const char* group;
    const char* list;
    const char* entry;
    const char* defaultElement;  ///< element of the group that names one of its entries; "" = none
    SectionMask section;
    std::span<const char* const> nested =
        {};  ///< elements of an entry that are kept as they are, for a reader of its own
};

/// An element directly under the root whose children are parameters: one without a name.
struct SingleGroup {
    const char* element;
    SectionMask section;
};

/// The configuration of one product.
struct Schema {
    const char* root;          ///< root element: "EmaConfig"
    const char* fileName;      ///< looked for in a folder: "EmaConfig.xml"
    const char* fileVariable;  ///< environment variable that names the file
    std::span<const Parameter> parameters;
    std::span<const SectionTitle> titles;
    std::span<const EntryGroup> groups;
    std::span<const SingleGroup> singles;
    bool plainWords = false;  ///< words of an enumeration may stand without its type
    /// Faults of a document refuse it: what stands twice, or where nothing reads it, is an error.
    bool strict = false;
    /// The word of a parameter for the column `Reload` of the reference page; null: the page has no such column.
    const char* (*reload)(SectionMask section, std::string_view parameter) = nullptr;

    /// Null when no such parameter stands in that section.
    [[nodiscard]] const Parameter* find(SectionMask section, std::string_view name) const noexcept;
    /// "Consumer", "Channel", "InfoFilter" ... for texts; the root's name for what is none.
    [[nodiscard]] const char* title(SectionMask section) const noexcept;
    /// The tables of the reference page in Markdown, section by section.
    [[nodiscard]] std::string tablesAsMarkdown() const;
};

// --- short forms that keep one parameter of a table on one line

inline constexpr std::int64_t kInt32Max = 2147483647, kUInt16Max = 65535, kUInt32Max = 4294967295,
                              kInt64Max = 9223372036854775807;

/// A default that stands in code already, as text.
struct Digits {
    char text[24] = {};
    constexpr explicit Digits(std::int64_t value) {
        char reversed[24] = {};
        std::size_t n = 0, at = 0;
        std::uint64_t rest = value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
        do
            reversed[n++] = static_cast<char>('0' + rest % 10);
        while ((rest /= 10) != 0);
        if (value < 0) text[at++] = '-';
        while (n != 0)
            text[at++] = reversed[--n];
    }
};

namespace rows {
constexpr Parameter text(SectionMask s, const char* n, const char* d, const char* m) {
    return {s, n, Kind::text, d, "", m};
}
constexpr Parameter list(SectionMask s, const char* n, const char* m) {
    return {s, n, Kind::list, "", "", m};
}
constexpr Parameter number(SectionMask s, const char* n, const char* d, const char* u, const char* m,
                           std::int64_t lo = 0, std::int64_t hi = kUInt32Max, Below b = Below::raise) {
    return {s, n, Kind::unsignedInteger, d, u, m, lo, hi, b};
}
constexpr Parameter whole(SectionMask s, const char* n, const char* d, const char* u, const char* m,
                          std::int64_t lo = -kInt64Max, std::int64_t hi = kInt64Max, Below b = Below::raise) {
    return {s, n, Kind::integer, d, u, m, lo, hi, b};
}
constexpr Parameter flag(SectionMask s, const char* n, const char* d, const char* m) {
    return {s, n, Kind::boolean, d, "", m};
}
constexpr Parameter choice(SectionMask s, const char* n, const char* d, const EnumType& t, const char* m) {
    return {s, n, Kind::enumeration, d, "", m, 0, kUInt32Max, Below::raise, &t};
}
constexpr Parameter real(SectionMask s, const char* n, const char* d, const char* m) {
    return {s, n, Kind::real, d, "", m};
}
/// `because` ends the parameter's line of the reference page.
constexpr Parameter idle(const char* because, Parameter p) {
    p.idleBecause = because;
    return p;
}
constexpr Parameter moved(Parameter p) {
    p.moved = true;
    return p;
}
}  // namespace rows

}  // namespace emissary::parameters

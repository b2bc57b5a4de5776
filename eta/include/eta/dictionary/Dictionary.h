// Field and enumerated-type dictionaries: from file, to and from the wire (rwf.md section 5).
#pragma once

#include "eta/codec/Types.h"
#include "eta/core/Refused.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::eta::dictionary {

/// Element verbosity of dictionary refreshes (rwf.md 5.3).
namespace Verbosity {
inline constexpr std::uint32_t info = 0x00, minimal = 0x03, normal = 0x07, verbose = 0x0F;
}

/// One value of an enumerated type. The strings live as long as the dictionary.
struct EnumValue {
    std::uint16_t value = 0;
    std::string_view display;  ///< raw bytes, RMTES where the file gave #HEX#
    std::string_view meaning;
    /// The display as JSON, with quotes; empty when it is no printable ASCII. 32 bytes may be read from its start.
    std::string_view json{};
};

/// One table, shared by the fields that refer to it. Values are in file order; find() is O(1). Immutable once made.
class EnumTable {
public:
    /// Takes the values and ids over; the strings stay where they are. No value may occur twice.
    EnumTable(std::vector<EnumValue> values, std::vector<std::int16_t> fields);
    EnumTable(const EnumTable&) = delete;
    EnumTable& operator=(const EnumTable&) = delete;

    /// In the order of the file.
    [[nodiscard]] const std::vector<EnumValue>& values() const noexcept { return values_; }
    /// Ids of the fields that refer to the table.
    [[nodiscard]] const std::vector<std::int16_t>& fields() const noexcept { return fields_; }
    /// The value of this number; null when the table has none.
    [[nodiscard]] const EnumValue* find(std::uint16_t value) const noexcept {
        for (std::uint32_t at = slotOf(value);; at = (at + 1) & mask_) {
            const std::uint32_t position = index_[at];
            if (position == 0) return nullptr;
            if (values_[position - 1].value == value) return &values_[position - 1];
        }
    }

private:
    [[nodiscard]] std::uint32_t slotOf(std::uint16_t value) const noexcept { return value & mask_; }

    std::vector<EnumValue> values_;
    std::vector<std::int16_t> fields_;
    std::vector<std::uint32_t> index_;  // open addressing, at most half full: position + 1, 0 = free
    std::uint32_t mask_ = 0;
};

/// One field. Strings live as long as the dictionary.
struct FieldDefinition {
    std::string_view acronym, longName;
    std::int16_t fieldId = 0, rippleTo = 0;
    std::int8_t fieldType = -1;  ///< file's FIELD-TYPE number (rwf.md 5.1)
    codec::DataType type = codec::DataType::Unknown;
    std::uint16_t length = 0, rwfLength = 0;
    std::uint8_t enumLength = 0;
    const EnumTable* enums = nullptr;
    std::string_view jsonMember{};  ///< `"BID":`, escaped, a comma before it; 32 bytes may be read from its start
};

/// What a dictionary says of itself: the tags of its file, or of the summary of its refresh.
struct Tags {
    std::string version, rtVersion, dtVersion, filename, description, build, date;
    std::int32_t dictionaryId = 1;
};

/// Loaded dictionaries: fields and enumerated types, each from a file or from the wire, in either order.
///
/// Not modified while others read it: load first, then share (read-only use is thread safe). Copyable (deep). A load
/// that succeeds replaces what was there of its kind; one that fails leaves everything as it was.
/// Held by shared_ptr where several sessions use it; then weak_from_this() leads back to the owner.
class Dictionary : public std::enable_shared_from_this<Dictionary> {
public:
    Dictionary();  ///< empty
    ~Dictionary();
    Dictionary(const Dictionary&);                 ///< deep copy
    Dictionary& operator=(const Dictionary&);      ///< deep copy; references into the old content become invalid
    Dictionary(Dictionary&&) noexcept;             ///< takes the content over; the other becomes empty
    Dictionary& operator=(Dictionary&&) noexcept;  ///< takes the content over; the other becomes empty

    /// Parses RDMFieldDictionary text; on failure nothing of it is kept and the text names file, line, word and remedy.
    [[nodiscard]] Refused loadFields(const std::string& path);
    [[nodiscard]] Refused loadEnums(const std::string& path);  ///< parses enumtype.def text, likewise
    /// Parses text in memory; `name` stands in for the path in error texts.
    [[nodiscard]] Refused parseFields(std::string_view text, std::string_view name);
    /// Parses text in memory, likewise.
    [[nodiscard]] Refused parseEnums(std::string_view text, std::string_view name);

    /// Null when unknown; O(1), no allocation.
    [[nodiscard]] const FieldDefinition* find(std::int16_t fieldId) const noexcept {
        return byId_[static_cast<std::uint16_t>(fieldId)];
    }
    /// The field's type; Unknown without a definition.
    [[nodiscard]] codec::DataType typeOf(std::int16_t fieldId) const noexcept {
        return types_[static_cast<std::uint16_t>(fieldId)];
    }
    /// The same for all fields, by the id as an unsigned number; valid until the dictionary changes.
    [[nodiscard]] const codec::DataType* types() const noexcept { return types_; }
    /// The definitions of all fields likewise; null where there is none.
    [[nodiscard]] const FieldDefinition* const* definitions() const noexcept { return byId_; }
    /// By acronym, case sensitive; null when unknown. Of two fields with one acronym the lower id.
    [[nodiscard]] const FieldDefinition* find(std::string_view acronym) const noexcept;
    /// Fields in ascending id order.
    [[nodiscard]] const std::vector<const FieldDefinition*>& fields() const noexcept;
    /// Tables in the order of the file or of arrival.
    [[nodiscard]] const std::vector<const EnumTable*>& enumTables() const noexcept;
    [[nodiscard]] bool hasFields() const noexcept;  ///< true once fields were loaded or received
    [[nodiscard]] bool hasEnums() const noexcept;   ///< true once tables were loaded or received
    /// 0 without fields.
    [[nodiscard]] std::int16_t minFieldId() const noexcept;
    [[nodiscard]] std::int16_t maxFieldId() const noexcept;  ///< 0 without fields
    [[nodiscard]] const Tags& fieldTags() const noexcept;    ///< what the field dictionary says of itself
    [[nodiscard]] const Tags& enumTags() const noexcept;     ///< what the enumerated types say of themselves
    /// Oddities of the loaded fields that were accepted (two fields with one acronym, for example); for a log. At most
    /// 21.
    [[nodiscard]] const std::vector<std::string>& warnings() const noexcept;
    void clear();  ///< forgets everything; references into it become invalid

    /// Where a multi-part encoding stands. Start with a default one; done() after the last part.
    struct Part {
        std::uint32_t next = 0;  ///< index of the next field / enum table
        bool finished = false;
    };
    /// Writes one Series payload holding as many rows as fit in `budget` bytes (at least one); advances `part`. Failure
    /// (noSpace; outOfRange for a table too large for one row; usage when nothing is loaded or after the last part)
    /// leaves `part` as it was.
    [[nodiscard]] Error encodeFields(BeWriter& out, std::uint32_t verbosity, std::size_t budget,
                                     Part& part) const noexcept;
    /// The same for the enumerated types.
    [[nodiscard]] Error encodeEnums(BeWriter& out, std::uint32_t verbosity, std::size_t budget,
                                    Part& part) const noexcept;
    /// Adds one received Series payload; call it for every part, then the dictionary is usable. Rows of a part with
    /// summary data (a first part) replace what was there of their kind; other parts add, and may repeat but not
    /// contradict what is there. A part that is refused changes nothing.
    [[nodiscard]] Refused decodeFields(Bytes series);
    [[nodiscard]] Refused decodeEnums(Bytes series);  ///< the same for the enumerated types
    /// 1 field definitions, 2 enum tables, 0 when the payload has no summary with a Type.
    [[nodiscard]] static std::uint32_t typeOf(Bytes series) noexcept;

private:
    struct Store;
    void indexChanged() noexcept;
    std::unique_ptr<Store> store_;        // null: empty
    const FieldDefinition* const* byId_;  // 65536 slots in the store, or the shared empty ones
    const codec::DataType* types_;        // likewise; what decoding looks up for every field
};

}  // namespace emissary::eta::dictionary

// eta/codec: container decoders: cursors over bytes owned by someone else. start() checks the header, next() one entry
// at a time; nothing is allocated, every length is checked against its own container (rwf.md section 3).
//
//   FieldListDecoder list;
//   if (Error e = list.start(bytes); !e.ok()) ...
//   FieldEntry entry;
//   while (list.next(entry)) use(entry);
//   if (!list.error().ok()) ...            // ended early: the entries seen so far were good
#pragma once

#include "eta/codec/SetDefinitions.h"
#include "eta/codec/Types.h"

#include <optional>

namespace emissary::eta::codec {

namespace detail {
/// Where a list decoder stands in its set data. Kept apart and optional: most lists have no set data, and clearing it
/// for each list would cost more than decoding an entry.
struct SetPart {
    BeReader data;
    SetDefinition::Cursor definition;
};
}  // namespace detail

/// One field; its type is in the dictionary, or in the set definition.
struct FieldEntry {
    std::int16_t fieldId = 0;
    DataType setType =
        DataType::Unknown;  ///< Unknown in standard data (the dictionary knows); 64..84 or base in set data
    Bytes data;             ///< content without prefix
};

/// Cursor over a field list (rwf.md 3.2).
class FieldListDecoder {
public:
    /// `sets` are the enclosing container's definitions or null. Length 0 is an empty list.
    [[nodiscard]] Error start(Bytes in, const SetDefinitionDb* sets = nullptr) noexcept;
    /// Set data first, then standard data; false at the end or on error.
    [[nodiscard]] bool next(FieldEntry& out) noexcept;
    [[nodiscard]] Error error() const noexcept { return error_; }  ///< why next() ended early; ok at the ordinary end
    /// Whether the header has the optional numbers.
    [[nodiscard]] bool hasInfo() const noexcept { return (flags_ & 0x01) != 0; }
    [[nodiscard]] std::int16_t dictionaryId() const noexcept { return dictionaryId_; }  ///< 1 without info
    [[nodiscard]] std::int16_t fieldListNum() const noexcept { return fieldListNum_; }  ///< 0 without info
    [[nodiscard]] std::uint8_t flags() const noexcept { return flags_; }  ///< flag bits of the header, as received
    /// Definition of the set data; 0 when it is not named.
    [[nodiscard]] std::uint16_t setId() const noexcept { return setId_; }
    [[nodiscard]] std::uint16_t standardCount() const noexcept { return standardCount_; }  ///< entries of standard data
    [[nodiscard]] bool setSkipped() const noexcept { return setSkipped_; }  ///< set data without a known definition

    /// For readers that step through standard data by themselves: where it goes on and how many entries are left; none
    /// while there is set data to come.
    struct Plain {
        Bytes rest;
        std::uint16_t left = 0;
    };
    /// Where stepping through standard data goes on.
    [[nodiscard]] Plain plain() const noexcept { return {{standard_.position(), standard_.remaining()}, left_}; }
    /// Goes on at a position reached from the one that plain() gave, with `left` entries left.
    void resume(const std::byte* position, std::uint16_t left) noexcept {
        standard_.advance(static_cast<std::size_t>(position - standard_.position()));
        left_ = left;
    }

private:
    [[nodiscard]] bool nextSet(FieldEntry& out) noexcept;
    [[nodiscard]] bool nextOther(FieldEntry& out) noexcept;  // set data, long content, the end
    void fail(Errc code) noexcept;
    BeReader standard_;
    std::optional<detail::SetPart> set_;  // while there is set data to come
    Error error_;
    std::uint16_t left_ = 0, setId_ = 0, standardCount_ = 0;
    std::int16_t dictionaryId_ = 1, fieldListNum_ = 0;
    std::uint8_t flags_ = 0;
    bool setSkipped_ = false;
};

inline bool FieldListDecoder::next(FieldEntry& out) noexcept {
    // A standard entry with a one-byte length: fid u16, length u8, content; one check of what is left for all three.
    // While there is set data left_ is 0, so the usual list pays nothing for it.
    const std::size_t rest = standard_.remaining();
    if (left_ != 0 && rest >= 3) [[likely]] {
        const std::byte* p = standard_.position();
        const std::size_t length = loadBe<std::uint8_t>(p + 2);
        if (length < 0xFE && length <= rest - 3) [[likely]] {
            --left_;
            standard_.advance(3 + length);
            out.fieldId = static_cast<std::int16_t>(loadBe<std::uint16_t>(p));
            out.setType = DataType::Unknown;
            out.data = {p + 3, length};
            return true;
        }
    }
    return nextOther(out);
}

/// One element.
struct ElementEntry {
    Bytes name;
    DataType type = DataType::NoData;      ///< base type
    DataType setType = DataType::Unknown;  ///< 64..84 or base when the entry came from set data
    Bytes data;
};

/// Cursor over an element list (rwf.md 3.3).
class ElementListDecoder {
public:
    /// `sets` are the enclosing container's definitions or null. Length 0 is an empty list.
    [[nodiscard]] Error start(Bytes in, const SetDefinitionDb* sets = nullptr) noexcept;
    /// Set data first, then standard data; false at the end or on error.
    [[nodiscard]] bool next(ElementEntry& out) noexcept;
    [[nodiscard]] Error error() const noexcept { return error_; }  ///< why next() ended early; ok at the ordinary end
    /// Whether the header has the optional numbers.
    [[nodiscard]] bool hasInfo() const noexcept { return (flags_ & 0x01) != 0; }
    [[nodiscard]] std::int16_t elementListNum() const noexcept { return elementListNum_; }  ///< 0 without info
    [[nodiscard]] std::uint8_t flags() const noexcept { return flags_; }  ///< flag bits of the header, as received
    /// Definition of the set data; 0 when it is not named.
    [[nodiscard]] std::uint16_t setId() const noexcept { return setId_; }
    [[nodiscard]] std::uint16_t standardCount() const noexcept { return standardCount_; }  ///< entries of standard data
    [[nodiscard]] bool setSkipped() const noexcept { return setSkipped_; }  ///< set data without a known definition

private:
    [[nodiscard]] bool nextSet(ElementEntry& out) noexcept;
    void fail(Errc code) noexcept;
    BeReader standard_;
    std::optional<detail::SetPart> set_;  // while there is set data to come
    Error error_;
    std::uint16_t left_ = 0, setId_ = 0, standardCount_ = 0;
    std::int16_t elementListNum_ = 0;
    std::uint8_t flags_ = 0;
    bool setSkipped_ = false;
};

/// One entry of a map; `key` is the key's content.
struct MapEntry {
    std::uint8_t action = 0;
    bool hasPermData = false;
    Bytes permData, key;
    Bytes data;  ///< empty for Delete and for NoData entries
};

/// What Map, Vector and Series share: entry type, definitions, summary, hint.
class EntryContainerDecoder {
public:
    [[nodiscard]] Error error() const noexcept { return error_; }  ///< why next() ended early; ok at the ordinary end
    [[nodiscard]] std::uint8_t flags() const noexcept { return flags_; }  ///< flag bits of the header, as received
    /// Type of all payloads (filter list: of those that name none).
    [[nodiscard]] DataType entryType() const noexcept { return entryType_; }
    [[nodiscard]] std::uint16_t count() const noexcept { return count_; }       ///< entries that the header announces
    [[nodiscard]] bool hasSummary() const noexcept { return hasSummary_; }      ///< whether there is summary data
    [[nodiscard]] Bytes summary() const noexcept { return summary_; }           ///< its content, of entryType()
    [[nodiscard]] bool hasTotalCountHint() const noexcept { return hasHint_; }  ///< whether the hint is there
    /// Expected entries over all messages; 0 without hint.
    [[nodiscard]] std::uint32_t totalCountHint() const noexcept { return hint_; }
    [[nodiscard]] bool hasSetDefs() const noexcept { return sets_.has_value(); }  ///< whether there are set definitions
    [[nodiscard]] Bytes setDefs() const noexcept { return setBytes_; }            ///< their bytes
    /// For the decoders of this container's summary and entries, while this decoder lives; null when it carries none.
    [[nodiscard]] const SetDefinitionDb* sets() const noexcept { return sets_ ? &*sets_ : nullptr; }

protected:
    void reset() noexcept;
    [[nodiscard]] Error readSetDefs() noexcept;
    [[nodiscard]] Error readHead(std::uint8_t hintFlag) noexcept;  // definitions, summary, hint and count
    void fail(Errc code) noexcept;
    BeReader in_;
    std::optional<SetDefinitionDb> sets_;
    Bytes summary_, setBytes_;
    Error error_;
    std::uint32_t hint_ = 0;
    std::uint16_t count_ = 0, left_ = 0;
    DataType entryType_ = DataType::NoData;
    std::uint8_t flags_ = 0;
    bool hasSummary_ = false, hasHint_ = false;
};

/// Cursor over a map (rwf.md 3.4).
class MapDecoder : public EntryContainerDecoder {
public:
    /// Checks the header; a failure is latched. The content is borrowed while the decoder is used.
    [[nodiscard]] Error start(Bytes in) noexcept;
    [[nodiscard]] bool next(MapEntry& out) noexcept;  ///< the next entry; false at the end or on error
    [[nodiscard]] DataType keyType() const noexcept { return keyType_; }  ///< base type, or a set form, of all keys
    /// Whether the key is the content of a field.
    [[nodiscard]] bool hasKeyFieldId() const noexcept { return (flags_ & 0x10) != 0; }
    [[nodiscard]] std::int16_t keyFieldId() const noexcept { return keyFieldId_; }  ///< the field; 0 when there is none

private:
    DataType keyType_ = DataType::Buffer;
    std::int16_t keyFieldId_ = 0;
};

/// One entry of a vector.
struct VectorEntry {
    std::uint8_t action = 0;
    bool hasPermData = false;
    std::uint32_t index = 0;
    Bytes permData, data;
};

/// Cursor over a vector (rwf.md 3.5).
class VectorDecoder : public EntryContainerDecoder {
public:
    /// Checks the header; a failure is latched. The content is borrowed while the decoder is used.
    [[nodiscard]] Error start(Bytes in) noexcept;
    [[nodiscard]] bool next(VectorEntry& out) noexcept;  ///< the next entry; false at the end or on error
    /// Whether entries may be inserted and deleted.
    [[nodiscard]] bool sortable() const noexcept { return (flags_ & 0x10) != 0; }
};

/// One entry of a series.
struct SeriesEntry {
    Bytes data;
};

/// Cursor over a series (rwf.md 3.6).
class SeriesDecoder : public EntryContainerDecoder {
public:
    /// Checks the header; a failure is latched. The content is borrowed while the decoder is used.
    [[nodiscard]] Error start(Bytes in) noexcept;
    [[nodiscard]] bool next(SeriesEntry& out) noexcept;  ///< the next entry; false at the end or on error
};

/// One entry of a filter list.
struct FilterEntry {
    std::uint8_t action = 0, id = 0;
    DataType type = DataType::NoData;  ///< the entry's own type, or the list's default
    bool ownType = false, hasPermData = false;
    Bytes permData, data;
};

/// Cursor over a filter list (rwf.md 3.7).
class FilterListDecoder {
public:
    /// Checks the header; a failure is latched. The content is borrowed while the decoder is used.
    [[nodiscard]] Error start(Bytes in) noexcept;
    [[nodiscard]] bool next(FilterEntry& out) noexcept;            ///< the next entry; false at the end or on error
    [[nodiscard]] Error error() const noexcept { return error_; }  ///< why next() ended early; ok at the ordinary end
    /// Type of all payloads (filter list: of those that name none).
    [[nodiscard]] DataType entryType() const noexcept { return entryType_; }
    /// Whether the hint is there.
    [[nodiscard]] bool hasTotalCountHint() const noexcept { return (flags_ & 0x02) != 0; }
    /// Expected entries over all messages; 0 without hint.
    [[nodiscard]] std::uint8_t totalCountHint() const noexcept { return hint_; }
    [[nodiscard]] std::uint8_t count() const noexcept { return count_; }  ///< entries that the header announces
    [[nodiscard]] std::uint8_t flags() const noexcept { return flags_; }  ///< flag bits of the header, as received

private:
    BeReader in_;
    Error error_;
    DataType entryType_ = DataType::NoData;
    std::uint8_t flags_ = 0, hint_ = 0, count_ = 0, left_ = 0;
};

/// Items of an array (rwf.md 2.11). A zero-length array value is the blank array: start() succeeds with blank() true.
class ArrayDecoder {
public:
    /// Checks the header; a failure is latched. The content is borrowed while the decoder is used.
    [[nodiscard]] Error start(Bytes in) noexcept;
    /// The next item's content, without length; false at the end or on error.
    [[nodiscard]] bool next(Bytes& item) noexcept;
    [[nodiscard]] Error error() const noexcept { return error_; }  ///< why next() ended early; ok at the ordinary end
    [[nodiscard]] bool blank() const noexcept { return blank_; }   ///< true for the blank array
    [[nodiscard]] DataType itemType() const noexcept { return itemType_; }           ///< type of all items
    [[nodiscard]] std::uint16_t itemLength() const noexcept { return itemLength_; }  ///< 0 = each item has its own
    [[nodiscard]] std::uint16_t count() const noexcept { return count_; }  ///< entries that the header announces

private:
    BeReader in_;
    Error error_;
    std::uint16_t itemLength_ = 0, count_ = 0, left_ = 0;
    DataType itemType_ = DataType::Unknown;
    bool blank_ = false;
};

/// Gives the type of a field, or Unknown.
using FieldTypeLookup = DataType (*)(const void* context, std::int16_t fieldId) noexcept;
/// Decodes everything inside recursively (messages, containers, attributes, primitives whose type is known) and reports
/// the first fault; for validation at trust boundaries, tests and fuzzing. `fieldType` may give field types (or null).
[[nodiscard]] Error validate(Bytes in, DataType type, FieldTypeLookup fieldType = nullptr,
                             const void* context = nullptr, const SetDefinitionDb* sets = nullptr,
                             int depth = 0) noexcept;

}  // namespace emissary::eta::codec

// Container encoders: write into a BeWriter in one pass, lengths and counts patched behind (rwf.md section 3, 4.6).
// Every encoder is begun on a writer, given entries, and completed. A nested container is written in place between
// beginX() and endX(), or handed over as ready bytes. Failure latches in the writer; complete() reports it.
#pragma once

#include "eta/codec/SetDefinitions.h"
#include "eta/codec/Types.h"
#include "eta/codec/primitives.h"

namespace emissary::eta::codec {

/// A length written as a reserved u16ob (3 bytes) or u15rb (2 bytes) and made minimal when closed: the content is moved
/// down when one byte is enough, so output is canonical.
class LengthSlot {
public:
    enum class Form : std::uint8_t { u16ob, u15rb };  ///< one or three bytes, or one or two (rwf.md 1.4, 1.2)
    void open(BeWriter& out, Form form) noexcept;     ///< reserves the bytes of the length
    void close(BeWriter& out) noexcept;               ///< outOfRange latches when the content is too long for the form

private:
    std::size_t at_ = 0;
    Form form_ = Form::u16ob;
};

/// One value of set data: `baseContent` (ordinary content of the base type, empty = blank) rewritten in the form of
/// `setType` (rwf.md 2.13). A value that the form cannot carry is outOfRange; failure also latches in the writer.
[[nodiscard]] Error encodeSetValue(BeWriter& out, DataType setType, Bytes baseContent) noexcept;

/// Field lists (rwf.md 3.2).
class FieldListEncoder {
public:
    /// The optional numbers of the header.
    struct Info {
        std::int16_t dictionaryId, fieldListNum;
    };
    /// Standard data only (the ordinary case).
    void begin(BeWriter& out) noexcept {
        out_ = &out;
        count_ = 0;
        standard_ = true;
        setOpen_ = false;
        out.u8(kStandardData);
        countAt_ = out.size();
        out.u16(0);
    }
    void begin(BeWriter& out, Info info) noexcept;
    /// A list without any data: flags and, if given, the info.
    void beginEmpty(BeWriter& out, const Info* info = nullptr) noexcept;
    /// Set data: values are written by addSetValue in definition order, then standard entries may follow when
    /// `standardFollows`; setId is written when `writeSetId`.
    void beginSet(BeWriter& out, const Info* info, const SetDefinition& set, bool writeSetId,
                  bool standardFollows) noexcept;

    /// Field header only: the caller writes the length-prefixed content through writer() next (encodeXPrefixed).
    void field(std::int16_t fieldId) noexcept {
        ++count_;
        out_->u16(static_cast<std::uint16_t>(fieldId));
    }
    /// A field with ready content of at most 65535 bytes.
    void add(std::int16_t fieldId, Bytes content) noexcept {
        field(fieldId);
        out_->buf16(content);
    }
    /// A field without a value.
    void addBlank(std::int16_t fieldId) noexcept {
        field(fieldId);
        out_->u8(0);
    }
    // Id, length and value behind one check of the space left; with less left, piece by piece.
    /// A signed integer in its shortest form.
    void addInt(std::int16_t fieldId, std::int64_t v) noexcept {
        if (out_->space() < 11) [[unlikely]]
            return field(fieldId), encodeIntPrefixed(*out_, v);
        addWide(fieldId, static_cast<std::uint64_t>(v), detail::signedWidth(v));
    }
    /// An unsigned integer in its shortest form.
    void addUInt(std::int16_t fieldId, std::uint64_t v) noexcept {
        if (out_->space() < 11) [[unlikely]]
            return field(fieldId), encodeUIntPrefixed(*out_, v);
        addWide(fieldId, v, detail::unsignedWidth(v));
    }
    /// A real; a hint without meaning is outOfRange.
    void addReal(std::int16_t fieldId, const Real& v) noexcept {
        if (out_->space() < 12 || v.hint > 30) [[unlikely]]
            return field(fieldId), encodeRealPrefixed(*out_, v);
        const std::size_t n = detail::signedWidth(v.mantissa);
        ++count_;
        std::byte* p = out_->room(12);
        storeBe(p, static_cast<std::uint16_t>(fieldId));
        p[2] = static_cast<std::byte>(n + 1);
        p[3] = static_cast<std::byte>(v.hint);
        detail::storeWide(p + 4, static_cast<std::uint64_t>(v.mantissa), n);
        out_->advance(4 + n);
    }
    /// An enumerated value.
    void addEnum(std::int16_t fieldId, std::uint16_t v) noexcept { field(fieldId), encodeEnumPrefixed(*out_, v); }
    /// Nested container or array written in place through writer().
    void beginField(std::int16_t fieldId) noexcept {
        field(fieldId);
        slot_.open(*out_, LengthSlot::Form::u16ob);
    }
    void endField() noexcept { slot_.close(*out_); }  ///< ends what beginField() began
    /// Next value of the set, content in the base type's ordinary form or blank when empty; converted to the set form.
    [[nodiscard]] Error addSetValue(DataType setType, Bytes baseContent) noexcept;
    void endSet() noexcept;  ///< after the last set value when standard data follows
    [[nodiscard]] BeWriter& writer() noexcept { return *out_; }            ///< where content is written in place
    [[nodiscard]] std::uint32_t count() const noexcept { return count_; }  ///< entries of standard data so far
    /// Counts entries of standard data that somebody else has written into the block.
    void written(std::uint32_t entries) noexcept { count_ += entries; }
    /// Takes the last entry back, whose first byte was written at `size`; a failure of the writer with it.
    void takeBack(std::size_t size) noexcept {
        --count_;
        out_->truncate(size);
        out_->clearFailure();
    }
    /// Patches the count; too many entries are outOfRange, and so is what failed before.
    [[nodiscard]] Error complete() noexcept {
        if (setOpen_ || !standard_ || count_ > 0xFFFF || !out_->ok()) [[unlikely]]
            return completeOther();
        storeBe(out_->at(countAt_), static_cast<std::uint16_t>(count_));
        return {};
    }

private:
    static constexpr std::uint8_t kStandardData = 0x08;  ///< the flags of a list without anything else

    [[nodiscard]] Error completeOther() noexcept;
    void addWide(std::int16_t fieldId, std::uint64_t v, std::size_t n) noexcept {
        ++count_;
        std::byte* p = out_->room(11);
        storeBe(p, static_cast<std::uint16_t>(fieldId));
        p[2] = static_cast<std::byte>(n);
        detail::storeWide(p + 3, v, n);
        out_->advance(3 + n);
    }
    BeWriter* out_ = nullptr;
    std::size_t countAt_ = 0;
    std::uint32_t count_ = 0;
    LengthSlot slot_, setSlot_;
    bool standard_ = false, setOpen_ = false;
};

/// Element lists (rwf.md 3.3); names have at most 32767 bytes.
class ElementListEncoder {
public:
    void begin(BeWriter& out) noexcept;                               ///< standard data, without the list number
    void begin(BeWriter& out, std::int16_t elementListNum) noexcept;  ///< standard data, with the list number
    /// A list without any data: flags and, if given, the info.
    void beginEmpty(BeWriter& out, const std::int16_t* elementListNum = nullptr) noexcept;
    /// Set data, as FieldListEncoder::beginSet().
    void beginSet(BeWriter& out, const std::int16_t* elementListNum, const SetDefinition& set, bool writeSetId,
                  bool standardFollows) noexcept;
    /// Name and type; the caller writes the prefixed content next (nothing at all for NoData).
    void element(std::string_view name, DataType type) noexcept;
    /// An element with ready content of at most 65535 bytes.
    void add(std::string_view name, DataType type, Bytes content) noexcept;
    /// A signed integer in its shortest form.
    void addInt(std::string_view name, std::int64_t v) noexcept {
        element(name, DataType::Int), encodeIntPrefixed(*out_, v);
    }
    /// An unsigned integer in its shortest form.
    void addUInt(std::string_view name, std::uint64_t v) noexcept {
        element(name, DataType::UInt), encodeUIntPrefixed(*out_, v);
    }
    /// A text.
    void addAscii(std::string_view name, std::string_view v) noexcept { add(name, DataType::AsciiString, asBytes(v)); }
    /// A nested container or array, written in place through writer().
    void beginElement(std::string_view name, DataType type) noexcept {
        element(name, type);
        slot_.open(*out_, LengthSlot::Form::u16ob);
    }
    void endElement() noexcept { slot_.close(*out_); }  ///< ends what beginElement() began
    /// Next value of the set, as FieldListEncoder::addSetValue().
    [[nodiscard]] Error addSetValue(DataType setType, Bytes baseContent) noexcept;
    void endSet() noexcept;  ///< after the last set value when standard data follows
    [[nodiscard]] BeWriter& writer() noexcept { return *out_; }            ///< where content is written in place
    [[nodiscard]] std::uint32_t count() const noexcept { return count_; }  ///< entries of standard data so far
    /// Takes the last entry back, whose first byte was written at `size`; a failure of the writer with it.
    void takeBack(std::size_t size) noexcept {
        --count_;
        out_->truncate(size);
        out_->clearFailure();
    }
    /// Patches the count; too many entries are outOfRange, and so is what failed before.
    [[nodiscard]] Error complete() noexcept;

private:
    BeWriter* out_ = nullptr;
    std::size_t countAt_ = 0;
    std::uint32_t count_ = 0;
    LengthSlot slot_, setSlot_;
    bool standard_ = false, setOpen_ = false;
};

/// What a Map, Vector or Series says before its entries. Byte members are ready-made content.
struct EntryContainerHeader {
    DataType entryType = DataType::NoData;
    bool hasSetDefs = false, hasSummary = false, hasTotalCountHint = false;
    Bytes setDefs, summary;
    std::uint32_t totalCountHint = 0;
};

/// Maps (rwf.md 3.4).
class MapEncoder {
public:
    /// `keyType` is a primitive type; a null keyFieldId means none.
    void begin(BeWriter& out, const EntryContainerHeader& header, DataType keyType,
               const std::int16_t* keyFieldId = nullptr) noexcept;
    /// Entry with ready payload; `key` is the key's content (not blank). A null permData means none.
    void add(std::uint8_t action, Bytes key, Bytes payload, const Bytes* permData = nullptr) noexcept;
    /// Payload written in place through writer() until endEntry().
    void beginEntry(std::uint8_t action, Bytes key, const Bytes* permData = nullptr) noexcept;
    void endEntry() noexcept;                                    ///< ends what beginEntry() began
    [[nodiscard]] BeWriter& writer() noexcept { return *out_; }  ///< where content is written in place
    /// Patches the count; too many entries are outOfRange, and so is what failed before.
    [[nodiscard]] Error complete() noexcept;

private:
    void head(std::uint8_t action, Bytes key, const Bytes* permData) noexcept;
    [[nodiscard]] bool carriesPayload(std::uint8_t action) const noexcept;
    BeWriter* out_ = nullptr;
    std::size_t flagsAt_ = 0, countAt_ = 0;
    std::uint32_t count_ = 0;
    DataType entryType_ = DataType::NoData;
    LengthSlot slot_;
    bool perm_ = false, slotOpen_ = false;
};

/// Vectors (rwf.md 3.5).
class VectorEncoder {
public:
    /// `sortable`: entries may be inserted and deleted.
    void begin(BeWriter& out, const EntryContainerHeader& header, bool sortable) noexcept;
    /// An entry with ready payload; clear and delete carry none. Indexes have 30 bits.
    void add(std::uint8_t action, std::uint32_t index, Bytes payload, const Bytes* permData = nullptr) noexcept;
    /// Payload written in place through writer() until endEntry().
    void beginEntry(std::uint8_t action, std::uint32_t index, const Bytes* permData = nullptr) noexcept;
    void endEntry() noexcept;                                    ///< ends what beginEntry() began
    [[nodiscard]] BeWriter& writer() noexcept { return *out_; }  ///< where content is written in place
    /// Patches the count; too many entries are outOfRange, and so is what failed before.
    [[nodiscard]] Error complete() noexcept;

private:
    void head(std::uint8_t action, std::uint32_t index, const Bytes* permData) noexcept;
    [[nodiscard]] bool carriesPayload(std::uint8_t action) const noexcept;
    BeWriter* out_ = nullptr;
    std::size_t flagsAt_ = 0, countAt_ = 0;
    std::uint32_t count_ = 0;
    DataType entryType_ = DataType::NoData;
    LengthSlot slot_;
    bool perm_ = false, slotOpen_ = false;
};

/// Series (rwf.md 3.6).
class SeriesEncoder {
public:
    void begin(BeWriter& out, const EntryContainerHeader& header) noexcept;  ///< writes the header
    void add(Bytes payload) noexcept;                                        ///< an entry with ready payload
    void beginEntry() noexcept;  ///< payload written in place through writer() until endEntry()
    void endEntry() noexcept;    ///< ends what beginEntry() began
    [[nodiscard]] BeWriter& writer() noexcept { return *out_; }  ///< where content is written in place
    /// Patches the count; too many entries are outOfRange, and so is what failed before.
    [[nodiscard]] Error complete() noexcept;

private:
    BeWriter* out_ = nullptr;
    std::size_t countAt_ = 0;
    std::uint32_t count_ = 0;
    DataType entryType_ = DataType::NoData;
    LengthSlot slot_;
};

/// Filter lists (rwf.md 3.7).
class FilterListEncoder {
public:
    /// `entryType` is the type of entries that name none; a null hint means none.
    void begin(BeWriter& out, DataType entryType, const std::uint8_t* totalCountHint = nullptr) noexcept;
    /// The entry names its type when it differs from the list's default, or always with `ownType`.
    void add(std::uint8_t action, std::uint8_t id, DataType type, Bytes payload, const Bytes* permData = nullptr,
             bool ownType = false) noexcept;
    /// Payload written in place through writer() until endEntry().
    void beginEntry(std::uint8_t action, std::uint8_t id, DataType type, const Bytes* permData = nullptr,
                    bool ownType = false) noexcept;
    void endEntry() noexcept;                                    ///< ends what beginEntry() began
    [[nodiscard]] BeWriter& writer() noexcept { return *out_; }  ///< where content is written in place
    /// Patches the count; too many entries are outOfRange, and so is what failed before.
    [[nodiscard]] Error complete() noexcept;

private:
    bool head(std::uint8_t action, std::uint8_t id, DataType type, bool ownType, const Bytes* permData) noexcept;
    BeWriter* out_ = nullptr;
    std::size_t flagsAt_ = 0, countAt_ = 0;
    std::uint32_t count_ = 0;
    DataType entryType_ = DataType::NoData;
    LengthSlot slot_;
    bool perm_ = false, slotOpen_ = false;
};

/// Arrays (rwf.md 2.11).
class ArrayEncoder {
public:
    /// True for what begin() takes: a primitive item type, and 0 or a width that it may have (rwf.md 2.11).
    [[nodiscard]] static bool takes(DataType itemType, std::uint16_t itemLength) noexcept;
    /// itemLength 0: each item carries its own length; otherwise every item has exactly that many bytes.
    void begin(BeWriter& out, DataType itemType, std::uint16_t itemLength = 0) noexcept;
    /// Content of one item in the ordinary form (blank when empty and itemLength is 0). With a fixed length, integers
    /// are widened, strings zero-padded. What does not fit is outOfRange and leaves nothing behind: the array goes on
    /// once the writer's failure has been cleared.
    void add(Bytes content) noexcept;
    void addUInt(std::uint64_t v) noexcept;                          ///< an unsigned integer as item
    void addAscii(std::string_view v) noexcept { add(asBytes(v)); }  ///< a text as item
    [[nodiscard]] BeWriter& writer() noexcept { return *out_; }      ///< where content is written in place
    /// Patches the count; too many entries are outOfRange, and so is what failed before.
    [[nodiscard]] Error complete() noexcept;

private:
    void writeItem(Bytes content) noexcept;
    void fixedInteger(std::uint64_t v) noexcept;
    void fixedTime(Bytes content) noexcept;
    BeWriter* out_ = nullptr;
    std::size_t countAt_ = 0;
    std::uint32_t count_ = 0;
    std::uint16_t itemLength_ = 0;
    DataType itemType_ = DataType::Unknown;
};

/// Set-definition bytes for EntryContainerHeader::setDefs.
class SetDefinitionEncoder {
public:
    void begin(BeWriter& out) noexcept;                           ///< starts without any definition
    void beginSet(std::uint16_t id) noexcept;                     ///< starts a definition, id 0..15
    void field(std::int16_t fieldId, DataType type) noexcept;     ///< one entry of a field set
    void element(std::string_view name, DataType type) noexcept;  ///< one entry of an element set
    void endSet() noexcept;                                       ///< ends the definition
    /// Patches the count; too many entries are outOfRange, and so is what failed before.
    [[nodiscard]] Error complete() noexcept;

private:
    BeWriter* out_ = nullptr;
    std::size_t countAt_ = 0, entriesAt_ = 0;
    std::uint32_t count_ = 0, entries_ = 0;
};

}  // namespace emissary::eta::codec

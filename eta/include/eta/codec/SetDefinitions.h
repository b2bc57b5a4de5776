// Local and global set definitions: the shape of set data that carries no ids, names or types (rwf.md 2.13, 3.9).
#pragma once

#include "eta/codec/Types.h"

#include <array>

namespace emissary::eta::codec {

/// One entry of a definition: what the value at this place of set data is.
struct SetEntry {
    std::int16_t fieldId = 0;           ///< field sets
    Bytes name;                         ///< element sets; borrows the definition bytes
    DataType type = DataType::Unknown;  ///< unscaled, may be 64..84
};

/// Walks one definition's entries lazily; trivially copyable view of checked bytes.
class SetDefinition {
public:
    [[nodiscard]] std::uint16_t id() const noexcept { return id_; }     ///< 0..15 for local definitions
    [[nodiscard]] std::size_t size() const noexcept { return count_; }  ///< entries
    class Cursor;
    [[nodiscard]] Cursor entries() const noexcept;  ///< a cursor before the first entry; borrows the definition bytes
    /// Where walking a definition stands.
    class Cursor {
    public:
        [[nodiscard]] bool next(SetEntry& out) noexcept;  ///< false at the end (the bytes were checked beforehand)

    private:
        friend class SetDefinition;
        BeReader in_;
        std::size_t left_ = 0;
        bool elements_ = false;
    };

private:
    friend class SetDefinitionDb;
    std::uint16_t id_ = 0;
    std::uint16_t count_ = 0;
    bool elements_ = false;
    Bytes body_;
};

/// The definitions that one Map, Vector or Series carries (at most 15, ids 0..15): a view over the message.
class SetDefinitionDb {
public:
    enum class Kind : std::uint8_t { fields, elements };  ///< definitions of field lists, or of element lists
    /// Checks everything (counts, ids, duplicates, types) and indexes by id. Borrows `in`.
    [[nodiscard]] Error decode(Bytes in, Kind kind) noexcept;
    /// Null when there is no definition of this id.
    [[nodiscard]] const SetDefinition* find(std::uint16_t id) const noexcept;
    [[nodiscard]] bool empty() const noexcept { return present_ == 0; }  ///< true when there is none
    [[nodiscard]] Kind kind() const noexcept { return kind_; }           ///< as given to decode()
    void clear() noexcept { present_ = 0; }                              ///< forgets all definitions

private:
    std::array<SetDefinition, 16> byId_{};
    std::uint16_t present_ = 0;
    Kind kind_ = Kind::fields;
};

/// Reads one set entry's content from set data; the prefix rule depends on the type (rwf.md 2.13). `content` receives
/// the bytes without prefix. The decoder of the base type reads them, blank forms included; only Real_4RB and Real_8RB
/// have a form of their own: decodeSetReal.
[[nodiscard]] Error nextSetValue(BeReader& in, DataType setType, Bytes& content) noexcept;

/// A Real as content of `setType`: the two compact forms, or the ordinary one for every other type.
[[nodiscard]] Decoded decodeSetReal(Bytes in, DataType setType, Real& out) noexcept;

}  // namespace emissary::eta::codec

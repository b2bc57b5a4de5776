// The contents of the blocks of a pool: the cached form of containers and of values.
#pragma once

#include "eta/codec/Types.h"
#include "hub/cache/BlockPool.h"

namespace emissary::hub::cache {

using eta::Bytes;
using eta::Errc;
using eta::Error;
using eta::codec::DataType;

class Shape;

/// How the content of a node is kept.
enum class Kind : std::uint8_t {
    empty,    ///< a payload of length 0; images only, nested ones have no node
    bytes,    ///< as it came: values, and payloads that are not looked into
    fields,   ///< a field list: slots of a shape
    entries,  ///< all other containers
    parts,    ///< an image that is coming in parts beside the one from before
};

/// How a container's payload is joined with what is stored.
enum class Way : std::uint8_t {
    replace,  ///< nothing is stored, or it has just been erased
    overlay,  ///< of a refresh without CLEAR_CACHE
    update,
};

/// At the beginning of every node.
struct Node {
    Kind kind = Kind::empty;
    DataType type = DataType::NoData;  ///< of the container; values have any
    std::uint8_t flags = 0;            ///< of images; nested nodes have none
    std::uint8_t has = 0;              ///< of the kind

    static constexpr std::uint8_t notCurrent = 0x01, incomplete = 0x02;  // flags
};

/// Bytes, behind the struct.
struct BytesNode : Node {
    std::uint32_t size = 0;
    /// The bytes; borrows.
    [[nodiscard]] Bytes view() const noexcept { return {reinterpret_cast<const std::byte*>(this + 1), size}; }
};

/// Slots, behind the struct: a byte of length and as many bytes as the shape says.
struct FieldsNode : Node {
    std::int16_t dictionaryId = 1, listNum = 0;
    Shape* shape = nullptr;
    static constexpr std::uint8_t info = 0x01, longValues = 0x02;  // has; the latter stays once set
};
static_assert(sizeof(FieldsNode) == 16);

/// Entries as a list in order of first appearance, and an index to find them.
struct EntriesNode : Node {
    DataType entryType = DataType::NoData;
    DataType keyType = DataType::Buffer;
    std::int16_t number = 0;  ///< key field id of a map, list number of an element list
    std::uint32_t hint = 0;   ///< total count hint
    Ref summary = 0;
    Ref first = 0, last = 0;  ///< not of vectors
    std::uint32_t count = 0;
    Ref index = 0;             ///< keys: Ref by hash; vectors: Position in ascending order; series: none
    std::uint32_t places = 0;  ///< in the index
    static constexpr std::uint8_t withNumber = 0x01, withHint = 0x02, sortable = 0x04;  // has
};

/// An entry; its key stands behind the struct.
struct Entry {
    Ref before = 0, after = 0;
    Ref child = 0;  ///< payload; 0 = empty
    Ref perm = 0;   ///< permissions; 0 = none
    std::uint16_t keySize = 0;
    DataType type = DataType::NoData;  ///< of elements and filter entries
    /// Key, name, or filter id; nothing for entries of vectors and series. Borrows.
    [[nodiscard]] Bytes key() const noexcept { return {reinterpret_cast<const std::byte*>(this + 1), keySize}; }
};
static_assert(sizeof(Entry) == 20);

/// An entry of a vector.
struct Position {
    std::uint32_t at = 0;
    Ref entry = 0;
};

/// An image and the one that takes its place once it is complete.
struct PartsNode : Node {
    Ref before = 0, next = 0;
    std::uint32_t expected = 0;  ///< part number that comes next
};

}  // namespace emissary::hub::cache

// A decoded value as a plain tree that owns its bytes. Vectors, decoders, encoders and the random generator meet in it:
// two values are equal when their dumps are.
#pragma once

#include "eta/codec/Msg.h"
#include "eta/codec/SetDefinitions.h"
#include "eta/codec/Types.h"

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace emissary::eta::codec::model {

struct Value;

/// One entry of any list or container; which members count follows from the container.
struct Entry {
    std::int16_t fieldId = 0;
    std::string name;
    std::uint8_t action = 0, id = 0;
    std::uint32_t index = 0;
    std::optional<std::string> permData;
    std::optional<DataType> ownType;
    std::vector<Value> key;    // none or one
    std::vector<Value> value;  // none or one
};

struct SetDef {
    struct Item {
        std::int16_t fieldId = 0;
        std::string name;
        DataType type = DataType::Unknown;
    };
    std::uint16_t id = 0;
    std::vector<Item> items;
};

struct SetDefs {
    bool elements = false;
    std::vector<SetDef> defs;
};

/// Header members that the encoder needs, and the same members as text for comparison.
struct MsgParts {
    Msg header;  // scalar members; views are set when encoding
    std::string name, permData, extendedHeader, groupId, text, stateText;
    std::vector<Value> attrib, payload;  // none or one
    std::map<std::string, std::string> shown;
};

struct Value {
    DataType type = DataType::Unknown;
    bool blank = false;  // primitives
    bool empty = false;  // containers of length 0

    std::uint64_t bits = 0;  // Int, UInt, Enum; Float and Double as IEEE bits
    Real real;
    DateTime dateTime;
    Qos qos;
    State state;
    std::string bytes;  // buffers, strings, opaque containers, text of a state

    DataType itemType = DataType::Unknown;
    std::uint16_t itemLength = 0;
    std::vector<Value> items;

    std::optional<std::pair<std::int16_t, std::int16_t>> info;  // dictionary id (field lists), list number
    std::optional<std::uint16_t> setId;
    std::optional<std::vector<Entry>> set, standard;

    DataType keyType = DataType::Unknown, entryType = DataType::NoData;
    std::optional<std::int16_t> keyFieldId;
    std::optional<SetDefs> setDefs;
    std::vector<Value> summary;  // none or one
    std::optional<std::uint32_t> hint;
    bool sortable = false;
    std::vector<Entry> entries;

    std::vector<MsgParts> msg;  // none or one
};

/// Thrown by the test code below, never by the codec.
class Fault : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Fills `shown` from the header's flags and the owned strings: what is present, and its value.
void show(MsgParts& m);

[[nodiscard]] std::string dump(const Value& v);
[[nodiscard]] std::string dump(const Qos& v);
[[nodiscard]] std::string hex(Bytes b);
[[nodiscard]] std::vector<std::byte> unhex(std::string_view text);
/// The same, kept to the end of the run: views into it stay good. In a block of exactly that size.
[[nodiscard]] Bytes wire(std::string_view hexText);

/// Everything inside `in`; throws Fault at the first rejection. `expected` stands in for the dictionary: it gives the
/// types of standard fields by position.
[[nodiscard]] Value decode(Bytes in, DataType type, DataType setType = DataType::Unknown,
                           const SetDefinitionDb* sets = nullptr, const Value* expected = nullptr);

enum class Style { inPlace, readyBytes };  // nested content written between begin and end, or handed over as bytes

/// Content of the value without a length prefix. The writer latches what fails.
void encode(BeWriter& out, const Value& v, Style style, const SetDefinitionDb* sets = nullptr);
/// Definition bytes for SetDefinitionDb::decode.
[[nodiscard]] std::vector<std::byte> encodeDefinitions(const SetDefs& defs);
/// Encodes into a block that grows as needed.
[[nodiscard]] std::vector<std::byte> encodeAll(const Value& v, Style style, const SetDefinitionDb* sets = nullptr);

/// Wire form of one entry of set data.
void encodeSetEntry(BeWriter& out, DataType setType, const Value& v);

}  // namespace emissary::eta::codec::model

// Any bytes as local set definitions, and what follows them as set data of every definition found. The first byte
// chooses field or element sets, the second how long the definitions are.
#include "eta/codec/SetDefinitions.h"
#include "eta/codec/containers.h"

#include <cstdlib>

using namespace emissary::eta;
using namespace emissary::eta::codec;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const Bytes in = std::as_bytes(std::span{data, size});
    const std::size_t length = std::min<std::size_t>(data[1], size - 2);
    const bool elements = (data[0] & 1) != 0;
    SetDefinitionDb db;
    const auto kind = elements ? SetDefinitionDb::Kind::elements : SetDefinitionDb::Kind::fields;
    if (!db.decode(in.subspan(2, length), kind).ok()) return 0;
    const Bytes content = in.subspan(2 + length);
    for (std::uint16_t id = 0; id < 16; ++id) {
        const SetDefinition* const set = db.find(id);
        if (set == nullptr) continue;
        if (set->id() != id) std::abort();
        BeReader values{content};
        SetEntry entry;
        std::size_t entries = 0;
        for (auto cursor = set->entries(); cursor.next(entry); ++entries) {
            Bytes value;
            if (!nextSetValue(values, entry.type, value).ok()) continue;
            Real real;
            static_cast<void>(decodeSetReal(value, entry.type, real));
        }
        if (entries != set->size()) std::abort();
    }
    // The same bytes as a list that may name any of these sets.
    const DataType type = elements ? DataType::ElementList : DataType::FieldList;
    static_cast<void>(validate(content, type, nullptr, nullptr, &db));
    return 0;
}

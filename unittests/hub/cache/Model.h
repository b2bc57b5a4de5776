// What a plain consumer has of an item: decoded entries in vectors, searched one by one. The slow truth that images are
// compared with (hub.md 15, row 6).
#pragma once

#include "eta/codec/Msg.h"
#include "eta/codec/containers.h"
#include "eta/dictionary/Dictionary.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace emissary::test {

using eta::Bytes;
using eta::codec::DataType;

/// One container, or bytes that nobody looks into.
struct ModelNode {
    struct Field {
        std::int16_t id;
        std::string value;
        bool operator==(const Field&) const = default;
    };
    struct Entry {
        std::string key;  ///< key, name, or filter id
        std::uint32_t index = 0;
        DataType type = DataType::NoData;  ///< of elements and filters
        std::string value, perm;           ///< value: of elements
        std::unique_ptr<ModelNode> child;  ///< null: no data
    };
    DataType type = DataType::NoData;
    bool asBytes = false;
    std::string bytes;
    std::vector<Field> fields;
    std::optional<std::pair<std::int16_t, std::int16_t>> info;
    std::vector<Entry> entries;
    std::unique_ptr<ModelNode> summary;
    DataType entryType = DataType::NoData, keyType = DataType::Unknown;
    std::optional<std::int16_t> number;
    std::optional<std::uint32_t> hint;
    bool sortable = false;
};
using ModelPtr = std::unique_ptr<ModelNode>;

/// A difference in words; empty when there is none.
[[nodiscard]] std::string difference(const ModelNode* a, const ModelNode* b, const std::string& path = "");

/// The rules by which one application of a payload goes.
struct ModelRules {
    const eta::dictionary::Dictionary* dictionary = nullptr;
    bool ripple = false, addUnknownFields = true;
    bool truth = true;       ///< out: false when the result does not say what the source has
    bool malformed = false;  ///< out
};
enum class ModelWay { fresh, overlay, update };
void modelApply(ModelPtr& node, DataType type, Bytes payload, ModelWay way, ModelRules& rules,
                const eta::codec::SetDefinitionDb* sets = nullptr, int level = 1);

/// An item at a consumer that gets all messages, with the rules of hub.md 6.2.
class ModelItem {
public:
    ModelItem(const eta::dictionary::Dictionary* dictionary, bool addUnknownFields)
        : dictionary_(dictionary), addUnknownFields_(addUnknownFields) {}
    void apply(const eta::codec::Msg& msg, bool replace);

    bool exists = false, current = false, complete = false;
    DataType type = DataType::NoData;
    ModelPtr root;  ///< null: no payload

private:
    void join(const eta::codec::Msg& msg, ModelWay way);
    void refresh(const eta::codec::Msg& msg, bool replace);
    const eta::dictionary::Dictionary* dictionary_;
    bool addUnknownFields_;
};

}  // namespace emissary::test

// Encodes the element lists behind batch requests, views and batch closes.
#include "json/RequestBodies.h"

#include "eta/codec/request_elements.h"

#include <array>

namespace emissary::eta::json {

using codec::ArrayEncoder;
using codec::ElementListEncoder;
using DataType = codec::DataType;

/// An element of RWF holds no more (rwf.md 3.3).
bool RequestBodies::fits(std::size_t bytes, NodeIndex list) {
    return bytes <= 0xFFFF || in_.failBecause("the list is longer than 65535 bytes in RWF; send it in parts",
                                              ErrorClass::EncodeError, list);
}

bool RequestBodies::requestBody(const Members& m, NodeIndex names, BeWriter& out, const AddOthers& addOthers) {
    ElementListEncoder list;
    list.begin(out);
    if (names != 0) {
        list.beginElement(codec::kItemList, DataType::Array);
        const std::size_t begin = out.size();
        ArrayEncoder items;
        items.begin(out, DataType::AsciiString);
        for (NodeIndex item = Tree::first(names); item != tree_.end(names); item = tree_.nextItem(item)) {
            if (tree_.kind(item) != Kind::string) return in_.fail(ErrorClass::EncodeError, item);
            items.addAscii(tree_.text(item));
        }
        if (!in_.encoded(items.complete(), names) || !fits(out.size() - begin, names)) return false;
        list.endElement();
    }
    if (m.has(Member::View) && !viewElements(m, list)) return false;
    if (!addOthers(list)) return false;
    return in_.encoded(list.complete(), m.object());
}

bool RequestBodies::viewElements(const Members& m, ElementListEncoder& list) {
    const NodeIndex view = m[Member::View];
    if (tree_.kind(view) != Kind::array) return in_.fail(ErrorClass::InvalidTokenType, view);
    bool names = false;
    if (m.has(Member::ViewType)) {
        const NodeIndex type = m[Member::ViewType];
        if (tree_.kind(type) != Kind::string) return in_.fail(ErrorClass::InvalidTokenType, type);
        names = tree_.text(type) == "NameList";
        if (!names && tree_.text(type) != "FidList") return in_.fail(ErrorClass::UnexpectedValue, type);
    }
    list.addUInt(codec::kViewType, names ? codec::kElementNameView : codec::kFieldIdView);
    list.beginElement(codec::kViewData, DataType::Array);
    const std::size_t begin = list.writer().size();
    if (!names) {
        if (!viewFields(view, list)) return false;
    } else {
        ArrayEncoder items;
        items.begin(list.writer(), DataType::AsciiString);
        for (NodeIndex item = Tree::first(view); item != tree_.end(view); item = tree_.nextItem(item)) {
            if (tree_.kind(item) != Kind::string) return in_.fail(ErrorClass::EncodeError, item);
            items.addAscii(tree_.text(item));
        }
        if (!in_.encoded(items.complete(), view)) return false;
    }
    if (!fits(list.writer().size() - begin, view)) return false;
    list.endElement();
    return true;
}

bool RequestBodies::viewFields(NodeIndex view, ElementListEncoder& out) {
    ArrayEncoder items;
    items.begin(out.writer(), DataType::Int);
    for (NodeIndex item = Tree::first(view); item != tree_.end(view); item = tree_.nextItem(item)) {
        std::int64_t id = 0;
        if (tree_.kind(item) == Kind::string) {
            if (!fieldNames_.any()) return in_.fail(ErrorClass::DictionaryNotInitialized, item);
            const dictionary::FieldDefinition* field = fieldNames_.find(tree_.text(item));
            if (field == nullptr) continue;
            id = field->fieldId;
        } else if (!in_.isInteger(item) || readInt(tree_.text(item), id) != Decoded::value ||
                   id != static_cast<std::int16_t>(id)) {
            return in_.fail(ErrorClass::EncodeError, item);
        }
        const auto wide = static_cast<std::uint16_t>(id);
        std::array<std::byte, 2> content{};
        storeBe(content.data(), wide);
        const bool fitsOne = id == static_cast<std::int8_t>(id);
        items.add(Bytes(content).subspan(fitsOne ? 1 : 0));
    }
    return in_.encoded(items.complete(), view);
}

bool RequestBodies::closeBody(NodeIndex ids, BeWriter& out) {
    ElementListEncoder list;
    list.begin(out);
    list.beginElement(codec::kStreamIdList, DataType::Array);
    const std::size_t begin = out.size();
    ArrayEncoder items;
    items.begin(out, DataType::Int);
    for (NodeIndex item = Tree::first(ids); item != tree_.end(ids); item = tree_.nextItem(item)) {
        Bytes content;
        if (!values_.value(item, DataType::Int, nullptr, content)) return false;
        items.add(content);
    }
    if (!in_.encoded(items.complete(), ids) || !fits(out.size() - begin, ids)) return false;
    list.endElement();
    return in_.encoded(list.complete(), ids);
}

}  // namespace emissary::eta::json

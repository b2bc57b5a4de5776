#include "DataAccess.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "ElementListImpl.h"
#include "FieldListImpl.h"
#include "FilterListImpl.h"
#include "MapImpl.h"
#include "MsgImpl.h"
#include "OpaqueImpl.h"
#include "SeriesImpl.h"
#include "VectorImpl.h"
#include "contained_types.h"
#include "raise.h"
#include "view_definition.h"

#include <algorithm>

namespace emissary::ema {

using access::DataType;

ContainerImpl* DataAccess::impl(const access::ComplexType& data) noexcept {
    switch (data.getDataType()) {
    case DataType::FieldListEnum:
        return static_cast<const access::FieldList&>(data).impl_.get();
    case DataType::ElementListEnum:
        return static_cast<const access::ElementList&>(data).impl_.get();
    case DataType::MapEnum:
        return static_cast<const access::Map&>(data).impl_.get();
    case DataType::VectorEnum:
        return static_cast<const access::Vector&>(data).impl_.get();
    case DataType::SeriesEnum:
        return static_cast<const access::Series&>(data).impl_.get();
    case DataType::FilterListEnum:
        return static_cast<const access::FilterList&>(data).impl_.get();
    case DataType::OpaqueEnum:
        return static_cast<const access::OmmOpaque&>(data).impl_.get();
    case DataType::XmlEnum:
        return static_cast<const access::OmmXml&>(data).impl_.get();
    case DataType::AnsiPageEnum:
        return static_cast<const access::OmmAnsiPage&>(data).impl_.get();
    case DataType::JsonEnum:
        return static_cast<const access::OmmJson&>(data).impl_.get();
    default:
        return nullptr;
    }
}

MsgImpl& DataAccess::msg(const access::Msg& m) noexcept {
    return *m.impl_;
}

codec::DataType DataAccess::wireType(const access::ComplexType& data) noexcept {
    const auto type = static_cast<int>(data.getDataType());
    return type > 255 ? codec::DataType::Msg : static_cast<codec::DataType>(type);
}

DataAccess::Encoded DataAccess::encoded(const access::ComplexType& data) {
    const codec::DataType type = wireType(data);
    if (type == codec::DataType::Msg) {
        MsgImpl& m = msg(static_cast<const access::Msg&>(data));
        return {type, m.wire->raw.empty() ? m.encoded() : m.wire->raw};
    }
    ContainerImpl* container = impl(data);
    return {type, container == nullptr ? Bytes{} : container->encoded()};
}

void DataAccess::decode(access::ComplexType& object, DataType::DataTypeEnum, Bytes bytes, const Scope& scope) {
    impl(object)->decode(bytes, scope);
}

void requireContent(const access::ComplexType& value, const char* what) {
    const codec::DataType type = DataAccess::wireType(value);
    const bool opaque = type == codec::DataType::Opaque || type == codec::DataType::Xml ||
                        type == codec::DataType::AnsiPage || type == codec::DataType::Json;
    const auto isEmpty = [&] {
        if (type != codec::DataType::Msg) return opaque && DataAccess::impl(value)->untouched();
        const MsgImpl& m = DataAccess::msg(static_cast<const access::Msg&>(value));
        return m.wire == &m.own && !m.touched;
    };
    if (isEmpty()) {
        const DataType name(value.getDataType());
        throwInvalidUsage(std::string(what) + " of an empty " + name.toString().c_str() + "; set something on it first",
                          access::OmmInvalidUsageException::InvalidOperationEnum);
    }
}

bool ViewDefinition::names(std::int64_t fieldId) const noexcept {
    return std::find(ids.begin(), ids.end(), fieldId) != ids.end();
}
bool ViewDefinition::names(std::string_view element) const noexcept {
    return std::find(elements.begin(), elements.end(), element) != elements.end();
}

ViewDefinition readView(const access::Data& data, ViewDefinition::Kind wanted) {
    const auto refuse = [](const char* why) {
        throwInvalidUsage(
            std::string("forth(const Data&): ") + why +
                "; pass an ElementList with :ViewType (UInt) and :ViewData (array of field ids or element names)",
            access::OmmInvalidUsageException::InvalidArgumentEnum);
    };
    if (data.getDataType() != DataType::ElementListEnum) refuse("the argument is no ElementList");
    ViewDefinition view;
    std::uint64_t kind = 0;
    codec::DataType itemType = codec::DataType::Unknown;
    codec::ElementListDecoder list;
    codec::ElementEntry e;
    if (!list.start(DataAccess::encoded(static_cast<const access::ComplexType&>(data)).bytes).ok())
        refuse("the list cannot be read");
    while (list.next(e)) {
        if (eta::asText(e.name) == ":ViewType" &&
            (e.type != codec::DataType::UInt || codec::decodeUInt(e.data, kind) != codec::Decoded::value))
            refuse(":ViewType is no UInt");
        if (eta::asText(e.name) != ":ViewData") continue;
        codec::ArrayDecoder array;
        Bytes item;
        if (e.type != codec::DataType::Array || !array.start(e.data).ok()) refuse(":ViewData is no array");
        itemType = codec::baseType(array.itemType());
        while (array.next(item)) {
            std::int64_t id = 0;
            if (itemType != codec::DataType::Int) {
                view.elements.emplace_back(eta::asText(item));
                continue;
            }
            if (codec::decodeInt(item, id) != codec::Decoded::value || id < INT16_MIN || id > INT16_MAX)
                refuse(":ViewData holds what is no field id");
            view.ids.push_back(id);
        }
        if (!array.error().ok()) refuse(":ViewData cannot be read");
    }
    if (!list.error().ok()) refuse("the list cannot be read");
    if (itemType == codec::DataType::Unknown) refuse(":ViewData is missing");
    if (kind != wanted) refuse(":ViewType does not fit this list");
    if (wanted == ViewDefinition::fieldIds && itemType != codec::DataType::Int)
        refuse(":ViewData of a view of fields (:ViewType 1) is no array of Int");
    if (wanted == ViewDefinition::elementNames && itemType != codec::DataType::AsciiString)
        refuse(":ViewData of a view of elements (:ViewType 2) is no array of Ascii");
    return view;
}

}  // namespace emissary::ema

// Encoded forms of contained objects, and the way from a public object to its implementation.
#include "data/DataAccess.h"

#include "Access/Include/OmmInvalidUsageException.h"
#include "data/ElementListImpl.h"
#include "data/FieldListImpl.h"
#include "data/FilterListImpl.h"
#include "data/MapImpl.h"
#include "data/MsgImpl.h"
#include "data/OpaqueImpl.h"
#include "data/SeriesImpl.h"
#include "data/VectorImpl.h"
#include "data/contained_types.h"
#include "errors/raise.h"

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

}  // namespace emissary::ema

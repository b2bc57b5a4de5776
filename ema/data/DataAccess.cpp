// ema/data: encoded forms of contained objects, and the way from a public object to its implementation.
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

/// Null for messages, which are no containers. The type decides, so that the public classes need no virtual function
/// for it.
ContainerImpl* DataAccess::impl(const access::ComplexType& data, DataType::DataTypeEnum type) noexcept {
    switch (type) {
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

namespace {

codec::DataType onWire(DataType::DataTypeEnum type) noexcept {
    // Types beyond 255 are the classes of messages, which have one type on the wire.
    return type > 255 ? codec::DataType::Msg : static_cast<codec::DataType>(type);
}

DataAccess::Encoded encodedAs(const access::ComplexType& data, DataType::DataTypeEnum type) {
    const codec::DataType wire = onWire(type);
    if (wire == codec::DataType::Msg) {
        MsgImpl& m = DataAccess::msg(static_cast<const access::Msg&>(data));
        // A received message is passed on as its bytes came, extended header and all.
        return {wire, m.wire->raw.empty() ? m.encoded() : m.wire->raw};
    }
    ContainerImpl* const container = DataAccess::impl(data, type);
    return {wire, container == nullptr ? Bytes{} : container->encoded()};
}

/// What may not be contained: opaque objects and messages that nothing was set on.
bool lacksContent(const access::ComplexType& data, DataType::DataTypeEnum type) noexcept {
    const codec::DataType wire = onWire(type);
    if (wire == codec::DataType::Msg) {
        const MsgImpl& m = DataAccess::msg(static_cast<const access::Msg&>(data));
        // A message that points at received bytes has content, whatever was set on it.
        return m.wire == &m.own && !m.touched;
    }
    const bool opaque = wire == codec::DataType::Opaque || wire == codec::DataType::Xml ||
                        wire == codec::DataType::AnsiPage || wire == codec::DataType::Json;
    return opaque && DataAccess::impl(data, type)->untouched();
}

[[noreturn]] void refuseEmpty(DataType::DataTypeEnum type, const char* what) {
    throwInvalidUsage(std::string(what) + " of an empty " + DataType(type).toString().c_str() +
                          "; set something on it first",
                      access::OmmInvalidUsageException::InvalidOperationEnum);
}

}  // namespace

codec::DataType DataAccess::wireType(const access::ComplexType& data) noexcept {
    return onWire(data.getDataType());
}

DataAccess::Encoded DataAccess::encoded(const access::ComplexType& data) {
    return encodedAs(data, data.getDataType());
}

// The type is a virtual call, and asked for once.
DataAccess::Encoded DataAccess::encodedContent(const access::ComplexType& data, const char* what) {
    const DataType::DataTypeEnum type = data.getDataType();
    if (lacksContent(data, type)) [[unlikely]]
        refuseEmpty(type, what);
    return encodedAs(data, type);
}

void DataAccess::decode(access::ComplexType& object, DataType::DataTypeEnum, Bytes bytes, const Scope& scope) {
    impl(object)->decode(bytes, scope);
}

void DataAccess::decode(access::FieldList& list, Bytes bytes, const Scope& scope) noexcept {
    list.impl_->decode(bytes, scope);
}

void requireContent(const access::ComplexType& value, const char* what) {
    if (const DataType::DataTypeEnum type = value.getDataType(); lacksContent(value, type)) refuseEmpty(type, what);
}

}  // namespace emissary::ema

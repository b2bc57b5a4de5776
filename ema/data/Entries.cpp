// ema/data: entries, keys, summary data, attributes and payloads: getters over the load that their owner points at.
#include "Access/Include/Attrib.h"
#include "Access/Include/ElementEntry.h"
#include "Access/Include/FieldEntry.h"
#include "Access/Include/FilterEntry.h"
#include "Access/Include/Key.h"
#include "Access/Include/MapEntry.h"
#include "Access/Include/OmmArrayEntry.h"
#include "Access/Include/OmmAscii.h"
#include "Access/Include/OmmBuffer.h"
#include "Access/Include/OmmDate.h"
#include "Access/Include/OmmDateTime.h"
#include "Access/Include/OmmInvalidUsageException.h"
#include "Access/Include/OmmQos.h"
#include "Access/Include/OmmReal.h"
#include "Access/Include/OmmRmtes.h"
#include "Access/Include/OmmState.h"
#include "Access/Include/OmmTime.h"
#include "Access/Include/OmmUtf8.h"
#include "Access/Include/Payload.h"
#include "Access/Include/SeriesEntry.h"
#include "Access/Include/SummaryData.h"
#include "Access/Include/VectorEntry.h"
#include "data/DataAccess.h"
#include "data/ElementListImpl.h"
#include "data/FilterListImpl.h"
#include "data/MapImpl.h"
#include "data/SeriesImpl.h"
#include "data/VectorImpl.h"
#include "data/add_values.h"
#include "data/contained_types.h"
#include "errors/raise.h"
#include "text/print.h"

namespace refinitiv::ema::access {

namespace codec = emissary::eta::codec;
using T = codec::DataType;

namespace {

constexpr Int32 kInvalidOperation = OmmInvalidUsageException::InvalidOperationEnum;

emissary::ema::LoadImpl& implOf(emissary::ema::LoadCell* load) {
    return *static_cast<emissary::ema::LoadImpl*>(load);
}

/// An entry is a member of its container's implementation, which the load knows.
template <class Impl>
Impl& ownerOf(emissary::ema::LoadImpl& load) {
    return static_cast<Impl&>(*load.owner());
}

/// `place` is of the load, so that the text lasts until the entry moves on; each getter has one of its own.
const EmaString& keepText(EmaString& place, std::string_view text) {
    return place.set(text.data(), static_cast<UInt32>(text.size()));
}

emissary::ema::PrintScope printScope(const emissary::ema::LoadImpl& load) {
    const emissary::ema::Scope& s = load.scope();
    return {s.dictionary, s.sets, s.serviceName, s.hasServiceName};
}

}  // namespace

// Members of public classes that the API keeps apart, so there is no base which could have them: a macro stands for
// each group of them.
#define EMISSARY_LOAD_TYPE(Class, getter)                                                                              \
    DataType::DataTypeEnum Class::getter() const {                                                                     \
        return implOf(load_).loadType();                                                                               \
    }

#define EMISSARY_COMPLEX_GETTERS(Class)                                                                                \
    const ReqMsg& Class::getReqMsg() const {                                                                           \
        return implOf(load_).complex<ReqMsg>(DataType::ReqMsgEnum, "getReqMsg()");                                     \
    }                                                                                                                  \
    const RefreshMsg& Class::getRefreshMsg() const {                                                                   \
        return implOf(load_).complex<RefreshMsg>(DataType::RefreshMsgEnum, "getRefreshMsg()");                         \
    }                                                                                                                  \
    const UpdateMsg& Class::getUpdateMsg() const {                                                                     \
        return implOf(load_).complex<UpdateMsg>(DataType::UpdateMsgEnum, "getUpdateMsg()");                            \
    }                                                                                                                  \
    const StatusMsg& Class::getStatusMsg() const {                                                                     \
        return implOf(load_).complex<StatusMsg>(DataType::StatusMsgEnum, "getStatusMsg()");                            \
    }                                                                                                                  \
    const PostMsg& Class::getPostMsg() const {                                                                         \
        return implOf(load_).complex<PostMsg>(DataType::PostMsgEnum, "getPostMsg()");                                  \
    }                                                                                                                  \
    const AckMsg& Class::getAckMsg() const {                                                                           \
        return implOf(load_).complex<AckMsg>(DataType::AckMsgEnum, "getAckMsg()");                                     \
    }                                                                                                                  \
    const GenericMsg& Class::getGenericMsg() const {                                                                   \
        return implOf(load_).complex<GenericMsg>(DataType::GenericMsgEnum, "getGenericMsg()");                         \
    }                                                                                                                  \
    const FieldList& Class::getFieldList() const {                                                                     \
        return implOf(load_).fieldList("getFieldList()");                                                              \
    }                                                                                                                  \
    const ElementList& Class::getElementList() const {                                                                 \
        return implOf(load_).complex<ElementList>(DataType::ElementListEnum, "getElementList()");                      \
    }                                                                                                                  \
    const Map& Class::getMap() const {                                                                                 \
        return implOf(load_).complex<Map>(DataType::MapEnum, "getMap()");                                              \
    }                                                                                                                  \
    const Vector& Class::getVector() const {                                                                           \
        return implOf(load_).complex<Vector>(DataType::VectorEnum, "getVector()");                                     \
    }                                                                                                                  \
    const Series& Class::getSeries() const {                                                                           \
        return implOf(load_).complex<Series>(DataType::SeriesEnum, "getSeries()");                                     \
    }                                                                                                                  \
    const FilterList& Class::getFilterList() const {                                                                   \
        return implOf(load_).complex<FilterList>(DataType::FilterListEnum, "getFilterList()");                         \
    }                                                                                                                  \
    const OmmOpaque& Class::getOpaque() const {                                                                        \
        return implOf(load_).complex<OmmOpaque>(DataType::OpaqueEnum, "getOpaque()");                                  \
    }                                                                                                                  \
    const OmmXml& Class::getXml() const {                                                                              \
        return implOf(load_).complex<OmmXml>(DataType::XmlEnum, "getXml()");                                           \
    }                                                                                                                  \
    const OmmAnsiPage& Class::getAnsiPage() const {                                                                    \
        return implOf(load_).complex<OmmAnsiPage>(DataType::AnsiPageEnum, "getAnsiPage()");                            \
    }                                                                                                                  \
    const OmmJson& Class::getJson() const {                                                                            \
        return implOf(load_).complex<OmmJson>(DataType::JsonEnum, "getJson()");                                        \
    }                                                                                                                  \
    const OmmError& Class::getError() const {                                                                          \
        return implOf(load_).getError();                                                                               \
    }

#define EMISSARY_PRIMITIVE_GETTERS(Class)                                                                              \
    const OmmDateTime& Class::getDateTime() const {                                                                    \
        return implOf(load_).value<OmmDateTime>(DataType::DateTimeEnum, "getDateTime()");                              \
    }                                                                                                                  \
    const OmmQos& Class::getQos() const {                                                                              \
        return implOf(load_).value<OmmQos>(DataType::QosEnum, "getQos()");                                             \
    }                                                                                                                  \
    const OmmState& Class::getState() const {                                                                          \
        return implOf(load_).value<OmmState>(DataType::StateEnum, "getState()");                                       \
    }                                                                                                                  \
    const EmaBuffer& Class::getBuffer() const {                                                                        \
        return implOf(load_).value<OmmBuffer>(DataType::BufferEnum, "getBuffer()").getBuffer();                        \
    }                                                                                                                  \
    const EmaString& Class::getAscii() const {                                                                         \
        return implOf(load_).value<OmmAscii>(DataType::AsciiEnum, "getAscii()").getAscii();                            \
    }                                                                                                                  \
    const EmaBuffer& Class::getUtf8() const {                                                                          \
        return implOf(load_).value<OmmUtf8>(DataType::Utf8Enum, "getUtf8()").getUtf8();                                \
    }

// A load is resolved when it is asked for: data() is where bytes that cannot be read become an OmmError.
#define EMISSARY_ENTRY(Class)                                                                                          \
    Class::~Class() = default;                                                                                         \
    const Data& Class::getLoad() const {                                                                               \
        return implOf(load_).data();                                                                                   \
    }

EMISSARY_ENTRY(FieldEntry)
EMISSARY_COMPLEX_GETTERS(FieldEntry)
EMISSARY_PRIMITIVE_GETTERS(FieldEntry)
const OmmArray& FieldEntry::getArray() const {
    return implOf(load_).value<OmmArray>(DataType::ArrayEnum, "getArray()");
}
const EmaString& FieldEntry::getName() const {
    const auto* d = implOf(load_).definition();
    return keepText(implOf(load_).texts().name, d == nullptr ? std::string_view{} : d->acronym);
}
// 0 asks for the field of this entry.
Int16 FieldEntry::getRippleTo(Int16 fieldId) const {
    const auto* dictionary = implOf(load_).scope().dictionary;
    const auto* d = dictionary == nullptr ? nullptr : dictionary->find(fieldId == 0 ? implOf(load_).fieldId : fieldId);
    return d == nullptr ? Int16{0} : d->rippleTo;
}
const EmaString& FieldEntry::getRippleToName(Int16 fieldId) const {
    const Int16 to = getRippleTo(fieldId);
    const auto* d = to == 0 ? nullptr : implOf(load_).scope().dictionary->find(to);
    return keepText(implOf(load_).texts().rippleToName, d == nullptr ? std::string_view{} : d->acronym);
}
namespace {
const emissary::eta::dictionary::EnumValue* enumValue(emissary::ema::LoadImpl& load) {
    const auto* d = load.definition();
    if (d == nullptr || d->enums == nullptr || load.resolved() != emissary::ema::LoadImpl::State::value ||
        // A blank enumeration has no value to look up.
        load.wireType() != T::Enum)
        return nullptr;
    return d->enums->find(static_cast<UInt16>(load.scalar.u));
}
}  // namespace
bool FieldEntry::hasEnumDisplay() const {
    return enumValue(implOf(load_)) != nullptr;
}
const EmaString& FieldEntry::getEnumDisplay() const {
    const auto* v = enumValue(implOf(load_));
    if (v == nullptr)
        emissary::ema::throwInvalidUsage(
            "getEnumDisplay(): field " + std::to_string(implOf(load_).fieldId) +
                " has no such value in an enum table, or there is no dictionary; test with hasEnumDisplay()",
            kInvalidOperation);
    return keepText(implOf(load_).texts().enumDisplay, v->display);
}
const EmaString& FieldEntry::toString() const {
    std::string out;
    emissary::ema::printFieldEntry(out, implOf(load_).fieldId, implOf(load_).content(), implOf(load_).setType(),
                                   printScope(implOf(load_)));
    return keepText(implOf(load_).texts().whole, out);
}

EMISSARY_ENTRY(ElementEntry)
EMISSARY_COMPLEX_GETTERS(ElementEntry)
EMISSARY_PRIMITIVE_GETTERS(ElementEntry)
Data::DataCode ElementEntry::getCode() const {
    return implOf(load_).code();
}
const OmmArray& ElementEntry::getArray() const {
    return implOf(load_).value<OmmArray>(DataType::ArrayEnum, "getArray()");
}
const EmaString& ElementEntry::getName() const {
    return ownerOf<emissary::ema::ElementListImpl>(implOf(load_)).nameText();
}
const EmaString& ElementEntry::toString() const {
    std::string out;
    emissary::ema::printElementEntry(out, ownerOf<emissary::ema::ElementListImpl>(implOf(load_)).current(),
                                     printScope(implOf(load_)));
    return keepText(implOf(load_).texts().whole, out);
}

EMISSARY_ENTRY(OmmArrayEntry)
EMISSARY_PRIMITIVE_GETTERS(OmmArrayEntry)
Data::DataCode OmmArrayEntry::getCode() const {
    return implOf(load_).code();
}
const OmmError& OmmArrayEntry::getError() const {
    return implOf(load_).getError();
}
const EmaString& OmmArrayEntry::toString() const {
    return implOf(load_).data().toString();
}

// Permission data of keyed entries.
#define EMISSARY_PERMISSION(Class, owner)                                                                              \
    bool Class::hasPermissionData() const {                                                                            \
        return ownerOf<emissary::ema::owner>(implOf(load_)).current().hasPermData;                                     \
    }                                                                                                                  \
    const EmaBuffer& Class::getPermissionData() const {                                                                \
        auto& o = ownerOf<emissary::ema::owner>(implOf(load_));                                                        \
        if (!o.current().hasPermData)                                                                                  \
            emissary::ema::throwInvalidUsage(#Class ": getPermissionData() while there is none", kInvalidOperation);   \
        const auto perm = o.current().permData;                                                                        \
        return o.permission().setFrom(reinterpret_cast<const char*>(perm.data()), static_cast<UInt32>(perm.size()));   \
    }
// "Update", "Add" ... or "Unknown ... value N".
template <std::size_t n>
static const EmaString& actionName(const EmaString (&names)[n], UInt8 action, const char* kind,
                                   emissary::ema::LoadImpl& load) {
    if (action > 0 && action <= n) return names[action - 1];
    return load.texts().action.set("Unknown ").append(kind).append(" value ").append(static_cast<Int32>(action));
}

EMISSARY_ENTRY(MapEntry)
EMISSARY_LOAD_TYPE(MapEntry, getLoadType)
EMISSARY_COMPLEX_GETTERS(MapEntry)
EMISSARY_PERMISSION(MapEntry, MapImpl)
MapEntry::MapAction MapEntry::getAction() const {
    return static_cast<MapAction>(ownerOf<emissary::ema::MapImpl>(implOf(load_)).current().action);
}
const Key& MapEntry::getKey() const {
    return ownerOf<emissary::ema::MapImpl>(implOf(load_)).key();
}
const EmaString& MapEntry::getMapActionAsString() const {
    static const EmaString kNames[] = {"Update", "Add", "Delete"};
    return actionName(kNames, ownerOf<emissary::ema::MapImpl>(implOf(load_)).current().action, "MapAction",
                      implOf(load_));
}
const EmaString& MapEntry::toString() const {
    std::string out;
    auto& o = ownerOf<emissary::ema::MapImpl>(implOf(load_));
    emissary::ema::printMapEntry(out, o.current(), o.mapDecoder().keyType(), o.mapDecoder().entryType(),
                                 printScope(implOf(load_)));
    return keepText(implOf(load_).texts().whole, out);
}

EMISSARY_ENTRY(VectorEntry)
EMISSARY_LOAD_TYPE(VectorEntry, getLoadType)
EMISSARY_COMPLEX_GETTERS(VectorEntry)
EMISSARY_PERMISSION(VectorEntry, VectorImpl)
VectorEntry::VectorAction VectorEntry::getAction() const {
    return static_cast<VectorAction>(ownerOf<emissary::ema::VectorImpl>(implOf(load_)).current().action);
}
UInt32 VectorEntry::getPosition() const {
    return ownerOf<emissary::ema::VectorImpl>(implOf(load_)).current().index;
}
const EmaString& VectorEntry::getVectorActionAsString() const {
    static const EmaString kNames[] = {"Update", "Set", "Clear", "Insert", "Delete"};
    return actionName(kNames, ownerOf<emissary::ema::VectorImpl>(implOf(load_)).current().action, "VectorAction",
                      implOf(load_));
}
const EmaString& VectorEntry::toString() const {
    std::string out;
    auto& o = ownerOf<emissary::ema::VectorImpl>(implOf(load_));
    emissary::ema::printVectorEntry(out, o.current(), o.vectorDecoder().entryType(), printScope(implOf(load_)));
    return keepText(implOf(load_).texts().whole, out);
}

EMISSARY_ENTRY(SeriesEntry)
EMISSARY_LOAD_TYPE(SeriesEntry, getLoadType)
EMISSARY_COMPLEX_GETTERS(SeriesEntry)
const EmaString& SeriesEntry::toString() const {
    std::string out;
    auto& o = ownerOf<emissary::ema::SeriesImpl>(implOf(load_));
    emissary::ema::printSeriesEntry(out, o.current(), o.seriesDecoder().entryType(), printScope(implOf(load_)));
    return keepText(implOf(load_).texts().whole, out);
}

EMISSARY_ENTRY(FilterEntry)
EMISSARY_LOAD_TYPE(FilterEntry, getLoadType)
EMISSARY_COMPLEX_GETTERS(FilterEntry)
EMISSARY_PERMISSION(FilterEntry, FilterListImpl)
FilterEntry::FilterAction FilterEntry::getAction() const {
    return static_cast<FilterAction>(ownerOf<emissary::ema::FilterListImpl>(implOf(load_)).current().action);
}
UInt8 FilterEntry::getFilterId() const {
    return ownerOf<emissary::ema::FilterListImpl>(implOf(load_)).current().id;
}
const EmaString& FilterEntry::getFilterActionAsString() const {
    static const EmaString kNames[] = {"Update", "Set", "Clear"};
    return actionName(kNames, ownerOf<emissary::ema::FilterListImpl>(implOf(load_)).current().action, "FilterAction",
                      implOf(load_));
}
const EmaString& FilterEntry::toString() const {
    std::string out;
    emissary::ema::printFilterEntry(out, ownerOf<emissary::ema::FilterListImpl>(implOf(load_)).current(),
                                    printScope(implOf(load_)));
    return keepText(implOf(load_).texts().whole, out);
}

Key::~Key() = default;
const Data& Key::getData() const {
    return implOf(load_).data();
}
EMISSARY_PRIMITIVE_GETTERS(Key)
const OmmError& Key::getError() const {
    return implOf(load_).getError();
}

// Parts of a message have no entry to say that it is an error, so these throw.
#define EMISSARY_PART(Class)                                                                                           \
    Class::~Class() = default;                                                                                         \
    EMISSARY_LOAD_TYPE(Class, getDataType)                                                                             \
    const ComplexType& Class::getData() const {                                                                        \
        if (implOf(load_).resolved() == emissary::ema::LoadImpl::State::error)                                         \
            emissary::ema::throwInvalidUsage(#Class ": the data cannot be decoded; see getError()",                    \
                                             OmmInvalidUsageException::IncompleteDataEnum);                            \
        return static_cast<const ComplexType&>(implOf(load_).data());                                                  \
    }                                                                                                                  \
    EMISSARY_COMPLEX_GETTERS(Class)
EMISSARY_PART(SummaryData)
EMISSARY_PART(Attrib)
EMISSARY_PART(Payload)

}  // namespace refinitiv::ema::access

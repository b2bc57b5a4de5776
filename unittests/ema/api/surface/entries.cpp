// Entries, keys, payloads (ema-api.md 3.5).
#include "Ema.h"
#include "surface.h"

using namespace refinitiv::ema;
using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;
using emissary::apitest::member;

void surfaceOfFieldEntry() {
    static_assert(std::has_virtual_destructor_v<FieldEntry>);
    static_assert(!std::is_copy_constructible_v<FieldEntry> && !std::is_copy_assignable_v<FieldEntry>);
    static_assert(!std::is_convertible_v<const FieldEntry&, const char*>);
    member<FieldEntry, DataType::DataTypeEnum() const>(&FieldEntry::getLoadType);
    member<FieldEntry, Int16() const>(&FieldEntry::getFieldId);
    member<FieldEntry, const EmaString&() const>(&FieldEntry::getName);
    member<FieldEntry, Int16(Int16) const>(&FieldEntry::getRippleTo);
    static_assert(requires(const FieldEntry& c) {
        { c.getRippleTo() } -> std::same_as<Int16>;
    });
    member<FieldEntry, const EmaString&(Int16) const>(&FieldEntry::getRippleToName);
    static_assert(requires(const FieldEntry& c) {
        { c.getRippleToName() } -> std::same_as<const EmaString&>;
    });
    member<FieldEntry, const Data&() const>(&FieldEntry::getLoad);
    member<FieldEntry, bool() const>(&FieldEntry::hasEnumDisplay);
    member<FieldEntry, const EmaString&() const>(&FieldEntry::getEnumDisplay);
    member<FieldEntry, const ReqMsg&() const>(&FieldEntry::getReqMsg);
    member<FieldEntry, const RefreshMsg&() const>(&FieldEntry::getRefreshMsg);
    member<FieldEntry, const UpdateMsg&() const>(&FieldEntry::getUpdateMsg);
    member<FieldEntry, const StatusMsg&() const>(&FieldEntry::getStatusMsg);
    member<FieldEntry, const PostMsg&() const>(&FieldEntry::getPostMsg);
    member<FieldEntry, const AckMsg&() const>(&FieldEntry::getAckMsg);
    member<FieldEntry, const GenericMsg&() const>(&FieldEntry::getGenericMsg);
    member<FieldEntry, const FieldList&() const>(&FieldEntry::getFieldList);
    member<FieldEntry, const ElementList&() const>(&FieldEntry::getElementList);
    member<FieldEntry, const Map&() const>(&FieldEntry::getMap);
    member<FieldEntry, const Vector&() const>(&FieldEntry::getVector);
    member<FieldEntry, const Series&() const>(&FieldEntry::getSeries);
    member<FieldEntry, const FilterList&() const>(&FieldEntry::getFilterList);
    member<FieldEntry, const OmmOpaque&() const>(&FieldEntry::getOpaque);
    member<FieldEntry, const OmmXml&() const>(&FieldEntry::getXml);
    member<FieldEntry, const OmmAnsiPage&() const>(&FieldEntry::getAnsiPage);
    member<FieldEntry, const OmmError&() const>(&FieldEntry::getError);
    member<FieldEntry, const OmmJson&() const>(&FieldEntry::getJson);
    member<FieldEntry, Int64() const>(&FieldEntry::getInt);
    member<FieldEntry, UInt64() const>(&FieldEntry::getUInt);
    member<FieldEntry, const OmmReal&() const>(&FieldEntry::getReal);
    member<FieldEntry, float() const>(&FieldEntry::getFloat);
    member<FieldEntry, double() const>(&FieldEntry::getDouble);
    member<FieldEntry, const OmmDate&() const>(&FieldEntry::getDate);
    member<FieldEntry, const OmmTime&() const>(&FieldEntry::getTime);
    member<FieldEntry, const OmmDateTime&() const>(&FieldEntry::getDateTime);
    member<FieldEntry, const OmmQos&() const>(&FieldEntry::getQos);
    member<FieldEntry, const OmmState&() const>(&FieldEntry::getState);
    member<FieldEntry, UInt16() const>(&FieldEntry::getEnum);
    member<FieldEntry, const EmaBuffer&() const>(&FieldEntry::getBuffer);
    member<FieldEntry, const EmaString&() const>(&FieldEntry::getAscii);
    member<FieldEntry, const EmaBuffer&() const>(&FieldEntry::getUtf8);
    member<FieldEntry, const RmtesBuffer&() const>(&FieldEntry::getRmtes);
    member<FieldEntry, Data::DataCode() const>(&FieldEntry::getCode);
    member<FieldEntry, const EmaString&() const>(&FieldEntry::toString);
    member<FieldEntry, const OmmArray&() const>(&FieldEntry::getArray);
}

void surfaceOfElementEntry() {
    static_assert(std::has_virtual_destructor_v<ElementEntry>);
    static_assert(!std::is_copy_constructible_v<ElementEntry> && !std::is_copy_assignable_v<ElementEntry>);
    static_assert(!std::is_convertible_v<const ElementEntry&, const char*>);
    member<ElementEntry, DataType::DataTypeEnum() const>(&ElementEntry::getLoadType);
    member<ElementEntry, const EmaString&() const>(&ElementEntry::getName);
    member<ElementEntry, const Data&() const>(&ElementEntry::getLoad);
    member<ElementEntry, const ReqMsg&() const>(&ElementEntry::getReqMsg);
    member<ElementEntry, const RefreshMsg&() const>(&ElementEntry::getRefreshMsg);
    member<ElementEntry, const UpdateMsg&() const>(&ElementEntry::getUpdateMsg);
    member<ElementEntry, const StatusMsg&() const>(&ElementEntry::getStatusMsg);
    member<ElementEntry, const PostMsg&() const>(&ElementEntry::getPostMsg);
    member<ElementEntry, const AckMsg&() const>(&ElementEntry::getAckMsg);
    member<ElementEntry, const GenericMsg&() const>(&ElementEntry::getGenericMsg);
    member<ElementEntry, const FieldList&() const>(&ElementEntry::getFieldList);
    member<ElementEntry, const ElementList&() const>(&ElementEntry::getElementList);
    member<ElementEntry, const Map&() const>(&ElementEntry::getMap);
    member<ElementEntry, const Vector&() const>(&ElementEntry::getVector);
    member<ElementEntry, const Series&() const>(&ElementEntry::getSeries);
    member<ElementEntry, const FilterList&() const>(&ElementEntry::getFilterList);
    member<ElementEntry, const OmmOpaque&() const>(&ElementEntry::getOpaque);
    member<ElementEntry, const OmmXml&() const>(&ElementEntry::getXml);
    member<ElementEntry, const OmmAnsiPage&() const>(&ElementEntry::getAnsiPage);
    member<ElementEntry, const OmmError&() const>(&ElementEntry::getError);
    member<ElementEntry, const OmmJson&() const>(&ElementEntry::getJson);
    member<ElementEntry, Int64() const>(&ElementEntry::getInt);
    member<ElementEntry, UInt64() const>(&ElementEntry::getUInt);
    member<ElementEntry, const OmmReal&() const>(&ElementEntry::getReal);
    member<ElementEntry, float() const>(&ElementEntry::getFloat);
    member<ElementEntry, double() const>(&ElementEntry::getDouble);
    member<ElementEntry, const OmmDate&() const>(&ElementEntry::getDate);
    member<ElementEntry, const OmmTime&() const>(&ElementEntry::getTime);
    member<ElementEntry, const OmmDateTime&() const>(&ElementEntry::getDateTime);
    member<ElementEntry, const OmmQos&() const>(&ElementEntry::getQos);
    member<ElementEntry, const OmmState&() const>(&ElementEntry::getState);
    member<ElementEntry, UInt16() const>(&ElementEntry::getEnum);
    member<ElementEntry, const EmaBuffer&() const>(&ElementEntry::getBuffer);
    member<ElementEntry, const EmaString&() const>(&ElementEntry::getAscii);
    member<ElementEntry, const EmaBuffer&() const>(&ElementEntry::getUtf8);
    member<ElementEntry, const RmtesBuffer&() const>(&ElementEntry::getRmtes);
    member<ElementEntry, Data::DataCode() const>(&ElementEntry::getCode);
    member<ElementEntry, const EmaString&() const>(&ElementEntry::toString);
    member<ElementEntry, const OmmArray&() const>(&ElementEntry::getArray);
}

void surfaceOfMapEntry() {
    static_assert(std::has_virtual_destructor_v<MapEntry>);
    static_assert(!std::is_copy_constructible_v<MapEntry> && !std::is_copy_assignable_v<MapEntry>);
    static_assert(!std::is_convertible_v<const MapEntry&, const char*>);
    static_assert(MapEntry::UpdateEnum == 1);
    static_assert(MapEntry::AddEnum == 2);
    static_assert(MapEntry::DeleteEnum == 3);
    member<MapEntry, const EmaString&() const>(&MapEntry::getMapActionAsString);
    member<MapEntry, DataType::DataTypeEnum() const>(&MapEntry::getLoadType);
    member<MapEntry, bool() const>(&MapEntry::hasPermissionData);
    member<MapEntry, const Data&() const>(&MapEntry::getLoad);
    member<MapEntry, const Key&() const>(&MapEntry::getKey);
    member<MapEntry, MapEntry::MapAction() const>(&MapEntry::getAction);
    member<MapEntry, const EmaBuffer&() const>(&MapEntry::getPermissionData);
    member<MapEntry, const ReqMsg&() const>(&MapEntry::getReqMsg);
    member<MapEntry, const RefreshMsg&() const>(&MapEntry::getRefreshMsg);
    member<MapEntry, const UpdateMsg&() const>(&MapEntry::getUpdateMsg);
    member<MapEntry, const StatusMsg&() const>(&MapEntry::getStatusMsg);
    member<MapEntry, const PostMsg&() const>(&MapEntry::getPostMsg);
    member<MapEntry, const AckMsg&() const>(&MapEntry::getAckMsg);
    member<MapEntry, const GenericMsg&() const>(&MapEntry::getGenericMsg);
    member<MapEntry, const FieldList&() const>(&MapEntry::getFieldList);
    member<MapEntry, const ElementList&() const>(&MapEntry::getElementList);
    member<MapEntry, const Map&() const>(&MapEntry::getMap);
    member<MapEntry, const Vector&() const>(&MapEntry::getVector);
    member<MapEntry, const Series&() const>(&MapEntry::getSeries);
    member<MapEntry, const FilterList&() const>(&MapEntry::getFilterList);
    member<MapEntry, const OmmOpaque&() const>(&MapEntry::getOpaque);
    member<MapEntry, const OmmXml&() const>(&MapEntry::getXml);
    member<MapEntry, const OmmAnsiPage&() const>(&MapEntry::getAnsiPage);
    member<MapEntry, const OmmError&() const>(&MapEntry::getError);
    member<MapEntry, const OmmJson&() const>(&MapEntry::getJson);
    member<MapEntry, const EmaString&() const>(&MapEntry::toString);
}

void surfaceOfVectorEntry() {
    static_assert(std::has_virtual_destructor_v<VectorEntry>);
    static_assert(!std::is_copy_constructible_v<VectorEntry> && !std::is_copy_assignable_v<VectorEntry>);
    static_assert(!std::is_convertible_v<const VectorEntry&, const char*>);
    static_assert(VectorEntry::UpdateEnum == 1);
    static_assert(VectorEntry::SetEnum == 2);
    static_assert(VectorEntry::ClearEnum == 3);
    static_assert(VectorEntry::InsertEnum == 4);
    static_assert(VectorEntry::DeleteEnum == 5);
    member<VectorEntry, const EmaString&() const>(&VectorEntry::getVectorActionAsString);
    member<VectorEntry, DataType::DataTypeEnum() const>(&VectorEntry::getLoadType);
    member<VectorEntry, bool() const>(&VectorEntry::hasPermissionData);
    member<VectorEntry, UInt32() const>(&VectorEntry::getPosition);
    member<VectorEntry, const Data&() const>(&VectorEntry::getLoad);
    member<VectorEntry, VectorEntry::VectorAction() const>(&VectorEntry::getAction);
    member<VectorEntry, const EmaBuffer&() const>(&VectorEntry::getPermissionData);
    member<VectorEntry, const ReqMsg&() const>(&VectorEntry::getReqMsg);
    member<VectorEntry, const RefreshMsg&() const>(&VectorEntry::getRefreshMsg);
    member<VectorEntry, const UpdateMsg&() const>(&VectorEntry::getUpdateMsg);
    member<VectorEntry, const StatusMsg&() const>(&VectorEntry::getStatusMsg);
    member<VectorEntry, const PostMsg&() const>(&VectorEntry::getPostMsg);
    member<VectorEntry, const AckMsg&() const>(&VectorEntry::getAckMsg);
    member<VectorEntry, const GenericMsg&() const>(&VectorEntry::getGenericMsg);
    member<VectorEntry, const FieldList&() const>(&VectorEntry::getFieldList);
    member<VectorEntry, const ElementList&() const>(&VectorEntry::getElementList);
    member<VectorEntry, const Map&() const>(&VectorEntry::getMap);
    member<VectorEntry, const Vector&() const>(&VectorEntry::getVector);
    member<VectorEntry, const Series&() const>(&VectorEntry::getSeries);
    member<VectorEntry, const FilterList&() const>(&VectorEntry::getFilterList);
    member<VectorEntry, const OmmOpaque&() const>(&VectorEntry::getOpaque);
    member<VectorEntry, const OmmXml&() const>(&VectorEntry::getXml);
    member<VectorEntry, const OmmAnsiPage&() const>(&VectorEntry::getAnsiPage);
    member<VectorEntry, const OmmError&() const>(&VectorEntry::getError);
    member<VectorEntry, const OmmJson&() const>(&VectorEntry::getJson);
    member<VectorEntry, const EmaString&() const>(&VectorEntry::toString);
}

void surfaceOfSeriesEntry() {
    static_assert(std::has_virtual_destructor_v<SeriesEntry>);
    static_assert(!std::is_copy_constructible_v<SeriesEntry> && !std::is_copy_assignable_v<SeriesEntry>);
    static_assert(!std::is_convertible_v<const SeriesEntry&, const char*>);
    member<SeriesEntry, DataType::DataTypeEnum() const>(&SeriesEntry::getLoadType);
    member<SeriesEntry, const Data&() const>(&SeriesEntry::getLoad);
    member<SeriesEntry, const ReqMsg&() const>(&SeriesEntry::getReqMsg);
    member<SeriesEntry, const RefreshMsg&() const>(&SeriesEntry::getRefreshMsg);
    member<SeriesEntry, const UpdateMsg&() const>(&SeriesEntry::getUpdateMsg);
    member<SeriesEntry, const StatusMsg&() const>(&SeriesEntry::getStatusMsg);
    member<SeriesEntry, const PostMsg&() const>(&SeriesEntry::getPostMsg);
    member<SeriesEntry, const AckMsg&() const>(&SeriesEntry::getAckMsg);
    member<SeriesEntry, const GenericMsg&() const>(&SeriesEntry::getGenericMsg);
    member<SeriesEntry, const FieldList&() const>(&SeriesEntry::getFieldList);
    member<SeriesEntry, const ElementList&() const>(&SeriesEntry::getElementList);
    member<SeriesEntry, const Map&() const>(&SeriesEntry::getMap);
    member<SeriesEntry, const Vector&() const>(&SeriesEntry::getVector);
    member<SeriesEntry, const Series&() const>(&SeriesEntry::getSeries);
    member<SeriesEntry, const FilterList&() const>(&SeriesEntry::getFilterList);
    member<SeriesEntry, const OmmOpaque&() const>(&SeriesEntry::getOpaque);
    member<SeriesEntry, const OmmXml&() const>(&SeriesEntry::getXml);
    member<SeriesEntry, const OmmAnsiPage&() const>(&SeriesEntry::getAnsiPage);
    member<SeriesEntry, const OmmError&() const>(&SeriesEntry::getError);
    member<SeriesEntry, const OmmJson&() const>(&SeriesEntry::getJson);
    member<SeriesEntry, const EmaString&() const>(&SeriesEntry::toString);
}

void surfaceOfFilterEntry() {
    static_assert(std::has_virtual_destructor_v<FilterEntry>);
    static_assert(!std::is_copy_constructible_v<FilterEntry> && !std::is_copy_assignable_v<FilterEntry>);
    static_assert(!std::is_convertible_v<const FilterEntry&, const char*>);
    static_assert(FilterEntry::UpdateEnum == 1);
    static_assert(FilterEntry::SetEnum == 2);
    static_assert(FilterEntry::ClearEnum == 3);
    member<FilterEntry, const EmaString&() const>(&FilterEntry::getFilterActionAsString);
    member<FilterEntry, DataType::DataTypeEnum() const>(&FilterEntry::getLoadType);
    member<FilterEntry, UInt8() const>(&FilterEntry::getFilterId);
    member<FilterEntry, bool() const>(&FilterEntry::hasPermissionData);
    member<FilterEntry, const Data&() const>(&FilterEntry::getLoad);
    member<FilterEntry, FilterEntry::FilterAction() const>(&FilterEntry::getAction);
    member<FilterEntry, const EmaBuffer&() const>(&FilterEntry::getPermissionData);
    member<FilterEntry, const ReqMsg&() const>(&FilterEntry::getReqMsg);
    member<FilterEntry, const RefreshMsg&() const>(&FilterEntry::getRefreshMsg);
    member<FilterEntry, const UpdateMsg&() const>(&FilterEntry::getUpdateMsg);
    member<FilterEntry, const StatusMsg&() const>(&FilterEntry::getStatusMsg);
    member<FilterEntry, const PostMsg&() const>(&FilterEntry::getPostMsg);
    member<FilterEntry, const AckMsg&() const>(&FilterEntry::getAckMsg);
    member<FilterEntry, const GenericMsg&() const>(&FilterEntry::getGenericMsg);
    member<FilterEntry, const FieldList&() const>(&FilterEntry::getFieldList);
    member<FilterEntry, const ElementList&() const>(&FilterEntry::getElementList);
    member<FilterEntry, const Map&() const>(&FilterEntry::getMap);
    member<FilterEntry, const Vector&() const>(&FilterEntry::getVector);
    member<FilterEntry, const Series&() const>(&FilterEntry::getSeries);
    member<FilterEntry, const FilterList&() const>(&FilterEntry::getFilterList);
    member<FilterEntry, const OmmOpaque&() const>(&FilterEntry::getOpaque);
    member<FilterEntry, const OmmXml&() const>(&FilterEntry::getXml);
    member<FilterEntry, const OmmAnsiPage&() const>(&FilterEntry::getAnsiPage);
    member<FilterEntry, const OmmError&() const>(&FilterEntry::getError);
    member<FilterEntry, const OmmJson&() const>(&FilterEntry::getJson);
    member<FilterEntry, const EmaString&() const>(&FilterEntry::toString);
}

void surfaceOfKey() {
    static_assert(std::has_virtual_destructor_v<Key>);
    static_assert(!std::is_copy_constructible_v<Key> && !std::is_copy_assignable_v<Key>);
    static_assert(!std::is_convertible_v<const Key&, const char*>);
    member<Key, DataType::DataTypeEnum() const>(&Key::getDataType);
    member<Key, const Data&() const>(&Key::getData);
    member<Key, Int64() const>(&Key::getInt);
    member<Key, UInt64() const>(&Key::getUInt);
    member<Key, const OmmReal&() const>(&Key::getReal);
    member<Key, float() const>(&Key::getFloat);
    member<Key, double() const>(&Key::getDouble);
    member<Key, const OmmDate&() const>(&Key::getDate);
    member<Key, const OmmTime&() const>(&Key::getTime);
    member<Key, const OmmDateTime&() const>(&Key::getDateTime);
    member<Key, const OmmQos&() const>(&Key::getQos);
    member<Key, const OmmState&() const>(&Key::getState);
    member<Key, UInt16() const>(&Key::getEnum);
    member<Key, const EmaBuffer&() const>(&Key::getBuffer);
    member<Key, const EmaString&() const>(&Key::getAscii);
    member<Key, const EmaBuffer&() const>(&Key::getUtf8);
    member<Key, const RmtesBuffer&() const>(&Key::getRmtes);
    member<Key, const OmmError&() const>(&Key::getError);
}

void surfaceOfSummaryData() {
    static_assert(std::has_virtual_destructor_v<SummaryData>);
    static_assert(!std::is_copy_constructible_v<SummaryData> && !std::is_copy_assignable_v<SummaryData>);
    static_assert(!std::is_convertible_v<const SummaryData&, const char*>);
    member<SummaryData, DataType::DataTypeEnum() const>(&SummaryData::getDataType);
    member<SummaryData, const ComplexType&() const>(&SummaryData::getData);
    member<SummaryData, const ReqMsg&() const>(&SummaryData::getReqMsg);
    member<SummaryData, const RefreshMsg&() const>(&SummaryData::getRefreshMsg);
    member<SummaryData, const UpdateMsg&() const>(&SummaryData::getUpdateMsg);
    member<SummaryData, const StatusMsg&() const>(&SummaryData::getStatusMsg);
    member<SummaryData, const PostMsg&() const>(&SummaryData::getPostMsg);
    member<SummaryData, const AckMsg&() const>(&SummaryData::getAckMsg);
    member<SummaryData, const GenericMsg&() const>(&SummaryData::getGenericMsg);
    member<SummaryData, const FieldList&() const>(&SummaryData::getFieldList);
    member<SummaryData, const ElementList&() const>(&SummaryData::getElementList);
    member<SummaryData, const Map&() const>(&SummaryData::getMap);
    member<SummaryData, const Vector&() const>(&SummaryData::getVector);
    member<SummaryData, const Series&() const>(&SummaryData::getSeries);
    member<SummaryData, const FilterList&() const>(&SummaryData::getFilterList);
    member<SummaryData, const OmmOpaque&() const>(&SummaryData::getOpaque);
    member<SummaryData, const OmmXml&() const>(&SummaryData::getXml);
    member<SummaryData, const OmmAnsiPage&() const>(&SummaryData::getAnsiPage);
    member<SummaryData, const OmmError&() const>(&SummaryData::getError);
    member<SummaryData, const OmmJson&() const>(&SummaryData::getJson);
}

void surfaceOfAttrib() {
    static_assert(std::has_virtual_destructor_v<Attrib>);
    static_assert(!std::is_copy_constructible_v<Attrib> && !std::is_copy_assignable_v<Attrib>);
    static_assert(!std::is_convertible_v<const Attrib&, const char*>);
    member<Attrib, DataType::DataTypeEnum() const>(&Attrib::getDataType);
    member<Attrib, const ComplexType&() const>(&Attrib::getData);
    member<Attrib, const ReqMsg&() const>(&Attrib::getReqMsg);
    member<Attrib, const RefreshMsg&() const>(&Attrib::getRefreshMsg);
    member<Attrib, const UpdateMsg&() const>(&Attrib::getUpdateMsg);
    member<Attrib, const StatusMsg&() const>(&Attrib::getStatusMsg);
    member<Attrib, const PostMsg&() const>(&Attrib::getPostMsg);
    member<Attrib, const AckMsg&() const>(&Attrib::getAckMsg);
    member<Attrib, const GenericMsg&() const>(&Attrib::getGenericMsg);
    member<Attrib, const FieldList&() const>(&Attrib::getFieldList);
    member<Attrib, const ElementList&() const>(&Attrib::getElementList);
    member<Attrib, const Map&() const>(&Attrib::getMap);
    member<Attrib, const Vector&() const>(&Attrib::getVector);
    member<Attrib, const Series&() const>(&Attrib::getSeries);
    member<Attrib, const FilterList&() const>(&Attrib::getFilterList);
    member<Attrib, const OmmOpaque&() const>(&Attrib::getOpaque);
    member<Attrib, const OmmXml&() const>(&Attrib::getXml);
    member<Attrib, const OmmAnsiPage&() const>(&Attrib::getAnsiPage);
    member<Attrib, const OmmError&() const>(&Attrib::getError);
    member<Attrib, const OmmJson&() const>(&Attrib::getJson);
}

void surfaceOfPayload() {
    static_assert(std::has_virtual_destructor_v<Payload>);
    static_assert(!std::is_copy_constructible_v<Payload> && !std::is_copy_assignable_v<Payload>);
    static_assert(!std::is_convertible_v<const Payload&, const char*>);
    member<Payload, DataType::DataTypeEnum() const>(&Payload::getDataType);
    member<Payload, const ComplexType&() const>(&Payload::getData);
    member<Payload, const ReqMsg&() const>(&Payload::getReqMsg);
    member<Payload, const RefreshMsg&() const>(&Payload::getRefreshMsg);
    member<Payload, const UpdateMsg&() const>(&Payload::getUpdateMsg);
    member<Payload, const StatusMsg&() const>(&Payload::getStatusMsg);
    member<Payload, const PostMsg&() const>(&Payload::getPostMsg);
    member<Payload, const AckMsg&() const>(&Payload::getAckMsg);
    member<Payload, const GenericMsg&() const>(&Payload::getGenericMsg);
    member<Payload, const FieldList&() const>(&Payload::getFieldList);
    member<Payload, const ElementList&() const>(&Payload::getElementList);
    member<Payload, const Map&() const>(&Payload::getMap);
    member<Payload, const Vector&() const>(&Payload::getVector);
    member<Payload, const Series&() const>(&Payload::getSeries);
    member<Payload, const FilterList&() const>(&Payload::getFilterList);
    member<Payload, const OmmOpaque&() const>(&Payload::getOpaque);
    member<Payload, const OmmXml&() const>(&Payload::getXml);
    member<Payload, const OmmAnsiPage&() const>(&Payload::getAnsiPage);
    member<Payload, const OmmError&() const>(&Payload::getError);
    member<Payload, const OmmJson&() const>(&Payload::getJson);
}

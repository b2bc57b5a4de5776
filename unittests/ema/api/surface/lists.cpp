// Every public member of field and element lists, named once and used once.
#include "Ema.h"
#include "surface.h"

using namespace refinitiv::ema;
using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;
using emissary::apitest::member;

void surfaceOfFieldList() {
    static_assert(std::is_convertible_v<FieldList*, ComplexType*>);
    static_assert(std::has_virtual_destructor_v<FieldList>);
    static_assert(!std::is_copy_constructible_v<FieldList> && !std::is_copy_assignable_v<FieldList>);
    static_assert(std::is_constructible_v<FieldList>);
    member<FieldList, bool() const>(&FieldList::hasInfo);
    member<FieldList, Int16() const>(&FieldList::getInfoFieldListNum);
    member<FieldList, Int16() const>(&FieldList::getInfoDictionaryId);
    member<FieldList, bool() const>(&FieldList::forth);
    member<FieldList, bool(Int16) const>(&FieldList::forth);
    member<FieldList, bool(const EmaString&) const>(&FieldList::forth);
    member<FieldList, bool(const Data&) const>(&FieldList::forth);
    member<FieldList, const FieldEntry&() const>(&FieldList::getEntry);
    member<FieldList, void() const>(&FieldList::reset);
    member<FieldList, FieldList&()>(&FieldList::clear);
    member<FieldList, FieldList&(Int16, Int16)>(&FieldList::info);
    member<FieldList, const FieldList&()>(&FieldList::complete);
    member<FieldList, DataType::DataTypeEnum() const>(&FieldList::getDataType);
    member<FieldList, Data::DataCode() const>(&FieldList::getCode);
    member<FieldList, const EmaBuffer&() const>(&FieldList::getAsHex);
    member<FieldList, const EmaString&() const>(&FieldList::toString);
    member<FieldList, const EmaString&(const rdm::DataDictionary&) const>(&FieldList::toString);
    member<FieldList, FieldList&(Int16, const ReqMsg&)>(&FieldList::addReqMsg);
    member<FieldList, FieldList&(Int16, const RefreshMsg&)>(&FieldList::addRefreshMsg);
    member<FieldList, FieldList&(Int16, const StatusMsg&)>(&FieldList::addStatusMsg);
    member<FieldList, FieldList&(Int16, const UpdateMsg&)>(&FieldList::addUpdateMsg);
    member<FieldList, FieldList&(Int16, const PostMsg&)>(&FieldList::addPostMsg);
    member<FieldList, FieldList&(Int16, const AckMsg&)>(&FieldList::addAckMsg);
    member<FieldList, FieldList&(Int16, const GenericMsg&)>(&FieldList::addGenericMsg);
    member<FieldList, FieldList&(Int16, const FieldList&)>(&FieldList::addFieldList);
    member<FieldList, FieldList&(Int16, const ElementList&)>(&FieldList::addElementList);
    member<FieldList, FieldList&(Int16, const Map&)>(&FieldList::addMap);
    member<FieldList, FieldList&(Int16, const Vector&)>(&FieldList::addVector);
    member<FieldList, FieldList&(Int16, const Series&)>(&FieldList::addSeries);
    member<FieldList, FieldList&(Int16, const FilterList&)>(&FieldList::addFilterList);
    member<FieldList, FieldList&(Int16, const OmmOpaque&)>(&FieldList::addOpaque);
    member<FieldList, FieldList&(Int16, const OmmXml&)>(&FieldList::addXml);
    member<FieldList, FieldList&(Int16, const OmmAnsiPage&)>(&FieldList::addAnsiPage);
    member<FieldList, FieldList&(Int16, const OmmJson&)>(&FieldList::addJson);
    member<FieldList, FieldList&(Int16, const OmmArray&)>(&FieldList::addArray);
    member<FieldList, FieldList&(Int16, Int64)>(&FieldList::addInt);
    member<FieldList, FieldList&(Int16, UInt64)>(&FieldList::addUInt);
    member<FieldList, FieldList&(Int16, float)>(&FieldList::addFloat);
    member<FieldList, FieldList&(Int16, double)>(&FieldList::addDouble);
    member<FieldList, FieldList&(Int16, UInt16)>(&FieldList::addEnum);
    member<FieldList, FieldList&(Int16, Int64, OmmReal::MagnitudeType)>(&FieldList::addReal);
    member<FieldList, FieldList&(Int16, double, OmmReal::MagnitudeType)>(&FieldList::addRealFromDouble);
    static_assert(requires(FieldList & c, Int16 a0, double a1) {
        { c.addRealFromDouble(a0, a1) } -> std::same_as<FieldList&>;
    });
    member<FieldList, FieldList&(Int16, UInt16, UInt8, UInt8)>(&FieldList::addDate);
    member<FieldList, FieldList&(Int16, UInt8, UInt8, UInt8, UInt16, UInt16, UInt16)>(&FieldList::addTime);
    static_assert(requires(FieldList & c, Int16 a0) {
        { c.addTime(a0) } -> std::same_as<FieldList&>;
    });
    static_assert(requires(FieldList & c, Int16 a0, UInt8 a1) {
        { c.addTime(a0, a1) } -> std::same_as<FieldList&>;
    });
    static_assert(requires(FieldList & c, Int16 a0, UInt8 a1, UInt8 a2) {
        { c.addTime(a0, a1, a2) } -> std::same_as<FieldList&>;
    });
    static_assert(requires(FieldList & c, Int16 a0, UInt8 a1, UInt8 a2, UInt8 a3) {
        { c.addTime(a0, a1, a2, a3) } -> std::same_as<FieldList&>;
    });
    static_assert(requires(FieldList & c, Int16 a0, UInt8 a1, UInt8 a2, UInt8 a3, UInt16 a4) {
        { c.addTime(a0, a1, a2, a3, a4) } -> std::same_as<FieldList&>;
    });
    static_assert(requires(FieldList & c, Int16 a0, UInt8 a1, UInt8 a2, UInt8 a3, UInt16 a4, UInt16 a5) {
        { c.addTime(a0, a1, a2, a3, a4, a5) } -> std::same_as<FieldList&>;
    });
    member<FieldList, FieldList&(Int16, UInt16, UInt8, UInt8, UInt8, UInt8, UInt8, UInt16, UInt16, UInt16)>(
        &FieldList::addDateTime);
    static_assert(requires(FieldList & c, Int16 a0, UInt16 a1, UInt8 a2, UInt8 a3) {
        { c.addDateTime(a0, a1, a2, a3) } -> std::same_as<FieldList&>;
    });
    static_assert(requires(FieldList & c, Int16 a0, UInt16 a1, UInt8 a2, UInt8 a3, UInt8 a4) {
        { c.addDateTime(a0, a1, a2, a3, a4) } -> std::same_as<FieldList&>;
    });
    static_assert(requires(FieldList & c, Int16 a0, UInt16 a1, UInt8 a2, UInt8 a3, UInt8 a4, UInt8 a5) {
        { c.addDateTime(a0, a1, a2, a3, a4, a5) } -> std::same_as<FieldList&>;
    });
    static_assert(requires(FieldList & c, Int16 a0, UInt16 a1, UInt8 a2, UInt8 a3, UInt8 a4, UInt8 a5, UInt8 a6) {
        { c.addDateTime(a0, a1, a2, a3, a4, a5, a6) } -> std::same_as<FieldList&>;
    });
    static_assert(
        requires(FieldList & c, Int16 a0, UInt16 a1, UInt8 a2, UInt8 a3, UInt8 a4, UInt8 a5, UInt8 a6, UInt16 a7) {
            { c.addDateTime(a0, a1, a2, a3, a4, a5, a6, a7) } -> std::same_as<FieldList&>;
        });
    static_assert(requires(FieldList & c, Int16 a0, UInt16 a1, UInt8 a2, UInt8 a3, UInt8 a4, UInt8 a5, UInt8 a6,
                           UInt16 a7, UInt16 a8) {
        { c.addDateTime(a0, a1, a2, a3, a4, a5, a6, a7, a8) } -> std::same_as<FieldList&>;
    });
    member<FieldList, FieldList&(Int16, UInt32, UInt32)>(&FieldList::addQos);
    static_assert(requires(FieldList & c, Int16 a0) {
        { c.addQos(a0) } -> std::same_as<FieldList&>;
    });
    static_assert(requires(FieldList & c, Int16 a0, UInt32 a1) {
        { c.addQos(a0, a1) } -> std::same_as<FieldList&>;
    });
    member<FieldList, FieldList&(Int16, OmmState::StreamState, OmmState::DataState, UInt8, const EmaString&)>(
        &FieldList::addState);
    static_assert(requires(FieldList & c, Int16 a0) {
        { c.addState(a0) } -> std::same_as<FieldList&>;
    });
    static_assert(requires(FieldList & c, Int16 a0, OmmState::StreamState a1) {
        { c.addState(a0, a1) } -> std::same_as<FieldList&>;
    });
    static_assert(requires(FieldList & c, Int16 a0, OmmState::StreamState a1, OmmState::DataState a2) {
        { c.addState(a0, a1, a2) } -> std::same_as<FieldList&>;
    });
    static_assert(requires(FieldList & c, Int16 a0, OmmState::StreamState a1, OmmState::DataState a2, UInt8 a3) {
        { c.addState(a0, a1, a2, a3) } -> std::same_as<FieldList&>;
    });
    member<FieldList, FieldList&(Int16, const EmaBuffer&)>(&FieldList::addBuffer);
    member<FieldList, FieldList&(Int16, const EmaString&)>(&FieldList::addAscii);
    member<FieldList, FieldList&(Int16, const EmaBuffer&)>(&FieldList::addUtf8);
    member<FieldList, FieldList&(Int16, const EmaBuffer&)>(&FieldList::addRmtes);
    member<FieldList, FieldList&(Int16)>(&FieldList::addCodeInt);
    member<FieldList, FieldList&(Int16)>(&FieldList::addCodeUInt);
    member<FieldList, FieldList&(Int16)>(&FieldList::addCodeReal);
    member<FieldList, FieldList&(Int16)>(&FieldList::addCodeFloat);
    member<FieldList, FieldList&(Int16)>(&FieldList::addCodeDouble);
    member<FieldList, FieldList&(Int16)>(&FieldList::addCodeDate);
    member<FieldList, FieldList&(Int16)>(&FieldList::addCodeTime);
    member<FieldList, FieldList&(Int16)>(&FieldList::addCodeDateTime);
    member<FieldList, FieldList&(Int16)>(&FieldList::addCodeQos);
    member<FieldList, FieldList&(Int16)>(&FieldList::addCodeState);
    member<FieldList, FieldList&(Int16)>(&FieldList::addCodeEnum);
    member<FieldList, FieldList&(Int16)>(&FieldList::addCodeBuffer);
    member<FieldList, FieldList&(Int16)>(&FieldList::addCodeAscii);
    member<FieldList, FieldList&(Int16)>(&FieldList::addCodeUtf8);
    member<FieldList, FieldList&(Int16)>(&FieldList::addCodeRmtes);
}

void surfaceOfElementList() {
    static_assert(std::is_convertible_v<ElementList*, ComplexType*>);
    static_assert(std::has_virtual_destructor_v<ElementList>);
    static_assert(!std::is_copy_constructible_v<ElementList> && !std::is_copy_assignable_v<ElementList>);
    static_assert(std::is_constructible_v<ElementList>);
    member<ElementList, bool() const>(&ElementList::hasInfo);
    member<ElementList, Int16() const>(&ElementList::getInfoElementListNum);
    member<ElementList, bool() const>(&ElementList::forth);
    member<ElementList, bool(const EmaString&) const>(&ElementList::forth);
    member<ElementList, bool(const Data&) const>(&ElementList::forth);
    member<ElementList, const ElementEntry&() const>(&ElementList::getEntry);
    member<ElementList, void() const>(&ElementList::reset);
    member<ElementList, ElementList&()>(&ElementList::clear);
    member<ElementList, ElementList&(Int16)>(&ElementList::info);
    member<ElementList, const ElementList&()>(&ElementList::complete);
    member<ElementList, DataType::DataTypeEnum() const>(&ElementList::getDataType);
    member<ElementList, Data::DataCode() const>(&ElementList::getCode);
    member<ElementList, const EmaBuffer&() const>(&ElementList::getAsHex);
    member<ElementList, const EmaString&() const>(&ElementList::toString);
    member<ElementList, const EmaString&(const rdm::DataDictionary&) const>(&ElementList::toString);
    member<ElementList, ElementList&(const EmaString&, const ReqMsg&)>(&ElementList::addReqMsg);
    member<ElementList, ElementList&(const EmaString&, const RefreshMsg&)>(&ElementList::addRefreshMsg);
    member<ElementList, ElementList&(const EmaString&, const StatusMsg&)>(&ElementList::addStatusMsg);
    member<ElementList, ElementList&(const EmaString&, const UpdateMsg&)>(&ElementList::addUpdateMsg);
    member<ElementList, ElementList&(const EmaString&, const PostMsg&)>(&ElementList::addPostMsg);
    member<ElementList, ElementList&(const EmaString&, const AckMsg&)>(&ElementList::addAckMsg);
    member<ElementList, ElementList&(const EmaString&, const GenericMsg&)>(&ElementList::addGenericMsg);
    member<ElementList, ElementList&(const EmaString&, const FieldList&)>(&ElementList::addFieldList);
    member<ElementList, ElementList&(const EmaString&, const ElementList&)>(&ElementList::addElementList);
    member<ElementList, ElementList&(const EmaString&, const Map&)>(&ElementList::addMap);
    member<ElementList, ElementList&(const EmaString&, const Vector&)>(&ElementList::addVector);
    member<ElementList, ElementList&(const EmaString&, const Series&)>(&ElementList::addSeries);
    member<ElementList, ElementList&(const EmaString&, const FilterList&)>(&ElementList::addFilterList);
    member<ElementList, ElementList&(const EmaString&, const OmmOpaque&)>(&ElementList::addOpaque);
    member<ElementList, ElementList&(const EmaString&, const OmmXml&)>(&ElementList::addXml);
    member<ElementList, ElementList&(const EmaString&, const OmmAnsiPage&)>(&ElementList::addAnsiPage);
    member<ElementList, ElementList&(const EmaString&, const OmmJson&)>(&ElementList::addJson);
    member<ElementList, ElementList&(const EmaString&, const OmmArray&)>(&ElementList::addArray);
    member<ElementList, ElementList&(const EmaString&, Int64)>(&ElementList::addInt);
    member<ElementList, ElementList&(const EmaString&, UInt64)>(&ElementList::addUInt);
    member<ElementList, ElementList&(const EmaString&, float)>(&ElementList::addFloat);
    member<ElementList, ElementList&(const EmaString&, double)>(&ElementList::addDouble);
    member<ElementList, ElementList&(const EmaString&, UInt16)>(&ElementList::addEnum);
    member<ElementList, ElementList&(const EmaString&, Int64, OmmReal::MagnitudeType)>(&ElementList::addReal);
    member<ElementList, ElementList&(const EmaString&, double, OmmReal::MagnitudeType)>(
        &ElementList::addRealFromDouble);
    static_assert(requires(ElementList & c, const EmaString& a0, double a1) {
        { c.addRealFromDouble(a0, a1) } -> std::same_as<ElementList&>;
    });
    member<ElementList, ElementList&(const EmaString&, UInt16, UInt8, UInt8)>(&ElementList::addDate);
    member<ElementList, ElementList&(const EmaString&, UInt8, UInt8, UInt8, UInt16, UInt16, UInt16)>(
        &ElementList::addTime);
    static_assert(requires(ElementList & c, const EmaString& a0) {
        { c.addTime(a0) } -> std::same_as<ElementList&>;
    });
    static_assert(requires(ElementList & c, const EmaString& a0, UInt8 a1) {
        { c.addTime(a0, a1) } -> std::same_as<ElementList&>;
    });
    static_assert(requires(ElementList & c, const EmaString& a0, UInt8 a1, UInt8 a2) {
        { c.addTime(a0, a1, a2) } -> std::same_as<ElementList&>;
    });
    static_assert(requires(ElementList & c, const EmaString& a0, UInt8 a1, UInt8 a2, UInt8 a3) {
        { c.addTime(a0, a1, a2, a3) } -> std::same_as<ElementList&>;
    });
    static_assert(requires(ElementList & c, const EmaString& a0, UInt8 a1, UInt8 a2, UInt8 a3, UInt16 a4) {
        { c.addTime(a0, a1, a2, a3, a4) } -> std::same_as<ElementList&>;
    });
    static_assert(requires(ElementList & c, const EmaString& a0, UInt8 a1, UInt8 a2, UInt8 a3, UInt16 a4, UInt16 a5) {
        { c.addTime(a0, a1, a2, a3, a4, a5) } -> std::same_as<ElementList&>;
    });
    member<ElementList, ElementList&(const EmaString&, UInt16, UInt8, UInt8, UInt8, UInt8, UInt8, UInt16, UInt16,
                                     UInt16)>(&ElementList::addDateTime);
    static_assert(requires(ElementList & c, const EmaString& a0, UInt16 a1, UInt8 a2, UInt8 a3) {
        { c.addDateTime(a0, a1, a2, a3) } -> std::same_as<ElementList&>;
    });
    static_assert(requires(ElementList & c, const EmaString& a0, UInt16 a1, UInt8 a2, UInt8 a3, UInt8 a4) {
        { c.addDateTime(a0, a1, a2, a3, a4) } -> std::same_as<ElementList&>;
    });
    static_assert(requires(ElementList & c, const EmaString& a0, UInt16 a1, UInt8 a2, UInt8 a3, UInt8 a4, UInt8 a5) {
        { c.addDateTime(a0, a1, a2, a3, a4, a5) } -> std::same_as<ElementList&>;
    });
    static_assert(
        requires(ElementList & c, const EmaString& a0, UInt16 a1, UInt8 a2, UInt8 a3, UInt8 a4, UInt8 a5, UInt8 a6) {
            { c.addDateTime(a0, a1, a2, a3, a4, a5, a6) } -> std::same_as<ElementList&>;
        });
    static_assert(requires(ElementList & c, const EmaString& a0, UInt16 a1, UInt8 a2, UInt8 a3, UInt8 a4, UInt8 a5,
                           UInt8 a6, UInt16 a7) {
        { c.addDateTime(a0, a1, a2, a3, a4, a5, a6, a7) } -> std::same_as<ElementList&>;
    });
    static_assert(requires(ElementList & c, const EmaString& a0, UInt16 a1, UInt8 a2, UInt8 a3, UInt8 a4, UInt8 a5,
                           UInt8 a6, UInt16 a7, UInt16 a8) {
        { c.addDateTime(a0, a1, a2, a3, a4, a5, a6, a7, a8) } -> std::same_as<ElementList&>;
    });
    member<ElementList, ElementList&(const EmaString&, UInt32, UInt32)>(&ElementList::addQos);
    static_assert(requires(ElementList & c, const EmaString& a0) {
        { c.addQos(a0) } -> std::same_as<ElementList&>;
    });
    static_assert(requires(ElementList & c, const EmaString& a0, UInt32 a1) {
        { c.addQos(a0, a1) } -> std::same_as<ElementList&>;
    });
    member<ElementList, ElementList&(const EmaString&, OmmState::StreamState, OmmState::DataState, UInt8,
                                     const EmaString&)>(&ElementList::addState);
    static_assert(requires(ElementList & c, const EmaString& a0) {
        { c.addState(a0) } -> std::same_as<ElementList&>;
    });
    static_assert(requires(ElementList & c, const EmaString& a0, OmmState::StreamState a1) {
        { c.addState(a0, a1) } -> std::same_as<ElementList&>;
    });
    static_assert(requires(ElementList & c, const EmaString& a0, OmmState::StreamState a1, OmmState::DataState a2) {
        { c.addState(a0, a1, a2) } -> std::same_as<ElementList&>;
    });
    static_assert(
        requires(ElementList & c, const EmaString& a0, OmmState::StreamState a1, OmmState::DataState a2, UInt8 a3) {
            { c.addState(a0, a1, a2, a3) } -> std::same_as<ElementList&>;
        });
    member<ElementList, ElementList&(const EmaString&, const EmaBuffer&)>(&ElementList::addBuffer);
    member<ElementList, ElementList&(const EmaString&, const EmaString&)>(&ElementList::addAscii);
    member<ElementList, ElementList&(const EmaString&, const EmaBuffer&)>(&ElementList::addUtf8);
    member<ElementList, ElementList&(const EmaString&, const EmaBuffer&)>(&ElementList::addRmtes);
    member<ElementList, ElementList&(const EmaString&)>(&ElementList::addCodeInt);
    member<ElementList, ElementList&(const EmaString&)>(&ElementList::addCodeUInt);
    member<ElementList, ElementList&(const EmaString&)>(&ElementList::addCodeReal);
    member<ElementList, ElementList&(const EmaString&)>(&ElementList::addCodeFloat);
    member<ElementList, ElementList&(const EmaString&)>(&ElementList::addCodeDouble);
    member<ElementList, ElementList&(const EmaString&)>(&ElementList::addCodeDate);
    member<ElementList, ElementList&(const EmaString&)>(&ElementList::addCodeTime);
    member<ElementList, ElementList&(const EmaString&)>(&ElementList::addCodeDateTime);
    member<ElementList, ElementList&(const EmaString&)>(&ElementList::addCodeQos);
    member<ElementList, ElementList&(const EmaString&)>(&ElementList::addCodeState);
    member<ElementList, ElementList&(const EmaString&)>(&ElementList::addCodeEnum);
    member<ElementList, ElementList&(const EmaString&)>(&ElementList::addCodeBuffer);
    member<ElementList, ElementList&(const EmaString&)>(&ElementList::addCodeAscii);
    member<ElementList, ElementList&(const EmaString&)>(&ElementList::addCodeUtf8);
    member<ElementList, ElementList&(const EmaString&)>(&ElementList::addCodeRmtes);
    member<ElementList, ElementList&(const EmaString&)>(&ElementList::add);
}

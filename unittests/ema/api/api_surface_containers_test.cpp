// Containers and their entries (ema-api.md 2.6 to 3.5).
#include "Ema.h"
#include "api_surface.h"

#include <cstdio>

using namespace refinitiv::ema;
using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;
using emissary::apitest::function;
using emissary::apitest::member;

TEST_CASE("OmmArray has its members", "[ema][surface]") {
    static_assert(std::is_convertible_v<OmmArray*, Data*>);
    static_assert(std::has_virtual_destructor_v<OmmArray>);
    static_assert(!std::is_copy_constructible_v<OmmArray> && !std::is_copy_assignable_v<OmmArray>);
    static_assert(std::is_constructible_v<OmmArray>);
    member<OmmArray, bool() const>(&OmmArray::hasFixedWidth);
    member<OmmArray, UInt16() const>(&OmmArray::getFixedWidth);
    member<OmmArray, bool() const>(&OmmArray::forth);
    member<OmmArray, const OmmArrayEntry&() const>(&OmmArray::getEntry);
    member<OmmArray, void() const>(&OmmArray::reset);
    member<OmmArray, OmmArray&()>(&OmmArray::clear);
    member<OmmArray, OmmArray&(UInt16)>(&OmmArray::fixedWidth);
    member<OmmArray, const OmmArray&()>(&OmmArray::complete);
    member<OmmArray, DataType::DataTypeEnum() const>(&OmmArray::getDataType);
    member<OmmArray, Data::DataCode() const>(&OmmArray::getCode);
    member<OmmArray, const EmaBuffer&() const>(&OmmArray::getAsHex);
    member<OmmArray, const EmaString&() const>(&OmmArray::toString);
    member<OmmArray, const EmaString&(const rdm::DataDictionary&) const>(&OmmArray::toString);
    member<OmmArray, OmmArray&(Int64)>(&OmmArray::addInt);
    member<OmmArray, OmmArray&(UInt64)>(&OmmArray::addUInt);
    member<OmmArray, OmmArray&(float)>(&OmmArray::addFloat);
    member<OmmArray, OmmArray&(double)>(&OmmArray::addDouble);
    member<OmmArray, OmmArray&(UInt16)>(&OmmArray::addEnum);
    member<OmmArray, OmmArray&(Int64, OmmReal::MagnitudeType)>(&OmmArray::addReal);
    member<OmmArray, OmmArray&(double, OmmReal::MagnitudeType)>(&OmmArray::addRealFromDouble);
    static_assert(requires(OmmArray & c, double a0) {
        { c.addRealFromDouble(a0) } -> std::same_as<OmmArray&>;
    });
    member<OmmArray, OmmArray&(UInt16, UInt8, UInt8)>(&OmmArray::addDate);
    member<OmmArray, OmmArray&(UInt8, UInt8, UInt8, UInt16, UInt16, UInt16)>(&OmmArray::addTime);
    static_assert(requires(OmmArray & c) {
        { c.addTime() } -> std::same_as<OmmArray&>;
    });
    static_assert(requires(OmmArray & c, UInt8 a0) {
        { c.addTime(a0) } -> std::same_as<OmmArray&>;
    });
    static_assert(requires(OmmArray & c, UInt8 a0, UInt8 a1) {
        { c.addTime(a0, a1) } -> std::same_as<OmmArray&>;
    });
    static_assert(requires(OmmArray & c, UInt8 a0, UInt8 a1, UInt8 a2) {
        { c.addTime(a0, a1, a2) } -> std::same_as<OmmArray&>;
    });
    static_assert(requires(OmmArray & c, UInt8 a0, UInt8 a1, UInt8 a2, UInt16 a3) {
        { c.addTime(a0, a1, a2, a3) } -> std::same_as<OmmArray&>;
    });
    static_assert(requires(OmmArray & c, UInt8 a0, UInt8 a1, UInt8 a2, UInt16 a3, UInt16 a4) {
        { c.addTime(a0, a1, a2, a3, a4) } -> std::same_as<OmmArray&>;
    });
    member<OmmArray, OmmArray&(UInt16, UInt8, UInt8, UInt8, UInt8, UInt8, UInt16, UInt16, UInt16)>(
        &OmmArray::addDateTime);
    static_assert(requires(OmmArray & c, UInt16 a0, UInt8 a1, UInt8 a2) {
        { c.addDateTime(a0, a1, a2) } -> std::same_as<OmmArray&>;
    });
    static_assert(requires(OmmArray & c, UInt16 a0, UInt8 a1, UInt8 a2, UInt8 a3) {
        { c.addDateTime(a0, a1, a2, a3) } -> std::same_as<OmmArray&>;
    });
    static_assert(requires(OmmArray & c, UInt16 a0, UInt8 a1, UInt8 a2, UInt8 a3, UInt8 a4) {
        { c.addDateTime(a0, a1, a2, a3, a4) } -> std::same_as<OmmArray&>;
    });
    static_assert(requires(OmmArray & c, UInt16 a0, UInt8 a1, UInt8 a2, UInt8 a3, UInt8 a4, UInt8 a5) {
        { c.addDateTime(a0, a1, a2, a3, a4, a5) } -> std::same_as<OmmArray&>;
    });
    static_assert(requires(OmmArray & c, UInt16 a0, UInt8 a1, UInt8 a2, UInt8 a3, UInt8 a4, UInt8 a5, UInt16 a6) {
        { c.addDateTime(a0, a1, a2, a3, a4, a5, a6) } -> std::same_as<OmmArray&>;
    });
    static_assert(
        requires(OmmArray & c, UInt16 a0, UInt8 a1, UInt8 a2, UInt8 a3, UInt8 a4, UInt8 a5, UInt16 a6, UInt16 a7) {
            { c.addDateTime(a0, a1, a2, a3, a4, a5, a6, a7) } -> std::same_as<OmmArray&>;
        });
    member<OmmArray, OmmArray&(UInt32, UInt32)>(&OmmArray::addQos);
    static_assert(requires(OmmArray & c) {
        { c.addQos() } -> std::same_as<OmmArray&>;
    });
    static_assert(requires(OmmArray & c, UInt32 a0) {
        { c.addQos(a0) } -> std::same_as<OmmArray&>;
    });
    member<OmmArray, OmmArray&(OmmState::StreamState, OmmState::DataState, UInt8, const EmaString&)>(
        &OmmArray::addState);
    static_assert(requires(OmmArray & c) {
        { c.addState() } -> std::same_as<OmmArray&>;
    });
    static_assert(requires(OmmArray & c, OmmState::StreamState a0) {
        { c.addState(a0) } -> std::same_as<OmmArray&>;
    });
    static_assert(requires(OmmArray & c, OmmState::StreamState a0, OmmState::DataState a1) {
        { c.addState(a0, a1) } -> std::same_as<OmmArray&>;
    });
    static_assert(requires(OmmArray & c, OmmState::StreamState a0, OmmState::DataState a1, UInt8 a2) {
        { c.addState(a0, a1, a2) } -> std::same_as<OmmArray&>;
    });
    member<OmmArray, OmmArray&(const EmaBuffer&)>(&OmmArray::addBuffer);
    member<OmmArray, OmmArray&(const EmaString&)>(&OmmArray::addAscii);
    member<OmmArray, OmmArray&(const EmaBuffer&)>(&OmmArray::addUtf8);
    member<OmmArray, OmmArray&(const EmaBuffer&)>(&OmmArray::addRmtes);
    member<OmmArray, OmmArray&()>(&OmmArray::addCodeInt);
    member<OmmArray, OmmArray&()>(&OmmArray::addCodeUInt);
    member<OmmArray, OmmArray&()>(&OmmArray::addCodeReal);
    member<OmmArray, OmmArray&()>(&OmmArray::addCodeFloat);
    member<OmmArray, OmmArray&()>(&OmmArray::addCodeDouble);
    member<OmmArray, OmmArray&()>(&OmmArray::addCodeDate);
    member<OmmArray, OmmArray&()>(&OmmArray::addCodeTime);
    member<OmmArray, OmmArray&()>(&OmmArray::addCodeDateTime);
    member<OmmArray, OmmArray&()>(&OmmArray::addCodeQos);
    member<OmmArray, OmmArray&()>(&OmmArray::addCodeState);
    member<OmmArray, OmmArray&()>(&OmmArray::addCodeEnum);
    member<OmmArray, OmmArray&()>(&OmmArray::addCodeBuffer);
    member<OmmArray, OmmArray&()>(&OmmArray::addCodeAscii);
    member<OmmArray, OmmArray&()>(&OmmArray::addCodeUtf8);
    member<OmmArray, OmmArray&()>(&OmmArray::addCodeRmtes);
}

TEST_CASE("OmmOpaque has its members", "[ema][surface]") {
    static_assert(std::is_convertible_v<OmmOpaque*, ComplexType*>);
    static_assert(std::has_virtual_destructor_v<OmmOpaque>);
    static_assert(!std::is_copy_constructible_v<OmmOpaque> && !std::is_copy_assignable_v<OmmOpaque>);
    static_assert(std::is_constructible_v<OmmOpaque>);
    member<OmmOpaque, const EmaString&() const>(&OmmOpaque::getString);
    member<OmmOpaque, const EmaBuffer&() const>(&OmmOpaque::getBuffer);
    member<OmmOpaque, OmmOpaque&()>(&OmmOpaque::clear);
    member<OmmOpaque, OmmOpaque&(const EmaBuffer&)>(&OmmOpaque::set);
    member<OmmOpaque, OmmOpaque&(const EmaString&)>(&OmmOpaque::set);
    member<OmmOpaque, DataType::DataTypeEnum() const>(&OmmOpaque::getDataType);
    member<OmmOpaque, Data::DataCode() const>(&OmmOpaque::getCode);
    member<OmmOpaque, const EmaBuffer&() const>(&OmmOpaque::getAsHex);
    member<OmmOpaque, const EmaString&() const>(&OmmOpaque::toString);
    member<OmmOpaque, const EmaString&(const rdm::DataDictionary&) const>(&OmmOpaque::toString);
}

TEST_CASE("OmmXml has its members", "[ema][surface]") {
    static_assert(std::is_convertible_v<OmmXml*, ComplexType*>);
    static_assert(std::has_virtual_destructor_v<OmmXml>);
    static_assert(!std::is_copy_constructible_v<OmmXml> && !std::is_copy_assignable_v<OmmXml>);
    static_assert(std::is_constructible_v<OmmXml>);
    member<OmmXml, const EmaString&() const>(&OmmXml::getString);
    member<OmmXml, const EmaBuffer&() const>(&OmmXml::getBuffer);
    member<OmmXml, OmmXml&()>(&OmmXml::clear);
    member<OmmXml, OmmXml&(const EmaBuffer&)>(&OmmXml::set);
    member<OmmXml, OmmXml&(const EmaString&)>(&OmmXml::set);
    member<OmmXml, DataType::DataTypeEnum() const>(&OmmXml::getDataType);
    member<OmmXml, Data::DataCode() const>(&OmmXml::getCode);
    member<OmmXml, const EmaBuffer&() const>(&OmmXml::getAsHex);
    member<OmmXml, const EmaString&() const>(&OmmXml::toString);
    member<OmmXml, const EmaString&(const rdm::DataDictionary&) const>(&OmmXml::toString);
}

TEST_CASE("OmmAnsiPage has its members", "[ema][surface]") {
    static_assert(std::is_convertible_v<OmmAnsiPage*, ComplexType*>);
    static_assert(std::has_virtual_destructor_v<OmmAnsiPage>);
    static_assert(!std::is_copy_constructible_v<OmmAnsiPage> && !std::is_copy_assignable_v<OmmAnsiPage>);
    static_assert(std::is_constructible_v<OmmAnsiPage>);
    member<OmmAnsiPage, const EmaString&() const>(&OmmAnsiPage::getString);
    member<OmmAnsiPage, const EmaBuffer&() const>(&OmmAnsiPage::getBuffer);
    member<OmmAnsiPage, OmmAnsiPage&()>(&OmmAnsiPage::clear);
    member<OmmAnsiPage, OmmAnsiPage&(const EmaBuffer&)>(&OmmAnsiPage::set);
    member<OmmAnsiPage, OmmAnsiPage&(const EmaString&)>(&OmmAnsiPage::set);
    member<OmmAnsiPage, DataType::DataTypeEnum() const>(&OmmAnsiPage::getDataType);
    member<OmmAnsiPage, Data::DataCode() const>(&OmmAnsiPage::getCode);
    member<OmmAnsiPage, const EmaBuffer&() const>(&OmmAnsiPage::getAsHex);
    member<OmmAnsiPage, const EmaString&() const>(&OmmAnsiPage::toString);
    member<OmmAnsiPage, const EmaString&(const rdm::DataDictionary&) const>(&OmmAnsiPage::toString);
}

TEST_CASE("OmmJson has its members", "[ema][surface]") {
    static_assert(std::is_convertible_v<OmmJson*, ComplexType*>);
    static_assert(std::has_virtual_destructor_v<OmmJson>);
    static_assert(!std::is_copy_constructible_v<OmmJson> && !std::is_copy_assignable_v<OmmJson>);
    static_assert(std::is_constructible_v<OmmJson>);
    member<OmmJson, const EmaString&() const>(&OmmJson::getString);
    member<OmmJson, const EmaBuffer&() const>(&OmmJson::getBuffer);
    member<OmmJson, OmmJson&()>(&OmmJson::clear);
    member<OmmJson, OmmJson&(const EmaBuffer&)>(&OmmJson::set);
    member<OmmJson, OmmJson&(const EmaString&)>(&OmmJson::set);
    member<OmmJson, DataType::DataTypeEnum() const>(&OmmJson::getDataType);
    member<OmmJson, Data::DataCode() const>(&OmmJson::getCode);
    member<OmmJson, const EmaBuffer&() const>(&OmmJson::getAsHex);
    member<OmmJson, const EmaString&() const>(&OmmJson::toString);
    member<OmmJson, const EmaString&(const rdm::DataDictionary&) const>(&OmmJson::toString);
}

TEST_CASE("FieldList has its members", "[ema][surface]") {
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

TEST_CASE("ElementList has its members", "[ema][surface]") {
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

TEST_CASE("Map has its members", "[ema][surface]") {
    static_assert(std::is_convertible_v<Map*, ComplexType*>);
    static_assert(std::has_virtual_destructor_v<Map>);
    static_assert(!std::is_copy_constructible_v<Map> && !std::is_copy_assignable_v<Map>);
    static_assert(std::is_constructible_v<Map>);
    member<Map, bool() const>(&Map::forth);
    member<Map, void() const>(&Map::reset);
    member<Map, const MapEntry&() const>(&Map::getEntry);
    member<Map, bool() const>(&Map::hasKeyFieldId);
    member<Map, bool() const>(&Map::hasTotalCountHint);
    member<Map, Int16() const>(&Map::getKeyFieldId);
    member<Map, UInt32() const>(&Map::getTotalCountHint);
    member<Map, const SummaryData&() const>(&Map::getSummaryData);
    member<Map, Map&()>(&Map::clear);
    member<Map, Map&(Int16)>(&Map::keyFieldId);
    member<Map, Map&(UInt32)>(&Map::totalCountHint);
    member<Map, Map&(const ComplexType&)>(&Map::summaryData);
    member<Map, Map&(DataType::DataTypeEnum)>(&Map::keyType);
    member<Map, const Map&()>(&Map::complete);
    member<Map, DataType::DataTypeEnum() const>(&Map::getDataType);
    member<Map, Data::DataCode() const>(&Map::getCode);
    member<Map, const EmaBuffer&() const>(&Map::getAsHex);
    member<Map, const EmaString&() const>(&Map::toString);
    member<Map, const EmaString&(const rdm::DataDictionary&) const>(&Map::toString);
    member<Map, Map&(Int64, MapEntry::MapAction, const ComplexType&, const EmaBuffer&)>(&Map::addKeyInt);
    static_assert(requires(Map & c, Int64 a0, MapEntry::MapAction a1, const ComplexType& a2) {
        { c.addKeyInt(a0, a1, a2) } -> std::same_as<Map&>;
    });
    member<Map, Map&(Int64, MapEntry::MapAction, const EmaBuffer&)>(&Map::addKeyInt);
    static_assert(requires(Map & c, Int64 a0, MapEntry::MapAction a1) {
        { c.addKeyInt(a0, a1) } -> std::same_as<Map&>;
    });
    member<Map, Map&(UInt64, MapEntry::MapAction, const ComplexType&, const EmaBuffer&)>(&Map::addKeyUInt);
    static_assert(requires(Map & c, UInt64 a0, MapEntry::MapAction a1, const ComplexType& a2) {
        { c.addKeyUInt(a0, a1, a2) } -> std::same_as<Map&>;
    });
    member<Map, Map&(UInt64, MapEntry::MapAction, const EmaBuffer&)>(&Map::addKeyUInt);
    static_assert(requires(Map & c, UInt64 a0, MapEntry::MapAction a1) {
        { c.addKeyUInt(a0, a1) } -> std::same_as<Map&>;
    });
    member<Map, Map&(float, MapEntry::MapAction, const ComplexType&, const EmaBuffer&)>(&Map::addKeyFloat);
    static_assert(requires(Map & c, float a0, MapEntry::MapAction a1, const ComplexType& a2) {
        { c.addKeyFloat(a0, a1, a2) } -> std::same_as<Map&>;
    });
    member<Map, Map&(float, MapEntry::MapAction, const EmaBuffer&)>(&Map::addKeyFloat);
    static_assert(requires(Map & c, float a0, MapEntry::MapAction a1) {
        { c.addKeyFloat(a0, a1) } -> std::same_as<Map&>;
    });
    member<Map, Map&(double, MapEntry::MapAction, const ComplexType&, const EmaBuffer&)>(&Map::addKeyDouble);
    static_assert(requires(Map & c, double a0, MapEntry::MapAction a1, const ComplexType& a2) {
        { c.addKeyDouble(a0, a1, a2) } -> std::same_as<Map&>;
    });
    member<Map, Map&(double, MapEntry::MapAction, const EmaBuffer&)>(&Map::addKeyDouble);
    static_assert(requires(Map & c, double a0, MapEntry::MapAction a1) {
        { c.addKeyDouble(a0, a1) } -> std::same_as<Map&>;
    });
    member<Map, Map&(UInt16, MapEntry::MapAction, const ComplexType&, const EmaBuffer&)>(&Map::addKeyEnum);
    static_assert(requires(Map & c, UInt16 a0, MapEntry::MapAction a1, const ComplexType& a2) {
        { c.addKeyEnum(a0, a1, a2) } -> std::same_as<Map&>;
    });
    member<Map, Map&(UInt16, MapEntry::MapAction, const EmaBuffer&)>(&Map::addKeyEnum);
    static_assert(requires(Map & c, UInt16 a0, MapEntry::MapAction a1) {
        { c.addKeyEnum(a0, a1) } -> std::same_as<Map&>;
    });
    member<Map, Map&(Int64, OmmReal::MagnitudeType, MapEntry::MapAction, const ComplexType&, const EmaBuffer&)>(
        &Map::addKeyReal);
    static_assert(
        requires(Map & c, Int64 a0, OmmReal::MagnitudeType a1, MapEntry::MapAction a2, const ComplexType& a3) {
            { c.addKeyReal(a0, a1, a2, a3) } -> std::same_as<Map&>;
        });
    member<Map, Map&(Int64, OmmReal::MagnitudeType, MapEntry::MapAction, const EmaBuffer&)>(&Map::addKeyReal);
    static_assert(requires(Map & c, Int64 a0, OmmReal::MagnitudeType a1, MapEntry::MapAction a2) {
        { c.addKeyReal(a0, a1, a2) } -> std::same_as<Map&>;
    });
    member<Map, Map&(UInt16, UInt8, UInt8, MapEntry::MapAction, const ComplexType&, const EmaBuffer&)>(
        &Map::addKeyDate);
    static_assert(requires(Map & c, UInt16 a0, UInt8 a1, UInt8 a2, MapEntry::MapAction a3, const ComplexType& a4) {
        { c.addKeyDate(a0, a1, a2, a3, a4) } -> std::same_as<Map&>;
    });
    member<Map, Map&(UInt16, UInt8, UInt8, MapEntry::MapAction, const EmaBuffer&)>(&Map::addKeyDate);
    static_assert(requires(Map & c, UInt16 a0, UInt8 a1, UInt8 a2, MapEntry::MapAction a3) {
        { c.addKeyDate(a0, a1, a2, a3) } -> std::same_as<Map&>;
    });
    member<Map, Map&(UInt8, UInt8, UInt8, UInt16, UInt16, UInt16, MapEntry::MapAction, const ComplexType&,
                     const EmaBuffer&)>(&Map::addKeyTime);
    static_assert(requires(Map & c, UInt8 a0, UInt8 a1, UInt8 a2, UInt16 a3, UInt16 a4, UInt16 a5,
                           MapEntry::MapAction a6, const ComplexType& a7) {
        { c.addKeyTime(a0, a1, a2, a3, a4, a5, a6, a7) } -> std::same_as<Map&>;
    });
    member<Map, Map&(UInt8, UInt8, UInt8, UInt16, UInt16, UInt16, MapEntry::MapAction, const EmaBuffer&)>(
        &Map::addKeyTime);
    static_assert(
        requires(Map & c, UInt8 a0, UInt8 a1, UInt8 a2, UInt16 a3, UInt16 a4, UInt16 a5, MapEntry::MapAction a6) {
            { c.addKeyTime(a0, a1, a2, a3, a4, a5, a6) } -> std::same_as<Map&>;
        });
    member<Map, Map&(UInt16, UInt8, UInt8, UInt8, UInt8, UInt8, UInt16, UInt16, UInt16, MapEntry::MapAction,
                     const ComplexType&, const EmaBuffer&)>(&Map::addKeyDateTime);
    static_assert(requires(Map & c, UInt16 a0, UInt8 a1, UInt8 a2, UInt8 a3, UInt8 a4, UInt8 a5, UInt16 a6, UInt16 a7,
                           UInt16 a8, MapEntry::MapAction a9, const ComplexType& a10) {
        { c.addKeyDateTime(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) } -> std::same_as<Map&>;
    });
    member<Map, Map&(UInt16, UInt8, UInt8, UInt8, UInt8, UInt8, UInt16, UInt16, UInt16, MapEntry::MapAction,
                     const EmaBuffer&)>(&Map::addKeyDateTime);
    static_assert(requires(Map & c, UInt16 a0, UInt8 a1, UInt8 a2, UInt8 a3, UInt8 a4, UInt8 a5, UInt16 a6, UInt16 a7,
                           UInt16 a8, MapEntry::MapAction a9) {
        { c.addKeyDateTime(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9) } -> std::same_as<Map&>;
    });
    member<Map, Map&(UInt32, UInt32, MapEntry::MapAction, const ComplexType&, const EmaBuffer&)>(&Map::addKeyQos);
    static_assert(requires(Map & c, UInt32 a0, UInt32 a1, MapEntry::MapAction a2, const ComplexType& a3) {
        { c.addKeyQos(a0, a1, a2, a3) } -> std::same_as<Map&>;
    });
    member<Map, Map&(UInt32, UInt32, MapEntry::MapAction, const EmaBuffer&)>(&Map::addKeyQos);
    static_assert(requires(Map & c, UInt32 a0, UInt32 a1, MapEntry::MapAction a2) {
        { c.addKeyQos(a0, a1, a2) } -> std::same_as<Map&>;
    });
    member<Map, Map&(OmmState::StreamState, OmmState::DataState, UInt8, const EmaString&, MapEntry::MapAction,
                     const ComplexType&, const EmaBuffer&)>(&Map::addKeyState);
    static_assert(requires(Map & c, OmmState::StreamState a0, OmmState::DataState a1, UInt8 a2, const EmaString& a3,
                           MapEntry::MapAction a4, const ComplexType& a5) {
        { c.addKeyState(a0, a1, a2, a3, a4, a5) } -> std::same_as<Map&>;
    });
    member<Map, Map&(OmmState::StreamState, OmmState::DataState, UInt8, const EmaString&, MapEntry::MapAction,
                     const EmaBuffer&)>(&Map::addKeyState);
    static_assert(requires(Map & c, OmmState::StreamState a0, OmmState::DataState a1, UInt8 a2, const EmaString& a3,
                           MapEntry::MapAction a4) {
        { c.addKeyState(a0, a1, a2, a3, a4) } -> std::same_as<Map&>;
    });
    member<Map, Map&(const EmaBuffer&, MapEntry::MapAction, const ComplexType&, const EmaBuffer&)>(&Map::addKeyBuffer);
    static_assert(requires(Map & c, const EmaBuffer& a0, MapEntry::MapAction a1, const ComplexType& a2) {
        { c.addKeyBuffer(a0, a1, a2) } -> std::same_as<Map&>;
    });
    member<Map, Map&(const EmaBuffer&, MapEntry::MapAction, const EmaBuffer&)>(&Map::addKeyBuffer);
    static_assert(requires(Map & c, const EmaBuffer& a0, MapEntry::MapAction a1) {
        { c.addKeyBuffer(a0, a1) } -> std::same_as<Map&>;
    });
    member<Map, Map&(const EmaBuffer&, MapEntry::MapAction, const ComplexType&, const EmaBuffer&)>(&Map::addKeyUtf8);
    static_assert(requires(Map & c, const EmaBuffer& a0, MapEntry::MapAction a1, const ComplexType& a2) {
        { c.addKeyUtf8(a0, a1, a2) } -> std::same_as<Map&>;
    });
    member<Map, Map&(const EmaBuffer&, MapEntry::MapAction, const EmaBuffer&)>(&Map::addKeyUtf8);
    static_assert(requires(Map & c, const EmaBuffer& a0, MapEntry::MapAction a1) {
        { c.addKeyUtf8(a0, a1) } -> std::same_as<Map&>;
    });
    member<Map, Map&(const EmaBuffer&, MapEntry::MapAction, const ComplexType&, const EmaBuffer&)>(&Map::addKeyRmtes);
    static_assert(requires(Map & c, const EmaBuffer& a0, MapEntry::MapAction a1, const ComplexType& a2) {
        { c.addKeyRmtes(a0, a1, a2) } -> std::same_as<Map&>;
    });
    member<Map, Map&(const EmaBuffer&, MapEntry::MapAction, const EmaBuffer&)>(&Map::addKeyRmtes);
    static_assert(requires(Map & c, const EmaBuffer& a0, MapEntry::MapAction a1) {
        { c.addKeyRmtes(a0, a1) } -> std::same_as<Map&>;
    });
    member<Map, Map&(const EmaString&, MapEntry::MapAction, const ComplexType&, const EmaBuffer&)>(&Map::addKeyAscii);
    static_assert(requires(Map & c, const EmaString& a0, MapEntry::MapAction a1, const ComplexType& a2) {
        { c.addKeyAscii(a0, a1, a2) } -> std::same_as<Map&>;
    });
    member<Map, Map&(const EmaString&, MapEntry::MapAction, const EmaBuffer&)>(&Map::addKeyAscii);
    static_assert(requires(Map & c, const EmaString& a0, MapEntry::MapAction a1) {
        { c.addKeyAscii(a0, a1) } -> std::same_as<Map&>;
    });
    member<Map, Map&(double, MapEntry::MapAction, const ComplexType&, OmmReal::MagnitudeType, const EmaBuffer&)>(
        &Map::addKeyRealFromDouble);
    static_assert(requires(Map & c, double a0, MapEntry::MapAction a1, const ComplexType& a2) {
        { c.addKeyRealFromDouble(a0, a1, a2) } -> std::same_as<Map&>;
    });
    static_assert(
        requires(Map & c, double a0, MapEntry::MapAction a1, const ComplexType& a2, OmmReal::MagnitudeType a3) {
            { c.addKeyRealFromDouble(a0, a1, a2, a3) } -> std::same_as<Map&>;
        });
    member<Map, Map&(double, MapEntry::MapAction, OmmReal::MagnitudeType, const EmaBuffer&)>(
        &Map::addKeyRealFromDouble);
    static_assert(requires(Map & c, double a0, MapEntry::MapAction a1) {
        { c.addKeyRealFromDouble(a0, a1) } -> std::same_as<Map&>;
    });
    static_assert(requires(Map & c, double a0, MapEntry::MapAction a1, OmmReal::MagnitudeType a2) {
        { c.addKeyRealFromDouble(a0, a1, a2) } -> std::same_as<Map&>;
    });
}

TEST_CASE("Vector has its members", "[ema][surface]") {
    static_assert(std::is_convertible_v<Vector*, ComplexType*>);
    static_assert(std::has_virtual_destructor_v<Vector>);
    static_assert(!std::is_copy_constructible_v<Vector> && !std::is_copy_assignable_v<Vector>);
    static_assert(std::is_constructible_v<Vector>);
    member<Vector, bool() const>(&Vector::forth);
    member<Vector, void() const>(&Vector::reset);
    member<Vector, bool() const>(&Vector::hasTotalCountHint);
    member<Vector, bool() const>(&Vector::getSortable);
    member<Vector, UInt32() const>(&Vector::getTotalCountHint);
    member<Vector, const SummaryData&() const>(&Vector::getSummaryData);
    member<Vector, const VectorEntry&() const>(&Vector::getEntry);
    member<Vector, Vector&()>(&Vector::clear);
    member<Vector, Vector&(UInt32, VectorEntry::VectorAction, const ComplexType&, const EmaBuffer&)>(&Vector::add);
    static_assert(requires(Vector & c, UInt32 a0, VectorEntry::VectorAction a1, const ComplexType& a2) {
        { c.add(a0, a1, a2) } -> std::same_as<Vector&>;
    });
    member<Vector, Vector&(UInt32, VectorEntry::VectorAction, const EmaBuffer&)>(&Vector::add);
    static_assert(requires(Vector & c, UInt32 a0, VectorEntry::VectorAction a1) {
        { c.add(a0, a1) } -> std::same_as<Vector&>;
    });
    member<Vector, const Vector&()>(&Vector::complete);
    member<Vector, Vector&(bool)>(&Vector::sortable);
    static_assert(requires(Vector & c) {
        { c.sortable() } -> std::same_as<Vector&>;
    });
    member<Vector, Vector&(UInt32)>(&Vector::totalCountHint);
    member<Vector, Vector&(const ComplexType&)>(&Vector::summaryData);
    member<Vector, DataType::DataTypeEnum() const>(&Vector::getDataType);
    member<Vector, Data::DataCode() const>(&Vector::getCode);
    member<Vector, const EmaBuffer&() const>(&Vector::getAsHex);
    member<Vector, const EmaString&() const>(&Vector::toString);
    member<Vector, const EmaString&(const rdm::DataDictionary&) const>(&Vector::toString);
}

TEST_CASE("Series has its members", "[ema][surface]") {
    static_assert(std::is_convertible_v<Series*, ComplexType*>);
    static_assert(std::has_virtual_destructor_v<Series>);
    static_assert(!std::is_copy_constructible_v<Series> && !std::is_copy_assignable_v<Series>);
    static_assert(std::is_constructible_v<Series>);
    member<Series, Series&()>(&Series::clear);
    member<Series, Series&(UInt32)>(&Series::totalCountHint);
    member<Series, Series&(const ComplexType&)>(&Series::summaryData);
    member<Series, Series&(const ComplexType&)>(&Series::add);
    member<Series, Series&()>(&Series::add);
    member<Series, const Series&()>(&Series::complete);
    member<Series, bool() const>(&Series::forth);
    member<Series, void() const>(&Series::reset);
    member<Series, const SeriesEntry&() const>(&Series::getEntry);
    member<Series, bool() const>(&Series::hasTotalCountHint);
    member<Series, UInt32() const>(&Series::getTotalCountHint);
    member<Series, const SummaryData&() const>(&Series::getSummaryData);
    member<Series, DataType::DataTypeEnum() const>(&Series::getDataType);
    member<Series, Data::DataCode() const>(&Series::getCode);
    member<Series, const EmaBuffer&() const>(&Series::getAsHex);
    member<Series, const EmaString&() const>(&Series::toString);
    member<Series, const EmaString&(const rdm::DataDictionary&) const>(&Series::toString);
}

TEST_CASE("FilterList has its members", "[ema][surface]") {
    static_assert(std::is_convertible_v<FilterList*, ComplexType*>);
    static_assert(std::has_virtual_destructor_v<FilterList>);
    static_assert(!std::is_copy_constructible_v<FilterList> && !std::is_copy_assignable_v<FilterList>);
    static_assert(std::is_constructible_v<FilterList>);
    member<FilterList, bool() const>(&FilterList::hasTotalCountHint);
    member<FilterList, UInt32() const>(&FilterList::getTotalCountHint);
    member<FilterList, bool() const>(&FilterList::forth);
    member<FilterList, bool(UInt8) const>(&FilterList::forth);
    member<FilterList, const FilterEntry&() const>(&FilterList::getEntry);
    member<FilterList, void() const>(&FilterList::reset);
    member<FilterList, FilterList&()>(&FilterList::clear);
    member<FilterList, FilterList&(UInt32)>(&FilterList::totalCountHint);
    member<FilterList, FilterList&(UInt8, FilterEntry::FilterAction, const ComplexType&, const EmaBuffer&)>(
        &FilterList::add);
    static_assert(requires(FilterList & c, UInt8 a0, FilterEntry::FilterAction a1, const ComplexType& a2) {
        { c.add(a0, a1, a2) } -> std::same_as<FilterList&>;
    });
    member<FilterList, FilterList&(UInt8, FilterEntry::FilterAction, const EmaBuffer&)>(&FilterList::add);
    static_assert(requires(FilterList & c, UInt8 a0, FilterEntry::FilterAction a1) {
        { c.add(a0, a1) } -> std::same_as<FilterList&>;
    });
    member<FilterList, const FilterList&()>(&FilterList::complete);
    member<FilterList, DataType::DataTypeEnum() const>(&FilterList::getDataType);
    member<FilterList, Data::DataCode() const>(&FilterList::getCode);
    member<FilterList, const EmaBuffer&() const>(&FilterList::getAsHex);
    member<FilterList, const EmaString&() const>(&FilterList::toString);
    member<FilterList, const EmaString&(const rdm::DataDictionary&) const>(&FilterList::toString);
}

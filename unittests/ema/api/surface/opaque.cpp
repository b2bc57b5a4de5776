// Every public member of arrays and of the containers that hold bytes, named once and used once.
#include "Ema.h"
#include "surface.h"

using namespace refinitiv::ema;
using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;
using emissary::apitest::member;

void surfaceOfOmmArray() {
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

void surfaceOfOmmOpaque() {
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

void surfaceOfOmmXml() {
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

void surfaceOfOmmAnsiPage() {
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

void surfaceOfOmmJson() {
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

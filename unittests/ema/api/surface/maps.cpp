// Every public member of maps, vectors, series and filter lists, named once and used once.
#include "Ema.h"
#include "surface.h"

using namespace refinitiv::ema;
using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;
using emissary::apitest::member;

void surfaceOfMap() {
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

void surfaceOfVector() {
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

void surfaceOfSeries() {
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

void surfaceOfFilterList() {
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

// DataDictionary to and from Series, as an application does it.
#include "Ema.h"
#include "data/DataAccess.h"
#include "rdm/DictionaryAccess.h"
#include "support.h"

#include <string>
#include <vector>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;
using namespace rdm_test;

namespace {

/// The text of the rows only: tags of files do not travel.
std::string rows(const DataDictionary& d) {
    std::string out;
    for (UInt32 i = 0; i < d.getEntries().size(); ++i)
        out.append(d.getEntries()[i].toString().c_str()).append("\n");
    for (UInt32 i = 0; i < d.getEnumTables().size(); ++i) {
        const EnumTypeTable& table = d.getEnumTables()[i];
        for (UInt32 f = 0; f < table.getFidReferences().size(); ++f)
            out.append(std::to_string(table.getFidReferences()[f])).append(" ");
        for (UInt32 v = 0; v < table.getEnumTypes().size(); ++v) {
            const EnumType& type = table.getEnumTypes()[v];
            out.append(std::to_string(type.getValue())).append("=").append(type.getDisplay().c_str()).append(" ");
        }
        out += "\n";
    }
    return out;
}

}  // namespace

TEST_CASE("DataDictionary travels whole in a Series", "[ema][rdm]") {
    DataDictionary d, received;
    load(d);
    Series fields, enums;
    d.encodeFieldDictionary(fields, DICTIONARY_NORMAL);
    d.encodeEnumTypeDictionary(enums, DICTIONARY_NORMAL);
    CHECK(received.extractDictionaryType(fields) == DICTIONARY_FIELD_DEFINITIONS);
    CHECK(received.extractDictionaryType(enums) == DICTIONARY_ENUM_TABLES);
    received.decodeFieldDictionary(fields, DICTIONARY_NORMAL);
    received.decodeEnumTypeDictionary(enums, DICTIONARY_NORMAL);
    CHECK(rows(received) == rows(d));
    CHECK(received.getFieldVersion() == "1.0.0");
    CHECK(received.getEnumDisplayTemplateVersion() == "1.0.0");
    CHECK(received.getDictionaryId() == 1);
}

TEST_CASE("DataDictionary travels in parts", "[ema][rdm]") {
    DataDictionary d, received;
    load(d);
    int parts = 0;
    Int32 fid = d.getMinFid();
    for (bool finished = false; !finished; ++parts) {
        Series series;
        finished = d.encodeFieldDictionary(series, fid, DICTIONARY_VERBOSE, 4000);
        CHECK(series.getAsHex().length() <= 4000);
        if (parts != 0) CHECK_THROWS_AS(received.extractDictionaryType(series), OmmInvalidUsageException);
        received.decodeFieldDictionary(series, DICTIONARY_VERBOSE);
    }
    CHECK(parts > 3);
    CHECK(fid > d.getMaxFid());
    Int32 table = 0;
    parts = 0;
    // One Series for all parts, as an application may do.
    Series series;
    for (bool finished = false; !finished; ++parts) {
        finished = d.encodeEnumTypeDictionary(series, table, DICTIONARY_VERBOSE, 3000);
        received.decodeEnumTypeDictionary(series, DICTIONARY_VERBOSE);
        series.clear();
    }
    CHECK(parts > 1);
    CHECK(table == static_cast<Int32>(d.getEnumTables().size()));
    CHECK(rows(received) == rows(d));
}

TEST_CASE("DataDictionary encoding and decoding say what is wrong", "[ema][rdm]") {
    DataDictionary d, empty;
    load(d);
    Series series;
    Int32 at = 0;
    constexpr Int32 operation = OmmInvalidUsageException::InvalidOperationEnum;
    constexpr Int32 argument = OmmInvalidUsageException::InvalidArgumentEnum;
    constexpr Int32 failure = OmmInvalidUsageException::FailureEnum;
    CHECK(refusal(operation, [&] { empty.encodeFieldDictionary(series, DICTIONARY_NORMAL); }) ==
          "Attempt to encodeFieldDictionary() while no field dictionary is loaded.");
    CHECK(refusal(operation, [&] { empty.encodeEnumTypeDictionary(series, at, DICTIONARY_NORMAL, 1000); }) ==
          "Attempt to encodeEnumTypeDictionary() while no enumerated type dictionary is loaded.");
    at = d.getMaxFid() + 1;
    CHECK(refusal(argument, [&] {
              d.encodeFieldDictionary(series, at, DICTIONARY_NORMAL, 1000);
          }).find("begin with getMinFid()") != std::string::npos);
    at = -1;
    CHECK(refusal(argument, [&] {
              d.encodeEnumTypeDictionary(series, at, DICTIONARY_NORMAL, 1000);
          }).find("begin with 0") != std::string::npos);
    at = static_cast<Int32>(d.getEnumTables().size()) + 1;
    CHECK(refusal(argument, [&] {
              d.encodeEnumTypeDictionary(series, at, DICTIONARY_NORMAL, 1000);
          }).find("begin with 0") != std::string::npos);
    --at;  // as the last part left it
    CHECK(d.encodeEnumTypeDictionary(series, at, DICTIONARY_NORMAL, 1000));
    CHECK(at == static_cast<Int32>(d.getEnumTables().size()));
    CHECK_FALSE(series.forth());
    series.clear();
    d.encodeEnumTypeDictionary(series, DICTIONARY_NORMAL);
    CHECK(refusal(failure, [&] { empty.decodeFieldDictionary(series, DICTIONARY_NORMAL); }) ==
          "received field dictionary: the summary has Type 2, not 1; the provider must correct it, or load the "
          "dictionary from files");
    CHECK(empty.getMaxFid() == 0);
    Series plain;
    plain.add(ElementList().addAscii("Something", "else").complete()).complete();
    CHECK(refusal(argument, [&] { (void)empty.extractDictionaryType(plain); }).find("has no Type") !=
          std::string::npos);
    CHECK(refusal(failure, [&] {
              empty.decodeFieldDictionary(plain, DICTIONARY_NORMAL);
          }).find("row 1: the row has no NAME") != std::string::npos);
}

TEST_CASE("DictionaryUtility refuses a list without dictionary", "[ema][rdm]") {
    const FieldList list;
    CHECK(refusal(OmmInvalidUsageException::InvalidOperationEnum, [&] {
              (void)DictionaryUtility::dataDictionary(list);
          }) == "Attempt to get the DataDictionary of a FieldList that has none.");
}

TEST_CASE("DictionaryUtility gives the dictionary of a received list", "[ema][rdm]") {
    DataDictionary d;
    load(d);
    const emissary::ema::SharedDictionary session = emissary::ema::DictionaryAccess::shared(d);
    emissary::ema::Scope scope;
    scope.dictionary = session.get();
    FieldList list;
    emissary::ema::DataAccess::decode(list, DataType::FieldListEnum, {}, scope);
    const DataDictionary& found = DictionaryUtility::dataDictionary(list);
    CHECK(&DictionaryUtility::dataDictionary(list) == &found);
    CHECK(found.getEntry("BID").getFid() == 22);
    CHECK(found.getEnumType(15, 840).getDisplay() == "USD");
}

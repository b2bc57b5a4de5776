// The dictionary classes of the public API.
#include "Rdm/Include/DictionaryUtility.h"
#include "Rdm/Include/MfFieldType.h"
#include "eta/dictionary/samples.h"
#include "rdm/DictionaryAccess.h"
#include "support.h"
#include "support/TestFolder.h"

#include <thread>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;
using emissary::ema::DictionaryAccess;
using namespace rdm_test;

namespace {

const EmaString fieldPath(emissary::test::sourcePath("/etc/RDMFieldDictionary").c_str());
const EmaString enumPath(emissary::test::sourcePath("/etc/enumtype.def").c_str());

constexpr Int32 invalidArgument = OmmInvalidUsageException::InvalidArgumentEnum;
constexpr Int32 invalidOperation = OmmInvalidUsageException::InvalidOperationEnum;
constexpr Int32 failure = OmmInvalidUsageException::FailureEnum;

}  // namespace

TEST_CASE("DataDictionary looks up fields", "[ema][rdm]") {
    DataDictionary d;
    load(d);
    SECTION("by id and by name") {
        CHECK(d.hasEntry(22));
        CHECK(d.hasEntry("BID"));
        CHECK_FALSE(d.hasEntry(-22));
        CHECK_FALSE(d.hasEntry("BI"));
        const DictionaryEntry& bid = d.getEntry(22);
        CHECK(bid.getAcronym() == "BID");
        CHECK(bid.getDDEAcronym() == "BID");
        CHECK(bid.getFid() == 22);
        CHECK(bid.getRippleToField() == 23);
        CHECK(bid.getFieldType() == MfFieldType::PRICE);
        CHECK(bid.getLength() == 17);
        CHECK(bid.getRwfType() == 8);
        CHECK(bid.getRwfLength() == 7);
        CHECK(bid.getEnumLength() == 0);
        CHECK_FALSE(bid.hasEnumTypeTable());
        CHECK(std::string(bid) == "  Fid=22 'BID' 'BID' Type=4 RippleTo=23 Len=17 EnumLen=0 RwfType=8 RwfLen=7");
        CHECK(&d.getEntry("BID") == &bid);
    }
    SECTION("into the application's own entry, which outlives the dictionary") {
        DictionaryEntry entry;
        CHECK(entry.getFid() == 0);
        CHECK(entry.getAcronym().empty());
        CHECK(entry.toString().empty());
        {
            DataDictionary shortLived(d);
            shortLived.getEntry("CURRENCY", entry);
            shortLived.clear();
            CHECK_FALSE(shortLived.hasEntry("CURRENCY"));
        }
        CHECK(entry.getFid() == 15);
        CHECK(entry.hasEnumType(840));
        CHECK(entry.getEnumType(840).getDisplay() == "USD");
        d.getEntry(22, entry);
        CHECK(entry.getAcronym() == "BID");
    }
    SECTION("what is unknown throws") {
        DictionaryEntry entry;
        CHECK(refusal(invalidArgument, [&] { (void)d.getEntry(-22); }) ==
              "Field id -22 is not in the dictionary; test with hasEntry().");
        CHECK(refusal(invalidArgument, [&] { (void)d.getEntry("BI"); }) ==
              "Field name 'BI' is not in the dictionary; test with hasEntry().");
        CHECK(refusal(invalidArgument, [&] { d.getEntry(-22, entry); }) ==
              "Field id -22 is not in the dictionary; test with hasEntry().");
        CHECK(refusal(invalidArgument, [&] { (void)d.getEnumType(22, 1); }) ==
              "Value 1 of field id 22 is not in the enumerated types of the dictionary; test with hasEnumType().");
        CHECK(refusal(invalidOperation, [&] { (void)d.getEntry(22).getEnumTypeTable(); }) ==
              "Field BID (22) has no enumerated types; test with hasEnumTypeTable().");
        CHECK(refusal(invalidArgument, [&] { (void)d.getEntry(15).getEnumType(65535); }) ==
              "Value 65535 is not an enumerated value of field CURRENCY (15); test with hasEnumType().");
    }
    SECTION("all entries in ascending order") {
        const EmaVector<DictionaryEntry>& entries = d.getEntries();
        REQUIRE(entries.size() == DictionaryAccess::get(d).fields().size());
        CHECK(entries[0].getFid() == d.getMinFid());
        CHECK(entries[entries.size() - 1].getFid() == d.getMaxFid());
        for (UInt32 i = 1; i < entries.size(); ++i)
            CHECK(entries[i - 1].getFid() < entries[i].getFid());
        CHECK(&d.getEntries() == &entries);
    }
}

TEST_CASE("DataDictionary looks up enumerated types", "[ema][rdm]") {
    DataDictionary d;
    load(d);
    CHECK(d.hasEnumType(15, 840));
    CHECK_FALSE(d.hasEnumType(15, 65535));
    CHECK_FALSE(d.hasEnumType(22, 0));
    CHECK_FALSE(d.hasEnumType(-1, 0));
    const EnumType& dollar = d.getEnumType(15, 840);
    CHECK(dollar.getValue() == 840);
    CHECK(dollar.getDisplay() == "USD");
    CHECK(std::string(dollar) == "  Value=840 Display='USD' Meaning=''");
    CHECK(&d.getEntry(15).getEnumType(840) == &dollar);

    const EnumTypeTable& table = d.getEntry(15).getEnumTypeTable();
    CHECK(table.getFidReferences().getPositionOf(15) >= 0);
    CHECK(table.getEnumTypes().getPositionOf(dollar) >= 0);
    CHECK(std::string(table).find("Fid=15") != std::string::npos);

    const EmaVector<EnumTypeTable>& tables = d.getEnumTables();
    REQUIRE(tables.size() == DictionaryAccess::get(d).enumTables().size());
    CHECK(tables[0].getFidReferences()[0] == 4);
    CHECK(tables.getPositionOf(table) > 0);
}

TEST_CASE("DataDictionary before anything is loaded", "[ema][rdm]") {
    DataDictionary d;
    CHECK(d.getMinFid() == 0);
    CHECK(d.getMaxFid() == 0);
    CHECK(d.getEntries().empty());
    CHECK(d.getEnumTables().empty());
    CHECK(d.toString() == "DataDictionary is not initialized");
    const auto blank = [&](bool fields, bool enums) {
        if (fields)
            for (const EmaString* text : {&d.getFieldVersion(), &d.getFieldFilename(), &d.getFieldDescription(),
                                          &d.getFieldBuild(), &d.getFieldDate()})
                CHECK(text->empty());
        if (enums)
            for (const EmaString* text : {&d.getEnumRecordTemplateVersion(), &d.getEnumDisplayTemplateVersion(),
                                          &d.getEnumFilename(), &d.getEnumDescription(), &d.getEnumDate()})
                CHECK(text->empty());
    };
    blank(true, true);
    CHECK(d.getDictionaryId() == 0);
    CHECK(refusal(failure, [&] { d.loadFieldDictionary("no/such/file"); }).find("'no/such/file'") != std::string::npos);
    CHECK(refusal(failure, [&] { d.loadFieldDictionary(enumPath); }).find("enumtype.def:") != std::string::npos);

    SECTION("enumerated types first") {
        d.loadEnumTypeDictionary(enumPath);
        CHECK(d.isEnumTypeDefLoaded());
        CHECK_FALSE(d.isFieldDictionaryLoaded());
        CHECK_FALSE(d.getEnumTables().empty());
        blank(true, false);
        CHECK(d.getEnumDate() == "01-Jan-2026");
        CHECK(d.getDictionaryId() == 1);
        CHECK_FALSE(d.hasEnumType(4, 2));
        d.loadFieldDictionary(fieldPath);
        CHECK(d.hasEnumType(4, 2));
        CHECK(d.getEntry("RDN_EXCHID").hasEnumTypeTable());
    }
    SECTION("fields first") {
        d.loadFieldDictionary(fieldPath);
        blank(false, true);
        CHECK(d.getDictionaryId() == 1);
        d.clear();
        blank(true, true);
        CHECK(d.getDictionaryId() == 0);
    }
}

TEST_CASE("DataDictionary says what it holds", "[ema][rdm]") {
    DataDictionary d;
    CHECK_FALSE(d.isFieldDictionaryLoaded());
    CHECK_FALSE(d.isEnumTypeDefLoaded());
    d.loadFieldDictionary(fieldPath);
    CHECK(d.isFieldDictionaryLoaded());
    CHECK_FALSE(d.isEnumTypeDefLoaded());
    d.loadEnumTypeDictionary(enumPath);
    CHECK(d.isEnumTypeDefLoaded());
    CHECK(DataDictionary(d).isEnumTypeDefLoaded());
    d.clear();
    CHECK_FALSE(d.isFieldDictionaryLoaded());
    CHECK_FALSE(d.isEnumTypeDefLoaded());
}

TEST_CASE("Blanks at the end of a meaning belong to it", "[ema][rdm]") {
    const emissary::test::TestFolder folder;
    emissary::test::TestFolder::write(
        "e.def", "!tag Type 2\nRDN_EXCHID 4\n 0 \"   \"   \n 1 \"ASE\"   First venue   \n 2 \"NYS\" x\t\r\n");
    DataDictionary d;
    d.loadFieldDictionary(fieldPath);
    d.loadEnumTypeDictionary("e.def");
    CHECK(d.getEnumType(4, 0).getMeaning() == "");
    CHECK(d.getEnumType(4, 1).getMeaning() == "First venue   ");
    CHECK(d.getEnumType(4, 2).getMeaning() == "x\t");
}

TEST_CASE("DataDictionary shows tags and text", "[ema][rdm]") {
    DataDictionary d;
    load(d);
    CHECK(d.getDictionaryId() == 1);
    CHECK(d.getFieldVersion() == "1.0.0");
    CHECK(d.getFieldFilename() == "RDMFieldDictionary");
    CHECK(d.getFieldDescription() == "Emissary field set");
    CHECK(d.getFieldBuild() == "1");
    CHECK(d.getFieldDate() == "01-Jan-2026");
    CHECK(d.getEnumRecordTemplateVersion() == "1.0.0");
    CHECK(d.getEnumDisplayTemplateVersion() == "1.0.0");
    CHECK(d.getEnumFilename() == "enumtype.def");
    CHECK(d.getEnumDescription() == "Emissary enumerated types");
    CHECK(d.getEnumDate() == "01-Jan-2026");
    const std::string text = static_cast<const char*>(d);
    CHECK(text.find("\n  Fid=22 'BID' 'BID' Type=4 RippleTo=23 Len=17 EnumLen=0 RwfType=8 RwfLen=7\n") !=
          std::string::npos);
    CHECK(text.find("\n  Version=\"1.0.0\"\n") != std::string::npos);
    CHECK(text.find("\nEnum Type Tables:\n  Fid=4") != std::string::npos);
}

TEST_CASE("DataDictionary copies are their own", "[ema][rdm]") {
    DataDictionary d;
    load(d);
    DataDictionary copy(d);
    const auto shared = DictionaryAccess::shared(d);
    d.clear();
    CHECK_FALSE(d.hasEntry(22));
    CHECK(copy.hasEntry(22));
    CHECK(shared->find(22) != nullptr);  // sessions keep what they have
    copy.loadFieldDictionary(fieldPath);
    CHECK(copy.hasEnumType(15, 840));
}

TEST_CASE("Query only dictionaries refuse to be changed", "[ema][rdm]") {
    DataDictionary d;
    load(d);
    const auto view = DictionaryAccess::makeQueryOnly(DictionaryAccess::shared(d));
    CHECK(view->hasEntry("BID"));
    CHECK(view->getEntry("BID").getFid() == 22);
    CHECK(refusal(invalidOperation, [&] { view->clear(); }) ==
          "Attempt to clear() on a query only DataDictionary; make a copy of it first.");
    CHECK(refusal(invalidOperation, [&] { view->loadFieldDictionary(fieldPath); }).find("query only") !=
          std::string::npos);
    CHECK(refusal(invalidOperation, [&] { view->loadEnumTypeDictionary(enumPath); }).find("query only") !=
          std::string::npos);
    DataDictionary copy(*view);
    copy.clear();
    CHECK_FALSE(copy.hasEntry("BID"));
    CHECK(view->hasEntry("BID"));

    SECTION("the one of a session is made once and keeps nothing alive") {
        auto session = std::make_shared<emissary::eta::dictionary::Dictionary>(DictionaryAccess::get(d));
        const std::weak_ptr<emissary::eta::dictionary::Dictionary> watch = session;
        const DataDictionary& first = DictionaryAccess::queryOnly(*session);
        CHECK(&DictionaryAccess::queryOnly(*session) == &first);
        CHECK(first.getEntry(22).getAcronym() == "BID");
        DictionaryEntry entry;
        first.getEntry(15, entry);
        CHECK(first.getEntries().size() == d.getEntries().size());
        session.reset();
        CHECK_FALSE(watch.expired());  // the entry holds it
        CHECK(entry.getEnumType(840).getDisplay() == "USD");
        d.getEntry(22, entry);
        CHECK(watch.expired());
    }
}

TEST_CASE("A dictionary may be queried from several threads", "[ema][rdm]") {
    DataDictionary d;
    load(d);
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            for (int i = 0; i < 50; ++i) {
                if (d.getEntry(22).toString() != d.getEntry("BID").toString()) ++wrong;
                if (d.getEnumType(15, 840).getDisplay() != "USD") ++wrong;
                if (d.getEntries().empty() || d.getEnumTables().empty() || d.toString().empty()) ++wrong;
            }
        });
    for (auto& thread : threads)
        thread.join();
    CHECK(wrong == 0);
}

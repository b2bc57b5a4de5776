// Dictionaries from files: what is read, and what is refused with which words.
#include "eta/dictionary/shared_dictionary.h"
#include "samples.h"
#include "support/catch.hpp"
#include "support/paths.h"

#include <cstdio>
#include <unistd.h>

using namespace samples;
using emissary::eta::codec::DataType;

namespace {

Dictionary loaded() {
    Dictionary d;
    REQUIRE(d.parseFields(fieldFile, "demo.fld").text.empty());
    REQUIRE(d.parseEnums(enumFile, "demo.enm").text.empty());
    return d;
}

/// A file that a test makes and removes.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::string& content)
        : path_("dictionary_test_" + std::to_string(::getpid()) + ".tmp") {
        std::ofstream(path_, std::ios::binary) << content;
    }
    ~TemporaryFile() { std::remove(path_.c_str()); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

std::string fieldLine(const std::string& line) {
    return "!tag Type 1\nDM_OK \"DEMO OK\" 1 NULL PRICE 17 REAL64 7\n" + line + "\n";
}

}  // namespace

TEST_CASE("Dictionary reads a field file", "[eta][dictionary]") {
    const Dictionary d = loaded();
    SECTION("every column, in ascending id order") {
        CHECK(fieldsAsText(d) == "-32768 DM_NEG ripple 0 type 1 len 10 rwf Int 8 'DEMO NEG' enum 0\n"
                                 "4 DM_EXCH ripple 0 type 6 len 3 rwf Enum 1 'DEMO EXCH' enum 3\n"
                                 "6 DM_LAST ripple 7 type 4 len 17 rwf Real 7 'DEMO LAST' enum 0\n"
                                 "7 DM_LAST1 ripple 0 type 4 len 17 rwf Real 7 'DEMO LAST 1' enum 0\n"
                                 "14 DM_TICK ripple 0 type 6 len 2 rwf Enum 1 'DEMO TICK' enum 1\n"
                                 "32767 DM_MAX ripple 0 type -1 len 10 rwf Opaque 10 'DEMO MAX' enum 0\n");
        CHECK(d.minFieldId() == -32768);
        CHECK(d.maxFieldId() == 32767);
    }
    SECTION("tags; of a version only digits and dots") {
        CHECK(d.fieldTags().version == "1.2.3");
        CHECK(d.fieldTags().filename == "DEMO.FLD");
        CHECK(d.fieldTags().description == "Demonstration field set");
        CHECK(d.fieldTags().build == "7");
        CHECK(d.fieldTags().date == "01-Jan-2026");
        CHECK(d.fieldTags().dictionaryId == 1);
        CHECK(d.enumTags().rtVersion == "4.20");
        CHECK(d.enumTags().dtVersion == "22.21");
    }
    SECTION("found by id and by name") {
        REQUIRE(d.find(6) != nullptr);
        CHECK(d.find(6)->acronym == "DM_LAST");
        CHECK(d.find("DM_LAST") == d.find(6));
        CHECK(d.find("DM_NEG") == d.find(-32768));
        CHECK(d.find(5) == nullptr);
        CHECK(d.find(0) == nullptr);
        CHECK(d.find(-1) == nullptr);
        CHECK(d.find("DM_LAS") == nullptr);
        CHECK(d.find("") == nullptr);
        CHECK(d.find("dm_last") == nullptr);
    }
    SECTION("every type word") {
        const std::vector<std::pair<const char*, int>> types{
            {"INT", 3},           {"INT32", 3},         {"INT64", 3},          {"UINT", 4},          {"UINT32", 4},
            {"UINT64", 4},        {"FLOAT", 5},         {"DOUBLE", 6},         {"REAL", 8},          {"REAL32", 8},
            {"REAL64", 8},        {"DATE", 9},          {"TIME", 10},          {"DATETIME", 11},     {"DATE_TIME", 11},
            {"QOS", 12},          {"STATE", 13},        {"STATUS", 13},        {"ENUM", 14},         {"ARRAY", 15},
            {"BUFFER", 16},       {"ASCII_STRING", 17}, {"UTF8_STRING", 18},   {"RMTES_STRING", 19}, {"OPAQUE", 130},
            {"XML", 131},         {"FIELD_LIST", 132},  {"ELEMENT_LIST", 133}, {"ELEM_LIST", 133},   {"ANSI_PAGE", 134},
            {"FILTER_LIST", 135}, {"VECTOR", 136},      {"MAP", 137},          {"SERIES", 138},      {"MSG", 141},
            {"JSON", 142}};
        for (const auto& [word, number] : types) {
            Dictionary one;
            CHECK(one.parseFields(std::string("A \"B\" 1 NULL NONE 1 ") + word + " 1", "f").text.empty());
            REQUIRE(one.find(1) != nullptr);
            CHECK(static_cast<int>(one.find(1)->type) == number);
        }
        const std::vector<std::pair<const char*, int>> fieldTypes{
            {"NONE", -1},  {"TIME_SECONDS", 0}, {"INTEGER", 1},           {"NUMERIC", 2},
            {"DATE", 3},   {"PRICE", 4},        {"ALPHANUMERIC", 5},      {"ENUMERATED", 6},
            {"TIME", 7},   {"BINARY", 8},       {"LONG_ALPHANUMERIC", 9}, {"ALPHANUM_XTND", 9},
            {"OPAQUE", 10}};
        for (const auto& [word, number] : fieldTypes) {
            Dictionary one;
            CHECK(one.parseFields(std::string("A \"B\" 1 NULL ") + word + " 1 INT 1", "f").text.empty());
            REQUIRE(one.find(1) != nullptr);
            CHECK(one.find(1)->fieldType == number);
        }
    }
    SECTION("no newline at the end, a byte order mark, tabs") {
        Dictionary one;
        CHECK(one.parseFields("\xEF\xBB\xBF"
                              "A\t\"B\"\t1\tNULL\tNONE\t1\tINT\t1",
                              "f")
                  .text.empty());
        CHECK(one.find("A") != nullptr);
    }
}

TEST_CASE("Dictionary reads enumerated types", "[eta][dictionary]") {
    const Dictionary d = loaded();
    CHECK(enumsAsText(d) == "4 \n  0 202020 undefined\n  1 414141 First venue, or  so \n  65535 5a215a \n"
                            "14 15 \n  0 20 \n  1 de up\n  2 fe20 down\n");
    SECTION("tied to their fields") {
        REQUIRE(d.find(4)->enums != nullptr);
        CHECK(d.find(4)->enums == d.enumTables()[0]);
        CHECK(d.find(14)->enums == d.enumTables()[1]);
        CHECK(d.find(6)->enums == nullptr);
        CHECK(d.find(15) == nullptr);
    }
    SECTION("found by value") {
        REQUIRE(d.find(4)->enums->find(65535) != nullptr);
        CHECK(d.find(4)->enums->find(65535)->display == "Z!Z");
        CHECK(d.find(4)->enums->find(1)->meaning == "First venue, or  so ");
        CHECK(d.find(4)->enums->find(2) == nullptr);
        CHECK(d.find(14)->enums->find(1)->display == "\xDE");
    }
    SECTION("in either order of loading") {
        Dictionary other;
        REQUIRE(other.parseEnums(enumFile, "e").text.empty());
        CHECK_FALSE(other.hasFields());
        REQUIRE(other.parseFields(fieldFile, "f").text.empty());
        CHECK(other.find(14)->enums == other.enumTables()[1]);
    }
    SECTION("loading again replaces") {
        Dictionary other = d;
        REQUIRE(
            other.parseFields("A \"B\" 4 NULL ENUMERATED 1 ( 1 ) ENUM 1\n", "f").text ==
            "f:1: FID 4 is 'A' here but 'DM_EXCH' in the enumerated types; use field and enumerated type files of one "
            "set");
        REQUIRE(other.parseFields("DM_EXCH \"B\" 4 NULL ENUMERATED 1 ( 1 ) ENUM 1\n", "f").text.empty());
        CHECK(other.fields().size() == 1);
        CHECK(other.find(6) == nullptr);
        REQUIRE(other.parseEnums("DM_EXCH 4\n 7 \"x\"\n", "e").text.empty());
        CHECK(other.find(4)->enums->find(7)->display == "x");
        CHECK(other.find(4)->enums->find(1) == nullptr);
    }
}

TEST_CASE("Dictionary can be copied, moved and cleared", "[eta][dictionary]") {
    Dictionary d = loaded();
    const std::string fields = fieldsAsText(d), enums = enumsAsText(d);
    auto copy = std::make_unique<Dictionary>(d);
    const Dictionary second = *copy;
    d.clear();
    CHECK_FALSE(d.hasFields());
    CHECK_FALSE(d.hasEnums());
    CHECK(d.find(6) == nullptr);
    CHECK(d.find("DM_LAST") == nullptr);
    CHECK(d.minFieldId() == 0);
    CHECK(d.fieldTags().version.empty());
    copy.reset();
    CHECK(fieldsAsText(second) == fields);
    CHECK(enumsAsText(second) == enums);
    CHECK(second.find(14)->enums == second.enumTables()[1]);
    CHECK(second.fieldTags().version == "1.2.3");

    Dictionary moved = second;
    d = std::move(moved);
    CHECK(fieldsAsText(d) == fields);
    const Dictionary target(std::move(d));
    CHECK(fieldsAsText(target) == fields);
    Dictionary empty;
    empty = target;
    CHECK(enumsAsText(empty) == enums);
}

TEST_CASE("Dictionary refuses a bad field file, naming line, word and remedy", "[eta][dictionary]") {
    const auto refusal = [](const std::string& text) {
        Dictionary d;
        const std::string error = d.parseFields(text, "bad.fld").text;
        CHECK_FALSE(d.hasFields());
        return error;
    };
    const std::string columns = "; a field needs: ACRONYM \"DDE ACRONYM\" FID RIPPLES-TO FIELD-TYPE LENGTH [( "
                                "ENUM-LENGTH )] RWF-TYPE RWF-LENGTH";
    CHECK(refusal("") == "bad.fld: no field definition in the file; give the path of a field dictionary file");
    CHECK(refusal("! only a comment\n!tag Type 1\n") ==
          "bad.fld: no field definition in the file; give the path of a field dictionary file");
    CHECK(refusal(fieldLine("A")) == "bad.fld:3: the line ends before the DDE acronym" + columns);
    CHECK(refusal(fieldLine("A B 2 NULL NONE 1 INT 1")) ==
          "bad.fld:3: the DDE acronym of 'A' is not in double quotes; write it as \"TEXT\"");
    CHECK(refusal(fieldLine("A \"B 2 NULL NONE 1 INT 1")) ==
          "bad.fld:3: the DDE acronym of 'A' is not in double quotes; write it as \"TEXT\"");
    CHECK(refusal(fieldLine("A\"B\" 2 NULL NONE 1 INT 1")) ==
          "bad.fld:3: the acronym 'A\"B\"' contains a quote; put a blank before the DDE acronym");
    CHECK(refusal(fieldLine("A \"B\"")) == "bad.fld:3: the line ends before the FID" + columns);
    CHECK(refusal(fieldLine("A \"B\" x")) == "bad.fld:3: the FID is 'x'; it must be a number from -32768 to 32767");
    CHECK(refusal(fieldLine("A \"B\" 32768")) ==
          "bad.fld:3: the FID is '32768'; it must be a number from -32768 to 32767");
    CHECK(refusal(fieldLine("A \"B\" 12x NULL")) ==
          "bad.fld:3: the FID is '12x'; it must be a number from -32768 to 32767");
    CHECK(refusal(fieldLine("A \"B\" 99999999999999999999")) ==
          "bad.fld:3: the FID is '99999999999999999999'; it must be a number from -32768 to 32767");
    CHECK(refusal(fieldLine("A \"B\" 0 NULL NONE 1 INT 1")) ==
          "bad.fld:3: the FID of 'A' is 0; 0 is not a field id, give another");
    CHECK(refusal(fieldLine("A \"B\" 2")) == "bad.fld:3: the line ends before the RIPPLES-TO" + columns);
    CHECK(refusal(fieldLine("A \"B\" 2 NULL")) == "bad.fld:3: the line ends before the FIELD-TYPE" + columns);
    CHECK(refusal(fieldLine("A \"B\" 2 NULL PRCE 17 REAL64 7"))
              .find("bad.fld:3: field type 'PRCE' is not known; use one of PRICE, ") == 0);
    CHECK(refusal(fieldLine("A \"B\" 2 NULL PRICE 17 REAL63 7"))
              .find("bad.fld:3: RWF type 'REAL63' is not known; use one of REAL64, ") == 0);
    CHECK(refusal(fieldLine("A \"B\" 2 NULL PRICE 65536 REAL64 7")) ==
          "bad.fld:3: the LENGTH is '65536'; it must be a number from 0 to 65535");
    CHECK(refusal(fieldLine("A \"B\" 2 NULL PRICE -1 REAL64 7")) ==
          "bad.fld:3: the LENGTH is '-1'; it must be a number from 0 to 65535");
    CHECK(refusal(fieldLine("A \"B\" 2 NULL PRICE 1 (3) REAL64 7")) ==
          "bad.fld:3: the ENUM-LENGTH '(3)' lacks blanks; write it as ( 3 )");
    CHECK(refusal(fieldLine("A \"B\" 2 NULL PRICE 1 ( 3 REAL64 7")) ==
          "bad.fld:3: expected ')' after the ENUM-LENGTH but found 'REAL64'; write it as ( 3 ) with blanks");
    CHECK(refusal(fieldLine("A \"B\" 2 NULL PRICE 1 ( 256 ) REAL64 7")) ==
          "bad.fld:3: the ENUM-LENGTH is '256'; it must be a number from 0 to 255");
    CHECK(refusal(fieldLine("A \"B\" 2 NULL PRICE 1")) == "bad.fld:3: the line ends before the RWF-TYPE" + columns);
    CHECK(refusal(fieldLine("A \"B\" 2 NULL PRICE 1 INT")) ==
          "bad.fld:3: the line ends before the RWF-LENGTH" + columns);
    CHECK(refusal(fieldLine("A \"B\" 2 NULL PRICE 1 INT 1 2")) ==
          "bad.fld:3: unexpected '2' after the RWF-LENGTH; remove it, or put ! before it");
    CHECK(refusal(fieldLine("A \"B\" 1 NULL PRICE 1 INT 1")) ==
          "bad.fld:3: FID 1 of 'A' is already that of 'DM_OK'; remove one of them");
    CHECK(refusal(fieldLine(std::string(300, 'A') + " \"B\" 2 NULL PRICE 1 INT 1")) ==
          "bad.fld:3: the acronym '" + std::string(40, 'A') + "...' is longer than 255 characters; shorten it");
    CHECK(refusal(fieldLine("\x01\xFF \"B\" x")) ==
          "bad.fld:3: the FID is 'x'; it must be a number from -32768 to 32767");
    CHECK(refusal(fieldLine("A \"B\" \x01\xFF")) ==
          "bad.fld:3: the FID is '\\x01\\xFF'; it must be a number from -32768 to 32767");
    CHECK(refusal("!tag Type 2\n") ==
          "bad.fld:1: tag Type is '2' but a file of field definitions has 1; name the right "
          "file, or correct the tag");
    CHECK(refusal("!tag DictionaryId two\n") ==
          "bad.fld:1: tag DictionaryId is 'two'; it must be a number from 0 to 65535");
}

TEST_CASE("Dictionary refuses a bad enumerated types file, naming line, word and remedy", "[eta][dictionary]") {
    Dictionary d;
    REQUIRE(d.parseFields(fieldFile, "f").text.empty());
    const auto refusal = [&](const std::string& text) {
        const std::string error = d.parseEnums(text, "bad.enm").text;
        CHECK_FALSE(d.hasEnums());
        CHECK(d.find(4)->enums == nullptr);
        return error;
    };
    CHECK(refusal("") == "bad.enm: no enumerated type in the file; give the path of an enumerated types file");
    CHECK(refusal(" 1 \"A\"\n") ==
          "bad.enm:1: value '1' comes before any field; put a line with ACRONYM and FID before "
          "the values");
    CHECK(refusal("DM_EXCH\n 1 \"A\"\n") ==
          "bad.enm:1: the FID of 'DM_EXCH' is ''; it must be a number from -32768 to 32767 and not 0");
    CHECK(refusal("DM_EXCH x\n") ==
          "bad.enm:1: the FID of 'DM_EXCH' is 'x'; it must be a number from -32768 to 32767 and not 0");
    CHECK(refusal("DM_EXCH 4 5\n") == "bad.enm:1: unexpected '5' after the FID; remove it, or put ! before it");
    CHECK(
        refusal("DM_TICK 4\n 1 \"A\"\n") ==
        "bad.enm:1: FID 4 is 'DM_TICK' here but 'DM_EXCH' in the field dictionary; use field and enumerated type files "
        "of one set");
    CHECK(refusal("DM_EXCH 4\n 1 \"A\"\nDM_EXCH 4\n 1 \"B\"\n") ==
          "bad.enm:3: FID 4 of 'DM_EXCH' already refers to a table at line 1; remove one of them");
    CHECK(refusal("DM_EXCH 4\n 65536 \"A\"\n") ==
          "bad.enm:2: the value is '65536'; it must be a number from 0 to 65535");
    CHECK(refusal("DM_EXCH 4\n -1 \"A\"\n") == "bad.enm:2: the value is '-1'; it must be a number from 0 to 65535");
    CHECK(refusal("DM_EXCH 4\n 1 \"A\"\n 2 \"B\"\n 1 \"C\"\n") ==
          "bad.enm:4: value 1 of field 'DM_EXCH' is already at line 2; remove one of them");
    CHECK(refusal("DM_EXCH 4\n 1 A\n") ==
          "bad.enm:2: the display of value 1 is 'A'; write it as \"TEXT\", or as #HEX# for bytes");
    CHECK(refusal("DM_EXCH 4\n 1\n") ==
          "bad.enm:2: the display of value 1 is ''; write it as \"TEXT\", or as #HEX# for bytes");
    CHECK(refusal("DM_EXCH 4\n 1 \"A\n") == "bad.enm:2: the display of value 1 has no closing \"; add it");
    CHECK(refusal("DM_EXCH 4\n 1 #DE\n") == "bad.enm:2: the display of value 1 has no closing #; add it");
    CHECK(
        refusal("DM_EXCH 4\n 1 #DEA#\n") ==
        "bad.enm:2: the display bytes 'DEA' of value 1 are not pairs of hexadecimal digits; write each byte as two of "
        "0-9 A-F");
    CHECK(refusal("DM_EXCH 4\n 1 #DG#\n") ==
          "bad.enm:2: the display bytes 'DG' of value 1 are not pairs of hexadecimal digits; write each byte as two of "
          "0-9 A-F");
    CHECK(refusal("DM_EXCH 4\n") == "bad.enm:1: no values follow the field 'DM_EXCH'; add them, or remove the line");
    CHECK(refusal("!tag DictionaryId 2\nDM_EXCH 4\n 1 \"A\"\n") ==
          "bad.enm:1: tag DictionaryId is '2' but the dictionary already loaded has 1; use field and enumerated type "
          "files "
          "of one set");
    CHECK(refusal("!tag Type 1\n") == "bad.enm:1: tag Type is '1' but a file of enumerated types has 2; name the right "
                                      "file, or correct the tag");
    SECTION("an id of 0 goes with every other") {
        CHECK(d.parseEnums("!tag DictionaryId 0\nDM_EXCH 4\n 1 \"A\"\n", "e").text.empty());
    }
    SECTION("a failed load leaves what was there") {
        REQUIRE(d.parseEnums(enumFile, "e").text.empty());
        const std::string before = enumsAsText(d), fields = fieldsAsText(d);
        CHECK_FALSE(d.parseEnums("DM_EXCH 4\n 1 A\n", "e").text.empty());
        CHECK_FALSE(d.parseFields(fieldFile + "A", "f").text.empty());
        CHECK(enumsAsText(d) == before);
        CHECK(fieldsAsText(d) == fields);
        CHECK(d.find(14)->enums == d.enumTables()[1]);
    }
}

TEST_CASE("Dictionary names a file that it cannot read", "[eta][dictionary]") {
    Dictionary d;
    CHECK(d.loadFields("no/such/file").text ==
          "cannot read the field dictionary 'no/such/file': No such file or directory; "
          "check the path in the configuration");
    CHECK(d.loadEnums("no/such/file").text ==
          "cannot read the enumerated types 'no/such/file': No such file or directory; "
          "check the path in the configuration");
    CHECK(d.loadFields("/").text ==
          "cannot read the field dictionary '/': it is a directory; check the path in the configuration");
    const TemporaryFile file(fieldFile);
    CHECK(d.loadFields(file.path()).text.empty());
    CHECK(d.find("DM_LAST") != nullptr);
}

TEST_CASE("Dictionary survives any cut and any changed byte of its files", "[eta][dictionary]") {
    for (std::size_t n = 0; n <= fieldFile.size(); ++n) {
        const ExactCopy cut(asBytes(std::string_view(fieldFile).substr(0, n)));
        Dictionary d;
        (void)d.parseFields(asText(cut), "f").text;
    }
    for (std::size_t n = 0; n <= enumFile.size(); ++n) {
        const ExactCopy cut(asBytes(std::string_view(enumFile).substr(0, n)));
        Dictionary d;
        (void)d.parseEnums(asText(cut), "e").text;
    }
    for (const char change : {'\0', '"', '#', '\n', '!', '-', '9', '\xFF'}) {
        for (std::size_t n = 0; n < fieldFile.size(); ++n) {
            std::string text = fieldFile;
            text[n] = change;
            Dictionary d;
            (void)d.parseFields(text, "f").text;
        }
        for (std::size_t n = 0; n < enumFile.size(); ++n) {
            std::string text = enumFile;
            text[n] = change;
            Dictionary d;
            (void)d.parseEnums(text, "e").text;
        }
    }
}

TEST_CASE("The shipped dictionaries load", "[eta][dictionary]") {
    Dictionary d;
    REQUIRE(d.loadFields(emissary::test::sourcePath("/etc/RDMFieldDictionary")).text.empty());
    REQUIRE(d.loadEnums(emissary::test::sourcePath("/etc/enumtype.def")).text.empty());
    for (const int tracker : {3902, 3903, 3904})
        CHECK(d.find(static_cast<std::int16_t>(tracker)) != nullptr);
    REQUIRE(d.find("BID") != nullptr);
    CHECK(d.find("BID")->fieldId == 22);
    CHECK(d.find("BID")->type == DataType::Real);
    CHECK(d.find("ORDER_ID")->fieldId == 3426);
    REQUIRE(d.find("CURRENCY")->enums != nullptr);
    CHECK(d.find("CURRENCY")->enums->find(840)->display == "USD");
    for (const auto* field : d.fields())
        CHECK((field->type == DataType::Enum) == (field->enums != nullptr));
    for (const auto* table : d.enumTables())
        for (const auto& value : table->values())
            CHECK(table->find(value.value) == &value);
}

TEST_CASE("An acronym that two fields have is a warning", "[eta][dictionary]") {
    Dictionary d;
    REQUIRE(
        d.parseFields("A \"A\" 5 NULL PRICE 1 INT 1\nB \"B\" 6 A PRICE 1 INT 1\nA \"A2\" 3 B PRICE 1 UINT 1\n", "two")
            .text.empty());
    REQUIRE(d.warnings().size() == 1);
    CHECK(d.warnings().front() ==
          "two:3: the acronym 'A' is already that of FID 5; by name the field of the lower FID is found");
    const auto check = [](const Dictionary& all) {
        REQUIRE(all.fields().size() == 3);
        CHECK(all.find(3)->longName == "A2");
        CHECK(all.find(5)->longName == "A");
        CHECK(all.find("A") == all.find(3));
        CHECK(all.find(6)->rippleTo == 3);
        CHECK(all.warnings().size() == 1);
    };
    check(d);
    SECTION("in a copy as well") {
        check(Dictionary(d));
    }
    SECTION("and at the receiver of the dictionary") {
        Dictionary received;
        std::vector<std::byte> block(4096);
        for (Dictionary::Part part; !part.finished;) {
            emissary::eta::BeWriter out{{block.data(), block.size()}};
            REQUIRE(d.encodeFields(out, dictionary::Verbosity::verbose, 1, part).ok());  // a row a part
            REQUIRE(received.decodeFields(out.view()).text.empty());
        }
        check(received);
    }
    SECTION("a good one has none, and warnings have an end") {
        CHECK(loaded().warnings().empty());
        std::string many;
        for (int id = 1; id <= 100; ++id)
            many += "A \"A\" " + std::to_string(id) + " NULL PRICE 1 INT 1\n";
        REQUIRE(d.parseFields(many, "many").text.empty());
        CHECK(d.warnings().size() == 21);
        CHECK(d.find("A")->fieldId == 1);
    }
}

TEST_CASE("Sessions with the same dictionary have one in memory", "[eta][dictionary]") {
    const auto own = [](const std::string& fields = fieldFile, const std::string& enums = enumFile) {
        auto d = std::make_shared<Dictionary>();
        REQUIRE(d->parseFields(fields, "demo.fld").text.empty());
        if (!enums.empty()) REQUIRE(d->parseEnums(enums, "demo.enm").text.empty());
        return d;
    };
    const auto changed = [](std::string text, const std::string& from, const std::string& to) {
        REQUIRE(text.find(from) != std::string::npos);
        return text.replace(text.find(from), from.size(), to);
    };
    using dictionary::shared;
    CHECK(shared(nullptr) == nullptr);
    const auto first = own();
    const auto kept = shared(first);
    CHECK(kept == first);
    CHECK(shared(own()) == kept);
    CHECK(shared(kept) == kept);

    for (const auto& [fields, enums] :
         {std::pair{changed(fieldFile, "DEMO LAST 1", "DEMO LAST X"), enumFile},
          std::pair{changed(fieldFile, "1.2.3_demo", "1.2.4_demo"), enumFile},
          std::pair{changed(fieldFile, "PRICE       17        REAL64  7", "PRICE       17        REAL64  8"), enumFile},
          std::pair{fieldFile, changed(enumFile, "\"AAA\"", "\"AAB\"")},
          std::pair{fieldFile, changed(enumFile, "22.21", "22.22")}, std::pair{fieldFile, std::string()}}) {
        const auto other = own(fields, enums);
        CHECK_FALSE(dictionary::sameContent(*kept, *other));
        CHECK(shared(other) == other);
        CHECK(shared(own(fields, enums)) == other);
    }

    // Nobody has it any more: the next one that comes is kept.
    std::weak_ptr<const Dictionary> gone;
    {
        const auto brief = shared(own(changed(fieldFile, "DEMO.FLD", "OTHER.FLD")));
        gone = brief;
    }
    CHECK(gone.expired());
    const auto again = own(changed(fieldFile, "DEMO.FLD", "OTHER.FLD"));
    CHECK(shared(again) == again);
}

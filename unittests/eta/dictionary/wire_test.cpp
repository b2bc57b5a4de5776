// Dictionaries to and from the wire.
#include "eta/codec/encoders.h"
#include "samples.h"
#include "support/catch.hpp"
#include "support/paths.h"

#include <map>

using namespace samples;
using emissary::eta::codec::DataType;
namespace Verbosity = emissary::eta::dictionary::Verbosity;

namespace {

struct Vector {
    std::string name, of, verbosity, file;
    std::vector<std::byte> payload;
};

/// The string member `key` of a line of JSON, with its escapes resolved; empty when absent.
std::string member(const std::string& line, const std::string& key) {
    const std::string mark = "\"" + key + "\":\"";
    std::size_t at = line.find(mark);
    std::string out;
    if (at == std::string::npos) return out;
    for (at += mark.size(); at < line.size() && line[at] != '"'; ++at) {
        if (line[at] != '\\') {
            out += line[at];
            continue;
        }
        const char escaped = line[++at];
        out += escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped == 'r' ? '\r' : escaped;
    }
    return out;
}

std::vector<Vector> vectors() {
    std::ifstream in(emissary::test::vectorPath("/rwf/dictionary.jsonl"));
    REQUIRE(in.good());
    std::vector<Vector> out;
    for (std::string line; std::getline(in, line);)
        out.push_back({member(line, "name"), member(line, "of"), member(line, "verbosity"), member(line, "file"),
                       unhex(member(line, "hex"))});
    REQUIRE(out.size() == 12);
    // "of" also occurs in set definitions; the one of the dictionary is a word of its own.
    for (Vector& v : out)
        v.of = v.name.find("dict_field") == 0 ? "field" : "enum";
    return out;
}

std::uint32_t verbosityOf(const Vector& v) {
    return v.verbosity == "info"      ? Verbosity::info
           : v.verbosity == "minimal" ? Verbosity::minimal
           : v.verbosity == "normal"  ? Verbosity::normal
                                      : Verbosity::verbose;
}
Kind kindOf(const Vector& v) {
    return v.of == "field" ? Kind::fields : Kind::enums;
}
Dictionary fromFile(Kind kind, const std::string& text) {
    Dictionary d;
    REQUIRE((kind == Kind::fields ? d.parseFields(text, "f") : d.parseEnums(text, "e")).text.empty());
    return d;
}
std::string asText(const Dictionary& d, Kind kind, Detail detail) {
    return kind == Kind::fields ? fieldsAsText(d, detail) : enumsAsText(d, detail);
}

Dictionary large() {
    std::string fields, enums;
    for (int i = 1; i <= 12000; ++i) {
        const std::string id = std::to_string(i % 2 != 0 ? i : -i), name = "FIELD_" + std::to_string(i);
        fields += name + " \"LONG NAME " + id + "\" " + id + " NULL " +
                  (i % 10 == 0 ? "ENUMERATED 3 ( 3 ) ENUM 1\n" : "PRICE 17 REAL64 7\n");
        if (i % 10 != 0) continue;
        enums += name + " " + id + "\n";
        if (i % 20 != 0) continue;
        for (int v = 0; v < i % 97 + 1; ++v)
            enums += "  " + std::to_string(v * 7) + " \"D" + std::to_string(v) + "\"\n";
    }
    Dictionary d;
    REQUIRE(d.parseFields(fields, "f").text.empty());
    REQUIRE(d.parseEnums(enums, "e").text.empty());
    return d;
}

/// A Series with the given rows, each a ready ElementList; optionally with summary bytes.
std::vector<std::byte> series(const Parts& rows, const std::vector<std::byte>* summary = nullptr,
                              DataType entryType = DataType::ElementList) {
    std::vector<std::byte> block(65536);
    BeWriter out{block};
    codec::EntryContainerHeader header;
    header.entryType = entryType;
    if (summary != nullptr) {
        header.hasSummary = true;
        header.summary = *summary;
    }
    codec::SeriesEncoder encoder;
    encoder.begin(out, header);
    for (const auto& row : rows)
        encoder.add(row);
    REQUIRE(encoder.complete().ok());
    return {out.view().begin(), out.view().end()};
}

template <class Fill>
std::vector<std::byte> elementList(Fill&& fill) {
    std::vector<std::byte> block(65536);
    BeWriter out{block};
    codec::ElementListEncoder list;
    list.begin(out);
    fill(list);
    REQUIRE(list.complete().ok());
    return {out.view().begin(), out.view().end()};
}

template <class Fill>
void addArray(codec::ElementListEncoder& list, const char* name, DataType type, std::uint16_t length, Fill&& fill) {
    list.beginElement(name, DataType::Array);
    codec::ArrayEncoder array;
    array.begin(list.writer(), type, length);
    fill(array);
    REQUIRE(array.complete().ok());
    list.endElement();
}

std::vector<std::byte> fieldRow(std::string_view name, int id, int rwfType) {
    return elementList([&](codec::ElementListEncoder& list) {
        list.addAscii("NAME", name);
        list.addInt("FID", id);
        list.addUInt("RWFTYPE", static_cast<std::uint64_t>(rwfType));
    });
}

std::vector<std::byte> enumRow(const std::vector<int>& ids, const std::vector<int>& values,
                               const std::vector<std::string>& displays) {
    return elementList([&](codec::ElementListEncoder& list) {
        const auto content = [](int id) {
            return std::array<std::byte, 2>{static_cast<std::byte>(id >> 8), static_cast<std::byte>(id)};
        };
        addArray(list, "FIDS", DataType::Int, 2, [&](auto& array) {
            for (const int id : ids)
                array.add(content(id));
        });
        addArray(list, "VALUE", DataType::Enum, 0, [&](auto& array) {
            for (const int value : values)
                array.addUInt(static_cast<std::uint64_t>(value));
        });
        addArray(list, "DISPLAY", DataType::AsciiString, 0, [&](auto& array) {
            for (const auto& display : displays)
                array.addAscii(display);
        });
    });
}

const std::string remedy = "; the provider must correct it, or load the dictionary from files";

std::string refusal(Kind kind, const std::vector<std::byte>& payload) {
    Dictionary d;
    const ExactCopy exact(payload);
    std::string text = decode(d, kind, exact).text;
    CHECK_FALSE(d.hasFields());
    CHECK_FALSE(d.hasEnums());
    const std::size_t at = text.find(remedy);
    CHECK(at != std::string::npos);
    return text.substr(0, at);
}

}  // namespace

TEST_CASE("Dictionary payloads of the vectors decode to the content of their files", "[eta][dictionary][vectors]") {
    std::map<std::string, std::vector<std::byte>> byName;
    for (const Vector& v : vectors()) {
        INFO(v.name);
        byName[v.name] = v.payload;
        Dictionary d;
        const ExactCopy payload(v.payload);
        REQUIRE(decode(d, kindOf(v), payload).text == "");
        const bool first = v.name.find("_part1") == std::string::npos && v.name.find("_part2") == std::string::npos;
        CHECK(Dictionary::typeOf(payload) == (!first ? 0 : kindOf(v) == Kind::fields ? 1u : 2u));
        if (first && kindOf(v) == Kind::fields) CHECK(d.fieldTags().version == "1.2.3");
        if (first && kindOf(v) == Kind::enums) {
            CHECK(d.enumTags().rtVersion == "1.2.3");
            CHECK(d.enumTags().dtVersion == "4.5");
        }
        if (v.verbosity == "info") {
            CHECK_FALSE(d.hasFields());
            CHECK_FALSE(d.hasEnums());
        } else if (!v.file.empty() && first) {
            const Detail detail{v.verbosity != "minimal", false};
            CHECK(asText(d, kindOf(v), detail) == asText(fromFile(kindOf(v), v.file), kindOf(v), detail));
        }
    }
    SECTION("also in parts") {
        Dictionary d;
        REQUIRE(d.decodeFields(byName["dict_field_normal_400_part0"]).text.empty());
        REQUIRE(d.decodeFields(byName["dict_field_verbose_400_part1"]).text.empty());
        REQUIRE(d.decodeFields(byName["dict_field_verbose_400_part2"]).text.empty());
        for (const Vector& v : vectors()) {
            if (v.name == "dict_field_normal_60000_part0")
                CHECK(fieldsAsText(d) == fieldsAsText(fromFile(Kind::fields, v.file)));
        }
    }
}

TEST_CASE("Dictionaries encode to the payloads of the vectors", "[eta][dictionary][vectors]") {
    int compared = 0;
    for (const Vector& v : vectors()) {
        if (v.file.empty() || v.name.find("_part2") != std::string::npos) continue;
        INFO(v.name);
        const Dictionary d = fromFile(kindOf(v), v.file);
        const Parts parts = encodeAll(d, kindOf(v), verbosityOf(v), 60000);
        REQUIRE(parts.size() == 1);
        CHECK(payloadAsText(parts[0]) == payloadAsText(v.payload));
        CHECK(parts[0].size() <= v.payload.size());
        ++compared;
    }
    CHECK(compared == 7);
}

TEST_CASE("Dictionaries travel in parts of any size", "[eta][dictionary]") {
    const Dictionary original = large();
    for (const Kind kind : {Kind::fields, Kind::enums}) {
        for (const std::uint32_t verbosity : {Verbosity::minimal, Verbosity::normal, Verbosity::verbose}) {
            for (const std::size_t budget : {std::size_t{0}, std::size_t{200}, std::size_t{1000}, std::size_t{8192},
                                             std::size_t{12288}, std::size_t{60000}}) {
                if (budget == 0 && verbosity != Verbosity::normal) continue;
                INFO("verbosity " << verbosity << " budget " << budget);
                const Parts parts = encodeAll(original, kind, verbosity, budget);
                REQUIRE_FALSE(parts.empty());
                Dictionary received;
                for (const auto& part : parts) {
                    codec::SeriesDecoder decoder;
                    REQUIRE(decoder.start(part).ok());
                    CHECK((part.size() <= budget || decoder.count() == 1));
                    CHECK(decoder.hasSetDefs());
                    CHECK(decoder.hasSummary() == (&part == &parts.front()));
                    CHECK(decoder.hasTotalCountHint() == (&part == &parts.front() && kind == Kind::fields));
                    REQUIRE(decode(received, kind, part).text.empty());
                }
                const Detail detail{verbosity != Verbosity::minimal, false};
                CHECK(asText(received, kind, detail) == asText(original, kind, detail));
            }
        }
    }
    SECTION("and both kinds find each other in either order") {
        for (const bool fieldsFirst : {true, false}) {
            Dictionary received;
            for (const Kind kind :
                 fieldsFirst ? std::array{Kind::fields, Kind::enums} : std::array{Kind::enums, Kind::fields})
                for (const auto& part : encodeAll(original, kind, Verbosity::normal, 8192))
                    REQUIRE(decode(received, kind, part).text.empty());
            for (const auto* field : original.fields()) {
                const auto* copy = received.find(field->fieldId);
                REQUIRE(copy != nullptr);
                CHECK(received.find(field->acronym) == copy);
                REQUIRE((copy->enums != nullptr) == (field->enums != nullptr));
                if (copy->enums != nullptr) CHECK(copy->enums->values().size() == field->enums->values().size());
            }
        }
    }
    SECTION("and a received dictionary encodes again to the same bytes") {
        Dictionary received;
        for (const auto& part : encodeAll(original, Kind::fields, Verbosity::normal, 8192))
            REQUIRE(received.decodeFields(part).text.empty());
        for (const auto& part : encodeAll(original, Kind::enums, Verbosity::normal, 12288))
            REQUIRE(received.decodeEnums(part).text.empty());
        CHECK(encodeAll(received, Kind::fields, Verbosity::normal, 8192) ==
              encodeAll(original, Kind::fields, Verbosity::normal, 8192));
        CHECK(encodeAll(received, Kind::enums, Verbosity::normal, 12288) ==
              encodeAll(original, Kind::enums, Verbosity::normal, 12288));
    }
}

TEST_CASE("Dictionary encoding says when it cannot", "[eta][dictionary]") {
    std::vector<std::byte> block(400);
    BeWriter out{block};
    Dictionary::Part part;
    SECTION("nothing loaded") {
        const Dictionary empty;
        CHECK(empty.encodeFields(out, Verbosity::normal, 1000, part).code == Errc::usage);
        CHECK(empty.encodeEnums(out, Verbosity::normal, 1000, part).code == Errc::usage);
    }
    const Dictionary d = fromFile(Kind::fields, fieldFile);
    SECTION("no room: the part stays where it was and nothing is written") {
        std::vector<std::byte> narrow(150);
        BeWriter small{narrow};
        CHECK(d.encodeFields(small, Verbosity::normal, 1000, part).code == Errc::noSpace);
        CHECK(small.size() == 0);
        CHECK(part.next == 0);
        CHECK_FALSE(part.finished);
    }
    SECTION("after the last part") {
        while (!part.finished)
            REQUIRE(d.encodeFields(out, Verbosity::normal, 1000, part).ok());
        CHECK(d.encodeFields(out, Verbosity::normal, 1000, part).code == Errc::usage);
    }
    SECTION("information alone is one part without rows") {
        REQUIRE(d.encodeFields(out, Verbosity::info, 10, part).ok());
        CHECK(part.finished);
        CHECK(payloadAsText(out.view()) == "flags 6 hint 6 entries ElementList\n"
                                           "summary flags 8\n  Type Int/Unknown 01\n  DictionaryId Int/Unknown 01\n"
                                           "  Version AsciiString/Unknown 312e322e33\n");
    }
    SECTION("a table too large for a row") {
        std::string text = "A 4\n";
        for (int i = 0; i < 3000; ++i)
            text += std::to_string(i) + " \"" + std::string(30, 'x') + "\"\n";
        const Dictionary huge = fromFile(Kind::enums, text);
        std::vector<std::byte> wide(1 << 20);
        BeWriter roomy{wide};
        CHECK(huge.encodeEnums(roomy, Verbosity::normal, 1 << 20, part).code == Errc::outOfRange);
        CHECK(roomy.size() == 0);
    }
}

TEST_CASE("The display type follows from the displays", "[eta][dictionary]") {
    const auto typeFor = [](const std::string& displays) {
        const Dictionary d = fromFile(Kind::enums, "A 4\n 1 \"plain\"\n 2 " + displays + "\n");
        const std::string text = payloadAsText(encodeAll(d, Kind::enums, Verbosity::normal, 60000).at(0));
        const std::size_t at = text.find("DISPLAY Array/") + 14, from = text.find(' ', at) + 1;
        return text.substr(from, text.find('/', from) - from);
    };
    CHECK(typeFor("\"x\"") == "AsciiString");
    CHECK(typeFor("##") == "AsciiString");
    CHECK(typeFor("#C3A9#") == "Utf8String");
    CHECK(typeFor("#E282AC#") == "Utf8String");
    CHECK(typeFor("#F09F9880#") == "Utf8String");
    CHECK(typeFor("#DE#") == "RmtesString");
    CHECK(typeFor("#C080#") == "RmtesString");
    CHECK(typeFor("#EDA080#") == "RmtesString");
    CHECK(typeFor("#F4908080#") == "RmtesString");
    CHECK(typeFor("#C3#") == "RmtesString");
}

TEST_CASE("Received rows may be written in other ways", "[eta][dictionary]") {
    SECTION("standard data, any order, unknown elements, other string types") {
        const auto row = elementList([](codec::ElementListEncoder& list) {
            list.addAscii("NEW_THING", "ignored");
            list.addUInt("RWFTYPE", 8);
            list.add("LONGNAME", DataType::Utf8String, asBytes("Long"));
            list.addUInt("ENUMLENGTH", 2);
            list.addInt("TYPE", -1);
            list.addUInt("FID", 6);
            list.addInt("RIPPLETO", -7);
            list.add("NAME", DataType::Buffer, asBytes("SIX"));
            list.addInt("RWFLEN", 65535);
            list.addInt("LENGTH", 17);
        });
        Dictionary d;
        REQUIRE(d.decodeFields(series({row})).text.empty());
        CHECK(fieldsAsText(d) == "6 SIX ripple -7 type -1 len 17 rwf Real 65535 'Long' enum 2\n");
    }
    SECTION("legacy and unknown type numbers") {
        Dictionary d;
        REQUIRE(d.decodeFields(series({fieldRow("A", 1, 1), fieldRow("B", 2, 2), fieldRow("C", 3, 7),
                                       fieldRow("D", 4, 99), fieldRow("E", 5, 138)}))
                    .text.empty());
        CHECK(d.find(1)->type == DataType::Int);
        CHECK(d.find(2)->type == DataType::UInt);
        CHECK(d.find(3)->type == DataType::Real);
        CHECK(d.find(4)->type == DataType::Unknown);
        CHECK(d.find(5)->type == DataType::Series);
    }
    SECTION("other names, a single field id, padded displays, meanings") {
        const auto row = elementList([](codec::ElementListEncoder& list) {
            addArray(list, "DISPLAYS", DataType::AsciiString, 4, [](auto& a) { a.addAscii("up"), a.addAscii("down"); });
        });
        CHECK(refusal(Kind::enums, series({row})).find("no FIDS") != std::string::npos);
        const auto values = elementList([](codec::ElementListEncoder& list) {
            addArray(list, "MEANING", DataType::AsciiString, 0, [](auto& a) { a.addAscii("m1"), a.addAscii(""); });
            addArray(list, "VALUES", DataType::UInt, 1, [](auto& a) { a.addUInt(1), a.addUInt(2); });
            addArray(list, "DISPLAYS", DataType::AsciiString, 4, [](auto& a) { a.addAscii("up"), a.addAscii("down"); });
            list.addInt("FID", 14);
        });
        Dictionary d;
        REQUIRE(d.decodeEnums(series({values})).text.empty());
        CHECK(enumsAsText(d) == "14 \n  1 7570 m1\n  2 646f776e \n");
    }
    SECTION("displays that came as UTF-8 behind RMTES's switch are the bytes of the file") {
        const auto values = elementList([](codec::ElementListEncoder& list) {
            addArray(list, "FIDS", DataType::Int, 2, [](auto& a) {
                const std::byte id[]{std::byte{0}, std::byte{14}};
                a.add(id);
            });
            addArray(list, "VALUE", DataType::Enum, 0, [](auto& a) { a.addUInt(1), a.addUInt(2), a.addUInt(3); });
            addArray(list, "DISPLAY", DataType::RmtesString, 0, [](auto& a) {
                a.addAscii("\x1b%0\xE2\x87\xA7");
                a.addAscii("\x1b%0x\xE2\x87\xA9 ");
                a.addAscii("\x1b%0\xE6\x97\xA5");  // no byte says that
            });
        });
        Dictionary d;
        REQUIRE(d.decodeEnums(series({values})).text.empty());
        CHECK(enumsAsText(d) == "14 \n  1 de \n  2 78fe20 \n  3 1b2530e697a5 \n");
    }
    SECTION("a summary's Type as UInt") {
        const auto summary = elementList([](codec::ElementListEncoder& list) {
            list.addAscii("Version", "9.9");
            list.addUInt("DictionaryId", 3);
            list.addUInt("Type", 1);
        });
        Dictionary d;
        const auto payload = series({fieldRow("A", 1, 3)}, &summary);
        CHECK(Dictionary::typeOf(payload) == 1);
        REQUIRE(d.decodeFields(payload).text.empty());
        CHECK(d.fieldTags().version == "9.9");
        CHECK(d.fieldTags().dictionaryId == 3);
    }
}

TEST_CASE("Parts add, first parts replace", "[eta][dictionary]") {
    const auto summary = elementList([](codec::ElementListEncoder& list) {
        list.addInt("Type", 1);
        list.addAscii("Version", "2");
    });
    Dictionary d;
    REQUIRE(d.decodeFields(series({fieldRow("A", 1, 3), fieldRow("B", 2, 3)}, &summary)).text.empty());
    REQUIRE(d.decodeFields(series({fieldRow("C", -3, 3)})).text.empty());
    CHECK(d.fields().size() == 3);
    CHECK(d.minFieldId() == -3);
    SECTION("repeating a row is harmless, contradicting it is refused") {
        CHECK(d.decodeFields(series({fieldRow("C", -3, 3)})).text.empty());
        CHECK(d.decodeFields(series({fieldRow("D", 4, 3), fieldRow("C", -3, 4)})).text ==
              "received field dictionary, row 2: field C (-3) contradicts C (-3), which came before" + remedy);
        CHECK(d.fields().size() == 3);
        CHECK(d.find("D") == nullptr);
    }
    SECTION("a first part starts anew") {
        REQUIRE(d.decodeFields(series({fieldRow("C", 1, 4)}, &summary)).text.empty());
        CHECK(d.fields().size() == 1);
        CHECK(d.find(1)->acronym == "C");
    }
    SECTION("a first part without rows brings tags only") {
        REQUIRE(d.decodeFields(series({}, &summary)).text.empty());
        CHECK(d.fields().size() == 3);
    }
    SECTION("tables alike") {
        REQUIRE(d.decodeEnums(series({enumRow({1}, {1, 2}, {"x", "y"})})).text.empty());
        REQUIRE(d.decodeEnums(series({enumRow({2, 9}, {1}, {"z"})})).text.empty());
        CHECK(d.find(1)->enums->find(2)->display == "y");
        CHECK(d.find(2)->enums->find(1)->display == "z");
        CHECK(d.decodeEnums(series({enumRow({2, 9}, {1}, {"z"})})).text.empty());
        CHECK(d.decodeEnums(series({enumRow({9}, {1}, {"z"})})).text ==
              "received enumerated types, row 1: field 9 already has another table" + remedy);
        CHECK(d.enumTables().size() == 2);
        REQUIRE(d.decodeFields(series({fieldRow("NINE", 9, 14)})).text.empty());
        CHECK(d.find(9)->enums == d.find(2)->enums);
    }
    SECTION("acronyms of an enumerated types file must match") {
        Dictionary other = fromFile(Kind::enums, "A 1\n 0 \"x\"\n");
        CHECK(other.decodeFields(series({fieldRow("B", 1, 14)})).text ==
              "received field dictionary, row 1: field 1 is B but A in the enumerated types" + remedy);
        CHECK(other.decodeFields(series({fieldRow("A", 1, 14)})).text.empty());
        CHECK(other.find(1)->enums != nullptr);
    }
}

TEST_CASE("Malformed dictionary payloads are refused in words", "[eta][dictionary]") {
    const auto summary = [](int type, bool version = true) {
        return elementList([&](codec::ElementListEncoder& list) {
            if (type >= 0) list.addInt("Type", type);
            if (version) list.addAscii("Version", "1");
        });
    };
    const std::string fields = "received field dictionary", enums = "received enumerated types";
    SECTION("around the rows") {
        CHECK(refusal(Kind::fields, unhex("00 05")) == fields + ": input ends inside a value at byte 2 of the payload");
        CHECK(refusal(Kind::fields, series({{}}, nullptr, DataType::FieldList)) ==
              fields + ": rows are of type FieldList, not ElementList");
        auto s = summary(2);
        CHECK(refusal(Kind::fields, series({}, &s)) == fields + ": the summary has Type 2, not 1");
        CHECK(Dictionary::typeOf(series({}, &s)) == 2);
        s = summary(1);
        CHECK(refusal(Kind::enums, series({}, &s)) == enums + ": the summary has Type 1, not 2");
        s = summary(-1);
        CHECK(refusal(Kind::enums, series({}, &s)) == enums + ": the summary has no Type");
        CHECK(Dictionary::typeOf(series({}, &s)) == 0);
        s = summary(1, false);
        CHECK(refusal(Kind::fields, series({}, &s)) == fields + ": the summary has no Version");
    }
    SECTION("dictionary ids that differ") {
        Dictionary d = fromFile(Kind::fields, fieldFile);
        const auto s = elementList([](codec::ElementListEncoder& list) {
            list.addInt("Type", 2);
            list.addInt("DictionaryId", 2);
            list.addAscii("Version", "1");
        });
        CHECK(d.decodeEnums(series({enumRow({4}, {1}, {"x"})}, &s)).text ==
              enums + ", row 1: DictionaryId 2 differs from 1 of the dictionary already loaded" + remedy);
        CHECK_FALSE(d.hasEnums());
    }
    SECTION("field rows") {
        const auto row = [](auto&& fill) { return series({fieldRow("OK", 1, 3), elementList(fill)}); };
        using List = codec::ElementListEncoder;
        CHECK(refusal(Kind::fields, row([](List& l) { l.addInt("FID", 2), l.addUInt("RWFTYPE", 3); })) ==
              fields + ", row 2: the row has no NAME");
        CHECK(refusal(Kind::fields, row([](List& l) { l.addAscii("NAME", "X"), l.addUInt("RWFTYPE", 3); })) ==
              fields + ", row 2: the row of X has no FID");
        CHECK(refusal(Kind::fields, row([](List& l) {
                          l.addAscii("NAME", "X"), l.addInt("FID", 0), l.addUInt("RWFTYPE", 3);
                      })) == fields + ", row 2: the row of X has no FID");
        CHECK(refusal(Kind::fields, row([](List& l) { l.addAscii("NAME", "X"), l.addInt("FID", 2); })) ==
              fields + ", row 2: the row of X has no RWFTYPE");
        CHECK(refusal(Kind::fields, row([](List& l) { l.addInt("NAME", 1); })) ==
              fields + ", row 2: NAME is not a string but Int of 1 bytes");
        CHECK(refusal(Kind::fields, row([](List& l) { l.addAscii("FID", "1"); })) ==
              fields + ", row 2: FID is not an integer but AsciiString of 1 bytes");
        CHECK(refusal(Kind::fields, row([](List& l) { l.addInt("FID", 32768); })) ==
              fields + ", row 2: FID is 32768, which is not from -32768 to 32767");
        CHECK(refusal(Kind::fields, row([](List& l) { l.addUInt("FID", ~0ull); })) ==
              fields + ", row 2: FID is not an integer but UInt of 8 bytes");
        CHECK(refusal(Kind::fields, row([](List& l) { l.addUInt("ENUMLENGTH", 256); })) ==
              fields + ", row 2: ENUMLENGTH is 256, which is not from 0 to 255");
        CHECK(refusal(Kind::fields, series({fieldRow("OK", 1, 3), fieldRow("NO", 1, 3)})) ==
              fields + ", row 2: field NO (1) contradicts OK (1), which came before");
        CHECK(refusal(Kind::fields, series({unhex("06 00 01")})) ==
              fields + ", row 1: the row uses a set definition that the part does not carry");
    }
    SECTION("enum rows") {
        CHECK(refusal(Kind::enums, series({enumRow({}, {1}, {"x"})})) == enums + ", row 1: FIDS is empty");
        CHECK(refusal(Kind::enums, series({enumRow({4, 4}, {1}, {"x"})})) ==
              enums + ", row 1: FIDS holds field 4 twice");
        CHECK(refusal(Kind::enums, series({enumRow({0}, {1}, {"x"})})) ==
              enums + ", row 1: FIDS holds what is not a field id");
        CHECK(refusal(Kind::enums, series({enumRow({4}, {1, 1}, {"x", "y"})})) ==
              enums + ", row 1: VALUE holds 1 twice");
        CHECK(refusal(Kind::enums, series({enumRow({4}, {1, 2}, {"x"})})) ==
              enums + ", row 1: DISPLAY has 1 items but VALUE has 2");
        CHECK(refusal(Kind::enums, series({enumRow({4}, {1}, {"x", "y"})})) ==
              enums + ", row 1: DISPLAY has 2 items but VALUE has 1");
        CHECK(refusal(Kind::enums, series({enumRow({4}, {1}, {"x"}), enumRow({5, 4}, {1}, {"x"})})) ==
              enums + ", row 2: field 4 already has another table");
        const auto row = [](auto&& fill) { return series({elementList(fill)}); };
        using List = codec::ElementListEncoder;
        CHECK(refusal(Kind::enums, row([](List& l) { l.addInt("FIDS", 4); })) ==
              enums + ", row 1: the row has no VALUE");
        CHECK(refusal(Kind::enums, row([](List& l) { l.addInt("FIDS", 4), l.addInt("VALUE", 4); })) ==
              enums + ", row 1: VALUE is Int, not Array");
        CHECK(refusal(Kind::enums, row([](List& l) {
                          l.addInt("FIDS", 4);
                          addArray(l, "VALUE", DataType::UInt, 0, [](auto& a) { a.addUInt(65536); });
                      })) == enums + ", row 1: VALUE holds what is not from 0 to 65535");
        CHECK(refusal(Kind::enums, row([](List& l) {
                          l.addInt("FIDS", 4);
                          addArray(l, "VALUE", DataType::UInt, 0, [](auto& a) { a.addUInt(1); });
                          addArray(l, "DISPLAY", DataType::UInt, 0, [](auto& a) { a.addUInt(1); });
                      })) == enums + ", row 1: DISPLAY holds UInt, not strings");
    }
}

TEST_CASE("Cut or changed dictionary payloads do no harm", "[eta][dictionary]") {
    for (const Vector& v : vectors()) {
        INFO(v.name);
        Dictionary whole;
        REQUIRE(decode(whole, kindOf(v), v.payload).text == "");
        const std::string content = asText(whole, kindOf(v), {});
        for (std::size_t n = 1; n < v.payload.size(); ++n) {  // no bytes at all are a series without entries
            const ExactCopy cut(Bytes(v.payload).first(n));
            Dictionary d;
            REQUIRE_FALSE(decode(d, kindOf(v), cut).text.empty());
            CHECK_FALSE(d.hasFields());
            CHECK_FALSE(d.hasEnums());
            (void)Dictionary::typeOf(cut);
            CHECK_FALSE(decode(whole, kindOf(v), cut).text.empty());
        }
        CHECK(asText(whole, kindOf(v), {}) == content);
        for (std::size_t n = 0; n < v.payload.size(); ++n) {
            for (const unsigned flip : {0x01u, 0x80u, 0xFFu}) {
                auto bytes = v.payload;
                bytes[n] ^= static_cast<std::byte>(flip);
                const ExactCopy changed(bytes);
                Dictionary d;
                (void)decode(d, kindOf(v), changed).text;
                (void)asText(d, kindOf(v), {});
            }
        }
    }
}

// The JSON that rwfcat writes, against the golden vectors: what it says of the bytes is what the vectors say.
#include "eta/codec/model/json.h"
#include "rwfcat/vector_json.h"
#include "support.h"

#include <map>

using namespace emissary::eta;
using namespace emissary::eta::codec;
using namespace emissary::eta::codec::model;
using namespace emissary::rwfcat;

namespace {

using FieldTypes = std::map<std::int16_t, DataType>;

/// Field types from every standard list inside a value: they stand in for the dictionary. False when one field has two.
bool gather(const Value& v, FieldTypes& types) {
    bool unique = true;
    const auto walk = [&](const std::vector<Entry>& entries, bool standard) {
        for (const Entry& e : entries)
            for (const Value& inner : e.value) {
                if (standard) unique &= types.emplace(e.fieldId, inner.type).first->second == inner.type;
                unique &= gather(inner, types);
            }
    };
    if (v.standard) walk(*v.standard, v.type == DataType::FieldList);
    if (v.set) walk(*v.set, false);
    walk(v.entries, false);
    for (const Value& s : v.summary)
        unique &= gather(s, types);
    for (const MsgParts& m : v.msg) {
        for (const Value& a : m.attrib)
            unique &= gather(a, types);
        for (const Value& p : m.payload)
            unique &= gather(p, types);
    }
    return unique;
}

JsonContext contextOf(const FieldTypes& types) {
    JsonContext context;
    context.field = [&types](std::int16_t id) {
        const auto found = types.find(id);
        return FieldInfo{found == types.end() ? DataType::Unknown : found->second, {}};
    };
    return context;
}

struct Expected {
    std::string name, dump;
};

/// Writes each vector of a file as JSON, reads that with the reader of the vectors, and compares.
std::size_t compareAll(const std::string& file) {
    const emissary::test::TempFolder folder;
    std::vector<Expected> expected;
    std::string lines;
    forEachVector(file, [&](const Vector& v) {
        INFO(v.name);
        FieldTypes types;
        if (!gather(*v.value, types)) return;
        JsonContext context = contextOf(types);
        SetDefinitionDb db;
        std::vector<std::byte> definitions;
        if (v.setDb) {
            definitions = encodeDefinitions(*v.setDb);
            const auto kind = v.setDb->elements ? SetDefinitionDb::Kind::elements : SetDefinitionDb::Kind::fields;
            REQUIRE(db.decode(definitions, kind).ok());
            context.sets = &db;
        }
        std::string json = "before";
        const Error e = v.setType == DataType::Unknown ? appendVectorJson(json, v.bytes, v.type, context) : [&] {
            BeReader in{v.bytes};
            Bytes content;
            REQUIRE(nextSetValue(in, v.setType, content).ok());
            return appendSetValueJson(json, content, v.setType, context);
        }();
        CHECK(describe(e.code) == std::string("ok"));
        REQUIRE(json.rfind("before{", 0) == 0);
        lines += "{\"name\":\"" + v.name + "\",\"kind\":\"" + v.kind + "\",\"value\":" + json.substr(6) + "}\n";
        expected.push_back({v.name, dump(*v.value)});
    });
    std::size_t at = 0;
    forEachVectorIn(folder.write("lines.jsonl", lines), [&](const Vector& v) {
        INFO(v.name);
        REQUIRE(at < expected.size());
        CHECK(v.name == expected[at].name);
        CHECK(dump(*v.value) == expected[at].dump);
        ++at;
    });
    CHECK(at == expected.size());
    return at;
}

}  // namespace

TEST_CASE("vectors as JSON", "[rwfcat]") {
    CHECK(compareAll("primitives.jsonl") == 287);
    CHECK(compareAll("primitives_set.jsonl") == 149);
    CHECK(compareAll("containers.jsonl") > 200);
    CHECK(compareAll("containers_set.jsonl") > 100);
    CHECK(compareAll("messages.jsonl") > 420);
    CHECK(compareAll("dictionary.jsonl") == 12);
}

TEST_CASE("what must be rejected gives a place and no JSON", "[rwfcat]") {
    std::size_t count = 0;
    forEachVector("negative.jsonl", [&](const Vector& v) {
        INFO(v.name);
        FieldTypes types;
        if (v.context) static_cast<void>(gather(*v.context, types));
        std::string json = "before";
        const Error e = appendVectorJson(json, v.bytes, v.type, contextOf(types));
        CHECK_FALSE(e.ok());
        CHECK(e.offset <= v.bytes.size());
        CHECK(json == "before");
        ++count;
    });
    CHECK(count == 290);
}

TEST_CASE("the place of a fault counts from the start of the message", "[rwfcat]") {
    // FieldList: flags 08, count 2, fid 1 length 1, fid 2 length 5 with two bytes left
    const auto bytes = unhex("080002000101070002050102");
    std::string json;
    const Error e = appendVectorJson(json, bytes, DataType::FieldList, {});
    CHECK(e.code == Errc::truncated);
    CHECK(e.offset >= 9);
    CHECK(e.offset <= 12);

    // ElementList with one Float "A": flags 08, count 1, name, type, length, content
    const auto good = unhex("0800010141"
                            "05"
                            "04"
                            "3f800000");
    const auto bad = unhex("0800010141"
                           "05"
                           "03"
                           "3f8000");
    json.clear();
    CHECK(appendVectorJson(json, good, DataType::ElementList, {}).ok());
    CHECK(json == R"({"t":"ElementList","standard":[{"name":"A","value":{"t":"Float","bits":"3f800000"}}]})");
    const Error place = appendVectorJson(json, bad, DataType::ElementList, {});
    CHECK(place.code == Errc::badValue);
    CHECK(place.offset == 7);
}

TEST_CASE("fields are shown with what the dictionary knows of them", "[rwfcat]") {
    const auto bytes = unhex("080002"
                             "0016"
                             "03"
                             "0c0d3f"
                             "7fff"
                             "01"
                             "41");
    JsonContext context;
    context.field = [](std::int16_t id) { return id == 22 ? FieldInfo{DataType::Real, "BID"} : FieldInfo{}; };
    std::string json;
    REQUIRE(appendVectorJson(json, bytes, DataType::FieldList, context).ok());
    CHECK(json == R"({"t":"FieldList","standard":[{"fid":22,"name":"BID","value":{"t":"Real","hint":12,"v":"3391"}},)"
                  R"({"fid":32767,"value":{"t":"Buffer","unknown":true,"hex":"41"}}]})");
}

TEST_CASE("types have the names of the schema", "[rwfcat]") {
    CHECK(schemaType("realLY") == DataType::Unknown);
    CHECK(schemaType("fieldlist") == DataType::FieldList);
    CHECK(schemaName(DataType::Real4RB) == "REAL_4RB");
}

TEST_CASE("nesting is bounded", "[rwfcat]") {
    // Series of Series ... each with one entry
    const auto deep = [](int levels) {
        std::vector<std::byte> in;
        for (int i = 0; i < levels; ++i) {
            std::vector<std::byte> outer = unhex("00");
            outer.push_back(static_cast<std::byte>(static_cast<unsigned>(DataType::Series) - 128));
            outer.push_back(std::byte{0});
            outer.push_back(std::byte{1});
            const auto size = static_cast<unsigned>(in.size());
            if (size < 0xFE) {
                outer.push_back(static_cast<std::byte>(size));
            } else {
                outer.push_back(std::byte{0xFE});
                outer.push_back(static_cast<std::byte>(size >> 8));
                outer.push_back(static_cast<std::byte>(size));
            }
            outer.insert(outer.end(), in.begin(), in.end());
            in = std::move(outer);
        }
        return in;
    };
    std::string json;
    CHECK(appendVectorJson(json, deep(kMaxDepth), DataType::Series, {}).ok());
    CHECK(appendVectorJson(json, deep(kMaxDepth + 1), DataType::Series, {}).code == Errc::tooDeep);
}

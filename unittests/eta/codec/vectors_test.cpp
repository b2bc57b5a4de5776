// Every golden vector, both ways. The counts are asserted so that a file that lost lines cannot pass.
#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"
#include "eta/codec/model/json.h"
#include "support/catch.hpp"

#include <map>
#include <memory>

using namespace emissary::eta;
using namespace emissary::eta::codec;
using namespace emissary::eta::codec::model;

namespace {

/// A block of exactly n bytes, so that a sanitizer sees any read behind it.
struct ExactCopy {
    explicit ExactCopy(Bytes from) : size(from.size()), block(new std::byte[from.size()]) {
        std::copy(from.begin(), from.end(), block.get());
    }
    [[nodiscard]] Bytes bytes() const { return {block.get(), size}; }
    std::size_t size;
    std::unique_ptr<std::byte[]> block;
};

/// Definitions known from outside, in the form that the decoders take.
struct OutsideSets {
    explicit OutsideSets(const Vector& v) {
        if (!v.setDb) return;
        bytes = encodeDefinitions(*v.setDb);
        const auto kind = v.setDb->elements ? SetDefinitionDb::Kind::elements : SetDefinitionDb::Kind::fields;
        REQUIRE(db.decode(bytes, kind).ok());
        known = &db;
    }
    std::vector<std::byte> bytes;
    SetDefinitionDb db;
    const SetDefinitionDb* known = nullptr;
};

/// Field types by id, gathered from every standard list inside a value.
using FieldTypes = std::map<std::int16_t, DataType>;

void gather(const Value& v, FieldTypes& types) {
    const auto walk = [&types](const std::vector<Entry>& entries, bool standard) {
        for (const Entry& e : entries)
            for (const Value& inner : e.value) {
                if (standard) types[e.fieldId] = inner.type;
                gather(inner, types);
            }
    };
    if (v.standard) walk(*v.standard, v.type == DataType::FieldList);
    if (v.set) walk(*v.set, false);
    walk(v.entries, false);
    for (const Value& s : v.summary)
        gather(s, types);
    for (const MsgParts& m : v.msg) {
        for (const Value& a : m.attrib)
            gather(a, types);
        for (const Value& p : m.payload)
            gather(p, types);
    }
}

DataType lookUp(const void* context, std::int16_t fieldId) noexcept {
    const auto& types = *static_cast<const FieldTypes*>(context);
    const auto found = types.find(fieldId);
    return found == types.end() ? DataType::Unknown : found->second;
}

[[nodiscard]] std::string decodedDump(Bytes in, const Vector& v, const OutsideSets& sets) {
    try {
        return dump(decode(in, v.type, DataType::Unknown, sets.known, &*v.value));
    } catch (const Fault& fault) { return std::string("rejected: ") + fault.what(); }
}

std::size_t checkBothWays(const std::string& file) {
    return forEachVector(file, [](const Vector& v) {
        INFO(v.name);
        const OutsideSets sets{v};
        const ExactCopy wire{v.bytes};
        CHECK(decodedDump(wire.bytes(), v, sets) == dump(*v.value));
        CHECK(describe(validate(wire.bytes(), v.type, nullptr, nullptr, sets.known).code) == std::string("ok"));
        if (!v.canonical) return;
        CHECK(hex(encodeAll(*v.value, Style::inPlace, sets.known)) == hex(v.bytes));
        CHECK(hex(encodeAll(*v.value, Style::readyBytes, sets.known)) == hex(v.bytes));
    });
}

}  // namespace

TEST_CASE("primitive vectors decode and encode", "[codec][vectors]") {
    CHECK(checkBothWays("primitives.jsonl") == 287);
}

TEST_CASE("container vectors decode and encode", "[codec][vectors]") {
    CHECK(checkBothWays("containers.jsonl") == 229);
}

TEST_CASE("set-defined container vectors decode and encode", "[codec][vectors]") {
    CHECK(checkBothWays("containers_set.jsonl") == 127);
}

TEST_CASE("message vectors decode and encode", "[codec][vectors]") {
    CHECK(checkBothWays("messages.jsonl") == 445);
}

TEST_CASE("messages of recorded tunnels decode", "[codec][vectors]") {
    CHECK(checkBothWays("../tunnel/messages.jsonl") == 115);
}

TEST_CASE("dictionary payload vectors decode", "[codec][vectors]") {
    CHECK(checkBothWays("dictionary.jsonl") == 12);
}

TEST_CASE("set entry vectors decode and encode", "[codec][vectors]") {
    const auto count = forEachVector("primitives_set.jsonl", [](const Vector& v) {
        INFO(v.name);
        const ExactCopy wire{v.bytes};
        BeReader in{wire.bytes()};
        Bytes content;
        REQUIRE(nextSetValue(in, v.setType, content).ok());
        CHECK(in.remaining() == 0);
        CHECK(dump(decode(content, v.type, v.setType, nullptr, &*v.value)) == dump(*v.value));
        for (std::size_t n = 0; n < v.bytes.size(); ++n) {
            const ExactCopy cut{wire.bytes().first(n)};
            BeReader cutReader{cut.bytes()};
            CHECK_FALSE(nextSetValue(cutReader, v.setType, content).ok());
        }
        if (!v.canonical) return;
        std::vector<std::byte> block(v.bytes.size());
        BeWriter out{block};
        encodeSetEntry(out, v.setType, *v.value);
        CHECK(out.ok());
        CHECK(hex(out.view()) == hex(v.bytes));
    });
    CHECK(count == 149);
}

TEST_CASE("negative vectors are rejected", "[codec][vectors]") {
    const auto count = forEachVector("negative.jsonl", [](const Vector& v) {
        INFO(v.name);
        FieldTypes types;
        if (v.context) gather(*v.context, types);
        const ExactCopy wire{v.bytes};
        CHECK_FALSE(validate(wire.bytes(), v.type, lookUp, &types).ok());
    });
    CHECK(count == 290);
}

TEST_CASE("every vector cut at every byte is rejected or harmless", "[codec][vectors]") {
    std::size_t cuts = 0;
    for (const char* file : {"messages.jsonl", "containers.jsonl", "containers_set.jsonl", "primitives.jsonl"}) {
        forEachVector(file, [&cuts](const Vector& v) {
            INFO(v.name);
            FieldTypes types;
            gather(*v.value, types);
            const OutsideSets sets{v};
            for (std::size_t n = 0; n < v.bytes.size(); ++n) {
                const ExactCopy cut{Bytes{v.bytes}.first(n)};
                static_cast<void>(validate(cut.bytes(), v.type, lookUp, &types, sets.known));
                static_cast<void>(decodedDump(cut.bytes(), v, sets));
                ++cuts;
            }
        });
    }
    CHECK(cuts == 74'322);
}

TEST_CASE("every header byte of a message that is cut off is missed", "[codec][vectors]") {
    forEachVector("messages.jsonl", [](const Vector& v) {
        INFO(v.name);
        Msg whole;
        REQUIRE(decodeMsg(v.bytes, whole).ok());
        const std::size_t headerEnd = 2u + loadBe<std::uint16_t>(v.bytes.data());
        for (std::size_t n = 0; n < headerEnd; ++n) {
            const ExactCopy cut{Bytes{v.bytes}.first(n)};
            Msg msg;
            CHECK_FALSE(decodeMsg(cut.bytes(), msg).ok());
        }
    });
}

TEST_CASE("a byte changed anywhere is rejected or harmless", "[codec][vectors]") {
    for (const char* file : {"messages.jsonl", "containers.jsonl", "containers_set.jsonl"}) {
        forEachVector(file, [](const Vector& v) {
            INFO(v.name);
            FieldTypes types;
            gather(*v.value, types);
            const OutsideSets sets{v};
            for (std::size_t i = 0; i < v.bytes.size(); ++i) {
                const ExactCopy changed{v.bytes};
                changed.block[i] ^= static_cast<std::byte>(0x80u >> (i % 8));
                static_cast<void>(validate(changed.bytes(), v.type, lookUp, &types, sets.known));
                changed.block[i] = std::byte{0xFF};
                static_cast<void>(decodedDump(changed.bytes(), v, sets));
            }
        });
    }
}

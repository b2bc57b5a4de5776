// RMTES: conversion, the stored string, and every row of the two-byte sets.
#include "eta/codec/model/json.h"
#include "eta/codec/Rmtes.h"
#include "support/catch.hpp"

#include <memory>

using namespace emissary::eta;
using namespace emissary::eta::codec;
using model::hex;
using model::unhex;
using model::wire;

namespace {

[[nodiscard]] std::string converted(Bytes in) {
    std::string out = "before ";
    const Error e = rmtesToUtf8(in, out);
    if (!e.ok()) return out == "before " ? "refused" : "refused, but text was left behind";
    return hex(asBytes(out.substr(7)));
}

/// Store of a fixed capacity, in a block of exactly that size.
struct Store {
    explicit Store(std::size_t n, std::string_view text = {}) : capacity(n), block(new std::byte[n]) {
        const Bytes bytes = asBytes(text);
        std::copy(bytes.begin(), bytes.end(), block.get());
        length = bytes.size();
    }
    [[nodiscard]] Error apply(std::string_view value) {
        return applyRmtes(asBytes(value), {block.get(), capacity}, length);
    }
    [[nodiscard]] std::string text() const { return std::string(asText({block.get(), length})); }
    std::size_t capacity;
    std::unique_ptr<std::byte[]> block;
    std::size_t length = 0;
};

void check(const model::Vector& v) {
    INFO(v.name);
    if (v.steps.empty()) {
        CHECK(converted(v.bytes) == (v.utf8 ? hex(asBytes(*v.utf8)) : "refused"));
        if (v.partial) CHECK(isRmtesPartial(v.bytes) == *v.partial);
        return;
    }
    Store store{64};
    for (const auto& step : v.steps) {
        CHECK(isRmtesPartial(asBytes(step.in)) == step.partial);
        CHECK(store.apply(step.in).ok());
        CHECK(hex(asBytes(store.text())) == hex(asBytes(step.cache)));
        CHECK(converted(asBytes(store.text())) == hex(asBytes(step.utf8)));
    }
}

}  // namespace

TEST_CASE("RMTES vectors", "[codec][rmtes]") {
    CHECK(model::forEachVector("rmtes.jsonl", check) == 31);
}

TEST_CASE("RMTES rows of the two-byte sets", "[codec][rmtes]") {
    CHECK(model::forEachVector("rmtes_tables.jsonl", check) == 224);
}

TEST_CASE("RMTES values cut or changed anywhere are refused or harmless", "[codec][rmtes]") {
    model::forEachVector("rmtes.jsonl", [](const model::Vector& v) {
        std::vector<std::vector<std::byte>> inputs{v.bytes};
        for (const auto& step : v.steps)
            inputs.emplace_back(asBytes(step.in).begin(), asBytes(step.in).end());
        for (const auto& input : inputs) {
            for (std::size_t n = 0; n <= input.size(); ++n) {
                const Bytes cut = wire(hex(Bytes{input}.first(n)));
                static_cast<void>(converted(cut));
                Store store{5, "abc"};
                static_cast<void>(store.apply(asText(cut)));
                CHECK(store.length <= 5);
            }
        }
    });
}

TEST_CASE("what a value may do to the stored string", "[codec][rmtes]") {
    Store store{12, "HELLO WORLD"};
    SECTION("commands change the part they name") {
        CHECK(store.apply("\x1B[6`THERE").ok());
        CHECK(store.text() == "HELLO THERE");
    }
    SECTION("a plain value replaces everything") {
        CHECK(store.apply("SHORT").ok());
        CHECK(store.text() == "SHORT");
        CHECK(store.apply("").ok());
        CHECK(store.text().empty());
    }
    SECTION("columns jumped over are blank") {
        CHECK(store.apply("AB").ok());
        CHECK(store.apply("\x1B[4`X").ok());
        CHECK(store.text() == "AB  X");
    }
    SECTION("what does not fit or is not a command changes nothing") {
        CHECK(store.apply("\x1B[11`XY").code == Errc::noSpace);
        CHECK(store.apply("\x1B[13`").code == Errc::noSpace);
        CHECK(store.apply("X\x1B[99999999999999999999b").code == Errc::noSpace);
        CHECK(store.apply("A TEXT TOO LONG").code == Errc::noSpace);
        CHECK(store.apply("X\x1B[3c").code == Errc::badValue);
        CHECK(store.apply("X\x1B[3").code == Errc::truncated);
        CHECK(store.apply("X\x1B").code == Errc::truncated);
        CHECK(store.text() == "HELLO WORLD");
    }
}

TEST_CASE("a scan for commands stops at the first that is none", "[codec][rmtes]") {
    CHECK(isRmtesPartial(asBytes("\x1B[`")));
    CHECK(isRmtesPartial(asBytes("ab\x1B(B\x1B[12b")));
    CHECK_FALSE(isRmtesPartial(asBytes("\x1B[3c\x1B[3`")));
    CHECK_FALSE(isRmtesPartial(asBytes("\x1B[3")));
    CHECK_FALSE(isRmtesPartial({}));
}

// decode(encode(x)) == x for generated values. A failure prints its seed; EMISSARY_TEST_SEED repeats one.
#include "eta/codec/model/random.h"
#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"
#include "eta/codec/primitives.h"
#include "support/catch.hpp"

#include <cstdlib>

using namespace emissary::eta;
using namespace emissary::eta::codec;
using namespace emissary::eta::codec::model;

namespace {

[[nodiscard]] std::uint64_t firstSeed() {
    if (const char* given = std::getenv("EMISSARY_TEST_SEED")) return std::strtoull(given, nullptr, 10);
    return std::random_device{}();
}

void checkRoundTrip(const Value& v) {
    const auto wire = encodeAll(v, Style::inPlace);
    if (hex(encodeAll(v, Style::readyBytes)) != hex(wire)) FAIL("the two styles of encoding differ: " << dump(v));
    const Value back = decode(wire, v.type, DataType::Unknown, nullptr, &v);
    if (dump(back) != dump(v)) FAIL(dump(back) << "\n!=\n" << dump(v));
    if (!wire.empty() && !validate(wire, v.type).ok()) FAIL("validate refuses " << hex(wire));
}

}  // namespace

TEST_CASE("generated values survive encoding and decoding", "[codec][property]") {
    const std::uint64_t seed = firstSeed();
    for (std::uint64_t i = 0; i < 2'000; ++i) {
        INFO("seed " << seed + i);
        Generator make{seed + i};
        for (int n = 0; n < 10; ++n)
            checkRoundTrip(make.primitive());
        checkRoundTrip(make.any(0));
        checkRoundTrip(make.message());
    }
}

TEST_CASE("random bytes are rejected or harmless for every decoder", "[codec][property]") {
    const std::uint64_t seed = firstSeed();
    INFO("seed " << seed);
    std::mt19937_64 engine{seed};
    constexpr std::array<DataType, 8> types{DataType::FieldList, DataType::ElementList, DataType::Map, DataType::Vector,
                                            DataType::Series,    DataType::FilterList,  DataType::Msg, DataType::Array};
    for (int i = 0; i < 20'000; ++i) {
        std::vector<std::byte> noise(engine() % 64);
        for (std::byte& b : noise)
            b = static_cast<std::byte>(engine() >> (engine() % 3 == 0 ? 61 : 8) & 0xFF);
        noise.shrink_to_fit();
        for (const DataType type : types)
            static_cast<void>(validate(noise, type));
    }
}

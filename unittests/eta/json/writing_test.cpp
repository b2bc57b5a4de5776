// Messages that are written in the quick ways are those that the long ways write, byte by byte, and refused where those
// refuse them: a writer that never has room beyond what is asked for takes the long ways alone.
#include "support.h"
#include "support/catch.hpp"
#include "json/quick_values.h"

#include <random>

using namespace json_test;

namespace {

/// Grows to exactly what is needed.
class TightBuffer {
public:
    [[nodiscard]] BeWriter& start() {
        block_.clear();
        writer_ = BeWriter({block_.data(), block_.size()}, &TightBuffer::grow, this);
        return writer_;
    }
    [[nodiscard]] Bytes view() const { return writer_.view(); }

private:
    static std::span<std::byte> grow(void* owner, std::size_t, std::size_t needed) noexcept {
        auto& block = static_cast<TightBuffer*>(owner)->block_;
        block.resize(needed);
        return block;
    }
    std::vector<std::byte> block_;
    BeWriter writer_;
};

struct BothWays {
    NamedServices services;
    json::Converter converter;
    TightBuffer tight;
    GrowingBuffer roomy{8192};
    std::size_t written = 0, refused = 0;

    explicit BothWays(const json::Options& options) : converter(options) {
        converter.setDictionary(&vectorDictionary());
        converter.setServices(&services);
    }

    void compare(Bytes message) {
        const std::unique_ptr<std::byte[]> exact(new std::byte[message.size()]);  // a sanitizer sees overreads
        std::copy(message.begin(), message.end(), exact.get());
        const Bytes in{exact.get(), message.size()};
        const Error slow = converter.toJson(in, tight.start()), quick = converter.toJson(in, roomy.start());
        ++(quick.ok() ? written : refused);
        if (!same(slow, quick)) {
            INFO(hex(message));
            CHECK(slow.code == quick.code);
            CHECK(slow.offset == quick.offset);
            CHECK(asText(tight.view()) == asText(roomy.view()));
        }
        codec::Msg decoded;
        if (!codec::decodeMsg(in, decoded).ok()) return;
        const Error direct = converter.toJson(decoded, roomy.start());
        if (same(slow, direct)) return;
        INFO(hex(message));
        CHECK(slow.code == direct.code);
        CHECK(asText(tight.view()) == asText(roomy.view()));
    }

private:
    [[nodiscard]] bool same(const Error& slow, const Error& other) const {
        return slow.code == other.code && slow.offset == other.offset && asText(tight.view()) == asText(roomy.view());
    }
};

/// Everything that the golden texts turn into, and updates of many fields.
std::vector<std::vector<std::byte>> messages() {
    std::vector<std::vector<std::byte>> all;
    json::Converter reader = plain();
    GrowingBuffer out;
    const auto add = [&](const std::string& text) {
        if (!reader.start(text)) return;
        for (json::Inbound found; (found = reader.next(out.start())) != json::Inbound::end;)
            if (found == json::Inbound::message) all.emplace_back(out.view().begin(), out.view().end());
    };
    forEachVector([&](const std::string&, const Json& line) {
        if (const Json* text = line.find("json_text"); text != nullptr) add(text->text);
        else add(line.at("json").source);
    });
    std::mt19937_64 random(11);
    const auto number = [&] { return std::to_string((random() >> 1) >> random() % 63); };
    const auto text = [&] { return std::string("ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789.").substr(0, random() % 38); };
    const auto two = [&](unsigned below) {
        const std::string n = std::to_string(random() % below);
        return n.size() == 1 ? '0' + n : n;
    };
    for (int i = 0; i < 1'000; ++i) {
        std::string fields;
        for (auto n = random() % 30; n != 0; --n) {
            const char* const signs[] = {"", "-"};
            const std::string sign = signs[random() % 2];
            switch (random() % 9) {
            case 0:
                fields += R"("BID":)" + sign + std::to_string(random() % 100'000'000) + "." +
                          std::to_string(random() % 1'000'000 + 1) + ",";
                break;
            case 1:
                fields += R"("ASK":)" + sign + number().substr(0, 16) + ",";
                break;
            case 2:
                fields += R"("PROD_PERM":)" + number() + ",";
                break;
            case 3:
                fields += R"("SENTIMENT":)" + sign + number() + ",";
                break;
            case 4:
                fields += R"("TIMACT":")" + two(24) + ":" + two(60) + ":" + two(60) +
                          (random() % 2 != 0 ? "." + two(100) : "") + "\",";
                break;
            case 5:
                fields += R"("CURRENCY":)" + std::to_string(random() % 1'100) + ",";
                break;
            case 6:
                fields += R"("TRADE_DATE":")" + std::to_string(1900 + random() % 200) + "-" + two(9) + "1-1" +
                          two(9).substr(1) + "\",";
                break;
            case 7:
                fields += R"("PREF_LINK":")" + text() + "\",";
                break;
            default:
                fields += R"("DSPLY_NAME":)" + std::string(random() % 8 == 0 ? "null," : "\"" + text() + "\",");
            }
        }
        if (!fields.empty()) fields.pop_back();
        const char* const between[] = {"",
                                       R"("SeqNumber":4294967295,)",
                                       R"("Key":{"Service":260,"Name":"ABC.N"},)",
                                       R"("Key":{"Service":"FEED_A","Name":"A\"B"},"SeqNumber":0,)",
                                       R"("DoNotCache":true,)",
                                       R"("Key":{"Service":1,"Name":"a name of more than thirty-two characters"},)"};
        const char* const types[] = {"\"Quote\"", "\"Verify\"", "\"Unspecified\"", "12", "255"};
        add(R"({"ID":)" + std::to_string(static_cast<std::int32_t>(random())) + R"(,"Type":"Update","UpdateType":)" +
            types[random() % 5] + "," + between[random() % 6] + R"("Fields":{)" + fields + "}}");
    }
    return all;
}

json::Options withTexts() {
    json::Options o = plainOptions();
    o.expandEnums = true;
    return o;
}

}  // namespace

TEST_CASE("a message written in the quick ways is the one that the long ways write", "[json]") {
    const auto all = messages();
    REQUIRE(all.size() > 1'100);
    for (const json::Options& options : {plainOptions(), withTexts()}) {
        BothWays both(options);
        for (const auto& message : all)
            both.compare(message);
        CHECK(both.written > 1'000);
    }
}

TEST_CASE("cut and changed messages are written or refused alike in the quick and the long ways", "[json]") {
    const auto all = messages();
    std::mt19937_64 random(12);
    BothWays both(withTexts());
    for (std::size_t i = 0; i < all.size(); i += i < 300 ? 1 : 11) {
        std::vector<std::byte> message = all[i];
        if (message.size() > 600) continue;
        for (std::size_t n = 0; n < message.size(); ++n)
            both.compare(Bytes(message).first(n));
        for (std::byte& b : message) {
            const std::byte was = b;
            for (const unsigned other :
                 {0x00u, 0x01u, 0x7Fu, 0x80u, 0xFDu, 0xFEu, 0xFFu, std::to_integer<unsigned>(was) ^ 1u << random() % 8,
                  static_cast<unsigned>(random() % 256)}) {
                b = static_cast<std::byte>(other);
                both.compare(message);
            }
            b = was;
        }
    }
    CHECK(both.written > 50'000);
    CHECK(both.refused > 10'000);
}

TEST_CASE("a usual update is written as if it had been encoded first", "[json]") {
    namespace F = codec::UpdateFlag;
    namespace K = codec::KeyFlag;
    std::mt19937_64 random(13);
    BothWays both(plainOptions());
    const auto all = messages();
    std::size_t usual = 0;
    for (int i = 0; i < 50'000; ++i) {
        const auto& from = all[random() % all.size()];
        codec::Msg m;
        if (!codec::decodeMsg(from, m).ok() || m.cls != codec::MsgClass::Update) continue;
        const std::string name(std::array<std::size_t, 6>{0, 1, 8, 40, 255, 256}[random() % 6], 'N');
        if (random() % 2 == 0) m.flags = static_cast<std::uint16_t>(random() % 0x800 & random());
        if (m.has(F::msgKey)) {
            m.key = {};
            m.key.flags =
                static_cast<std::uint16_t>(random() % 2 == 0 ? K::serviceId | K::name | K::nameType : random() % 0x40);
            m.key.serviceId = static_cast<std::uint16_t>(random());
            m.key.nameType = static_cast<std::uint8_t>(random() % 3 == 0 ? random() : 1);
            m.key.name = asBytes(name);
        }
        m.updateType = static_cast<std::uint8_t>(random() % 3 == 0 ? random() : random() % 12);
        m.domain = static_cast<std::uint8_t>(random() % 3 == 0 ? random() : 6);
        if (!json::isUsualUpdate(m)) continue;
        ++usual;
        GrowingBuffer encoded;
        REQUIRE(codec::encodeMsg(encoded.start(), m).ok());
        const Error first = both.converter.toJson(encoded.view(), both.tight.start());
        const Error direct = both.converter.toJson(m, both.roomy.start());
        if (first.code != direct.code || asText(both.tight.view()) != asText(both.roomy.view())) {
            CHECK(first.code == direct.code);
            CHECK(asText(both.tight.view()) == asText(both.roomy.view()));
        }
    }
    CHECK(usual > 2'000);
}

TEST_CASE("a field whose type is not known is never written in the quick way", "[json][writing]") {
    dictionary::FieldDefinition field;
    field.type = codec::DataType::Unknown;
    std::array<char, 256> text{};
    const std::array<std::byte, 32> bytes{};
    for (std::size_t length = 0; length <= 16; ++length)
        CHECK(json::putQuick(text.data(), field, {bytes.data(), length}, false) == nullptr);
    field.type = codec::DataType::Int;
    CHECK(json::putQuick(text.data(), field, {bytes.data(), 0}, false) == text.data() + 4);
}

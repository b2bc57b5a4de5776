// Every golden vector of the JSON protocol, both ways, by the tolerance rules of their README.
#include "support.h"
#include "support/catch.hpp"

using namespace json_test;

namespace {

json::Options optionsOf(const Json& line, std::unique_ptr<NamedServices>& services) {
    json::Options options = plainOptions();
    const Json* given = line.find("options");
    if (given == nullptr) return options;
    for (const auto& [name, value] : given->members) {
        const bool on = value.text == "true";
        if (name == "expand_enum_fields") options.expandEnums = on;
        else if (name == "catch_unknown_keys") options.catchUnknownMembers = on;
        else if (name == "catch_unknown_fields") options.catchUnknownFields = on;
        else if (name == "default_dynamic_qos") options.defaultDynamicQos = on;
        else if (name == "allow_enum_display_strings") options.acceptEnumText = on;
        else if (name == "default_service_id")
            options.defaultServiceId = static_cast<std::uint16_t>(std::stoi(value.text));
        else if (name == "services") {
            std::map<std::string, std::uint16_t> ids;
            for (const auto& [service, id] : value.members)
                ids[service] = static_cast<std::uint16_t>(std::stoi(id.text));
            services = std::make_unique<NamedServices>(ids);
        } else FAIL("option " << name);
    }
    return options;
}

std::string described(const std::string& hexOrWord) {
    if (hexOrWord == "Ping" || hexOrWord == "Pong" || hexOrWord == "Error") return hexOrWord;
    return describe(unhex(hexOrWord), vectorDictionary());
}

}  // namespace

TEST_CASE("every vector of the JSON protocol passes", "[json][vectors]") {
    std::size_t toJson = 0, toRwf = 0, refused = 0;
    const std::size_t lines = forEachVector([&](const std::string& file, const Json& line) {
        INFO(file << ": " << line.at("name").text);
        std::unique_ptr<NamedServices> services;
        json::Converter converter(optionsOf(line, services));
        converter.setDictionary(&vectorDictionary());
        converter.setServices(services.get());
        if (const Json* text = line.find("json_text"); text != nullptr) {
            ++refused;
            const Conversion got = convert(converter, text->text);
            CHECK(got.failure == line.at("error").text);
            CHECK(got.messages.size() == (line.at("name").text == "n.arr-second" ? 1u : 0u));
        } else if (line.at("direction").text == "rwf2json") {
            ++toJson;
            const std::string got = toText(converter, unhex(line.at("rwf").text));
            INFO(got);
            REQUIRE(!got.starts_with("error"));
            CHECK(difference(line.at("json"), parseJson(got)) == "");
        } else {
            ++toRwf;
            const Conversion got = convert(converter, line.at("json").source);
            CHECK(got.failure == "");
            const Json& expected = line.at("rwf");
            std::vector<std::string> wanted;
            if (expected.kind == Json::Kind::array)
                for (const Json& item : expected.items)
                    wanted.push_back(described(item.text));
            else wanted.push_back(described(expected.text));
            REQUIRE(got.messages.size() == wanted.size());
            for (std::size_t i = 0; i < wanted.size(); ++i)
                CHECK(described(got.messages[i]) == wanted[i]);
        }
    });
    CHECK(lines == 994);
    CHECK(toJson == 439);
    CHECK(toRwf == 482);
    CHECK(refused == 73);
}

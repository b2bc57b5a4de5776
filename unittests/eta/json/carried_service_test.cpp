// Services that are named and have no id: refused, or carried along where the options say so (json.md 9.3).
#include "eta/json/carried_service.h"
#include "support.h"
#include "support/catch.hpp"

using namespace json_test;
using codec::Msg;

namespace {

struct Carrying {
    explicit Carrying(bool on = true)
        : converter([on] {
              json::Options o = plainOptions();
              o.carriesServiceNames = on;
              return o;
          }()) {
        converter.setDictionary(&vectorDictionary());
        converter.setServices(&services);
    }
    /// The message, whose bytes stay until the next call.
    Msg read(const std::string& text) {
        const Conversion got = convert(converter, text);
        INFO(text);
        REQUIRE(got.failure == "");
        REQUIRE(got.messages.size() == 1);
        bytes = unhex(got.messages[0]);
        Msg m;
        REQUIRE(codec::decodeMsg(bytes, m).ok());
        return m;
    }
    std::string failure(const std::string& text) { return convert(converter, text).failure; }

    NamedServices services;
    json::Converter converter;
    std::vector<std::byte> bytes;
};

std::string request(const std::string& service, const std::string& more = {}) {
    return R"({"ID":5,"Key":{"Name":"A","Service":")" + service + "\"}" + more + "}";
}

}  // namespace

TEST_CASE("a request or a post carries the name of a service without an id", "[json]") {
    Carrying c;
    const std::vector<std::string> texts{
        request("LATER"), R"({"ID":5,"Key":{"Name":["A","B"],"Service":"LATER"},"View":["BID"]})",
        R"({"ID":1,"Type":"Post","PostUserInfo":{"Address":"1.2.3.4","UserID":1},"Key":{"Name":"A","Service":"LATER"}})",
        request("LATER", R"(,"Domain":"Dictionary")"), request("LATER", R"(,"ExtHdr":"AQID")")};
    for (const std::string& text : texts) {
        const Msg m = c.read(text);
        INFO(text);
        CHECK(json::carriedService(m) == "LATER");
        CHECK_FALSE(m.key.has(codec::KeyFlag::serviceId));
        // And back: the name stands where it stood.
        const Json out = parseJson(toText(c.converter, c.bytes));
        CHECK(out.at("Key").at("Service").text == "LATER");
        CHECK(out.find("ExtHdr") == nullptr);
    }
    Msg m = c.read(request("LATER"));
    json::giveServiceId(m, 260);
    CHECK(json::carriedService(m).empty());
    CHECK(m.key.has(codec::KeyFlag::serviceId));
    CHECK_FALSE(m.hasExtendedHeader());
    const Msg known = c.read(request("FEED_A"));
    CHECK(known.key.serviceId == 260);
    CHECK_FALSE(known.hasExtendedHeader());
    CHECK(c.read(request("FEED_A", R"(,"ExtHdr":"AQID")")).extendedHeader.size() == 3);
}

TEST_CASE("what cannot carry the name of a service is refused", "[json]") {
    Carrying c;
    CHECK(c.failure(request(std::string(json::kLongestCarriedService, 'x'))) == "");
    CHECK(c.failure(request(std::string(json::kLongestCarriedService + 1, 'x'))) == "UnexpectedValue");
    CHECK(c.failure(request("")) == "UnexpectedValue");
    CHECK(c.failure(request("LATER", R"(,"Domain":"Source")")) == "UnexpectedValue");
    CHECK(c.failure(request("LATER", R"(,"Domain":"Login")")) == "UnexpectedValue");
    for (const char* const type : {"Refresh", "Update", "Status", "Generic", "Ack"})
        CHECK(c.failure(R"({"ID":5,"Type":")" + std::string(type) +
                        R"(","AckID":1,"Key":{"Name":"A","Service":"LATER"},"State":{"Stream":"Open","Data":"Ok"}})") !=
              "");
    Carrying off(false);
    CHECK(off.failure(request("LATER")) == "UnexpectedValue");
    CHECK(off.failure(request("FEED_A")) == "");
}

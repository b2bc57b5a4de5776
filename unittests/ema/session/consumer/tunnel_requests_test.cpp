// Requests for tunnels that a provider refuses before its application is asked: recorded between other libraries, and
// answered in the same words (tunnel.md 1.6).
#include "TunnelProvider.h"
#include "support/RawConsumer.h"
#include "support/paths.h"

#include <simdjson.h>

#include <fstream>

using namespace emissary::test;
namespace eta = emissary::eta;

namespace {

std::vector<std::byte> unhex(std::string_view text) {
    std::vector<std::byte> block;
    for (std::size_t i = 0; i + 1 < text.size(); i += 2)
        block.push_back(static_cast<std::byte>(std::stoi(std::string(text.substr(i, 2)), nullptr, 16)));
    return block;
}
std::string describe(const wire::Msg& m) {
    return std::string(wire::name(m.cls)) + " " + std::to_string(m.streamId) + " d" + std::to_string(m.domain) +
           " flags " + std::to_string(m.flags) + " " + std::to_string(m.state.stream) + "/" +
           std::to_string(m.state.data) + "/" + std::to_string(m.state.code) + " " +
           std::string(eta::asText(m.state.text));
}

}  // namespace

TEST_CASE("recorded requests that cannot be are refused as they were", "[ema][tunnel]") {
    const std::string scenario = GENERATE("no-listener", "bad-requests");
    INFO(scenario);
    TunnelProvider provider({.takesTunnels = scenario != "no-listener"});
    RawConsumer c(provider.port());
    c.send(RawConsumer::loginRequest("user"));
    REQUIRE(c.next().msg.cls == wire::MsgClass::Refresh);

    std::ifstream file(vectorPath(("/tunnel/" + scenario + ".jsonl").c_str()));
    simdjson::dom::parser parser;
    int answers = 0;
    for (std::string line; std::getline(file, line);) {
        const simdjson::dom::object o = parser.parse(line).get_object().value();
        std::string_view hex, direction;
        if (o["hex"].get_string().get(hex) != simdjson::SUCCESS) continue;
        direction = o["dir"].get_string().value();
        const std::vector<std::byte> bytes = unhex(hex);
        if (direction == "C>P") {
            c.sendBytes(bytes);
            continue;
        }
        wire::Msg due;
        REQUIRE(decodeMsg(bytes, due).ok());
        CHECK(describe(c.next().msg) == describe(due));
        ++answers;
    }
    CHECK(answers == (scenario == "no-listener" ? 2 : 5));
    CHECK(provider.count("emissary_tunnel_refused_total") == (scenario == "no-listener" ? 2 : 4));
}

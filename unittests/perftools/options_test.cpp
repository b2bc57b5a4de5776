// Command lines of the tools: values, defaults, refusals and their reasons.
#include "Options.h"
#include "eta/core/version.h"
#include "support/catch.hpp"
#include "support/paths.h"

#include <fstream>
#include <set>
#include <sstream>

using namespace emissary::perf;

namespace {

std::string parseError(Tool tool, std::vector<std::string_view> arguments) {
    Options options(tool);
    try {
        options.parse(arguments);
    } catch (const OptionError& error) { return error.what(); }
    return "";
}

}  // namespace

TEST_CASE("options: defaults, any order, the last occurrence wins", "[perftools]") {
    Options options(Tool::consumer);
    CHECK(options.number("-itemCount") == 100000);
    CHECK(options.number("-requestRate") == 35000);
    CHECK(options.text("-itemFile") == "350k.xml");
    CHECK_FALSE(options.flag("-snapshot"));
    const std::vector<std::string_view> arguments = {"-itemCount", "5",          "-snapshot", "-postingLatencyRate",
                                                     "all",        "-itemCount", "7"};
    options.parse(arguments);
    CHECK(options.number("-itemCount") == 7);
    CHECK(options.given("-itemCount"));
    CHECK(options.flag("-snapshot"));
    CHECK(options.rate("-postingLatencyRate") == kAllMessages);
    CHECK_FALSE(options.given("-tickRate"));
}

TEST_CASE("options: what cannot be understood is refused with the reason", "[perftools]") {
    CHECK(parseError(Tool::consumer, {"-itemCount"}) ==
          "Config error: -itemCount missing argument.\nRun 'EmaCppConsPerf -?' to see the options.");
    CHECK(parseError(Tool::provider, {"-itemCount", "3"}) ==
          "Config Error: Unrecognized option: -itemCount\nRun 'EmaCppIProvPerf -?' to see the options.");
    CHECK(parseError(Tool::consumer, {"itemCount", "3"}).find("Unrecognized option: itemCount") != std::string::npos);
    CHECK(parseError(Tool::consumer, {"-itemCount", "3x"}) == "Config Error: -itemCount: '3x' is not a whole number.");
    CHECK(parseError(Tool::consumer, {"-itemCount", "0"}).find("outside 1 to") != std::string::npos);
    CHECK(parseError(Tool::consumer, {"-itemCount", "99999999999"}).find("outside") != std::string::npos);
    CHECK(parseError(Tool::consumer, {"-itemCount", "all"}).find("not a whole number") != std::string::npos);
    CHECK(parseError(Tool::consumer, {"-useUserDispatch", "2"}).find("outside 0 to 1") != std::string::npos);
    CHECK(parseError(Tool::provider, {"-tunnelStreamOutputBufs", "0"}).find("outside 1 to") != std::string::npos);
    CHECK(parseError(Tool::provider, {"-tunnel"}).find("Unrecognized option: -tunnel") != std::string::npos);
    CHECK(parseError(Tool::provider, {"-connType", "pigeon"}).find("is not one of socket,") != std::string::npos);
}

TEST_CASE("options: what is refused says what to do instead", "[perftools]") {
    const Tool tool = GENERATE(Tool::consumer, Tool::provider, Tool::niProvider);
    for (const std::string_view type : {"http", "reliableMCast"}) {
        if (tool == Tool::niProvider && type == "reliableMCast") continue;  // it has that
        const std::string error = parseError(tool, {"-connType", type});
        INFO(error);
        CHECK(error.find("'" + std::string(type) + "' is not supported. Use encrypted") != std::string::npos);
    }
    CHECK(parseError(tool, {"-connType", "encrypted"}).empty());
    CHECK(parseError(tool, {"-connType", "websocket", "-reactor"}).empty());
    // Whatever is refused has its remedy in the table.
    for (const OptionSpec& spec : optionTable()) {
        INFO(spec.name);
        CHECK((spec.support == Support::refused || !spec.refused.empty()) == !spec.instead.empty());
    }
}

TEST_CASE("options: every option of the tools is known", "[perftools]") {
    const auto names = [](Tool tool) {
        std::set<std::string_view> result;
        for (const OptionSpec& spec : optionTable())
            if ((spec.tools & static_cast<std::uint8_t>(tool)) != 0) {
                INFO(spec.name);
                CHECK(result.insert(spec.name).second);
                CHECK_FALSE(spec.help.empty());
                CHECK((spec.show == Show::no) == spec.label.empty());
            }
        return result;
    };
    const auto consumer = names(Tool::consumer);
    for (const char* name : {"-apiThreads",
                             "-commonItemCount",
                             "-consumerName",
                             "-delaySteadyStateCalc",
                             "-genericMsgRate",
                             "-genericMsgLatencyRate",
                             "-itemCount",
                             "-itemFile",
                             "-latencyFile",
                             "-mainThread",
                             "-msgFile",
                             "-noDisplayStats",
                             "-postingRate",
                             "-postingLatencyRate",
                             "-requestRate",
                             "-serviceName",
                             "-snapshot",
                             "-spTLSv1.2",
                             "-spTLSv1.3",
                             "-statsFile",
                             "-steadyStateTime",
                             "-summaryFile",
                             "-threads",
                             "-tickRate",
                             "-uname",
                             "-useServiceId",
                             "-useUserDispatch",
                             "-websocket",
                             "-workerThreads",
                             "-writeStatsInterval",
                             "-h",
                             "-p",
                             "-nanoTime",
                             "-measureDecode",
                             "-connType",
                             "-encryptedConnType",
                             "-if",
                             "-inputBufs",
                             "-outputBufs",
                             "-maxOutputBuffer",
                             "-sendBufSize",
                             "-recvBufSize",
                             "-tcpDelay",
                             "-highWaterMark",
                             "-pl",
                             "-castore",
                             "-compressionType",
                             "-busyRead",
                             "-reactor",
                             "-watchlist",
                             "-primeJVM",
                             "-tunnel",
                             "-tunnelAuth",
                             "-tunnelStreamOutputBufs",
                             "-tunnelStreamBuffersUsed",
                             "-startingHostName",
                             "-startingPort",
                             "-standbyHostName",
                             "-standbyPort",
                             "-warmStandbyMode",
                             "-calcRWFJSONConversionLatency"})
        CHECK(consumer.contains(name));
    const auto provider = names(Tool::provider);
    for (const char* name : {"-apiThreads",
                             "-mainThread",
                             "-threads",
                             "-workerThreads",
                             "-genericMsgRate",
                             "-genericMsgLatencyRate",
                             "-latencyFile",
                             "-latencyUpdateRate",
                             "-maxPackCount",
                             "-measureEncode",
                             "-measureDecode",
                             "-msgFile",
                             "-nanoTime",
                             "-noDisplayStats",
                             "-packBufSize",
                             "-preEnc",
                             "-providerName",
                             "-refreshBurstSize",
                             "-runTime",
                             "-statsFile",
                             "-summaryFile",
                             "-tickRate",
                             "-updateRate",
                             "-useUserDispatch",
                             "-writeStatsInterval",
                             "-p",
                             "-if",
                             "-connType",
                             "-keyfile",
                             "-cert",
                             "-cipher",
                             "-pl",
                             "-outputBufs",
                             "-maxOutputBufs",
                             "-maxFragmentSize",
                             "-sendBufSize",
                             "-recvBufSize",
                             "-tcpDelay",
                             "-highWaterMark",
                             "-directWrite",
                             "-compressionType",
                             "-compressionLevel",
                             "-serviceName",
                             "-serviceId",
                             "-openLimit",
                             "-reactor",
                             "-tunnelStreamOutputBufs",
                             "-tunnelStreamBuffersUsed"})
        CHECK(provider.contains(name));
}

TEST_CASE("options: a second spelling, and a hint for a wrong one", "[perftools]") {
    for (const std::string_view argument : {"-itemCount", "--item-count", "--itemCount", "--itemcount"}) {
        INFO(argument);
        Options options(Tool::consumer);
        options.parse(std::vector<std::string_view>{argument, "7"});
        CHECK(options.number("-itemCount") == 7);
    }
    // No two options of one tool have the same letters.
    for (const Tool tool : {Tool::consumer, Tool::provider, Tool::niProvider, Tool::transport}) {
        std::set<std::string> letters;
        for (const OptionSpec& spec : optionTable()) {
            if ((spec.tools & static_cast<std::uint8_t>(tool)) == 0) continue;
            std::string plain;
            for (const char c : spec.name)
                if (c != '-') plain.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
            INFO(spec.name);
            CHECK(letters.insert(plain).second);
        }
    }
    CHECK(parseError(Tool::consumer, {"-itemcount", "7"}) ==
          "Config Error: Unrecognized option: -itemcount. Did you mean -itemCount?\nRun 'EmaCppConsPerf -?' to see the "
          "options.");
    CHECK(parseError(Tool::consumer, {"--item-cuont", "7"}).find("Did you mean -itemCount?") != std::string::npos);
    CHECK(parseError(Tool::consumer, {"--item-count=7"}).find("Did you mean -itemCount?") != std::string::npos);
    CHECK(parseError(Tool::consumer, {"--frobnicate"}).find("Did you mean") == std::string::npos);
    CHECK(parseError(Tool::consumer, {"--"}).starts_with("Config Error: Unrecognized option: --\n"));
}

TEST_CASE("options: an option is not the value of the one before it", "[perftools]") {
    CHECK(parseError(Tool::consumer, {"-h", "-p", "14002"}) ==
          "Config error: -h missing argument: the next word, -p, is an option.\nRun 'EmaCppConsPerf -?' to see the "
          "options.");
    CHECK(
        parseError(Tool::consumer, {"-summaryFile", "--item-count", "5"}).find("the next word, --item-count, is an") !=
        std::string::npos);
    CHECK(parseError(Tool::provider, {"-threads", "-noDisplayStats"}).find("the next word") != std::string::npos);
    CHECK(parseError(Tool::provider, {"-threads", "-1,-1", "-mainThread", "-1"}).empty());
    CHECK(parseError(Tool::consumer, {"-uname", "-me"}).empty());
}

TEST_CASE("options: usage has one line for each option", "[perftools]") {
    Options options(Tool::provider);
    const std::vector<std::string_view> arguments = {"-?"};
    options.parse(arguments);
    CHECK(options.toldInstead() == options.usage());
    const std::string usage = options.usage();
    CHECK(usage.starts_with("Usage: EmaCppIProvPerf [options]\n"));
    CHECK(usage.find("\n  -updateRate <number>") != std::string::npos);
    CHECK(usage.find("[100000]\n") != std::string::npos);
}

TEST_CASE("options: --version names the tool and the version, whatever else stands there", "[perftools]") {
    Options options(Tool::transport);
    const std::vector<std::string_view> arguments = {"-tickRate", "10", "--version", "-noSuchOption"};
    options.parse(arguments);
    CHECK(options.toldInstead() == "TransportPerf (Emissary) " + std::string(emissary::version()) + "\n");
}

TEST_CASE("docs/options.md is what the option table says", "[perftools]") {
    std::ifstream file(emissary::test::sourcePath("/docs/options.md"), std::ios::binary);
    REQUIRE(file);
    std::ostringstream content;
    content << file.rdbuf();
    INFO("Run generate_options_doc > docs/options.md");
    CHECK((content.str() == optionsMarkdown()));
}

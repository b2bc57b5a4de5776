// webfeed: a provider of quotes for the web scenarios, interactive or a publisher; every message has a time stamp.
#include "Feed.h"
#include "eta/core/program_options.h"
#include "eta/core/version.h"

#include "Ema.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>

namespace {

using namespace emissary::eta;
using emissary::webfeed::Spread;
using emissary::webfeed::Stamp;

std::vector<ProgramOption> optionsInto(emissary::webfeed::Options& o) {
    return {
        {"-ni", "", "a publisher: connects to a hub instead of serving consumers", takeFlag(o.publisher)},
        {"-h", "HOST", "of the hub, with -ni (localhost)", takeText(o.host)},
        {"-p", "PORT", "to listen at (14002), or of the hub (14003)",
         [&o](const std::string& value) {
             std::uint16_t number = 0;
             std::string mistake = takeNumber<std::uint16_t>(number, 1)(value);
             // Checked as a number and kept as text: the configuration takes ports as text.
             if (mistake.empty()) o.port = value;
             return mistake;
         }},
        {"-serviceName", "NAME", "service (WEB_FEED)", takeText(o.service)},
        {"-items", "N", "items WEB0, WEB1 ... (20)", takeNumber(o.items, 1u, 1'000'000u)},
        {"-rate", "N", "updates per second of each item, 0.001 to 100000 (5)",
         [&o](const std::string& value) -> std::string {
             char* end = nullptr;
             const double n = std::strtod(value.c_str(), &end);
             // Written so that NaN fails as well.
             if (value.empty() || *end != '\0' || !(n >= 0.001 && n <= 100'000))
                 return noNumber("0.001", "100000", value);
             return o.rate = n, "";
         }},
        {"-spread", "WORD", "even: the items follow each other; tick: all at the same moment (even)",
         takeChoice(o.spread, {{"even", Spread::even}, {"tick", Spread::tick}})},
        {"-stamp", "WORD", "what TIM_TRK_1 has: when the update was due, or sent (due)",
         takeChoice(o.stamp, {{"due", Stamp::due}, {"sent", Stamp::sent}})},
        {"-seed", "N", "of the random walks (1)", takeNumber(o.seed)},
        {"-seconds", "N", "then it ends; 0 = Ctrl-C ends it (0)", takeNumber(o.seconds)},
        {"-truthFile", "FILE",
         "written when the updates stop, at the end or on SIGUSR1: the last\nSEQNUM and BID of every item",
         takeText(o.truthFile)},
    };
}

}  // namespace

int main(int argc, char** argv) {
    emissary::webfeed::Options options;
    const std::vector<ProgramOption> table = optionsInto(options);
    ProgramLine line = readProgramLine("webfeed", table, argc, argv);
    if (line.help) return printText("webfeed", "usage: webfeed [options]\n\n" + optionLines(table));
    if (line.version) return printText("webfeed", "webfeed (Emissary) " + std::string(emissary::version()) + "\n");
    if (line.mistake.empty() && !line.words.empty()) line.mistake = "[" + line.words.front() + "] is no option";
    if (!line.mistake.empty()) return std::fprintf(stderr, "webfeed: %s\n", line.mistake.c_str()), 2;
    try {
        return emissary::webfeed::run(options);
    } catch (const refinitiv::ema::access::OmmException& failure) {
        std::cerr << "webfeed: " << failure.getText() << std::endl;
    } catch (const std::exception& failure) { std::cerr << "webfeed: " << failure.what() << std::endl; }
    return 1;
}

// truthfeed: a provider, a publisher or a consumer of items whose values follow from their sequence numbers, and those
// from the time: whatever is killed and started again, a consumer knows what is true.
#include "Feed.h"
#include "eta/core/program_options.h"
#include "eta/core/version.h"

#include <iostream>

namespace {

using emissary::eta::ProgramOption;
using emissary::eta::takeNumber;
using emissary::eta::takeText;

std::vector<ProgramOption> optionsInto(emissary::truthfeed::Options& o) {
    return {
        {"-name", "SECTION", "section of EmaConfig.xml", takeText(o.name)},
        {"-services", "LIST", "one for a publisher, a list for a consumer (TRUTH)", takeText(o.services)},
        {"-items", "N", "of each service (100)", takeNumber(o.items)},
        {"-start", "MS", "ms since 1970 at which sequence numbers began, a few seconds ago at least",
         takeNumber(o.schedule.startMs)},
        {"-end", "MS", "ms since 1970 after which nothing changes", takeNumber(o.schedule.endMs)},
        {"-rate", "N", "updates per second of each item, 1 to 1000 (10)",
         takeNumber(o.schedule.perSecond, decltype(o.schedule.perSecond){1}, decltype(o.schedule.perSecond){1000})},
        {"-settle", "S", "seconds after the end until a consumer must have everything (10)",
         takeNumber(o.settleSeconds)},
        {"-stale", "S", "seconds after which an Ok item is wrong (10)", takeNumber(o.staleSeconds)},
        {"-lieEvery", "N", "one update in N is wrong; 0 = none (0)", takeNumber(o.lieEvery)},
        {"-imageEvery", "N", "a feed sends an unasked image in the place of one update in N; 0 = never (0)",
         takeNumber(o.imageEvery)},
        {"-posts", "N", "of a consumer, per second, each to be answered once (0)", takeNumber(o.posts, 0u, 1000u)},
        {"-showPosts", "0|1", "of a provider: everybody gets what was posted and not refused (0)",
         takeNumber(o.showPosts, 0u, 1u)},
        {"-changes", "N", "of a consumer, per second: pauses, resumes, reissues, closes (0)",
         takeNumber(o.changes, 0u, 1000u)},
        {"-seed", "N", "of posts and changes (1)", takeNumber(o.seed)},
        {"-samples", "MS",
         "of a consumer: a line about each service every so many ms, with the age of what is Ok; 0 = none (0)",
         takeNumber(o.samples, 0u, 60000u)},
    };
}

std::string usage(const std::vector<ProgramOption>& table) {
    return "usage: truthfeed provider|publisher|consumer -name SECTION -start MS -end MS [options]\n" +
           emissary::eta::optionLines(table);
}

}  // namespace

int main(int argc, char** argv) {
    emissary::truthfeed::Options options;
    const std::vector<ProgramOption> table = optionsInto(options);
    emissary::eta::ProgramLine line = emissary::eta::readProgramLine("truthfeed", table, argc, argv);
    if (line.help) return emissary::eta::printText("truthfeed", usage(table));
    if (line.version)
        return emissary::eta::printText("truthfeed", "truthfeed (Emissary) " + std::string(emissary::version()) + "\n");
    const auto refuse = [&](const std::string& why) {
        std::cerr << "truthfeed: " << why << "\n" << usage(table);
        return 2;
    };
    if (!line.mistake.empty()) return refuse(line.mistake);
    if (line.words.size() != 1) return refuse(line.words.empty() ? "a role is missing" : "one role is possible");
    options.role = line.words.front();
    if (options.schedule.endMs <= options.schedule.startMs) return refuse("-start and -end are needed, in this order");
    try {
        if (options.role == "provider") return emissary::truthfeed::runProvider(options);
        if (options.role == "publisher") return emissary::truthfeed::runPublisher(options);
        if (options.role == "consumer") return emissary::truthfeed::runConsumer(options);
    } catch (const refinitiv::ema::access::OmmException& failure) {
        std::cerr << "truthfeed: " << failure << std::endl;
        return 1;
    }
    return refuse("no role is named " + options.role);
}

// truthfeed: a provider, a publisher or a consumer of items whose values follow from their sequence numbers, and those
// from the time: whatever is killed and started again, a consumer knows what is true.
#include "Feed.h"

#include <charconv>
#include <cstring>
#include <functional>
#include <iostream>
#include <string_view>

namespace {

using emissary::truthfeed::Options;

template <class Number>
bool read(const char* text, Number& into) {
    const char* const end = text + std::strlen(text);
    const auto [at, ec] = std::from_chars(text, end, into);
    return ec == std::errc() && at == end;
}

struct Option {
    const char* name;
    const char* meaning;
    std::function<bool(Options&, const char*)> take;  ///< false: not a value for it
};

const Option kOptions[] = {
    {"-name", "section of EmaConfig.xml", [](Options& o, const char* t) { return !(o.name = t).empty(); }},
    {"-services", "one for a publisher, a list for a consumer (TRUTH)",
     [](Options& o, const char* t) { return !(o.services = t).empty(); }},
    {"-items", "of each service (100)", [](Options& o, const char* t) { return read(t, o.items); }},
    {"-start", "ms since 1970 at which sequence numbers began, a few seconds ago at least",
     [](Options& o, const char* t) { return read(t, o.schedule.startMs); }},
    {"-end", "ms since 1970 after which nothing changes",
     [](Options& o, const char* t) { return read(t, o.schedule.endMs); }},
    {"-rate", "updates per second of each item, 1 to 1000 (10)",
     [](Options& o, const char* t) {
         return read(t, o.schedule.perSecond) && o.schedule.perSecond >= 1 && o.schedule.perSecond <= 1000;
     }},
    {"-settle", "seconds after the end until a consumer must have everything (10)",
     [](Options& o, const char* t) { return read(t, o.settleSeconds); }},
    {"-stale", "seconds after which an Ok item is wrong (10)",
     [](Options& o, const char* t) { return read(t, o.staleSeconds); }},
    {"-lieEvery", "one update in so many is wrong; 0 = none (0)",
     [](Options& o, const char* t) { return read(t, o.lieEvery); }},
    {"-imageEvery", "a feed sends an unasked image in the place of one update in so many; 0 = never (0)",
     [](Options& o, const char* t) { return read(t, o.imageEvery); }},
    {"-posts", "of a consumer, per second, each to be answered once (0)",
     [](Options& o, const char* t) { return read(t, o.posts) && o.posts <= 1000; }},
    {"-changes", "of a consumer, per second: pauses, resumes, reissues, closes (0)",
     [](Options& o, const char* t) { return read(t, o.changes) && o.changes <= 1000; }},
    {"-seed", "of posts and changes (1)", [](Options& o, const char* t) { return read(t, o.seed); }},
};

int refuse(const std::string& why) {
    std::cerr << "truthfeed: " << why
              << "\nusage: truthfeed provider|publisher|consumer -name SECTION -start MS -end MS [options]\n";
    for (const Option& o : kOptions)
        std::cerr << "  " << o.name << "  " << o.meaning << "\n";
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    if (argc < 2) return refuse("a role is missing");
    options.role = argv[1];
    for (int i = 2; i < argc; i += 2) {
        const Option* found = nullptr;
        for (const Option& o : kOptions)
            if (std::strcmp(argv[i], o.name) == 0) found = &o;
        if (found == nullptr) return refuse(std::string("unknown option ") + argv[i]);
        if (i + 1 == argc || !found->take(options, argv[i + 1]))
            return refuse(std::string(argv[i]) + " needs a value it can use");
    }
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

// hubload: many bare consumer connections against one server, for measuring its fan-out, its images and its patience.
#include "Load.h"
#include "eta/core/version.h"

#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>

namespace {

using emissary::hubload::Options;

struct Option {
    const char* name;
    const char* meaning;
    std::function<bool(Options&, const char*)> take;  ///< false: not a value for it
    bool flag = false;
};

template <class Member>
std::function<bool(Options&, const char*)> number(Member member) {
    return [member](Options& o, const char* text) {
        const char* const end = text + std::strlen(text);
        const auto [at, ec] = std::from_chars(text, end, o.*member);
        return ec == std::errc() && at == end;
    };
}

template <class Member>
std::function<bool(Options&, const char*)> text(Member member) {
    return [member](Options& o, const char* value) { return o.*member = value, *value != '\0'; };
}

template <class Member>
std::function<bool(Options&, const char*)> flag(Member member) {
    return [member](Options& o, const char*) { return o.*member = true; };
}

const Option kOptions[] = {
    {"-h", "host (127.0.0.1)", text(&Options::host)},
    {"-p", "port (14002)", text(&Options::port)},
    {"-serviceName", "service (DIRECT_FEED)", text(&Options::service)},
    {"-connections", "connections (100)", number(&Options::connections)},
    {"-items", "items of each connection (1)", number(&Options::items)},
    {"-firstItem", "number of the first one: EMI000001.X (1)", number(&Options::firstItem)},
    {"-seconds", "counted after the last image (10)", number(&Options::seconds)},
    {"-connectRate", "connections begun per second; 0 = all at once (0)", number(&Options::connectRate)},
    {"-patience", "seconds until all images are there (60)", number(&Options::patience)},
    {"-silent", "so many connections stop reading after their images (0)", number(&Options::silent)},
    {"-distinct", "every connection has items of its own", flag(&Options::distinct), true},
    {"-snapshot", "ask without updates and end with the last image", flag(&Options::snapshot), true},
    {"-recover", "lost connections come back", flag(&Options::recover), true},
};

int usage(std::FILE* to, int exitCode) {
    std::fprintf(to, "usage: hubload [options]\n\n");
    for (const Option& o : kOptions)
        std::fprintf(to, "  %-16s %s\n", o.name, o.meaning);
    std::fprintf(to, "  %-16s %s\n  %-16s %s\n", "--version", "tells the version", "--help", "this text");
    return exitCode;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    if (argc == 2 && std::strcmp(argv[1], "--version") == 0)
        return std::printf("hubload (Emissary) %s\n", std::string(emissary::version()).c_str()) < 0;
    if (argc == 2 && std::strcmp(argv[1], "--help") == 0) return usage(stdout, 0);
    for (int i = 1; i < argc; ++i) {
        const Option* found = nullptr;
        for (const Option& o : kOptions)
            if (std::strcmp(argv[i], o.name) == 0) found = &o;
        if (found == nullptr) return std::fprintf(stderr, "hubload: unknown option %s\n", argv[i]), usage(stderr, 2);
        if (!found->flag && i + 1 == argc) return std::fprintf(stderr, "hubload: %s needs a value\n", found->name), 2;
        const char* const value = found->flag ? "" : argv[++i];
        if (!found->take(options, value))
            return std::fprintf(stderr, "hubload: [%s] is no value for %s\n", value, found->name), 2;
    }
    try {
        return emissary::hubload::Load(options).run();
    } catch (const std::exception& e) {
        std::fprintf(stderr, "hubload: %s\n", e.what());
        return 1;
    }
}

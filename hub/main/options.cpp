#include "hub/main/options.h"

#include "parameters/near_name.h"

#include <functional>
#include <string_view>

namespace emissary::hub {

namespace {

struct Option {
    const char* name;
    const char* argument;  ///< "" = none
    const char* meaning;
    std::function<void(CommandLine&, const std::string&)> take;
};

const Option kOptions[] = {
    {"-c", "FILE", "configuration file (default: EMISSARY_HUB_CONFIG, else ./HubConfig.xml, else none)",
     [](CommandLine& c, const std::string& v) { c.configFile = v; }},
    {"-source", "[NAME=]HOST:PORT", "an upstream provider, instead of those of the file; may be repeated",
     [](CommandLine& c, const std::string& v) { c.overrides.sources.push_back(v); }},
    {"-port", "PORT", "port for consumers, RIPC and WebSocket (default 14002; 0 = any)",
     [](CommandLine& c, const std::string& v) { c.overrides.port = v; }},
    {"-niPort", "PORT", "port for non-interactive publishers (default 14003; 0 = any)",
     [](CommandLine& c, const std::string& v) { c.overrides.publisherPort = v; }},
    {"-httpPort", "PORT", "port of the pages (default 8080; 0 = none)",
     [](CommandLine& c, const std::string& v) { c.overrides.httpPort = v; }},
    {"-name", "NAME", "name of the hub (default: the host's)",
     [](CommandLine& c, const std::string& v) { c.overrides.name = v; }},
    {"--check", "", "say whether the configuration can be used; exit 0 or 1",
     [](CommandLine& c, const std::string&) { c.mode = CommandLine::Mode::check; }},
    {"--print-config", "", "list every value in effect and where it comes from",
     [](CommandLine& c, const std::string&) { c.mode = CommandLine::Mode::printConfig; }},
    {"--version", "", "tell the version",
     [](CommandLine& c, const std::string&) { c.mode = CommandLine::Mode::version; }},
    {"--help", "", "this text", [](CommandLine& c, const std::string&) { c.mode = CommandLine::Mode::help; }},
};

[[nodiscard]] std::string nearOption(std::string_view word) {
    std::vector<std::string_view> names;
    for (const Option& o : kOptions)
        names.emplace_back(o.name);
    return parameters::nearName(word, names);
}

}  // namespace

CommandLine readCommandLine(int argc, const char* const* argv) {
    CommandLine line;
    for (int i = 1; i < argc; ++i) {
        std::string_view word = argv[i];
        if (word == "-h" || word == "-?") word = "--help";
        if (word == "--config") word = "-c";
        const Option* found = nullptr;
        for (const Option& o : kOptions)
            if (word == o.name) found = &o;
        if (found == nullptr) {
            line.mistake =
                "unknown option [" + std::string(word) + "]; emissary-hub --help lists them" + nearOption(word);
            return line;
        }
        std::string value;
        if (*found->argument != '\0') {
            if (i + 1 == argc) {
                line.mistake =
                    std::string("option ") + found->name + " needs a value: " + found->name + " " + found->argument;
                return line;
            }
            value = argv[++i];
            if (value.empty()) {
                line.mistake = std::string("option ") + found->name + " has an empty value";
                return line;
            }
        }
        found->take(line, value);
        if (line.mode == CommandLine::Mode::help || line.mode == CommandLine::Mode::version) return line;
    }
    return line;
}

std::string usageText() {
    std::string out = "emissary-hub: distributes market data from providers and publishers to consumers.\n\n"
                      "usage: emissary-hub [options]\n\n";
    for (const Option& o : kOptions) {
        std::string left = std::string("  ") + o.name + (*o.argument == '\0' ? "" : " ") + o.argument;
        left.resize(std::max<std::size_t>(left.size() + 2, 30), ' ');
        out += left + o.meaning + "\n";
    }
    return out + "\nWithout any option it serves consumers on port 14002 and publishers on 14003, and shows\n"
                 "http://127.0.0.1:8080/. SIGTERM drains, SIGHUP reads the log level again.\n"
                 "Exit codes: 0 ended as asked, 1 the configuration or a port cannot be used, 2 wrong option.\n"
                 "The parameters of the file: man 5 emissary-hub.conf.\n";
}

}  // namespace emissary::hub

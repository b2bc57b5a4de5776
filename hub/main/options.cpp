// Holds the table of options, reads the command line, and writes the usage text.
#include "hub/main/options.h"

#include "config/schema/near_name.h"
#include "eta/core/program_options.h"
#include "hub/usage/report.h"

#include <string_view>
#include <vector>

namespace emissary::hub {

namespace {

using eta::ProgramOption;
using eta::takeFlag;
using eta::takeText;

constexpr std::string_view kProgram = "emissary-hub";

/// What --check and --print-config do instead of serving.
[[nodiscard]] auto takeMode(CommandLine& line, CommandLine::Mode mode) {
    return [&line, mode](const std::string&) { return line.mode = mode, std::string(); };
}

/// The options of the program, each with what it does to `line`, which outlives them.
[[nodiscard]] std::vector<ProgramOption> optionsInto(CommandLine& line) {
    using Mode = CommandLine::Mode;
    Overrides& over = line.overrides;
    const auto addSource = [&over](const std::string& v) {
        over.sources.push_back(v);
        return std::string(v.empty() ? "has an empty value" : "");
    };
    return {
        {"-c", "FILE", "configuration file (default: EMISSARY_HUB_CONFIG, else ./HubConfig.xml, else none)",
         takeText(line.configFile), "--config"},
        {"-source", "[NAME=]HOST:PORT", "an upstream provider, instead of those of the file; may be repeated",
         addSource},
        {"-port", "PORT", "port for consumers, RIPC and WebSocket (default 14002; 0 = any)", takeText(over.port)},
        {"-niPort", "PORT", "port for non-interactive publishers (default 14003; 0 = any)",
         takeText(over.publisherPort)},
        {"-httpPort", "PORT", "port of the pages (default 8080; 0 = none)", takeText(over.httpPort)},
        {"-name", "NAME", "name of the hub (default: the host's)", takeText(over.name)},
        {"--check", "", "say whether the configuration can be used; exit 0 or 1", takeMode(line, Mode::check)},
        {"--print-config", "", "list every value in effect and where it comes from", takeMode(line, Mode::printConfig)},
        {"--dry-run", "", "of `reload`: say what it would change, and change nothing", takeFlag(line.dryRun)},
        {"--token-file", "FILE",
         "of `reload` and `ctl`: its first line is a token of HttpTokens (default: EMISSARY_HUB_TOKEN)",
         takeText(line.tokenFile)},
        {"--month", "YYYY-MM", "of `usage`: that month (default: all days)",
         [&line](const std::string& v) {
             line.usage.month = v;
             return std::string(usage::isMonth(v) ? "" : "must be a month like 2026-11");
         }},
        {"--csv", "", "of `usage`: comma-separated values, a row for each day", takeFlag(line.usage.csv)},
        {"--html", "FILE", "of `usage`: write a page", takeText(line.usage.htmlFile)},
    };
}

}  // namespace

CommandLine readCommandLine(int argc, const char* const* argv) {
    CommandLine line;
    const std::vector<ProgramOption> options = optionsInto(line);
    eta::ProgramLine read = eta::readProgramLine(kProgram, options, argc, argv);
    if (read.help) line.mode = CommandLine::Mode::help;
    if (read.version) line.mode = CommandLine::Mode::version;
    line.mistake = std::move(read.mistake);
    const bool usage = !read.words.empty() && read.words.front() == "usage";
    const bool reload = !read.words.empty() && read.words.front() == "reload";
    const bool call = !read.words.empty() && read.words.front() == "ctl";
    using Mode = CommandLine::Mode;
    if (line.mode == Mode::run) line.mode = call ? Mode::call : reload ? Mode::reload : usage ? Mode::usage : Mode::run;
    if (line.mode == Mode::call) line.call.assign(read.words.begin() + 1, read.words.end());
    // An option that does nothing here was meant for something: `ctl --dry-run drain` must not drain.
    const bool shown = line.mode == Mode::help || line.mode == Mode::version;
    const auto refuse = [&line, shown](const char* why) {
        if (line.mistake.empty() && !shown) line.mistake = why;
    };
    if (!line.tokenFile.empty() && !call && !reload)
        refuse("--token-file is an option of `emissary-hub reload` and `emissary-hub ctl`");
    if (line.dryRun && !reload) refuse("--dry-run is an option of `emissary-hub reload`");
    if ((line.usage.csv || !line.usage.month.empty() || !line.usage.htmlFile.empty()) && !usage)
        refuse("--month, --csv and --html are options of `emissary-hub usage FOLDER`");
    if (reload && read.words.size() > 1 && line.mistake.empty())
        line.mistake = "[" + read.words[1] + "] is no option; reload takes no further word";
    if (usage && read.words.size() == 2) line.usage.folder = read.words[1];
    else if (usage && line.mode == Mode::usage)
        refuse("usage needs one folder, that of UsageFolder: emissary-hub usage FOLDER");
    if (line.mistake.empty() && !read.words.empty() && !usage && !reload && !call)
        line.mistake = "[" + read.words.front() + "] is no option; emissary-hub --help lists the options";
    if (!read.unknown.empty()) {
        std::vector<std::string_view> names{"--help", "--version"};
        for (const ProgramOption& o : options)
            names.emplace_back(o.name);
        line.mistake += parameters::nearName(read.unknown, names);
    }
    return line;
}

std::string usageText() {
    CommandLine line;
    return "emissary-hub: distributes market data from providers and publishers to consumers.\n\n"
           "usage: emissary-hub [options]\n"
           "       emissary-hub reload [--dry-run] [-c FILE] [-httpPort PORT] [--token-file FILE]\n"
           "       emissary-hub ctl [CALL [NAME=VALUE]...] [-c FILE] [-httpPort PORT] [--token-file FILE]\n"
           "       emissary-hub usage FOLDER [--month YYYY-MM] [--csv] [--html FILE]\n\n" +
           eta::optionLines(optionsInto(line)) +
           "\nWithout any option it serves consumers on port 14002 and publishers on 14003, and shows\n"
           "http://127.0.0.1:8080/. SIGTERM drains. SIGHUP opens the log as the file says now, and reads\n"
           "certificates and keys of encrypted ports, files of users, keys and rules, and the configuration\n"
           "again. `reload` asks the hub whose pages the configuration names to do so, and prints what came\n"
           "of it; a change that needs a restart refuses all of it. `ctl` makes a call on that hub, such as\n"
           "`ctl eject-client client=7`; alone it lists the calls. `usage` prints who used what, from the files of "
           "UsageFolder.\n"
           "Exit codes: 0 ended as asked, 1 the configuration or a port cannot be used, or a reload was\n"
           "refused, 2 wrong option.\n"
           "The parameters of the file: man 5 emissary-hub.conf.\n";
}

}  // namespace emissary::hub

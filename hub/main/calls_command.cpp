// hub/main: makes a request of the words, sends it to the port of the pages, and prints what the hub answers.
#include "hub/main/commands.h"

#include "hub/main/PagesClient.h"
#include "hub/ops/Calls.h"
#include "hub/ops/Json.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace emissary::hub {

namespace {

/// From --token-file, else EMISSARY_HUB_TOKEN: a word on the command line could be read by everybody on the host.
[[nodiscard]] bool readToken(const CommandLine& line, std::string& token) {
    if (line.tokenFile.empty()) {
        const char* const set = std::getenv("EMISSARY_HUB_TOKEN");
        token = set != nullptr ? set : "";
        return true;
    }
    std::ifstream in(line.tokenFile);
    const bool read = static_cast<bool>(std::getline(in, token));
    if (token.ends_with('\r')) token.pop_back();  // of a file from another system
    if (!read || token.empty())
        return std::fprintf(stderr, "emissary-hub: --token-file %s: its first line has no token, or cannot be read\n",
                            line.tokenFile.c_str()),
               false;
    return true;
}

/// Prints the body; false: the hub refuses, or there is no answer.
[[nodiscard]] bool ask(const CommandLine& line, PagesRequest request) {
    if (!readToken(line, request.token)) return false;
    // Of a file with faults the place of the pages may be read all the same; the hub says what is wrong. Of one that
    // could not be read at all nothing is known, and the hub at the default port may be another one.
    const HubConfig config = readHubConfig(line.configFile, line.overrides, TlsFiles::left);
    if (config.file.empty() && !config.usable() && line.overrides.httpPort.empty()) {
        for (const logging::QueuedRecord& r : config.records)
            if (r.severity == LogSeverity::error) std::fprintf(stderr, "emissary-hub: %s\n", r.text.c_str());
        std::fputs("emissary-hub: so the port of the hub's pages is not known; -httpPort gives it\n", stderr);
        return false;
    }
    const PagesAnswer answer = askPages(config.settings, request);
    if (!answer.fault.empty()) return std::fprintf(stderr, "emissary-hub: %s\n", answer.fault.c_str()), false;
    const bool good = answer.status >= 200 && answer.status < 300;
    std::fputs(answer.body.c_str(), good ? stdout : stderr);
    return std::fflush(stdout) == 0 && good;
}

void listCalls() {
    std::fputs("usage: emissary-hub ctl CALL [NAME=VALUE]... [-c FILE] [-httpPort PORT] [--token-file FILE]\n", stdout);
    for (const ops::CallRow& row : ops::callRows()) {
        std::string words;
        for (const ops::CallRow::Argument& a : row.arguments)
            if (!a.name.empty())
                words += " " + std::string(a.needed ? "" : "[") + std::string(a.name) + "=" +
                         (a.kind == ops::CallRow::Kind::number ? "N"
                          : a.kind == ops::CallRow::Kind::flag ? "true"
                                                               : "TEXT") +
                         (a.needed ? "" : "]");
        std::printf("  %s%s\n      %s (role %s)\n", std::string(row.name).c_str(), words.c_str(),
                    std::string(row.what).c_str(), std::string(access::nameOf(row.role)).c_str());
    }
}

/// NAME=VALUE, as the row says it is meant. Not empty: what is wrong.
[[nodiscard]] std::string addArgument(const ops::CallRow& row, const std::string& word, ops::Json& to) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) return "[" + word + "] is no NAME=VALUE";
    const std::string name = word.substr(0, equals), value = word.substr(equals + 1);
    const ops::CallRow::Argument* const a = row.find(name);
    if (a == nullptr) return std::string(row.name) + " has no argument [" + name + "]";
    if (a->kind == ops::CallRow::Kind::text) return to.value(name, value), std::string();
    const bool digits = !value.empty() && value.find_first_not_of("0123456789") == std::string::npos;
    const bool flag = value == "true" || value == "false";
    if (a->kind == ops::CallRow::Kind::number ? !digits : !flag)
        return name + "=" + value +
               (a->kind == ops::CallRow::Kind::number ? " is no whole number" : " is neither true nor false");
    // JSON has no leading zeros.
    const std::size_t first = value.find_first_not_of('0');
    to.raw(name, flag ? value : first == std::string::npos ? "0" : value.substr(first));
    return {};
}

}  // namespace

bool askToReload(const CommandLine& line) {
    PagesRequest request;
    request.path = std::string("/reload") + (line.dryRun ? "?dry=1" : "");
    request.headers = "X-Emissary-Reload: yes\r\n";
    return ask(line, std::move(request));
}

Called askToCall(const CommandLine& line) {
    if (line.call.empty()) return listCalls(), Called::done;
    const auto wrong = [](const std::string& why) {
        std::fprintf(stderr, "emissary-hub: %s; emissary-hub ctl lists the calls\n", why.c_str());
        return Called::wrongWords;
    };
    const ops::CallRow* const row = ops::findCall(line.call.front());
    if (row == nullptr) return wrong("[" + line.call.front() + "] is no call");
    ops::Json arguments;
    arguments.object();
    for (std::size_t i = 1; i < line.call.size(); ++i)
        if (const std::string why = addArgument(*row, line.call[i], arguments); !why.empty()) return wrong(why);
    PagesRequest request;
    request.path = "/ctl/" + line.call.front();
    request.headers = "Content-Type: application/json\r\n";
    request.body = arguments.end().take();
    return ask(line, std::move(request)) ? Called::done : Called::refused;
}

}  // namespace emissary::hub

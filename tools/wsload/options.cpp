// The option table of wsload, and which options do not go together.
#include "Options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace emissary::wsload {

using eta::takeChoice;
using eta::takeFlag;
using eta::takeNumber;
using eta::takeText;

namespace {

std::string takeAddress(Address& into, const std::string& value) {
    Address a;
    std::string_view rest = value;
    if (rest.starts_with("ws://")) rest.remove_prefix(5);
    else if (rest.starts_with("wss://")) rest.remove_prefix(6), a.encrypted = true;
    else return "must begin with ws:// or wss://, not '" + value + "'";
    if (const auto slash = rest.find('/'); slash != rest.npos) {
        a.path = rest.substr(slash);
        rest = rest.substr(0, slash);
    }
    a.port = a.encrypted ? "443" : "80";
    const auto bracket = rest.find(']');  // an IPv6 address
    if (const auto colon = rest.rfind(':'); colon != rest.npos && (bracket == rest.npos || bracket < colon)) {
        a.port = rest.substr(colon + 1);
        rest = rest.substr(0, colon);
    }
    if (rest.starts_with('[') && rest.ends_with(']')) rest = rest.substr(1, rest.size() - 2);
    a.host = rest;
    std::uint16_t number = 0;
    if (!takeNumber<std::uint16_t>(number, 1)(a.port).empty()) return "has a port outside 1 to 65535: '" + a.port + "'";
    if (a.host.empty()) return "has no host: '" + value + "'";
    return into = a, "";
}

std::string takeSlow(Options& o, const std::string& value) {
    const auto comma = value.find(',');
    unsigned n = 0, bytes = 0;
    if (comma == value.npos || !takeNumber(n, 1u)(value.substr(0, comma)).empty() ||
        !takeNumber(bytes, 1u)(value.substr(comma + 1)).empty())
        return "must be two numbers, clients and bytes per second: 25,2000, not '" + value + "'";
    o.slow = n, o.slowBytes = bytes;
    return "";
}

std::string takeView(std::vector<std::string>& into, const std::string& value) {
    into.clear();
    for (std::size_t from = 0; from <= value.size();) {
        const std::size_t comma = std::min(value.find(',', from), value.size());
        if (comma == from) return "has an empty field name: '" + value + "'";
        into.push_back(value.substr(from, comma - from));
        from = comma + 1;
    }
    return "";
}

/// A text, or the first line of a file, where it is not on the command line for all to see.
std::string takeSecret(std::string& into, const std::string& value, const char* what) {
    if (!value.starts_with('@')) return takeText(into)(value);
    std::ifstream file(value.substr(1));
    if (!std::getline(file, into) || into.empty())
        return "names the file '" + value.substr(1) + "', which has no " + what;
    return "";
}

std::string takeCpus(std::vector<perf::CpuBinding>& into, const std::string& value) {
    try {
        into = perf::parseCpuBindings("-cpus", value);
    } catch (const std::runtime_error&) {
        return "is no list of processors: '" + value + "'; write numbers, -1, or P:x C:y T:z, separated by commas";
    }
    for (const perf::CpuBinding& one : into)
        if (one.kind != perf::CpuBinding::Kind::none && perf::resolveCpus(one).empty())
            return "names the processor '" + one.text + "', which this machine does not have";
    return "";
}

std::string takeMilliseconds(double& into, const std::string& value) {
    char* end = nullptr;
    const double n = std::strtod(value.c_str(), &end);
    if (value.empty() || *end != '\0' || !(n > 0 && n <= 1e6)) return eta::noNumber("0.001", "1000000", value);
    return into = n, "";
}

}  // namespace

std::vector<eta::ProgramOption> optionsInto(Options& o) {
    return {
        {"-url", "URL", "ws:// or wss:// (ws://localhost:15000/WebSocket)",
         [&o](const std::string& v) { return takeAddress(o.address, v); }},
        {"-ca", "FILE", "certificates to trust with wss://, a PEM file or a folder (the platform's)", takeText(o.ca)},
        {"-clients", "N", "virtual clients (500)", takeNumber(o.clients, 1u, 1'000'000u)},
        {"-connectRate", "N", "connections begun per second (500)", takeNumber(o.connectRate, 1u)},
        {"-itemFile", "FILE", "item names, one a line (WEB0, WEB1 ...)", takeText(o.itemFile)},
        {"-items", "N", "items in all (as many as the clients need)", takeNumber(o.items, 1u, 100'000'000u)},
        {"-streams", "N", "streams of each client (20)", takeNumber(o.streams, 1u, 100'000u)},
        {"-share", "WORD",
         "common: every client takes the first items; distinct: each its own;\nzipf: drawn, the first ones most often "
         "(common)",
         takeChoice(o.share, {{"common", Share::common}, {"distinct", Share::distinct}, {"zipf", Share::zipf}})},
        {"-service", "NAME", "service (WEB_FEED)", takeText(o.service)},
        {"-user", "NAME", "user name; %d becomes the number of the client (load%d)", takeText(o.user)},
        {"-token", "TEXT", "authentication token in the place of a user name; @FILE: its first line",
         [&o](const std::string& v) { return takeSecret(o.token, v, "token"); }},
        {"-cookie", "TEXT",
         "Cookie header in the place of a login, AuthToken=... for a hub with\nCookieLogin; @FILE: its first line",
         [&o](const std::string& v) { return takeSecret(o.cookies, v, "cookie"); }},
        {"-deflate", "", "offer permessage-deflate", takeFlag(o.deflate)},
        {"-view", "NAMES", "fields wanted, separated by commas (all)",
         [&o](const std::string& v) { return takeView(o.view, v); }},
        {"-batch", "WORD", "on: one request for all items of a client; off: one for each (on)",
         takeChoice(o.batch, {{"on", true}, {"off", false}})},
        {"-duration", "S", "seconds that are measured (600)", takeNumber(o.duration, 1u)},
        {"-warmup", "S", "seconds before, behind the last image (10)", takeNumber(o.warmup)},
        {"-threads", "N", "threads of the clients (1)", takeNumber(o.threads, 1u, 256u)},
        {"-cpus", "LIST", "processors of the threads, as -threads of the performance tools: 0,1 or P:0 C:1 (any)",
         [&o](const std::string& v) { return takeCpus(o.cpus, v); }},
        {"-slow", "N,BYTES", "N clients read no more than BYTES per second (none)",
         [&o](const std::string& v) { return takeSlow(o, v); }},
        {"-churn", "N",
         "clients per second that leave and come back, half of them with a close, half\nwith a reset; every second "
         "client never leaves (0)",
         takeNumber(o.churn)},
        {"-postRate", "N", "posts per second over all clients, off-stream, spread over their items (0)",
         takeNumber(o.postRate, 0u, 1'000'000u)},
        {"-maxLatency", "MS", "a later message fails the run (50)",
         [&o](const std::string& v) { return takeMilliseconds(o.maxLatencyMs, v); }},
        {"-verify", "N", "every N-th message is parsed completely; 0 = none (100)", takeNumber(o.verify)},
        {"-truthFile", "FILE",
         "at the end wait for this file of webfeed's, and compare the last values\nof every stream with it (no "
         "comparison)",
         takeText(o.truthFile)},
        {"-recover", "S",
         "lost clients come back, and must have their images within S seconds;\n0 = a lost client fails the run (0)",
         takeNumber(o.recover)},
        {"-patience", "S", "seconds until all images are there (60)", takeNumber(o.patience, 1u)},
        {"-seed", "N", "of what is drawn (1)", takeNumber(o.seed)},
        {"-out", "DIR", "folder for intervals.csv, clients.csv, distribution.csv and report.html", takeText(o.out)},
        {"-raw", "", "with -out: raw.csv has the latency of every message", takeFlag(o.raw)},
        {"-writeStatsInterval", "S", "seconds of a line on the screen and in intervals.csv (5)",
         takeNumber(o.statsInterval, 1u)},
    };
}

std::string conflictIn(const Options& o) {
    if (o.slow > o.clients)
        return "-slow wants " + std::to_string(o.slow) + " clients, but -clients is " + std::to_string(o.clients);
    // A slow client that leaves would be judged as neither.
    if (o.slow != 0 && o.churn != 0) return "-slow and -churn do not go together";
    if (o.churn != 0 && o.clients < 2) return "-churn needs two clients, one of which stays";
    if (!o.ca.empty() && !o.address.encrypted) return "-ca is for wss:// addresses";
    if (!o.cookies.empty() && !o.token.empty()) return "-cookie and -token do not go together";
    if (o.raw && o.out.empty()) return "-raw needs -out";
    return {};
}

}  // namespace emissary::wsload

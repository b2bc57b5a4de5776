// The acceptor as a program: prints what non-interactive providers publish. For examples and manual runs of the tools.
#include "support/NiAcceptor.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

using emissary::test::NiAcceptor;

NiAcceptor* acceptor = nullptr;
volatile std::sig_atomic_t stopped = 0;

void stop(int) {
    stopped = 1;
    if (acceptor != nullptr) acceptor->wake();
}

constexpr const char* kUsage =
    "ni_acceptor: accepts non-interactive providers and prints what they publish, until Ctrl-C.\n"
    "  -p PORT            port to listen on; default 14003, 0 = any free one (it is printed)\n"
    "  -ra ADDRESS -rp PORT -sa ADDRESS -sp PORT  hear a multicast group and answer on another, instead of -p\n"
    "  -if NAME           interface of the groups\n"
    "  -fields FILE       field dictionary to serve, with -enums\n"
    "  -enums FILE        enumerations to serve, with -fields\n"
    "  -quiet             no line for each message, totals once a second\n"
    "  -refuse            refuse every login\n"
    "  -post ITEM         post to that item when it is published\n"
    "  -generic ITEM      send a generic message to that item when it is published\n"
    "  -close ITEM        close that item once a generic message, such as an answer, has come\n"
    "  -runTime SECONDS   end by itself\n";

int usageError(const char* what, const char* which) {
    std::printf("ni_acceptor: %s '%s'.\n%s", what, which, kUsage);
    return 255;
}

}  // namespace

int main(int argc, char** argv) {
    NiAcceptor::Options options;
    options.port = "14003";
    options.keptLines = 0;
    bool quiet = false;
    long runTime = 0;
    std::string post, generic, close;
    for (int i = 1; i < argc; ++i) {
        const std::string option = argv[i];
        const auto is = [&](const char* name) { return option == name; };
        if (is("-?") || is("-h") || is("--help")) {
            std::fputs(kUsage, stdout);
            return 0;
        }
        if (is("-quiet")) quiet = true;
        else if (is("-refuse")) options.refuseLogins = true;
        else if (is("-ra") || is("-rp") || is("-sa") || is("-sp") || is("-if")) {
            if (++i == argc) return usageError("missing value of", option.c_str());
            if (!options.group) {
                options.group.emplace();
                options.group->connectionType = emissary::eta::transport::ConnectionType::reliableMulticast;
                options.group->multicast.unicastPort = "0";
            }
            if (is("-ra")) options.group->multicast.receiveAddress = argv[i];
            if (is("-rp")) options.group->multicast.receivePort = argv[i];
            if (is("-sa")) options.group->multicast.sendAddress = argv[i];
            if (is("-sp")) options.group->multicast.sendPort = argv[i];
            if (is("-if")) options.group->interfaceName = argv[i];
        } else if (is("-p") || is("-fields") || is("-enums") || is("-post") || is("-generic") || is("-close") ||
                   is("-runTime")) {
            if (++i == argc) return usageError("missing value of", option.c_str());
            if (is("-p")) options.port = argv[i];
            if (is("-fields")) options.fieldFile = argv[i];
            if (is("-enums")) options.enumFile = argv[i];
            if (is("-post")) post = argv[i];
            if (is("-generic")) generic = argv[i];
            if (is("-close")) close = argv[i];
            if (is("-runTime")) runTime = std::strtol(argv[i], nullptr, 10);
        } else return usageError("unknown option", option.c_str());
    }
    if (options.fieldFile.empty() != options.enumFile.empty())
        return usageError("one without the other of", "-fields and -enums");
    bool wantPost = !post.empty(), wantGeneric = !generic.empty(), wantClose = !close.empty();
    if (!quiet) {
        options.onLine = [&](const std::string& line) {
            std::printf("%s\n", line.c_str());
            std::fflush(stdout);
        };
    }
    try {
        NiAcceptor server(NiAcceptor::Run::manual, std::move(options));
        acceptor = &server;
        std::signal(SIGINT, stop);
        std::signal(SIGTERM, stop);
        if (server.port() != 0) std::printf("listening on port %u\n", static_cast<unsigned>(server.port()));
        else std::printf("hearing the group\n");
        std::fflush(stdout);
        using Clock = std::chrono::steady_clock;
        const auto start = Clock::now();
        auto nextTotals = start + std::chrono::seconds(1);
        NiAcceptor::Totals before;
        while (stopped == 0) {
            server.turn(std::chrono::milliseconds(100));
            if (wantPost && server.post(post, 1) != 0) wantPost = false;
            if (wantGeneric && server.generic(generic) != 0) wantGeneric = false;
            if (wantClose && server.totals().generics != 0 && server.closeItem(close) != 0) wantClose = false;
            const auto now = Clock::now();
            if (runTime > 0 && now >= start + std::chrono::seconds(runTime)) break;
            if (!quiet || now < nextTotals) continue;
            nextTotals += std::chrono::seconds(1);
            const NiAcceptor::Totals t = server.totals();
            std::printf("images %llu updates %llu (%llu/s)\n", static_cast<unsigned long long>(t.refreshes),
                        static_cast<unsigned long long>(t.updates),
                        static_cast<unsigned long long>(t.updates - before.updates));
            std::fflush(stdout);
            before = t;
        }
        const NiAcceptor::Totals t = server.totals();
        std::printf("total: logins %llu directories %llu images %llu updates %llu statuses %llu generics %llu "
                    "ignored %llu\n",
                    static_cast<unsigned long long>(t.logins), static_cast<unsigned long long>(t.directories),
                    static_cast<unsigned long long>(t.refreshes), static_cast<unsigned long long>(t.updates),
                    static_cast<unsigned long long>(t.statuses), static_cast<unsigned long long>(t.generics),
                    static_cast<unsigned long long>(t.ignored));
        std::signal(SIGINT, SIG_DFL);
        std::signal(SIGTERM, SIG_DFL);
        acceptor = nullptr;
    } catch (const std::exception& e) {
        std::printf("ni_acceptor: %s\n", e.what());
        return 255;
    }
    return 0;
}

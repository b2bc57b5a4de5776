// The options of wsload.
#pragma once

#include "CpuBinding.h"

#include "eta/core/program_options.h"

#include <cstdint>
#include <string>
#include <vector>

namespace emissary::wsload {

/// Which items a client takes.
enum class Share : std::uint8_t {
    common,    ///< every client the first ones
    distinct,  ///< every client its own
    zipf,      ///< drawn: the first ones are asked for most
};

/// Where the server is: "ws://host:port/path".
struct Address {
    std::string host = "localhost", port = "15000", path = "/WebSocket";
    bool encrypted = false;
};

struct Options {
    Address address;
    std::string ca;  ///< PEM file or folder that certificates are checked with; empty: the platform's
    unsigned clients = 500, connectRate = 500;
    std::string itemFile;  ///< a name a line; empty: WEB0, WEB1 ...
    unsigned items = 0;    ///< in all; 0: as many as are needed
    unsigned streams = 20;
    Share share = Share::common;
    std::string service = "WEB_FEED", user = "load%d", token;
    std::string cookies;  ///< a Cookie header in the place of a login; empty: the client logs in by a message
    std::vector<std::string> view;
    bool batch = true, deflate = false;
    unsigned duration = 600, warmup = 10, threads = 1;
    std::vector<perf::CpuBinding> cpus;  ///< of the threads; used again when there are more threads; empty: unbound
    unsigned slow = 0, slowBytes = 0;    ///< `slow` clients read at most `slowBytes` bytes a second
    unsigned churn = 0;                  ///< clients that leave and come back per second
    unsigned postRate = 0;               ///< posts per second over all clients
    double maxLatencyMs = 50;
    unsigned verify = 100;  ///< every n-th message is parsed completely; 0 = none
    std::string out;        ///< folder; empty: no files
    bool raw = false;       ///< every latency into a file
    unsigned statsInterval = 5;
    std::string truthFile;  ///< of webfeed; empty: the last values are not compared
    unsigned recover =
        0;  ///< seconds within which lost clients have their images again; 0 = a lost client fails the run
    unsigned patience = 60;
    std::uint64_t seed = 1;
};

/// The table that the command line is read with.
[[nodiscard]] std::vector<eta::ProgramOption> optionsInto(Options& options);
/// What does not go together, as a sentence; empty: nothing.
[[nodiscard]] std::string conflictIn(const Options& options);

}  // namespace emissary::wsload

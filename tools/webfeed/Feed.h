// The feed of the web scenarios: quotes of many items at a steady rate, each message with the time it was due or sent.
#pragma once

#include <cstdint>
#include <string>

namespace emissary::webfeed {

enum class Spread : std::uint8_t {
    even,  ///< the items follow each other through the second
    tick,  ///< all items at the same moment
};
enum class Stamp : std::uint8_t {
    due,   ///< when the update should have left: what delays the feed counts as latency
    sent,  ///< when encoding began
};

struct Options {
    bool publisher = false;          ///< non-interactive: connects to a hub
    std::string host = "localhost";  ///< of the hub, for a publisher
    std::string port;                ///< to listen at, or of the hub; empty: 14002, 14003 for a publisher
    std::string service = "WEB_FEED";
    unsigned items = 20;
    double rate = 5;  ///< updates of one item per second
    Spread spread = Spread::even;
    Stamp stamp = Stamp::due;
    std::uint64_t seed = 1;
    unsigned seconds = 0;   ///< then the program ends; 0 = a signal ends it
    std::string truthFile;  ///< written when the updates stop: a line "name,SEQNUM,BID" for each item
};

/// Serves until `seconds` have passed or a signal ends it; SIGUSR1 stops the updates and writes the truth file, the
/// items stay open. 0 = in order. Throws OmmException.
int run(const Options& options);

}  // namespace emissary::webfeed

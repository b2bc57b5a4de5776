// tools/hubload: many consumer connections that log in, open items and count what comes: the cheapest clients there can
// be, so that a server's fan-out is measured and not theirs.
#pragma once

#include "reactor/Reactor.h"
#include "reactor/rdm/Directory.h"

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace emissary::hubload {

struct Options {
    std::string host = "127.0.0.1", port = "14002", service = "DIRECT_FEED";
    unsigned connections = 100, items = 1, seconds = 10, firstItem = 1;
    unsigned silent = 0;       ///< number of connections that stop reading once they have their images
    unsigned connectRate = 0;  ///< connections begun per second; 0 = all at once
    bool distinct = false;     ///< every connection has items of its own
    bool snapshot = false;     ///< ends with the last image
    bool recover = false;      ///< lost connections come back, and their items with them
    unsigned patience = 60;    ///< seconds until all images are there
};

/// What all connections did.
struct Totals {
    std::uint64_t refreshes = 0, updates = 0, statuses = 0, others = 0, bytes = 0, closed = 0, lost = 0;
    unsigned up = 0, loggedIn = 0;
    std::uint64_t images = 0;  ///< items that have had a refresh with data Ok since they were asked for
};

/// One thread; run() returns at the end.
class Load {
public:
    explicit Load(Options options);
    ~Load();
    Load(const Load&) = delete;
    Load& operator=(const Load&) = delete;
    /// 0: all images came and every second was counted. Prints a line a second and a last one as JSON.
    [[nodiscard]] int run();

private:
    class Client;
    void connectMore();
    void turn();
    void printMissing() const;
    void printSecond(const Totals& before, double seconds) const;

    Options options_;
    reactor::Reactor reactor_;
    Totals totals_;
    std::minstd_rand random_;
    std::vector<std::unique_ptr<Client>> clients_;
    eta::TimePoint begun_{};
};

}  // namespace emissary::hubload

// The table of phases and events, made when the program is compiled, and the names of both.
#include "watchlist/StreamLife.h"

#include <array>

namespace emissary::reactor::consumer {

namespace {

using P = StreamPhase;
using E = StreamEvent;

struct Step {
    P from;
    E event;
    P to;
};
// Read by row: docs/watchlist.md draws it.
constexpr Step kSteps[] = {
    {P::fresh, E::unserved, P::waiting},    {P::fresh, E::windowFull, P::queued},
    {P::fresh, E::asked, P::requested},     {P::fresh, E::abandoned, P::ended},

    {P::waiting, E::unserved, P::waiting},  {P::waiting, E::windowFull, P::queued},
    {P::waiting, E::asked, P::requested},   {P::waiting, E::pauseBegins, P::pausing},
    {P::waiting, E::askAgain, P::again},    {P::waiting, E::over, P::closing},
    {P::waiting, E::abandoned, P::ended},

    {P::pausing, E::pauseOver, P::waiting}, {P::pausing, E::over, P::closing},
    {P::pausing, E::abandoned, P::ended},

    {P::again, E::unserved, P::waiting},    {P::again, E::windowFull, P::queued},
    {P::again, E::asked, P::requested},     {P::again, E::over, P::closing},
    {P::again, E::abandoned, P::ended},

    {P::queued, E::asked, P::requested},    {P::queued, E::lost, P::waiting},
    {P::queued, E::over, P::closing},       {P::queued, E::abandoned, P::ended},

    {P::requested, E::asked, P::requested},  // of another server
    {P::requested, E::part, P::receiving},  {P::requested, E::image, P::open},
    {P::requested, E::lost, P::waiting},    {P::requested, E::over, P::closing},
    {P::requested, E::abandoned, P::ended},

    {P::receiving, E::asked, P::renewing},  // of another server
    {P::receiving, E::part, P::receiving},  {P::receiving, E::image, P::open},
    {P::receiving, E::lost, P::waiting},    {P::receiving, E::over, P::closing},
    {P::receiving, E::abandoned, P::ended},

    {P::open, E::asked, P::renewing},       {P::open, E::lost, P::waiting},
    {P::open, E::over, P::closing},         {P::open, E::abandoned, P::ended},

    {P::renewing, E::asked, P::renewing},  // of another server
    {P::renewing, E::part, P::receiving},   {P::renewing, E::image, P::open},
    {P::renewing, E::lost, P::waiting},     {P::renewing, E::over, P::closing},
    {P::renewing, E::abandoned, P::ended},

    {P::closing, E::lost, P::waiting},  // memory ran out before every sharer had the status
    {P::closing, E::abandoned, P::ended},
};

constexpr std::uint8_t kNowhere = 0xFF;
using Table = std::array<std::array<std::uint8_t, kStreamEvents>, kStreamPhases>;

constexpr Table makeTable() {
    Table t{};
    for (auto& row : t)
        row.fill(kNowhere);
    for (const Step& s : kSteps) {
        auto& to = t[static_cast<std::size_t>(s.from)][static_cast<std::size_t>(s.event)];
        if (to != kNowhere) throw "a step that stands there twice";  // does not compile
        to = static_cast<std::uint8_t>(s.to);
    }
    return t;
}
constexpr Table kTable = makeTable();

}  // namespace

std::optional<StreamPhase> stepFrom(StreamPhase p, StreamEvent e) noexcept {
    const std::uint8_t to = kTable[static_cast<std::size_t>(p)][static_cast<std::size_t>(e)];
    if (to == kNowhere) return std::nullopt;
    return static_cast<StreamPhase>(to);
}

const char* name(StreamPhase p) noexcept {
    static constexpr const char* kNames[kStreamPhases] = {"fresh",    "waiting",   "pausing",   "again",
                                                          "queued",   "requested", "receiving", "open",
                                                          "renewing", "closing",   "ended"};
    return kNames[static_cast<std::size_t>(p)];
}

const char* name(StreamEvent e) noexcept {
    static constexpr const char* kNames[kStreamEvents] = {"unserved", "windowFull", "asked",       "part",
                                                          "image",    "lost",       "pauseBegins", "pauseOver",
                                                          "askAgain", "over",       "abandoned"};
    return kNames[static_cast<std::size_t>(e)];
}

}  // namespace emissary::reactor::consumer

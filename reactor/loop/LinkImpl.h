// The insides of a Link.
#pragma once

#include "loop/LinkInput.h"
#include "loop/Worker.h"
#include "reactor/LinkLayer.h"
#include "reactor/Reactor.h"

namespace emissary::reactor {

/// What the connections to one place counted, those that have ended included.
struct ChannelTotals {
    eta::transport::ChannelCounters counters;
    eta::transport::MulticastCounters multicast;
    bool anyMulticast = false;
    void ended(const eta::transport::Channel& channel) noexcept;
    /// What it has counted by now was counted elsewhere.
    void begins(const eta::transport::Channel& channel) noexcept;
};

struct Link::Impl {
    enum class Phase : std::uint8_t { resolving, initializing, active, closed };

    Reactor::Impl* reactor = nullptr;
    Link* self = nullptr;
    LinkHandler* handler = nullptr;
    std::uint64_t id = 0;
    Phase phase = Phase::resolving;
    bool dirty = false;    ///< on the list of links to flush at the end of the turn
    bool gathers = false;  ///< on the list of links to flush at the end of the burst
    bool waits = false;    ///< on the list of links to flush when their thread dispatches
    bool directWrite = false;
    bool held = false;     ///< the peer is not read from
    bool starved = false;  ///< memory ran out while something was done for it: goes down at the next chance
    int watchedFd = -1;
    std::uint32_t watchedEvents = 0;
    std::shared_ptr<Output> output;
    eta::transport::Channel* channel = nullptr;  ///< output->channel
    std::size_t inPlaceMost = 0;                 ///< bytes of the largest message that needs no fragments, once active
    Link::Batch* batch = nullptr;                ///< holds the channel's output lock meanwhile
    LinkLayer* layer = nullptr;                  ///< converts where the messages are not RWF on the wire
    ChannelTotals* totals = nullptr;             ///< the reactor's; gets the counts when the channel ends
    LinkInput input{*this};

    static constexpr std::size_t kHeapBytes = 8192;  ///< about what a connection has on the heap

    void start(std::unique_ptr<eta::transport::Channel> c);
    void resume(std::shared_ptr<eta::transport::Channel> c);
    [[nodiscard]] std::shared_ptr<eta::transport::Channel> release() noexcept;
    void initialize();
    void watchFor(std::uint32_t events);
    void hold(bool wanted);
    void lookAfter();
    void down(const std::string& reason, bool refused);
    void shut() noexcept;
    void afterCommit(bool& arm, std::uint32_t messages = 1) noexcept;
    void flushNow() noexcept;
    void writeFailed() noexcept;
    [[nodiscard]] Error noRoom() noexcept;
    [[nodiscard]] bool layJson();
    /// For its layer; `destroyed` is what `input.gone` tells.
    [[nodiscard]] LinkBelow below(const bool* destroyed) noexcept { return LinkBelow(*this, destroyed); }
    Error write(Bytes message) noexcept;
    template <class Encode>
    [[nodiscard]] Error encodeInPlace(std::size_t bound, Encode encode) noexcept;
    Error written(Error e, bool arm) noexcept;
    [[nodiscard]] Error writeCopy(Bytes message, std::int32_t streamId) noexcept;
    [[nodiscard]] bool scratch(std::size_t bytes) noexcept;
};

}  // namespace emissary::reactor

// The record of one handle.
#pragma once

#include "reactor/session/session_types.h"

#include <cstdint>

namespace emissary::reactor::consumer {
struct Stream;  // the watchlist's
}

namespace emissary::reactor::session {

/// One handle.
struct Request {
    enum class Kind : std::uint8_t {
        free,
        item,
        login,
        directory,
        dictionary,
        refused,    ///< its closed status is on the way
        batch,      ///< parent of a batch's items; ends with the last item
        list,       ///< a symbol list that ended while streams it opened live on
        tunnel,     ///< a tunnel stream (tunnel.md 9.2)
        subStream,  ///< inside the tunnel that `parent` names
    };
    enum class State : std::uint8_t {
        pending,  ///< waits for a refresh that was asked for
        waiting,  ///< wants a refresh of its own once the pending one is complete
        open,
    };
    void* client = nullptr;
    void* closure = nullptr;
    Handle parent = 0;
    consumer::Stream* stream = nullptr;  ///< items
    Request* next = nullptr;             ///< sharers of the stream, in a ring; see consumer::Stream::last
    std::uint32_t index = 0;
    std::uint32_t serial = 0;  ///< see nextHandleSerial()
    std::int32_t appStreamId = 0;
    Kind kind = Kind::free;
    State state = State::pending;
    bool keyInUpdates = false;
    bool isData = false;  ///< opened by a symbol list, whose handle (`parent`) the application knows it by
    bool streaming : 1 = true;
    bool paused : 1 = false;
    bool refreshed : 1 = false;  ///< had a complete refresh: the next one is unsolicited for the application
    bool internal : 1 = false;   ///< the role's own (dictionary download)
    bool hasView : 1 = false;
    bool opensData : 1 = false;  ///< a symbol list that opens what it names
    bool confInfo : 1 = false;   ///< wants conflation information in updates
    bool hasExtras : 1 = false;  ///< an observer keeps a record about it, see RequestTable::Observer
    std::uint8_t priorityClass = 1;
    std::uint16_t priorityCount = 1;

    /// The name that the application knows it by, as long as it is in use. No other instance has it.
    [[nodiscard]] Handle handle() const noexcept { return static_cast<Handle>(serial) << 32 | (index + 1u); }
};

// A hundred thousand must stay a matter of some ten megabytes; this is one line of the cache each.
static_assert(sizeof(Request) == 64);

}  // namespace emissary::reactor::session

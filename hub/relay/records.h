// hub/relay: the records in the rings between the stage thread, which owns the items, and the fronts with connections.
#pragma once

#include "eta/transport/Channel.h"
#include "hub/client/Ending.h"
#include "reactor/rdm/View.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace emissary::hub::relay {

/// Data of the few records that have more than bytes. The thread that takes the record deletes it.
struct Extra {
    virtual ~Extra() = default;
};
struct Text final : Extra {
    explicit Text(std::string t) : text(std::move(t)) {}
    std::string text;
};
/// The end of a connection.
struct Goodbye final : Extra {
    explicit Goodbye(client::Ending e) : ending(std::move(e)) {}
    client::Ending ending;
};
/// A connection that has ended.
struct Gone final : Extra {
    Gone(std::string r, std::uint64_t b) : reason(std::move(r)), bytesOut(b) {}
    std::string reason;
    std::uint64_t bytesOut;
};
struct Arrival final : Extra {
    Arrival(const eta::transport::ChannelInfo& i, std::weak_ptr<eta::transport::Channel> c)
        : info(i), channel(std::move(c)) {}
    eta::transport::ChannelInfo info;
    std::weak_ptr<eta::transport::Channel> channel;  ///< the front's, of which other threads may use a part
};
/// A connection between two threads, and what came on it that was not dealt with, the login of a publisher first.
struct DetachedConnection final : Extra {
    std::shared_ptr<eta::transport::Channel> channel;
    std::vector<std::vector<std::byte>> messages;
};
struct WantedView final : Extra {
    explicit WantedView(const reactor::rdm::View& v) : view(v) {}
    reactor::rdm::View view;
};
class Front;
/// What a front does between the messages before and behind it.
struct Call final : Extra {
    explicit Call(std::function<void(Front& front)> c) : call(std::move(c)) {}
    std::function<void(Front& front)> call;
};
/// What a login says of its client.
struct Profile final : Extra {
    std::string user, position;
    std::uint64_t updateTypes = 0;
    std::int32_t loginStream = 0;
    std::uint8_t userClass = 0;
};

/// From the stage to a front. Bytes are a whole message in the stage's log.
struct ToFront {
    enum class Kind : std::uint8_t {
        update,     ///< to the mounts of the item that get updates
        everybody,  ///< to all mounts of the item
        mount,      ///< to this mount of the item
        stream,     ///< on a stream that is no mount
        mounted,    ///< the item has this mount; flags of it, its view
        unmounted,  ///< flags: Leaves
        live,       ///< the mount gets updates from here on
        quiet,      ///< and none from here on
        answer,     ///< to a login that is taken
        forget,     ///< a directory stream is over
        close,      ///< the connection ends: a Goodbye
        hold,       ///< the client is not read from
        readAgain,  ///< and now it is
        profile,
        released,   ///< the client's number is free
        directory,  ///< a change of the source directory
        call,       ///< a Call
    };
    Kind kind{};
    std::uint8_t listener = 0;
    std::uint16_t flags = 0;   ///< of a mount; of one that goes, why; update, everybody: texts behind the bytes
    std::uint32_t item = 0;    ///< ItemTable index
    std::uint32_t client = 0;  ///< the front's number of it
    std::uint32_t length = 0;
    std::int32_t stream = 0;
    std::uint8_t rule = 0;  ///< mounted: for the rate of its service (fanout::RateRules)
    const std::byte* bytes = nullptr;
    /// Of a stream of the role; of an update: when it was received; mounted: the id of the service, and above its 16
    /// bits the stage's number of the view.
    std::uint64_t handle = 0;
    Extra* extra = nullptr;
};

/// Whether records of that kind name one client.
[[nodiscard]] inline bool isForOneClient(ToFront::Kind kind) noexcept {
    return kind != ToFront::Kind::update && kind != ToFront::Kind::everybody && kind != ToFront::Kind::directory &&
           kind != ToFront::Kind::call;
}
static_assert(sizeof(ToFront) == 48);

/// From a front to the stage. Bytes are a whole message in the front's log.
struct ToStage {
    enum class Kind : std::uint8_t {
        up,       ///< a connection is there
        down,     ///< it has ended: a Gone; handle: client::EndReason
        request,  ///< these five: callbacks of the role
        reissue,
        close,
        post,
        generic,
        item,       ///< a message on a stream that is the hub's
        unread,     ///< much of the client's output waits (marked), or does not any more
        handshake,  ///< a connection did not come up
        publishes,  ///< the login of a client says that it publishes; its end follows
        detached,   ///< and then its connection
        line,       ///< for the log
    };
    Kind kind{};
    std::uint8_t listener = 0;
    bool marked = false;  ///< line: it is no warning; item: a batch would take ids of the
                          ///< role's streams
    static constexpr std::uint32_t kNobody = 0xFFFFFFFF;
    std::uint32_t client = kNobody;  ///< the front's number of it
    std::uint32_t length = 0;
    const std::byte* bytes = nullptr;
    std::uint64_t handle = 0;  ///< of the connection (up) or of a stream
    Extra* extra = nullptr;
};

}  // namespace emissary::hub::relay

// The connections of clients, as the rooms that write to them see it.
#pragma once

#include "eta/dictionary/Dictionary.h"
#include "eta/json/Converter.h"
#include "hub/core/Client.h"
#include "hub/core/Deliveries.h"

#include <memory>

namespace emissary::hub {

/// What the thread of a client has not yet handled of the messages that the stage sent to single clients.
enum class Backlog : std::uint8_t {
    little,
    /// So much that the stage cannot know how much the client reads. The caller waits before it sends more to it.
    much,
    /// The thread takes nothing at present; there is no use in looking again soon.
    stalled,
};

/// Implemented by fanout::FanOut when one thread does everything, and by relay::Relay when other threads serve the
/// connections (hub.md 10). Rooms call it on the stage thread, with the stage's session lock held.
class ClientOutput : public Deliveries {
public:
    /// Sends on a stream that is no mount: refusals, acks. The message is complete except for its stream id. An error:
    /// nothing was sent.
    virtual eta::Error tell(Client& client, std::int32_t stream, const Msg& msg) = 0;
    /// Hands everything gathered so far to the connections. Call it before another class writes to them or closes them.
    virtual void flush() noexcept = 0;
    /// The dictionary that messages of JSON clients are made with.
    virtual void setDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary) = 0;
    /// The names of services for messages of JSON clients; borrowed; null: none. Ignored by an output that keeps a
    /// directory of its own (relay::Relay).
    virtual void setServices(const eta::json::ServiceNames* /*services*/) noexcept {}
    /// A connection that is up, before anything is sent to it.
    virtual void admit(Client& /*client*/) noexcept {}

    /// The client belongs to that user class from now on; what waits for the rate of its old one goes out first. Throws
    /// std::bad_alloc.
    virtual void classify(Client& client, std::uint8_t userClass) { client.userClass = userClass; }

    // Hooks for an output whose clients are served by other threads (relay::Relay).
    [[nodiscard]] virtual Backlog behind(const Client& /*client*/) noexcept { return Backlog::little; }
    /// The client has logged in: its user, position and update types are known.
    virtual void loggedIn(const Client& /*client*/) {}
    /// The directory that clients have has changed; `map` is the source directory map.
    virtual void directoryChanged(Bytes /*map*/) {}

protected:
    ~ClientOutput() = default;
};

}  // namespace emissary::hub

// The output side of clients, as the rooms see it that speak with them.
#pragma once

#include "eta/dictionary/Dictionary.h"
#include "eta/json/Converter.h"
#include "hub/core/Client.h"
#include "hub/core/Deliveries.h"

#include <memory>

namespace emissary::hub {

/// Implemented by fanout::FanOut where one thread does everything, and by relay::Relay where others serve the
/// connections (hub.md 10).
class Outputs : public Deliveries {
public:
    /// On a stream that is no mount: refusals, acks. The message is as it goes out, but for the stream id. An error:
    /// nothing goes out.
    virtual eta::Error tell(Client& client, std::int32_t stream, const Msg& msg) = 0;
    /// What was gathered so far goes to the connections now: before somebody else writes to them or closes them.
    virtual void flush() noexcept = 0;
    /// The dictionary that messages of JSON clients are made with.
    virtual void setDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary) = 0;
    /// Where services have their names, for messages of JSON clients; borrowed, null: nowhere. For who keeps none of
    /// its own.
    virtual void setServices(const eta::json::ServiceNames* /*services*/) noexcept {}
    /// A connection that is up, before anything is sent to it.
    virtual void admit(Client& /*client*/) noexcept {}

    // For who keeps clients of his own.
    /// Much of what was said to single clients of that thread has not been seen there yet, so nobody knows how much of
    /// it the client reads: whoever has more for it waits.
    [[nodiscard]] virtual bool behind(const Client& /*client*/) noexcept { return false; }
    /// What the client's login says of it is known now.
    virtual void loggedIn(const Client& /*client*/) {}
    /// What clients are told of services has changed: a source directory map.
    virtual void directoryChanged(Bytes /*map*/) {}

protected:
    ~Outputs() = default;
};

}  // namespace emissary::hub

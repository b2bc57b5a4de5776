// The bus of the mesh over servers of core NATS.
#pragma once

#include "eta/core/Refused.h"
#include "hub/mesh/Bus.h"
#include "hub/nats/NatsOptions.h"
#include "hub/nats/nats_counts.h"

#include <functional>
#include <memory>
#include <string>

namespace emissary::hub::nats {

/// Connects, reconnects with a growing delay, and moves frames. All calls except counts() are for one thread, the
/// node's, and none of them waits for the network: a thread of the bus's own does everything with libnats. What does
/// not fit, and what is to be sent while there is no connection, is lost and counted; the mesh repairs it.
class NatsBus : public mesh::Bus {
public:
    enum class State : std::uint8_t { connecting, connected };

    /// Null when refused: no server is named, or libnats is missing. Servers that cannot be reached are no reason.
    [[nodiscard]] static std::unique_ptr<NatsBus> make(NatsOptions options, eta::Refused& refused);
    /// Waits for the thread: at most as long as the connection timeout and the write timeout.
    virtual ~NatsBus() = default;

    [[nodiscard]] std::uint64_t lost() const noexcept override { return counts().inLost.get(); }
    /// Readable when frames wait for receive(); for reactor::Reactor::watch() or a poll().
    [[nodiscard]] virtual int fd() const noexcept = 0;
    /// Hands at most `most` frames over; the bytes are valid within the call. Returns how many there were; fd() stays
    /// readable when more wait.
    virtual std::size_t receive(std::size_t most, const std::function<void(eta::Bytes)>& use) = 0;

    /// Within receive(): the frame that is being handed over came too early; a copy of it is to be handed over as well.
    virtual void tooEarly(eta::Bytes /*frame*/) noexcept {}

    /// Who hears, within receive(), that nobody listens (publishAsking()). Servers before 2.2 do not say it.
    virtual void onNobody(std::function<void(std::string_view)> /*heard*/) {}

    [[nodiscard]] virtual State state() const noexcept = 0;
    /// The server that the bus is connected to, without user and password; empty: none.
    [[nodiscard]] virtual std::string server() const = 0;
    /// Why the last attempt failed or the last connection ended, or what the server complained about; a sentence.
    [[nodiscard]] virtual std::string lastError() const = 0;
    /// Any thread.
    [[nodiscard]] virtual const NatsCounts& counts() const noexcept = 0;

    /// The buses that it is made of (PairedBus), itself if of no others.
    [[nodiscard]] virtual std::size_t sides() const noexcept { return 1; }
    [[nodiscard]] virtual const NatsBus& side(std::size_t) const noexcept { return *this; }
    /// Frames that came on more than one of them, and were handed over once.
    [[nodiscard]] virtual std::uint64_t copies() const noexcept { return 0; }
};

}  // namespace emissary::hub::nats

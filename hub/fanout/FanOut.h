// Messages of items on their way to the clients that have mounts on them (hub.md 5.3, 5.4, 9).
#pragma once

#include "hub/core/Client.h"
#include "hub/core/Deliveries.h"
#include "reactor/GrowingBuffer.h"

#include <array>
#include <span>
#include <vector>

namespace emissary::hub::fanout {

/// Sends messages to mounts. Stream id is filled in for each of them; a key gets the item's service id. A message whose
/// `raw` is set goes out with these bytes as far as its header may stay, one without is encoded from its members once.
/// From updates the key and the conflation members are taken unless the mount asked for them. Mounts that a live
/// update passes by since they are paused or on standby get Mount::missed. No allocation, once buffers have grown, and
/// no system call: output leaves at the end of the reactor's turn.
///
/// Nothing here calls back into other rooms: a client whose output is full or whose link has failed is left to the end
/// that comes through the reactor.
class FanOut final : public Deliveries {
public:
    explicit FanOut(ClientTable& clients) noexcept : clients_(clients) {}
    FanOut(const FanOut&) = delete;
    FanOut& operator=(const FanOut&) = delete;

    void send(Item& item, const Msg& msg, To to) override;
    void send(Item& item, const Mount& mount, const Msg& msg) override;
    /// On a stream that is no mount: refusals, login, directory, dictionary, acks. The message is as it goes out, but
    /// for the stream id.
    eta::Error send(Client& client, std::int32_t stream, const Msg& msg);

private:
    /// One encoded form of the message that is being sent.
    struct Variant {
        reactor::GrowingBuffer bytes{4096};
        bool made = false;
    };
    /// The form for mounts with these flags (Mount::keyInUpdates, Mount::confInfo); empty when it cannot be encoded.
    [[nodiscard]] std::span<std::byte> variant(const Item& item, const Msg& msg, std::uint16_t flags);
    void deliver(Client& client, std::int32_t stream, std::span<std::byte> message) noexcept;
    /// Whether an update may go to the mount now.
    [[nodiscard]] static bool live(Mount& mount, const Client& client) noexcept;

    ClientTable& clients_;
    std::array<Variant, 4> variants_;  // by Mount::keyInUpdates and Mount::confInfo
    std::array<std::vector<std::byte>, 4> bytes_;
};

}  // namespace emissary::hub::fanout

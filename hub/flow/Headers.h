// Headers of the messages that the hub makes for an item (hub.md 3.3, 5.2).
#pragma once

#include "hub/core/Item.h"

#include <array>

namespace emissary::hub::flow {

/// Makes one message at a time: what it returns borrows the item and this object.
class Headers {
public:
    /// A complete refresh without payload: state, group, QoS, sequence number and permissions of the item, its key.
    [[nodiscard]] Msg& refresh(const Item& item, bool solicited) noexcept;
    /// A status with this state.
    [[nodiscard]] Msg& status(const Item& item, const eta::codec::State& state) noexcept;
    /// The item's group as it stands in messages to clients.
    [[nodiscard]] Bytes group(const Item& item) noexcept;

private:
    Msg msg_;
    std::array<std::byte, 4> group_{};
};

/// Puts the QoS into a refresh, unless it is unspecified (timeliness 0): that cannot be encoded.
inline void sayQos(Msg& refresh, const eta::codec::Qos& qos) noexcept {
    if (qos.timeliness == 0) return;
    refresh.flags |= eta::codec::RefreshFlag::qos;
    refresh.qos = qos;
}

/// The id of a group on the wires of clients; two zero bytes for the group of items without a source.
[[nodiscard]] Bytes groupId(std::uint16_t service, std::uint16_t group, std::array<std::byte, 4>& room) noexcept;

}  // namespace emissary::hub::flow

// One client stream on one item, and the list of such streams that an item has.
#pragma once

#include <cstddef>
#include <cstdint>

namespace emissary::hub {

/// Kept small: an item that everybody watches has as many as there are clients.
struct Mount {
    std::uint32_t client = 0;  ///< ClientTable index
    std::int32_t stream = 0;   ///< the client's stream id
    std::uint16_t view = 0;    ///< ViewTable number; 0 = all fields
    std::uint16_t flags = 0;

    static constexpr std::uint16_t waiting = 0x01,  ///< a refresh is to come; see awaitsImage() for its updates
        snapshot = 0x02,                            ///< leaves with its refresh
        paused = 0x04,                              ///< gets statuses and closes only
        missed = 0x08,                              ///< updates passed by while it was paused or on standby
        keyInUpdates = 0x10,                        ///< MSG_KEY_IN_UPDATES was asked for
        confInfo = 0x20,                            ///< CONF_INFO_IN_UPDATES was asked for
        inParts = 0x40,                             ///< has the first parts of a refresh that comes in several
        suspectTold = 0x80,                         ///< has got a Suspect status
        mirroredLive = 0x100,                       ///< relay: the thread of its client has it as one that gets updates
        unasked = 0x2000,                           ///< with waiting: the client did not ask, the refresh mends a hole
        began = 0x4000,                             ///< its updates have begun: they go on while it waits again
        single = 0x8000;                            ///< of a private stream: its updates are never joined
    /// Four bits of the flags: the number of the QoS that it is to have (served_qos.h), 0 being the best of its
    /// service.
    static constexpr std::uint16_t kQosShift = 9, kWorstQos = 15, qosBits = kWorstQos << kQosShift;
    [[nodiscard]] std::uint8_t qos() const noexcept {
        return static_cast<std::uint8_t>(flags >> kQosShift & kWorstQos);
    }
    [[nodiscard]] static std::uint16_t withQos(std::size_t number) noexcept {
        return static_cast<std::uint16_t>((number < kWorstQos ? number : kWorstQos) << kQosShift);
    }
    [[nodiscard]] bool is(std::uint16_t f) const noexcept { return (flags & f) != 0; }
    void set(std::uint16_t f, bool on) noexcept { flags = static_cast<std::uint16_t>(on ? flags | f : flags & ~f); }
};
static_assert(sizeof(Mount) == 12);

/// Where a client's stream is: the item and its place in the item's list.
struct MountPlace {
    std::uint32_t item = 0;  ///< ItemTable index
    std::uint32_t at = 0;
};

}  // namespace emissary::hub

// reactor/rdm: ConsumerStatus, how a consumer uses each service of a provider (rdm.md 3.5); writing and reading it.
#pragma once

#include "eta/codec/Msg.h"
#include "eta/core/GrowingBuffer.h"
#include "eta/core/Result.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace emissary::reactor::rdm {

/// What a consumer says of its use of one service: a SourceMirroringMode (the first three), or the WarmStandbyMode of a
/// service-based warm-standby group.
enum class ServiceUse : std::uint8_t {
    activeAlone,        ///< SourceMirroringMode 0: its data count, and no other source has the same items open
    activeWithStandby,  ///< SourceMirroringMode 1: its data count, and another source has the same items open
    standby,            ///< SourceMirroringMode 2: another source's data count
    warmActive,         ///< WarmStandbyMode 0
    warmStandby,        ///< WarmStandbyMode 1
};
/// Labels of counts and names on pages, by ServiceUse.
inline constexpr std::array<const char*, 5> kServiceUseNames{"active_alone", "active_with_standby", "standby",
                                                             "warm_active", "warm_standby"};

/// One service with the id that the provider's directory has.
struct UsedService {
    std::uint16_t service = 0;
    ServiceUse use = ServiceUse::activeAlone;
    friend bool operator==(const UsedService&, const UsedService&) = default;
};

/// Makes the generic message for the directory stream of a connection; it borrows `payload`, which is written anew.
[[nodiscard]] eta::Error makeConsumerStatus(eta::codec::Msg& msg, std::span<const UsedService> services,
                                            eta::GrowingBuffer& payload);

/// Whether the message is one, by its key; what is in it may be anything.
[[nodiscard]] bool isConsumerStatus(const eta::codec::Msg& msg) noexcept;

/// One entry as a peer has written it.
struct ConsumerStatusEntry {
    std::uint16_t service = 0;
    std::optional<ServiceUse> use;  ///< empty: the entry is a Delete
    const char* fault = nullptr;    ///< not null: why the entry cannot be used; the rest of it means nothing
};

/// Calls back with each entry of the message. Null: it was read to its end; else why it was not, and the entries before
/// that place have been given.
[[nodiscard]] const char* readConsumerStatus(const eta::codec::Msg& msg,
                                             const std::function<void(const ConsumerStatusEntry&)>& entry);

}  // namespace emissary::reactor::rdm

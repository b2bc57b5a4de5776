// Services that JSON clients name and that had no id where the message came in (json.md 9.3).
#pragma once

#include "eta/json/carried_service.h"
#include "hub/core/Client.h"
#include "hub/core/Service.h"

namespace emissary::hub {

/// The name of the service that the message is for; empty: it carries none. It borrows the message.
[[nodiscard]] inline std::string_view carriedService(const Client& client, const eta::codec::Msg& m) noexcept {
    return client.json ? eta::json::carriedService(m) : std::string_view{};
}

/// Null when there is none of that id that the client knows of.
[[nodiscard]] inline Service* seenService(ServiceTable& services, const Client& client, std::uint16_t id) noexcept {
    Service* const service = services.find(id);
    return service != nullptr && client.sees(service->name) ? service : nullptr;
}

/// Makes `known` the message with the id of the service whose name it carries. False: it carries none, or there is no
/// such service yet, or none that the client knows of.
[[nodiscard]] inline bool giveServiceId(ServiceTable& services, const Client& client, const eta::codec::Msg& m,
                                        eta::codec::Msg& known) {
    const std::string_view name = carriedService(client, m);
    const Service* const service = name.empty() || !client.sees(name) ? nullptr : services.find(name);
    if (service == nullptr) return false;
    known = m;
    known.raw = {};
    eta::json::giveServiceId(known, service->id);
    return true;
}

}  // namespace emissary::hub

// The checks that a request for an item passes before it gets a mount (hub.md 5.1).
#pragma once

#include "hub/client/Context.h"

namespace emissary::hub::client {

/// What the checks found.
struct Admitted {
    std::optional<Reason> refused;
    const char* why = "";        ///< ends a sentence, with `refused`
    Service* service = nullptr;  ///< that the item is of; not with `refused`
    bool waits = false;          ///< nobody can serve it now: the client is told Open/Suspect
};

class Admission {
public:
    explicit Admission(Context& context) noexcept : context_(context) {}

    /// Domain, key, service, QoS and kind of stream, limits, in that order. The stream id is free.
    [[nodiscard]] Admitted check(const Client& client, const Msg& request) const;

private:
    [[nodiscard]] bool offersQos(const Client& client, const Service& service, const Msg& request) const noexcept;

    Context& context_;
};

}  // namespace emissary::hub::client

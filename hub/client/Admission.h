// The checks that a request for an item passes before it gets a mount (hub.md 5.1).
#pragma once

#include "hub/client/Context.h"

namespace emissary::hub::client {

/// What the checks found.
struct Admitted {
    std::optional<Reason> refused;
    std::string why;             ///< ends a sentence, with `refused`
    Service* service = nullptr;  ///< that the item is of; not with `refused`
    bool comes = false;          ///< the refusal is for want of a service that may come: the client may wait for it
    bool waits = false;          ///< no source can serve it now: the client gets Open/Suspect
    std::size_t qos = 0;         ///< that it is to have: its number (served_qos.h), 0 being the best
};

class Admission {
public:
    explicit Admission(Context& context) noexcept : context_(context) {}

    /// Domain, key, service, QoS and kind of stream, limits, in that order. The stream id is free.
    [[nodiscard]] Admitted check(const Client& client, const Msg& request) const;

    /// Whether the client may keep `bytes` more (MaxKeyBytesPerClient).
    [[nodiscard]] static bool mayKeep(const Client& client, std::size_t bytes) noexcept;

private:
    /// The place in the service's list; nothing when it offers none that fits.
    [[nodiscard]] static std::optional<std::size_t> qosOf(const Client& client, const Service& service,
                                                          const Msg& request);

    Context& context_;
};

}  // namespace emissary::hub::client

// Reading one service of a directory payload into the model.
#pragma once

#include "eta/codec/SetDefinitions.h"
#include "eta/codec/containers.h"
#include "reactor/rdm/Directory.h"

namespace emissary::reactor::rdm {

/// What reading one service entry did. States and group ids are views of the payload.
struct ServiceChanges {
    enum class Kind : std::uint8_t { serviceStatus, groupMerged, groupStatus };
    struct Event {
        Kind kind = Kind::serviceStatus;
        Bytes group, into;
        eta::codec::State state;
    };
    std::uint32_t filters = 0;
    std::vector<Event> events;
    void clear() noexcept {
        filters = 0;
        events.clear();
    }
};

/// What of a directory message could not be used, as one text of bounded length.
class Skipped {
public:
    /// The parts that are noted next belong to this service and filter; 0 = to none.
    void at(std::uint64_t serviceId, std::uint8_t filterId) noexcept { serviceId_ = serviceId, filterId_ = filterId; }
    void note(std::string_view what);
    [[nodiscard]] bool any() const noexcept { return count_ != 0; }
    [[nodiscard]] std::string text() const;

private:
    static constexpr std::size_t kTold = 4;
    std::uint64_t serviceId_ = 0;
    std::uint8_t filterId_ = 0;
    std::size_t count_ = 0;
    std::string text_;
};

/// How strictly a service entry is read.
struct Strictness {
    Skipped* skipped = nullptr;  ///< takes what cannot be used, which is left out; null: it is an error
    bool image = false;          ///< Set entries must have what rdm.md 3.3 calls required
};

/// Lays a service's filter list over `service` (Set replaces, Update changes, Clear forgets). A Set that lacks the
/// name, the capabilities or the state of the service leaves those as they are. On an error the service is left half
/// changed: check on a scratch service first. `changes` may be null.
[[nodiscard]] Error readService(Bytes filterList, const eta::codec::SetDefinitionDb* sets, Service& service,
                                ServiceChanges* changes, const Strictness& how);

}  // namespace emissary::reactor::rdm

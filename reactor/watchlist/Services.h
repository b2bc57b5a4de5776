// The services that were seen, and which one a request means.
#pragma once

#include "reactor/rdm/Directory.h"
#include "watchlist/Stream.h"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace emissary::reactor::consumer {

/// A service that was seen at least once, or that items wait for. Known by name; never removed (a service comes back,
/// perhaps with another id). One that items asked for by id has no name until a directory lists it.
struct ServiceEntry {
    static constexpr std::uint32_t kActive = 0xFFFFFFFF;

    std::string name;
    std::uint16_t id = 0;
    bool seen = false;  ///< a directory has listed it
    bool byId = false;  ///< not seen; its id is what items asked for
    /// What requests are checked against: `listed`, or `theirs`. Null while the server whose data count has it not.
    const rdm::Service* model = nullptr;
    const rdm::Service* listed = nullptr;  ///< as the active server lists it; null while it does not
    std::unique_ptr<rdm::Service> theirs;  ///< a copy of what `source` lists, while that is not the active server
    StreamList live;                       ///< on the wire, in the order in which the requests went out
    StreamList parked, queued;
    std::uint32_t outstanding = 0;  ///< asked for an image that is not complete
    std::uint32_t toRecover = 0;    ///< parked streams, from the first, that the round under way has yet to try
    TimerId recoverTimer = 0;       ///< the round goes on then
    /// Channel of the server whose data count (service-based warm standby).
    std::uint32_t source = kActive;

    [[nodiscard]] bool comesFrom(std::uint32_t channel) const noexcept { return source == channel; }
    /// Sets `model` after one of the others has changed.
    void chooseModel() noexcept { model = source == kActive ? listed : theirs.get(); }
    /// Its id, or -1 while nobody has said it.
    [[nodiscard]] std::int32_t number() const noexcept { return seen || byId ? id : -1; }
};

/// Session lock held throughout.
class Services {
public:
    [[nodiscard]] const ServiceEntry* find(std::string_view name) const noexcept;
    [[nodiscard]] const ServiceEntry* find(std::uint16_t id) const noexcept;
    /// Those that items wait for, too.
    [[nodiscard]] ServiceEntry* find(const rdm::Service& service) noexcept;
    /// That items asked for by this id before it was seen; null when none did.
    [[nodiscard]] ServiceEntry* awaited(std::uint16_t id) noexcept;
    /// Makes the entry of a service that was never seen.
    ServiceEntry& add(const rdm::Service& service);

    /// The service that a request means; one that was never seen when it `waits`. Null with a refusal, or with
    /// `unknown` set: a closed status has to follow (session.md 4.1, step 2).
    [[nodiscard]] ServiceEntry* wantedBy(const RequestView& request, bool waits, Refusal& refusal,
                                         std::string& unknown);
    /// Why an item of a service that was never seen is closed.
    [[nodiscard]] static std::string unknown(const ServiceEntry& service);
    /// Resolves the service name of a message's key into its id.
    [[nodiscard]] Refusal resolve(eta::codec::Msg& msg, std::string_view name) const;

    /// Of every service that a directory has listed.
    [[nodiscard]] std::vector<std::string> names() const;
    [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }
    [[nodiscard]] ServiceEntry& at(std::size_t i) const noexcept { return *all_[i]; }
    [[nodiscard]] auto begin() const noexcept { return all_.begin(); }
    [[nodiscard]] auto end() const noexcept { return all_.end(); }

    /// Items asked for it by id, and now a directory says its name.
    void name(ServiceEntry& service, std::string name);
    /// A directory says this id of it.
    void number(ServiceEntry& service, std::uint16_t id);

private:
    [[nodiscard]] ServiceEntry* named(std::string_view name) const noexcept;
    ServiceEntry& await(std::string name, std::int32_t id);
    [[nodiscard]] const ServiceEntry* providing(std::string_view dictionary) const noexcept;

    std::vector<std::unique_ptr<ServiceEntry>> all_;
    // A directory may list tens of thousands. Names lie in the entries; each has its latest id, which may be another's
    // now.
    std::unordered_map<std::string_view, ServiceEntry*> byName_;
    std::unordered_multimap<std::uint16_t, ServiceEntry*> byNumber_;
    ServiceEntry* last_ = nullptr;  // most requests name the same one
};

/// Why the service cannot serve the stream now; empty when it can, then `chosen` is its QoS (session.md 4.1, steps 5
/// and 6).
[[nodiscard]] std::string_view mismatch(const Stream& s, eta::codec::Qos& chosen) noexcept;
/// The same for an ordinary key that takes any QoS.
[[nodiscard]] std::string_view mismatch(const ServiceEntry& service, std::uint8_t domain,
                                        eta::codec::Qos& chosen) noexcept;

}  // namespace emissary::reactor::consumer

// The source directory that a non-interactive provider publishes: configured services, and what the application submits
// (session.md section 7).
#pragma once

#include "niprovider/OwnItems.h"
#include "reactor/GrowingBuffer.h"
#include "reactor/niprovider/NiProviderRole.h"
#include "session/ServerConnection.h"

#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace emissary::reactor::niprovider {

/// What became of a message that was to be sent.
[[nodiscard]] PublishResult outcomeOf(Error e) noexcept;

/// One model of the published services, each with its origin: the configuration or a handle. With merged streams an
/// image of one handle never removes the services of another handle. Every call with the session lock held.
class OwnDirectory final : rdm::DirectoryListener {
public:
    using Msg = eta::codec::Msg;

    OwnDirectory(const NiProviderOptions& options, session::ServerConnection& server, OwnItems& items)
        : options_(options), server_(server), items_(items) {}

    [[nodiscard]] const rdm::Directory& services() const noexcept { return services_; }
    /// Replaces the configured services by a checked Map payload.
    void configure(Bytes map);
    /// Back to what was configured.
    void reset();
    /// Everything that is to be there after a login: the configured services, then what was submitted.
    void publish(std::uint32_t connection);

    /// Sends a directory message of the application, on stream 0 or with separate streams on the handle's own, and
    /// takes over what it says. `slot`: the handle's item there, or kNone.
    [[nodiscard]] PublishResult submit(std::uint64_t handle, Msg& m, std::uint32_t connection, std::uint32_t& slot);
    /// The handle's own stream is over: its services are not published any more.
    void ended(std::uint64_t handle) {
        images_.erase(handle);
        (void)forget(handle, {});
    }
    /// The handle of the last submit; messages on stream 0 go to it.
    [[nodiscard]] std::uint64_t lastHandle() const noexcept { return lastHandle_; }
    void trim() noexcept { trimBuffer(payload_); }

private:
    /// Who put a service into the directory: the configuration (nobody) or the handle of a submit.
    using Owner = std::optional<std::uint64_t>;
    using Services = std::vector<const rdm::Service*>;
    /// An image of a submitter that has come in part.
    struct Image {
        std::vector<std::uint16_t> named;  ///< by its parts so far
        bool merged = false;               ///< it goes out without CLEAR_CACHE, for the others' sake
    };
    void publishOwned(std::span<const rdm::Service* const> owned, std::int32_t streamId, std::uint32_t filters,
                      bool clear);
    [[nodiscard]] std::optional<Image> imageWith(std::uint64_t handle, Msg& m) const;
    void takeBack(std::uint64_t handle, const Msg& m, Image image);
    /// Drops the services of `handle` that are not in `kept`; the Map that says so, empty when there is nothing to say.
    Bytes forget(std::uint64_t handle, std::vector<std::uint16_t> kept);
    /// There are services of others that are not in `named`.
    [[nodiscard]] bool hasOthers(std::uint64_t handle, std::vector<std::uint16_t> named) const;
    [[nodiscard]] bool owns(std::uint64_t handle, std::uint16_t serviceId) const noexcept {
        const auto at = owners_.find(serviceId);
        return at != owners_.end() && at->second == handle;
    }
    /// Takes over a checked payload: all changes of services_ but reset()'s own.
    void apply(Bytes map, bool replace);
    void onServiceAdded(const rdm::Service& service) override;
    void onServiceChanged(const rdm::Service& service, std::uint32_t changed) override;
    void onServiceDeleted(const rdm::Service& service) override;

    const NiProviderOptions& options_;
    session::ServerConnection& server_;
    OwnItems& items_;
    rdm::Directory services_;
    std::vector<std::byte> given_;                     // replaces the configured services; a Map payload
    std::unordered_map<std::uint16_t, Owner> owners_;  // of every service in services_, by its id
    std::unordered_set<std::uint16_t> deleted_;        // by the payload being applied
    std::unordered_map<std::uint64_t, Image> images_;
    std::optional<std::uint64_t> submitting_;
    bool takesOver_ = false;  // the directory message being applied is a refresh
    std::uint64_t lastHandle_ = 0;
    GrowingBuffer payload_{4096};
};

}  // namespace emissary::reactor::niprovider

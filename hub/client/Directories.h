// The source directory as clients see it: answers to their requests, and what changes (hub.md 3.2).
#pragma once

#include "hub/client/Context.h"
#include "reactor/GrowingBuffer.h"

#include <functional>
#include <vector>

namespace emissary::hub::client {

/// Keeps a copy of the directory that clients have: services without the states that are passed on once (hub.md 3.1).
/// The caller sends the item statuses that belong to a change before it makes these calls.
class Directories final : public ServiceListener {
public:
    /// Services that are in the table already are announced from the beginning.
    explicit Directories(Context& context);

    /// A request that opens a directory stream, or one on an open stream.
    void onRequest(Client& client, std::uint64_t handle, const Msg& request);
    void onClose(Client& client, std::uint64_t handle) noexcept;
    /// The client's login was closed, or it is gone.
    void forget(Client& client) noexcept;

    // --- ServiceListener
    void onServiceAdded(const Service& service) override;
    void onServiceChanged(const Service& service, std::uint32_t filters) override;
    void onServiceDeleted(std::uint16_t id) override;
    void onGroupStatus(const Service& service, Bytes group, const eta::codec::State& state) override;
    void onGroupMerged(const Service& service, Bytes group, Bytes into) override;
    void onServiceData(const Service& service, const reactor::rdm::ServiceData& data) override;

    /// Services have other rules for their rates: clients get the QoS of those that say so (AnnounceRate).
    void ratesChanged();
    /// Announces to clients that services accept no more requests (Context::draining).
    void drain();
    /// The directory that clients have; for JSON, where services have names.
    [[nodiscard]] const reactor::rdm::Directory& told() const noexcept { return told_; }
    /// Whole directories encoded so far; requests for what was encoded since the last change encode none.
    [[nodiscard]] std::uint64_t encoded() const noexcept { return encoded_; }

private:
    /// The service as clients see it: states that are passed on once are left out.
    [[nodiscard]] reactor::rdm::Service tellable(const Service& service) const;
    void answer(Client& client, const DirectoryStream& stream, const Msg& request, bool streaming);
    /// A directory as it goes to everybody who asks for the same.
    struct Whole {
        const std::vector<std::string>* services = nullptr;  ///< Client::services
        std::uint32_t filters = 0;                           ///< asked for
        std::uint32_t available = 0;
        std::vector<std::byte> map;
    };
    /// All services that the client knows of, with these filters; null: it cannot be encoded. Until the next call.
    [[nodiscard]] const Whole* wholeFor(const Client& client, std::uint32_t filters);
    /// Takes over what clients are told, and forgets what was encoded before.
    [[nodiscard]] eta::Error keep(Bytes map);
    /// Into `payload_`; `kept`: it is what clients are told from now on. False: it cannot be, and the log says so.
    [[nodiscard]] bool encodeChange(const reactor::rdm::Service& service, std::uint32_t filters, bool change,
                                    bool kept);
    /// The entry of one service to all who asked for these filters of it.
    void tellChange(const reactor::rdm::Service& service, std::uint32_t filters, bool change, bool kept);
    void tell(std::uint16_t serviceId, std::string_view name, std::uint32_t filters, Bytes map);
    /// The states of these services, to all who asked for states: one message a stream.
    void tellStates(const std::vector<reactor::rdm::Service>& services);
    /// The Map that says the states of those that are wanted; empty: there is nothing to say.
    [[nodiscard]] std::vector<std::byte> statesOf(const std::vector<reactor::rdm::Service>& services,
                                                  const std::function<bool(const reactor::rdm::Service&)>& wanted);
    /// What is left of a message with these filters; empty: nothing.
    [[nodiscard]] Bytes cut(Bytes map, std::uint32_t filters);
    void hearGroups(Client& client) noexcept;

    Context& context_;
    reactor::rdm::Directory told_;
    reactor::GrowingBuffer payload_{4096}, cutting_{1024};
    struct Cut {
        std::uint32_t filters = 0;
        std::vector<std::byte> map;  ///< empty: nothing is left
    };
    std::vector<Cut> cuts_;  ///< of the message that is being sent
    static constexpr std::size_t kMostWholes = 8;
    std::vector<Whole> wholes_;  ///< since the last change of `told_`, the oldest first; at most kMostWholes
    std::uint64_t encoded_ = 0;
};

}  // namespace emissary::hub::client

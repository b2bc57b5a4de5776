// The insides of NiProviderRole, shared by its source files: the connection's life, the directory, items.
#pragma once

#include "client/LoginStream.h"
#include "client/ServerConnection.h"
#include "niprovider/DictionaryRequests.h"
#include "niprovider/ItemTable.h"
#include "reactor/niprovider/NiProviderRole.h"

#include <optional>

namespace emissary::reactor::niprovider {

struct NiProviderRole::Impl final : client::ConnectionOwner, rdm::DirectoryListener, MemoryOwner {
    using Msg = eta::codec::Msg;

    Impl(Reactor& r, NiProviderOptions o, NiProviderHandler& h);
    ~Impl() override;

    // --- the connection (NiProviderRole.cpp)
    void onConnected() override;
    void onLost(const Loss& loss) override;
    void onGivenUp(const std::string& text) override;
    [[nodiscard]] bool outlivesMalformed(std::int32_t streamId) override { return streamId != rdm::kLoginStreamId; }
    [[nodiscard]] JsonSources jsonSources() const noexcept override { return {options.dictionary.get(), &directory}; }
    void trimMemory() noexcept override;
    [[nodiscard]] std::size_t places() const noexcept override { return items.capacity() + requests.capacity(); }
    void onServerMessage(Msg& m);
    void onLoginMessage(Msg& m);
    void loginEnded(const std::string& reason, const std::string& text);
    void onItemMessage(Msg& m);
    [[nodiscard]] Phase phase() const noexcept;

    // --- the directory (publish_directory.cpp)
    /// Who put a service into the directory: the configuration (no handle) or a submit.
    struct Owner {
        std::uint16_t serviceId = 0;
        std::optional<std::uint64_t> handle;
    };
    void resetDirectory();
    /// Everything that is to be there after a login: the configured services, then what was submitted.
    void publishDirectory();
    void publishOwned(const std::optional<std::uint64_t>& owner, std::int32_t streamId, std::uint32_t filters,
                      bool clear);
    PublishResult submitDirectory(std::uint64_t handle, Msg& m);
    /// Before a refresh that replaces what `handle` published: its other services go.
    void takeBack(std::uint64_t handle, Msg& m);
    /// Drops the services of `handle` that are not in `kept`; true when there are services of others. `deletes` is told
    /// the Map that says so, if there is anything to say.
    bool forget(std::uint64_t handle, const rdm::Directory& kept, Bytes* deletes);
    [[nodiscard]] Owner* ownerOf(std::uint16_t serviceId) noexcept;
    void onServiceAdded(const rdm::Service& service) override;
    void onServiceChanged(const rdm::Service& service, std::uint32_t changed) override;
    void onServiceDeleted(const rdm::Service& service) override;

    // --- items (publish_items.cpp)
    /// Checks and fills in; binds the handle when it is new (`opened`).
    [[nodiscard]] PublishResult check(std::uint64_t handle, Msg& m, std::uint32_t& slot, bool& opened);
    [[nodiscard]] PublishFault open(std::uint64_t handle, Msg& m, std::uint32_t& slot);
    [[nodiscard]] PublishFault fillKey(const Item& item, Msg& m) const noexcept;
    void sent(std::uint32_t slot, const Msg& m);
    [[nodiscard]] static PublishResult fault(PublishFault f, Error e = {}) noexcept { return {f, e}; }
    [[nodiscard]] static PublishResult outcome(Error e) noexcept;

    Reactor& reactor;
    const NiProviderOptions options;
    NiProviderHandler& handler;
    client::RequestTable requests;
    client::ConnectionTo<Impl> server;
    client::Sender& sender;  // the connection's
    client::LoginStream login;
    DictionaryRequests dictionaries;
    bool online = false;           // logged in and the directory is out: submits are taken
    std::uint32_t connection = 0;  // number of the connection in use, or of the last one
    bool refused = false, toldDown = false, warnedIgnored = false;
    NiProviderCounters counters;

    rdm::Directory directory;
    std::vector<std::byte> givenDirectory;  // replaces the configured services; a Map payload
    std::vector<Owner> owners;              // by service, in the order of appearance
    std::optional<std::uint64_t> submitting;
    bool takesOver = false;                 // the directory message being applied is a refresh
    std::uint64_t lastDirectoryHandle = 0;  // what comes on stream 0 is told to it
    ItemTable items;
    GrowingBuffer payloadScratch{4096};
};

}  // namespace emissary::reactor::niprovider

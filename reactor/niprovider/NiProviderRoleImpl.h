// The insides of NiProviderRole, shared by its source files: the connection's life, the directory, items.
#pragma once

#include "niprovider/DictionaryRequests.h"
#include "niprovider/OwnDirectory.h"
#include "niprovider/OwnItems.h"
#include "niprovider/Publishing.h"
#include "reactor/niprovider/NiProviderRole.h"
#include "session/LoginStream.h"
#include "session/ServerConnection.h"

namespace emissary::reactor::niprovider {

struct NiProviderRole::Impl final : session::ConnectionOwner, MemoryOwner {
    using Msg = eta::codec::Msg;

    Impl(Reactor& r, NiProviderOptions o, NiProviderHandler& h);
    ~Impl() override;

    void onConnected() override;
    void onLost(const Loss& loss) override;
    void onGivenUp(const std::string& text) override;
    [[nodiscard]] bool outlivesMalformed(std::int32_t streamId) override { return streamId != rdm::kLoginStreamId; }
    [[nodiscard]] JsonSources jsonSources() const noexcept override {
        return {options.dictionary.get(), &directory.services()};
    }
    void trimMemory() noexcept override;
    [[nodiscard]] std::size_t places() const noexcept override { return items.capacity() + requests.capacity(); }
    void onServerMessage(Msg& m);
    void onLoginMessage(Msg& m);
    void loginEnded(const std::string& reason, const std::string& text);
    void onItemMessage(Msg& m);
    [[nodiscard]] Phase phase() const noexcept;

    Reactor& reactor;
    const NiProviderOptions options;
    NiProviderHandler& handler;
    session::RequestTable requests;
    session::ConnectionTo<Impl> server;
    session::Sender& sender;  // the connection's
    session::LoginStream login;
    OwnItems items;
    OwnDirectory directory;
    Publishing publishing;
    DictionaryRequests dictionaries;
    bool refused = false, toldDown = false, warnedIgnored = false;
    NiProviderCounters counters;
};

}  // namespace emissary::reactor::niprovider

// reactor/provider: messages of clients: the checks of session.md 5.3 in their order, then the handler or an answer.
#pragma once

#include "provider/ClientGuard.h"
#include "provider/DirectoryAnswers.h"
#include "provider/OpenStreams.h"
#include "provider/OwnRequests.h"
#include "provider/ProviderTunnels.h"

#include <string_view>

namespace emissary::reactor {

class ClientRequests {
public:
    using Msg = eta::codec::Msg;

    ClientRequests(ProviderContext& context, ClientTable& clients, OpenStreams& streams,
                   const rdm::Directory& directory, ClientGuard& guard, Outbox& outbox, DirectoryAnswers& directories,
                   DictionaryAnswers& dictionaries, OwnRequests& ownRequests, ProviderTunnels& tunnels,
                   ClientEnds& ends) noexcept
        : context_(context), clients_(clients), streams_(streams), directory_(directory), guard_(guard),
          outbox_(outbox), directories_(directories), dictionaries_(dictionaries), ownRequests_(ownRequests),
          tunnels_(tunnels), ends_(ends) {}

    void onMessage(Session& session, Bytes bytes);
    /// From a later turn on: what a client sent before its login was accepted.
    void releaseEarly(Session& session);

private:
    /// An undefined state: the message has nothing that can be used.
    void ignoreState(Session& session, const Msg& m);
    void take(Session& session, const Msg& m);
    /// The message waits for the answer to the login, or for others that do.
    [[nodiscard]] bool isEarly(const Session& session, const Msg& m) const noexcept;
    void hold(Session& session, Bytes bytes);
    void dealWithEarly(std::uint64_t client);
    void onRequest(Session& session, const Msg& m);
    void onLogin(Session& session, const Msg& m);
    void onDirectory(Session& session, const Msg& m);
    void onDictionary(Session& session, const Msg& m);
    void onItem(Session& session, const Msg& m);
    [[nodiscard]] bool isHandlers(const Session& session, const Msg& m) const noexcept;
    /// ProviderHandler::onItemMessage.
    void tap(Session& session, const Msg& m);
    /// Each item of it, as a request of its own.
    void onBatch(Session& session, const Msg& m);
    /// The status that ends the stream on which a batch came.
    void batchDone(Session& session, const Msg& m, std::size_t items);
    void onClose(Session& session, const Msg& m);
    /// Whether there was such a stream.
    bool close(Session& session, const Msg& m, std::int32_t streamId);
    void onPostOrGeneric(Session& session, const Msg& m);
    /// What is wrong with the service that an item request names; empty when nothing is.
    [[nodiscard]] std::string_view serviceFault(const Session& session, const Msg& m, bool reissue) const noexcept;
    /// Opens the stream, or finds it open already, and tells the application.
    void handOver(Session& session, const Msg& m, std::uint32_t slot, const ItemKey& key);
    [[nodiscard]] bool tooMany(Session& session, const Msg& m);
    [[nodiscard]] bool keyTooLarge(Session& session, const Msg& m, const ItemKey& key, std::size_t replaced = 0);
    /// A final status, Suspect, without a key; an open stream ends with it.
    void refusePost(Session& session, const Msg& post);
    void refuse(Session& session, const Msg& m, std::uint8_t code, const std::string& text,
                std::uint8_t streamState = eta::codec::StreamState::closedRecover);

    ProviderContext& context_;
    ClientTable& clients_;
    OpenStreams& streams_;
    const rdm::Directory& directory_;
    ClientGuard& guard_;
    Outbox& outbox_;
    DirectoryAnswers& directories_;
    DictionaryAnswers& dictionaries_;
    OwnRequests& ownRequests_;
    ProviderTunnels& tunnels_;
    ClientEnds& ends_;
    Msg inbound_;
};

}  // namespace emissary::reactor

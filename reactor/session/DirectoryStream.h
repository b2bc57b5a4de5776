// The directory stream: one request on the wire, a cache, and everyone who registered for the directory.
#pragma once

#include "reactor/OwnCalls.h"
#include "reactor/TurnShare.h"
#include "reactor/rdm/Directory.h"
#include "reactor/session/DirectoryOptions.h"
#include "session/AnswerTimer.h"
#include "session/RequestTable.h"
#include "session/RetryPace.h"
#include "session/Sender.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace emissary::reactor::session {

/// Session lock held throughout. Clients are answered from the cache; nothing goes on the wire for them.
class DirectoryStream {
public:
    DirectoryStream(Reactor& reactor, Sender& sender, RequestTable& requests, ClientSink& sink,
                    const DirectoryOptions& options, const RetryPace::Limits& pace)
        : reactor_(reactor), calls_(reactor), sender_(sender), requests_(requests), sink_(sink), options_(options),
          paceLimits_(pace), ownShare_(reactor, kOfTurn), answerTimer_(reactor) {}
    ~DirectoryStream() {
        reactor_.cancelTimer(retryTimer_);
        reactor_.cancelTimer(stepTimer_);
    }
    DirectoryStream(const DirectoryStream&) = delete;
    DirectoryStream& operator=(const DirectoryStream&) = delete;

    [[nodiscard]] const rdm::Directory& directory() const noexcept { return directory_; }
    [[nodiscard]] bool refreshed() const noexcept { return refreshed_; }  ///< on this connection

    /// From the provider's login refresh: whether a request for an unknown service waits for it, or is refused
    /// (session.md 4.9).
    void setSingleOpen(bool singleOpen) noexcept { singleOpen_ = singleOpen; }

    /// Called when a message that onMessage() has begun with has changed the directory: before it returns, or in a
    /// later turn.
    void whenTaken(std::function<void()> call) { taken_ = std::move(call); }

    /// Called when the server has not answered in time (DirectoryOptions::timeout).
    void whenUnanswered(std::function<void()> call) { unanswered_ = std::move(call); }

    void request();
    /// Passes the changes to the items first (through `items`, which outlives this object), then to the directory
    /// clients; in steps, and nothing else is read from the server meanwhile. False: it cannot be decoded.
    [[nodiscard]] bool onMessage(eta::codec::Msg& msg, rdm::DirectoryListener& items);
    /// A message is being taken over. One of another stream that comes all the same, as from the rest of a JSON text,
    /// needs finish() first.
    [[nodiscard]] bool taking() const noexcept { return taking_.has_value(); }
    /// Takes over the rest at once.
    void finish() {
        if (busy()) (void)takes({});
    }
    /// The role is over: what is left of a message is not taken over.
    void stop() noexcept;
    /// Clients see every service deleted, then the items see their services go: with DirectoryOptions::share in steps,
    /// and what another connection says waits for them. `items` outlives this object.
    void connectionLost(rdm::DirectoryListener& items);

    /// Calls it once the services of a lost connection are gone: now, or later unless the next one is lost as well.
    void whenLeft(std::function<void()> call);

    /// Another server goes on with this directory (Map payload): everybody hears what is different there.
    void takeOver(Bytes map, rdm::DirectoryListener& items);

    Handle add(const RequestView& request, const Subscriber& subscriber);
    void remove(Request& r);
    [[nodiscard]] Refusal reissue(Request& r, const RequestView& request);

private:
    struct Client {
        Handle handle = 0;
        std::uint32_t filters = rdm::DirectoryFilter::all;
        bool named = false, identified = false, streaming = true, answered = false;
        std::uint16_t serviceId = 0;
        std::string serviceName;
        /// Named ones: the id of that service as the client heard of it last; it hears of its end under this id.
        std::optional<std::uint16_t> known;
    };
    [[nodiscard]] bool select(Client& client, rdm::DirectorySelection& out) const noexcept;
    [[nodiscard]] Client* find(Handle handle) noexcept;
    void requestAgain();
    void awaitAnswer();
    void taken(bool complete) noexcept;
    void takeOn();
    [[nodiscard]] TurnShare& share() noexcept { return options_.share != nullptr ? *options_.share : ownShare_; }
    [[nodiscard]] bool busy() const noexcept { return taking_.has_value() || leaving_ != nullptr; }
    [[nodiscard]] bool takes(const std::function<bool()>& goesOn);
    void answer(Handle handle);
    void refuse(const Client& client);
    void update(Bytes map);
    void tellGone(Handle handle, std::uint16_t id);
    void deliver(Handle handle, eta::codec::Msg& msg, bool ends);

    Reactor& reactor_;
    OwnCalls calls_;
    Sender& sender_;
    RequestTable& requests_;
    ClientSink& sink_;
    const DirectoryOptions options_;
    const RetryPace::Limits paceLimits_;
    rdm::Directory directory_;
    std::vector<Client> clients_;
    GrowingBuffer buffer_, changes_;
    bool refreshed_ = false, singleOpen_ = true;
    RetryPace pace_;
    TimerId retryTimer_ = 0;
    /// A message that is taken over in steps.
    struct Taking {
        std::shared_ptr<const std::vector<std::byte>> map;
        std::vector<std::uint16_t>
            before;  ///< ids of the services that were there, when it completes an image or there are clients
        rdm::ImagePart part;
        rdm::DirectoryListener* items = nullptr;
    };
    void tell(const Taking& done);
    std::optional<Taking> taking_;
    static constexpr std::chrono::milliseconds kOfTurn{2};
    TurnShare ownShare_;                         // without DirectoryOptions::share
    rdm::DirectoryListener* leaving_ = nullptr;  // hears of the services of a lost connection, which go one by one
    std::function<void()> taken_, left_, unanswered_;
    TimerId stepTimer_ = 0;
    AnswerTimer answerTimer_;
};

}  // namespace emissary::reactor::session

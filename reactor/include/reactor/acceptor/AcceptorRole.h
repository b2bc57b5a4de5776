// The server end of non-interactive providers: accepts their connections and logins, keeps their directories and the
// list of their streams, and hands on what they publish.
//
// The publisher side of the distribution hub (hub/publisher/PublisherPort.h); the tests of publishers and their tools
// (unittests/support/NiAcceptor.h) run it as well, so that what they publish to is what is shipped.
#pragma once

#include "reactor/Reactor.h"
#include "reactor/provider/ProviderRole.h"
#include "reactor/rdm/Directory.h"
#include "reactor/rdm/Login.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace emissary::reactor {
class TurnShare;
}

namespace emissary::reactor::acceptor {

/// What the server end of non-interactive providers is made from.
struct AcceptorOptions {
    eta::transport::BindOptions bind;
    /// Instead of listening: hears the publisher of a multicast group, and answers on another (docs/wire/multicast.md).
    std::optional<eta::transport::ConnectOptions> group;
    std::vector<ServedDictionary> dictionaries;  ///< answers to dictionary requests of publishers; JSON
                                                 ///< messages are converted with the first
    std::string hostName;                        ///< in the text of login answers; empty: they name no host
    std::string announceName;                    ///< ApplicationName of login answers; empty = what the publisher said
    bool anyRole = false;                        ///< take logins of consumers, too
    std::uint32_t maxStreamsPerPublisher = 4'000'000;
    /// What one publisher may cost. Before its login as of a consumer; a group has no loginTimeout: its publisher comes
    /// when it comes. Afterwards partialMessageTimeout, slowConsumerTimeout, refusalsPerMinute and keyBytes; streams
    /// are bounded by maxStreamsPerPublisher, since a publisher has as many as it has items.
    ClientLimits limits{};
    /// What publishers say of their directories is taken over in steps, within this share of a turn, and nothing else
    /// is read from the publisher meanwhile. Borrowed, outlives the role; null, and for a group: at once.
    TurnShare* share = nullptr;
};

/// One stream that a publisher has opened.
struct PublishedStream {
    std::int32_t streamId = 0;
    std::uint16_t serviceId = 0;
    std::uint8_t domain = 0;
    std::string name;  ///< of its first key; empty when that had none
    /// The handler's, which may set it in any of its calls; null at first. The role does not look at it.
    mutable void* context = nullptr;
    /// Neighbours in the list of the service's streams, the role's own.
    std::int32_t before = kNone, after = kNone;
    static constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::min();  ///< no stream has this id
};

/// What becomes of a login request.
enum class LoginAnswer : std::uint8_t {
    taken,
    refused,
    later,  ///< AcceptorRole::takeLogin() or refuseLogin() says it, once, and not inside onLogin()
};

/// Receives everything; all calls come with the session lock held, on the dispatching thread. Messages and their views
/// live until the call returns. Anything of the role may be called from inside.
class AcceptorHandler {
public:
    virtual ~AcceptorHandler() = default;
    /// A login request, new or again. Refused: `refusal` (Closed/Suspect/NotEntitled) goes out and the connection ends.
    /// Later: behind its first login the publisher is not read from until takeLogin() or refuseLogin(); one that is
    /// logged in goes on publishing. Another request replaces the one that waits.
    [[nodiscard]] virtual LoginAnswer onLogin(std::uint64_t /*publisher*/, const eta::codec::Msg& /*request*/,
                                              const rdm::LoginAttributes& /*attributes*/,
                                              rdm::OwnedState& /*refusal*/) {
        return LoginAnswer::taken;
    }
    /// A directory message was applied to the publisher's directory: the services of all its directory streams. An
    /// image that clears, and the end of a stream, concern the services of that stream alone.
    virtual void onDirectory(std::uint64_t publisher, const rdm::Directory& directory, const eta::codec::Msg& msg) = 0;
    /// Asked before a directory message is applied. The listener gets each change that the message makes, before
    /// onServiceGone() and onDirectory(). May be null.
    virtual rdm::DirectoryListener* directoryListener(std::uint64_t /*publisher*/) { return nullptr; }
    /// A refresh, update, status or generic message of an item. After a message with a final state the stream is gone.
    virtual void onItem(std::uint64_t publisher, const PublishedStream& stream, const eta::codec::Msg& msg) = 0;
    /// The directory no longer has the stream's service, and the stream is gone; before onDirectory(). Unless it is
    /// overridden, onItem() gets a status made here, with ClosedRecover.
    virtual void onServiceGone(std::uint64_t publisher, const PublishedStream& stream);
    /// A connection is there; its login follows.
    virtual void onPublisherUp(std::uint64_t /*publisher*/, const eta::transport::ChannelInfo&) {}
    /// It has ended, and with it everything the publisher had published; AcceptorRole::forEachStream() still knows
    /// what.
    virtual void onPublisherDown(std::uint64_t /*publisher*/, const std::string& /*reason*/) {}
    /// A message that could not be taken: no login, no key, unknown service, unexpected class. For logs.
    virtual void onIgnored(std::uint64_t /*publisher*/, const std::string& /*why*/) {}
};

/// Each is a number of things since the role was made; read under the session lock.
struct AcceptorCounters {
    std::uint64_t accepted = 0, lost = 0;      ///< connections
    std::uint64_t logins = 0, refused = 0;     ///< login requests taken and refused
    std::uint64_t messages = 0;                ///< item messages handed to the handler
    std::uint64_t loginTimeouts = 0;           ///< connections ended because no login request came
    std::uint64_t limitEnds = 0;               ///< connections ended by another of AcceptorOptions::limits
    std::uint64_t overrun = 0;                 ///< connections ended because too much waited to be read
    std::uint64_t ignored = 0, malformed = 0;  ///< messages not taken; connections ended by what they sent
};

/// Serves the publishers of one listening socket inside a reactor. Everything needs the session lock; the destructor
/// too. The reactor and the handler outlive the role.
class AcceptorRole {
public:
    /// Borrows reactor and handler, which must outlive it.
    AcceptorRole(Reactor& reactor, AcceptorOptions options, AcceptorHandler& handler);
    ~AcceptorRole();  ///< closes every connection, no callbacks
    AcceptorRole(const AcceptorRole&) = delete;
    AcceptorRole& operator=(const AcceptorRole&) = delete;

    /// Starts listening, or joins the group. Refused: the text names the port and the reason.
    [[nodiscard]] eta::Refused listen();
    /// The same on another port than the options'.
    [[nodiscard]] eta::Refused listenOn(std::string port);
    [[nodiscard]] std::uint16_t port() const noexcept;  ///< the port in use, also when port "0" was asked for
    void stopListening();                               ///< connections stay
    /// A connection on the same reactor that another role has accepted (ProviderHandler::onProviderLogin), and what
    /// came on it, the login first: it goes on as a publisher's. Needs no listen(). Throws std::bad_alloc.
    void take(std::unique_ptr<Link> link, std::span<const Bytes> messages);

    /// To a publisher: posts, generic messages, statuses and closes on its streams, generic messages on its login.
    /// Errc::closed when there is no such publisher, Errc::noBuffers when it reads too slowly: try again later.
    Error send(std::uint64_t publisher, const eta::codec::Msg& msg);
    /// What dictionary requests are answered with from now on.
    void serve(std::vector<ServedDictionary> dictionaries);
    /// The login of a publisher for which onLogin() said later is accepted, and what waits behind it is dealt with.
    /// False: there is no such publisher, or no login of it waits.
    bool takeLogin(std::uint64_t publisher);
    /// Refuses such a login, or ends one that was taken: the state goes out on its stream, and the connection ends.
    bool refuseLogin(std::uint64_t publisher, const rdm::OwnedState& state);
    /// Ends the connection without a word.
    bool disconnect(std::uint64_t publisher);

    [[nodiscard]] std::vector<std::uint64_t> publishers() const;  ///< those that are logged in
    /// What is known of a publisher's connection; null when there is no such publisher, or it has none (multicast).
    [[nodiscard]] const eta::transport::ChannelInfo* channelInfo(std::uint64_t publisher) const noexcept;
    /// Null when there is no such publisher.
    [[nodiscard]] const rdm::Directory* directory(std::uint64_t publisher) const noexcept;
    /// Inside onPublisherDown(): what its directory lists is the caller's from now on, for instance to be taken back in
    /// steps. Services keep their addresses.
    [[nodiscard]] rdm::Directory takeDirectory(std::uint64_t publisher);
    /// Null when the publisher has no such stream open.
    [[nodiscard]] const PublishedStream* stream(std::uint64_t publisher, std::int32_t streamId) const noexcept;
    /// Every stream of the publisher, in no order; inside onPublisherDown() those that it had. `f` calls nothing of the
    /// role.
    void forEachStream(std::uint64_t publisher, const std::function<void(const PublishedStream&)>& f) const;
    /// How many streams it has open.
    [[nodiscard]] std::size_t streams(std::uint64_t publisher) const noexcept;
    /// Live values; read under the session lock.
    [[nodiscard]] const AcceptorCounters& counters() const noexcept;

    struct Impl;

private:
    std::unique_ptr<Impl> impl_;
};

}  // namespace emissary::reactor::acceptor

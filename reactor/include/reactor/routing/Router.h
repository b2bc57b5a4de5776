// Request routing: several sessions side by side, shown to the application as one consumer (ema-config.md 8).
#pragma once

#include "reactor/consumer/ConsumerRole.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace emissary::reactor::routing {

using consumer::ConnectionEvent;
using consumer::ConsumerRole;
using consumer::Handle;
using consumer::Refusal;
using consumer::RequestView;
using consumer::Subscriber;

/// One session channel. Login, dictionary and item options are those of the first one wherever the application has one
/// of something only.
struct SessionChannel {
    std::string name;  ///< empty: a consumer without session channels, which only wants service lists
    consumer::ConsumerOptions options;
};

/// What a router is made from.
struct RouterOptions {
    std::vector<SessionChannel> sessions;  ///< at least one, in order of preference
    /// Items of a session that is lost go to another one that can serve them, at once; else they wait for it to come
    /// back (SessionEnhancedItemRecovery).
    bool recoverElsewhere = true;
};

/// The calls of a ConsumerRole, over one role for each session channel. All roles run on the same reactor, under its
/// session lock; threads and callbacks as ConsumerRole says.
///
/// - Services: those of equal name that agree in capabilities, QoS, dictionaries and item list are one service towards
///   the application; others stand beside it. Ids are the providers' where they are free, and are never given twice.
/// - Requests go to the first session, in order, that is ready and has the service up with a matching QoS. What no
///   session can serve waits here, a service that nobody has ever offered included (WatchlistOptions::serviceWait).
/// - Login: the application sees the first session's refresh. While another session is logged in, the end of one is an
///   Open/Ok status that names it; the login is suspect only when none is left.
/// - Tunnel streams: at the first session, in order, that is ready and has the service up, or else the first that has
///   it; they end with its connection and do not move to another session.
/// - Messages: on items to the item's session; generic messages on login and directory to every session; off-stream
///   posts to the first session that has the service.
class Router {
public:
    /// Borrows the reactor and the sink; `options.sessions` must not be empty. Nothing is connected before start().
    Router(Reactor& reactor, RouterOptions options, consumer::ConsumerSink& sink);
    ~Router();
    Router(const Router&) = delete;
    Router& operator=(const Router&) = delete;

    /// Starts every session.
    void start();
    /// Ends every session; what waits for one is not tried any more.
    void shutdown();

    /// Of the session that is farthest; closed when all are.
    [[nodiscard]] ConsumerRole::Phase phase() const noexcept;
    [[nodiscard]] bool loginRefused() const noexcept;  ///< every session is closed, some by its provider
    /// Why a session was lost last, with its name in front; empty before that.
    [[nodiscard]] const std::string& lastReason() const noexcept;
    /// The session that a message is being delivered from, or else the first that is connected, or else the first.
    [[nodiscard]] std::size_t currentSession() const noexcept;
    /// How many there are, in all phases.
    [[nodiscard]] std::size_t sessions() const noexcept;
    /// The configured name; `session` is below sessions().
    [[nodiscard]] const std::string& sessionName(std::size_t session) const noexcept;
    /// The role of a session, which stays the router's; `session` is below sessions().
    [[nodiscard]] ConsumerRole& session(std::size_t session) noexcept;

    /// `services`: names of a service list, in order of preference; used when the request names no service itself.
    Handle registerClient(const RequestView& request, std::span<const std::string> services,
                          const Subscriber& subscriber, Refusal& refusal);
    /// As ConsumerRole::registerTunnel(); a service that no session has at the moment is not waited for.
    Handle registerTunnel(const tunnel::TunnelRequest& request, const Subscriber& subscriber, Refusal& refusal);
    /// Opens a stream inside a tunnel of this router, at the tunnel's session.
    Handle registerInside(Handle tunnel, const RequestView& request, const Subscriber& subscriber, Refusal& refusal);
    /// Changes an open request. A login reissue goes to every session and pauses or resumes all items; a batch is
    /// refused, as are unknown handles.
    [[nodiscard]] Refusal reissue(Handle handle, const RequestView& request);
    /// As ConsumerRole::unregister().
    [[nodiscard]] Refusal unregister(Handle handle);
    /// On login and directory to every session, on an item to its session; a batch is refused.
    [[nodiscard]] Refusal submitGeneric(Handle handle, const eta::codec::Msg& msg);
    /// On an item to its session, on the login to the first session that has the service; else refused.
    [[nodiscard]] Refusal submitPost(Handle handle, const eta::codec::Msg& msg, std::string_view serviceName);

    /// The first session's that had them; complete from phase ready on.
    [[nodiscard]] std::shared_ptr<const eta::dictionary::Dictionary> dictionary() const noexcept;
    /// As ConsumerRole says, when no session can go on; empty while one can.
    [[nodiscard]] std::string missingDictionaries() const;
    [[nodiscard]] std::string dictionaryFailure() const;  ///< as ConsumerRole says, likewise
    /// All sessions' services as the application sees them.
    [[nodiscard]] const rdm::Directory& directory() const noexcept;

    struct Impl;

private:
    std::unique_ptr<Impl> impl_;
};

}  // namespace emissary::reactor::routing

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
///   session can serve waits here; a name that nobody has ever offered is refused once every session has said what it
///   has.
/// - Login: the application sees the first session's refresh. While another session is logged in, the end of one is an
///   Open/Ok status that names it; the login is suspect only when none is left.
/// - Messages: on items to the item's session; generic messages on login and directory to every session; off-stream
///   posts to the first session that has the service.
class Router {
public:
    Router(Reactor& reactor, RouterOptions options, consumer::ConsumerSink& sink);
    ~Router();
    Router(const Router&) = delete;
    Router& operator=(const Router&) = delete;

    void start();
    void shutdown();

    /// Of the session that is farthest; closed when all are.
    [[nodiscard]] ConsumerRole::Phase phase() const noexcept;
    [[nodiscard]] bool loginRefused() const noexcept;  ///< every session is closed, some by its provider
    [[nodiscard]] const std::string& lastReason() const noexcept;
    /// The session that a message is being delivered from, or else the first that is connected, or else the first.
    [[nodiscard]] std::size_t currentSession() const noexcept;
    [[nodiscard]] std::size_t sessions() const noexcept;
    [[nodiscard]] const std::string& sessionName(std::size_t session) const noexcept;
    [[nodiscard]] ConsumerRole& session(std::size_t session) noexcept;

    /// `services`: names of a service list, in order of preference; used when the request names no service itself.
    Handle registerClient(const RequestView& request, std::span<const std::string> services,
                          const Subscriber& subscriber, Refusal& refusal);
    void reissue(Handle handle, const RequestView& request, Refusal& refusal);
    void unregister(Handle handle, Refusal& refusal);
    void submitGeneric(Handle handle, const eta::codec::Msg& msg, Refusal& refusal);
    void submitPost(Handle handle, const eta::codec::Msg& msg, std::string_view serviceName, Refusal& refusal);

    /// The first session's that had them; complete from phase ready on.
    [[nodiscard]] std::shared_ptr<const eta::dictionary::Dictionary> dictionary() const noexcept;
    [[nodiscard]] const rdm::Directory& directory() const noexcept;

    struct Impl;

private:
    std::unique_ptr<Impl> impl_;
};

}  // namespace emissary::reactor::routing

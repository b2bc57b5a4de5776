// The consumer end of a session: connects, logs in, keeps the directory, downloads dictionaries, opens items, recovers.
#pragma once

#include "eta/dictionary/Dictionary.h"
#include "reactor/MetricSource.h"
#include "reactor/consumer/consumer_types.h"
#include "reactor/rdm/Directory.h"
#include "reactor/rdm/Login.h"
#include "reactor/tunnel/TunnelRequest.h"

#include <memory>
#include <optional>

namespace emissary::reactor::consumer {

/// What a role counts since it was made. Written under the session lock.
struct ConsumerCounters {
    Total<"emissary_consumer_malformed_total", "messages", "Messages that could not be decoded."> malformed;
    Total<"emissary_consumer_early_updates_total", "messages", "Updates before the first refresh, dropped.">
        earlyUpdates;
    Total<"emissary_consumer_groupless_total", "groups", "Item groups beyond the 65,534 that are told apart.">
        groupless;
    Total<"emissary_consumer_connects_total", "attempts", "Connection attempts."> connects;
    Total<"emissary_consumer_disconnects_total", "connections", "Connections lost after they were up."> disconnects;
    Total<"emissary_consumer_answers_dropped_total", "messages", "Answers dropped because the provider does not read.">
        answersDropped;
    Total<"emissary_consumer_requests_dropped_total", "messages",
          "Messages that found too much unread by the provider; its connection was given up.">
        requestsDropped;
    Total<"emissary_consumer_notices_dropped_total", "messages",
          "Statuses made here for handles that had others waiting.">
        noticesDropped;
    Level<"emissary_consumer_waiting_bytes", "bytes", "Requests and answers that wait for room in the output.">
        waitingBytes;
    Level<"emissary_consumer_open_streams", "streams", "Streams of the watchlist that are open or being recovered.">
        openStreams;
};

/// One consumer on one reactor. Everything here needs the session lock; what the peer sends comes through the sink, on
/// the dispatching thread. Calls may come from any thread and from inside the sink's callbacks (not the destructor).
class ConsumerRole {
public:
    /// How far the session has come.
    enum class Phase : std::uint8_t {
        idle,
        connecting,
        loggingIn,
        directory,     ///< logged in, waiting for the first directory
        dictionaries,  ///< downloading
        ready,
        backingOff,  ///< the connection was lost or failed; another attempt follows
        closed,      ///< no further attempts
    };

    /// Borrows reactor and sink, which must outlive it. Nothing is connected before start().
    ConsumerRole(Reactor& reactor, ConsumerOptions options, ConsumerSink& sink);
    ~ConsumerRole();
    ConsumerRole(const ConsumerRole&) = delete;
    ConsumerRole& operator=(const ConsumerRole&) = delete;

    /// Begins the first connection attempt.
    void start();
    /// Says good-bye (login close), disconnects, delivers nothing more.
    void shutdown();
    /// Says good-bye and disconnects for good; who has streams, and the directory, hear it as a loss. `over` is called
    /// when the services of the provider are gone, possibly before this returns; the role may be destroyed after that,
    /// but not in the call. Not from a callback.
    void end(const std::string& reason, std::function<void()> over);

    /// Where the session stands now.
    [[nodiscard]] Phase phase() const noexcept;
    [[nodiscard]] bool loginRefused() const noexcept;               ///< phase closed because the peer closed the login
    [[nodiscard]] const std::string& lastReason() const noexcept;   ///< of the last failure, with the channel's name
    [[nodiscard]] const ConsumerChannel& channel() const noexcept;  ///< in use, or tried last
    [[nodiscard]] Link* link() noexcept;                            ///< null while there is no connection
    [[nodiscard]] const rdm::LoginAttributes& provider() const noexcept;  ///< from its last login refresh

    /// Opens a stream on any domain. Returns 0 and a refusal when the request itself is wrong; everything later comes
    /// as a status.
    Handle registerClient(const RequestView& request, const Subscriber& subscriber, Refusal& refusal);
    /// Opens a tunnel stream (tunnel.md 9.2): what happens to it comes as statuses on its handle. Returns 0 and a
    /// refusal when the request cannot be made.
    Handle registerTunnel(const tunnel::TunnelRequest& request, const Subscriber& subscriber, Refusal& refusal);
    /// Opens a stream inside a tunnel, which must be open (tunnel.md 9.3); `tunnel` is the parent that its events name.
    Handle registerInside(Handle tunnel, const RequestView& request, const Subscriber& subscriber, Refusal& refusal);
    /// Messages of a tunnel, fragments each one, that are queued or unacknowledged; empty for every other handle.
    [[nodiscard]] std::optional<std::uint32_t> tunnelBuffersUsed(Handle tunnel) const noexcept;
    /// Changes an open request (session.md 4.3); refused for unknown handles and for what must stay.
    [[nodiscard]] Refusal reissue(Handle handle, const RequestView& request);
    /// No callback for the handle starts after this returns on the dispatching thread. Unknown handles are ignored.
    /// The handle of a batch is refused: its items are closed one by one.
    [[nodiscard]] Refusal unregister(Handle handle);
    /// Sends a generic message on an open stream; refused for unknown handles and while output is full.
    [[nodiscard]] Refusal submitGeneric(Handle handle, const eta::codec::Msg& msg);
    /// Sends a post on an item, or off-stream on the login handle with the name of the service (session.md 4.10).
    [[nodiscard]] Refusal submitPost(Handle handle, const eta::codec::Msg& msg, std::string_view serviceName);
    /// Answers the posts of the handle that wait for an ack with a nak, inside this call. For a caller that is about to
    /// move the item to another server.
    void answerPosts(Handle handle);

    /// Downloaded dictionaries; complete from phase ready on. Null when nothing is downloaded.
    [[nodiscard]] std::shared_ptr<const eta::dictionary::Dictionary> dictionary() const noexcept;
    /// What of the dictionaries is missing in phase dictionaries, and why; empty when nothing is.
    [[nodiscard]] std::string missingDictionaries() const;
    /// A dictionary will not come from the services that there are: why. Empty while it may.
    [[nodiscard]] std::string dictionaryFailure() const;
    /// The services of the provider in use; empty while there is none.
    [[nodiscard]] const rdm::Directory& directory() const noexcept;

    /// The handle is in use.
    [[nodiscard]] bool knows(Handle handle) const noexcept;
    /// True while output is behind: a caller with many requests should wait a moment.
    [[nodiscard]] bool congested() const noexcept;
    /// Ends the wait for a download: another session's dictionary serves.
    void useDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary);
    /// Dictionary for JSON until one arrives from the channel or from files; may be null. It is not offered to clients
    /// and does not shorten a download.
    void setSpareDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary);

    /// Sends the new token of this account to every server that it is used for. Applications get no event
    /// (credentials.md 6.1).
    void renewLogin(const session::ChannelAccount& account);

    // --- preferred host
    /// Replaces the options; checks that are due start from here.
    void setPreferredHost(PreferredHost options);
    /// Goes back to the preferred channel as soon as it answers; nothing when it is in use. Refused when not enabled.
    /// Happens from the loop, never inside this call.
    [[nodiscard]] Refusal fallBack();
    /// True while the preferred channel is in use.
    [[nodiscard]] bool onPreferredHost() const noexcept;
    /// Until the next check, rounded up; 0 = none is due.
    [[nodiscard]] std::chrono::seconds untilPreferredCheck() const noexcept;

    using Counters = ConsumerCounters;
    /// The values now.
    [[nodiscard]] Counters counters() const noexcept;

    struct Impl;

private:
    std::unique_ptr<Impl> impl_;
    MetricSource metrics_;
};

}  // namespace emissary::reactor::consumer

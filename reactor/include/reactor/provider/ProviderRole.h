// The interactive provider: accepts clients, answers what the configuration can answer, hands the rest to its owner.
#pragma once

#include "eta/core/Refused.h"
#include "eta/dictionary/Dictionary.h"
#include "eta/transport/Channel.h"
#include "reactor/MetricSource.h"
#include "reactor/PackedMessage.h"
#include "reactor/Reactor.h"
#include "reactor/rdm/Directory.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace emissary::reactor {

namespace tunnel {
class TunnelListener;
}

/// Handles of streams and clients are below this number; code that serves streams of its own beside a role takes
/// higher ones.
inline constexpr std::uint64_t kForeignHandles = 0xC000'0000'0000'0000;

/// A dictionary that requests on domain 5 may name.
struct ServedDictionary {
    /// Which of the two dictionaries it is.
    enum class Kind : std::uint8_t { fields, enums };
    std::string name;  ///< "RWFFld"
    Kind kind = Kind::fields;
    std::shared_ptr<const eta::dictionary::Dictionary> dictionary;  ///< shared by entries made from the same files
};

/// What one client may cost; 0 = no limit, throughout. The transport's limits of all together are in BindOptions.
struct ClientLimits {
    std::uint32_t messageBytesBeforeLogin = 65'536;         ///< fragmented and JSON messages; plain ones are one frame
    std::chrono::milliseconds loginTimeout{30'000};         ///< until the login request, from the handshake on
    std::chrono::milliseconds slowConsumerTimeout{60'000};  ///< for output that the client does not read
    std::chrono::milliseconds partialMessageTimeout{30'000};  ///< for a fragmented message that does not grow
    std::uint32_t refusalsBeforeLogin = 64;                   ///< RWF messages; of JSON texts the first ends it
    std::uint32_t refusalsPerMinute = 1000;                   ///< JSON texts that cannot be converted
    std::uint32_t keyBytes = 16'384;                          ///< of one request's key
    std::uint32_t keyBytesPerClient = 32u << 20;              ///< of the keys of its open streams
    std::uint32_t streams = 1'000'000;                        ///< open at once; more are refused with TooManyItems
    bool operator==(const ClientLimits&) const = default;
};

/// Settings of an interactive provider.
struct ProviderOptions {
    eta::transport::BindOptions bind;
    bool directoryByUser = false;   ///< directory requests go to the handler; otherwise they are answered here
    bool dictionaryByUser = false;  ///< the same for dictionary requests
    bool itemsByHandler = false;    ///< item streams are the handler's: see ProviderHandler::onItemMessage
    std::vector<rdm::Service> services;
    std::vector<ServedDictionary> dictionaries;
    std::uint32_t fieldFragmentBytes = 8192, enumFragmentBytes = 12288;  ///< budget of one part of a dictionary refresh
    ClientLimits limits;
    std::chrono::milliseconds requestTimeout{15'000};  ///< for answers to requests of ours; 0 = no timeout
    bool refreshFirstRequired = true, enforceAckIdValidation = false;
    // Checks to switch off, in the order in which they are made (session.md 5.3).
    bool acceptWithoutLogin = false, acceptWithoutAcceptingRequests = false, acceptWithoutQosInRange = false,
         acceptSameKeyOnOtherStream = false, acceptServiceChange = false, acceptDirectoryWithoutMinFilters = false;
    bool handsOverProviders = false;  ///< logins of providers are the handler's: see ProviderHandler::onProviderLogin
    /// Messages behind a login request wait for its answer instead of being refused; beyond 256 KiB nothing is read
    /// until then.
    bool holdsUntilVerdict = false;
    bool closeSecondLogin = false;  ///< a second login stream gets Closed/AlreadyOpen, not ClosedRecover/UsageError
};

/// The stream and client of a callback. Handles are never 0; a handle whose stream or client is gone is unknown.
struct StreamEvent {
    std::uint64_t handle = 0;        ///< the stream
    std::uint64_t clientHandle = 0;  ///< the connection
    void* context = nullptr;         ///< the handler's own pointer for the connection (ProviderRole::setContext)
};

/// The client of an item message.
struct ItemClient {
    std::uint64_t clientHandle = 0;
    void* context = nullptr;  ///< ProviderRole::setContext
};

/// The message about the end of its connection that a client gets, with the reason in words.
struct ClientFarewell {
    /// State of the last status on its login stream, which has the reason as its text; stream 0: none is sent.
    std::uint8_t stream = 0, data = 0, code = 0;
    std::uint16_t closeCode = close_code::normal;  ///< WebSocket; the reason is its text, as far as it has room
    bool dropsUnsent = false;                      ///< what waits and was not begun is dropped before
    bool overTextLimit = false;                    ///< for a JSON text beyond JsonSources::limits
};

/// The application's side. All calls come with the session lock held, on the dispatching thread; messages and their
/// views live until the call returns. Anything of the role may be called from inside.
class ProviderHandler {
public:
    virtual ~ProviderHandler() = default;
    /// A request that opened a stream: logins, items, and what the configuration does not answer.
    virtual void onRequest(const StreamEvent& event, const eta::codec::Msg& request) = 0;
    /// A further request on an open stream.
    virtual void onReissue(const StreamEvent& event, const eta::codec::Msg& request) = 0;
    /// `request`: domain and key of the stream, neither streaming nor wanting a refresh. The handle is gone already.
    virtual void onClose(const StreamEvent& event, const eta::codec::Msg& request) = 0;
    /// A post on an item, or off-stream on the login.
    virtual void onPost(const StreamEvent& event, const eta::codec::Msg& post) = 0;
    /// A generic message on any stream.
    virtual void onGeneric(const StreamEvent& event, const eta::codec::Msg& generic) = 0;
    /// A refresh, status or generic message for a request of ours (ProviderRole::request). `event.handle` is the
    /// request's handle; with `last` it is gone already.
    virtual void onAnswer(const StreamEvent& /*event*/, const eta::codec::Msg& /*answer*/, bool /*last*/) {}

    /// With ProviderOptions::itemsByHandler: a request, close, post, generic message or ack of a client that is logged
    /// in, on a stream that is none of its login, directory and dictionary streams. The role keeps nothing of such
    /// streams, checks nothing but the size of a request's key, and answers nothing: services, QoS, stream ids that are
    /// in use, refusals and the end of streams with their login or connection are the handler's. `message.raw` holds
    /// the bytes as received, or as converted from JSON. False: there is no such stream; the message is counted as
    /// ignored. What the handler sends on such streams goes through the client's Link.
    virtual bool onItemMessage(const ItemClient& /*client*/, const eta::codec::Msg& /*message*/) { return false; }
    /// The same: asked for a request on domain 1, 4 or 5 whose stream the role does not know. True: the stream is an
    /// item's, and the request comes to onItemMessage like any other.
    [[nodiscard]] virtual bool isItemStream(const ItemClient& /*client*/, std::int32_t /*streamId*/) const noexcept {
        return false;
    }
    /// With ProviderOptions::handsOverProviders: the first login of a connection says that a provider publishes there
    /// (Role 1). The link is the handler's from here on, with `login`, the message as received, which is not answered.
    /// onClientDown follows: to the role the client is gone.
    virtual void onProviderLogin(const ItemClient& /*client*/, std::unique_ptr<Link> /*link*/, Bytes /*login*/) {}
    /// Sources for converting messages of JSON clients, called for each message; a null member: that of the role.
    [[nodiscard]] virtual JsonSources jsonSources() const noexcept { return {}; }

    // For logs. Texts are sentences.
    /// A connection is there; its login follows. `info.protocolType` tells JSON clients.
    virtual void onClientUp(std::uint64_t /*clientHandle*/, const eta::transport::ChannelInfo& /*info*/) {}
    /// This side ends the connection, by itself or with closeClient(), and sends the client the reason; onClientDown()
    /// follows.
    virtual void onClientEnding(std::uint64_t /*clientHandle*/, void* /*context*/, const ClientFarewell& /*farewell*/) {
    }
    /// The client has ended; onClose() for its streams follows. The last call with this context, which is null if none
    /// was set.
    virtual void onClientDown(std::uint64_t /*clientHandle*/, void* /*context*/, const std::string& /*reason*/) {}
    /// A connection ended before its handshake was done: not RSSL, too slow, or gone. For logs; at most one a second,
    /// `suppressed` counts further ones of the same reason that were not reported.
    virtual void onHandshakeFailed(const std::string& /*reason*/, std::uint64_t /*suppressed*/) {}
    /// A message of the client was refused.
    virtual void onRefused(std::uint64_t /*clientHandle*/, const std::string& /*text*/) {}

    /// A JSON text of this client cannot be converted, or the client refused one of ours (json.md 10). A sentence.
    virtual void onJsonFailure(std::uint64_t clientHandle, const std::string& text) { onRefused(clientHandle, text); }
};

/// Why a message was not submitted.
enum class SubmitFault : std::uint8_t {
    none,
    unknownHandle,   ///< no such stream (any more), or handle 0 where it has no meaning
    notAllowed,      ///< this message class has no business on this domain
    refreshFirst,    ///< an update before the first refresh
    unknownService,  ///< the key names a service that the directory does not have
    badDirectory,    ///< the payload is no valid source directory map
    badDictionary,   ///< a dictionary refresh without a Series
    unknownAck,      ///< ack id that no unacknowledged post of this stream has
    noBuffers,       ///< the client's output is full: try again later, or enlarge GuaranteedOutputBuffers
    clientGone,      ///< the connection has just failed
    encoding,        ///< the message cannot be encoded (`error` says why)
    noClient,        ///< a request, and no client is logged in
    badRequest,      ///< a request that is none for a dictionary, or a reissue that changes what must stay
};

/// The result of a submit.
struct SubmitResult {
    SubmitFault fault = SubmitFault::none;
    Error error;               ///< for encoding and badDirectory
    std::uint32_t sent = 0;    ///< fan-out: clients that got the message
    std::uint32_t failed = 0;  ///< fan-out: clients that should have got it and did not
    /// True when it was queued.
    [[nodiscard]] bool ok() const noexcept { return fault == SubmitFault::none; }
};

/// What a role counts since it was made. Written under the session lock.
struct ProviderCounters {
    Total<"emissary_provider_clients_accepted_total", "connections", "Connections taken from the listening socket.">
        clientsAccepted;
    Total<"emissary_provider_clients_lost_total", "connections", "Connections that ended, for whatever reason.">
        clientsLost;
    Total<"emissary_provider_handshakes_failed_total", "connections",
          "Connections that ended before the transport handshake was done.">
        handshakesFailed;
    Total<"emissary_provider_requests_total", "requests", "New streams, handed to the application or answered here.">
        requests;
    Total<"emissary_provider_reissues_total", "requests", "Requests on streams that were open."> reissues;
    Total<"emissary_provider_closes_total", "streams", "Streams closed by clients."> closes;
    Total<"emissary_provider_posts_total", "messages", "Post messages received."> posts;
    Total<"emissary_provider_generics_total", "messages", "Generic messages received."> generics;
    Total<"emissary_provider_item_messages_total", "messages",
          "Messages on item streams that the handler keeps itself, handed to it.">
        itemMessages;
    Total<"emissary_provider_asked_total", "requests", "Requests that the provider sent to clients."> asked;
    Total<"emissary_provider_ask_timeouts_total", "requests",
          "Requests to clients that ended because no answer came in time.">
        askTimeouts;
    Total<"emissary_provider_refused_total", "messages", "Messages answered with a refusal (session.md 5.3)."> refused;
    Total<"emissary_provider_ignored_total", "messages",
          "Messages without meaning here: the stream is unknown, or the client is not logged in.">
        ignored;
    Total<"emissary_provider_groupless_total", "groups", "Item groups beyond the 65,534 that are told apart.">
        groupless;
    Total<"emissary_provider_malformed_total", "clients", "Clients cut off because a message could not be decoded.">
        malformed;
    Total<"emissary_provider_overrun_total", "clients",
          "Clients cut off because they did not read the answers they asked for.">
        overrun;
    Total<"emissary_provider_slow_consumers_total", "clients",
          "Clients cut off because output waited for them too long.">
        slowConsumers;
    Total<"emissary_provider_login_timeouts_total", "clients", "Clients cut off because no login request came.">
        loginTimeouts;
    Total<"emissary_provider_partials_stalled_total", "clients",
          "Clients cut off because a message came in part and no further.">
        partialsStalled;
    Total<"emissary_provider_refusal_limits_total", "clients",
          "Clients cut off because too much of what they sent was refused.">
        refusalLimits;
    Total<"emissary_provider_evicted_total", "connections",
          "Connections that were not logged in, closed to make room; of the whole listener.">
        evicted;
    Total<"emissary_provider_refused_busy_total", "connections",
          "Connections closed at once, for want of room; of the whole listener.">
        refusedBusy;
    Level<"emissary_provider_clients", "connections", "Connections that are up."> clients;
    Level<"emissary_provider_open_streams", "streams", "Streams that are open."> openStreams;
};

/// One connected client, for people.
struct ClientInfo {
    std::uint64_t clientHandle = 0;
    const eta::transport::ChannelInfo* channel = nullptr;  ///< lives until the lock is released
};

/// Serves clients of one listening socket inside a reactor. Every call, the destructor included, needs the session
/// lock. The reactor and the handler outlive the role.
class ProviderRole {
public:
    /// Borrows reactor and handler, which must outlive it. Nothing listens before listen().
    ProviderRole(Reactor& reactor, ProviderOptions options, ProviderHandler& handler);
    ~ProviderRole();  ///< closes every connection, no callbacks
    ProviderRole(const ProviderRole&) = delete;
    ProviderRole& operator=(const ProviderRole&) = delete;

    /// Starts listening. Refused: the text names the port and the reason.
    [[nodiscard]] eta::Refused listen();
    [[nodiscard]] std::uint16_t port() const noexcept;  ///< the port in use, also when port "0" was asked for
    void stopListening();                               ///< clients that are connected stay

    /// The listener for requests for tunnel streams (tunnel.md 9.5); it outlives the role. Without one they are
    /// rejected. Not called when items are the handler's.
    void serveTunnels(tunnel::TunnelListener& listener) noexcept;

    /// A dictionary that requests may name from now on, in the place of one of the same name. Streams that are open on
    /// it get it as an unsolicited refresh.
    void serve(ServedDictionary dictionary);

    /// Sends to the stream's client. Stream id, domain (of refresh, update, status) and private flag are filled in;
    /// `msg` is changed in these members only. A final state ends the stream; a login refresh that is Open admits the
    /// client, a final login state ends the connection. No allocation for updates.
    SubmitResult submit(std::uint64_t handle, eta::codec::Msg& msg);
    /// Fast path for updates for which isPlainUpdate() holds: nothing is filled in. True: sent or refused, see
    /// `result`, which is new. False: nothing was done; call submit().
    [[nodiscard]] bool submitPlain(std::uint64_t handle, const eta::codec::Msg& msg, SubmitResult& result) noexcept;
    /// Sends to every client with an open stream of the message's domain (login, directory, dictionary). A directory
    /// message is taken over into the directory and reaches each client cut down to what it asked for.
    SubmitResult submitToAll(const eta::codec::Msg& msg);
    /// Queues a ready packed body for a client; see Link::sendPacked. When it was queued, `changes` take effect: the
    /// messages whose prepare() has changed `effect`, and all that are no updates, in their order.
    SubmitResult submitPacked(std::uint64_t clientHandle, Bytes body, std::uint32_t messages,
                              std::span<const PackedMessage> changes);
    /// What submit() would do up to the point of sending: checks and fills in, for messages that go out in a pack.
    /// `effect`: what the pack's messages for this handle do so far; with this one when it is good. Changes nothing
    /// else.
    SubmitResult prepare(std::uint64_t handle, std::uint64_t clientHandle, eta::codec::Msg& msg, PackedEffect& effect);

    /// What became of a request of ours.
    struct Asked {
        SubmitFault fault = SubmitFault::none;
        Error error;               ///< for encoding
        std::uint64_t handle = 0;  ///< of the request; 0 unless fault is none
    };
    /// Asks a client for a dictionary (session.md 5.5): one that said it serves them, else the client that came first.
    /// The key needs a name of type 0 or 1; stream id and name type are filled in. Answers come through
    /// ProviderHandler::onAnswer, never from inside this call. Its own end: an unknown or deleted service, the client
    /// gone or logged out (ClosedRecover), no answer in time (Closed).
    [[nodiscard]] Asked request(const eta::codec::Msg& request);
    /// The same dictionary again, with another verbosity or for a refresh. Domain, name and service stay.
    [[nodiscard]] SubmitResult reissue(std::uint64_t handle, const eta::codec::Msg& request);
    /// Ends a request without a callback; false when there is none of that handle.
    bool cancel(std::uint64_t handle);

    /// Ends a directory or dictionary stream without a message: the caller has sent it on the link. False when no such
    /// stream has that handle.
    bool forget(std::uint64_t handle);
    /// Whether the client has a stream of that id here: its login, or one on domain 4 or 5.
    [[nodiscard]] bool hasStream(std::uint64_t clientHandle, std::int32_t streamId) const noexcept;

    /// Ends a connection: what is queued leaves first, the login handle's onClose follows on the dispatching thread.
    /// onClientDown gets `reason`.
    [[nodiscard]] bool closeClient(std::uint64_t clientHandle, const std::string& reason = "closed by the application");
    /// The same, with the reason to the client: to the role it is gone, while the connection stays for a bounded time
    /// so that the client can read it (Link::part).
    [[nodiscard]] bool closeClient(std::uint64_t clientHandle, const std::string& reason,
                                   const ClientFarewell& farewell);
    /// The handler's own word about a connection, given back with every call that concerns it up to onClientDown; the
    /// role does not look at it. False when there is no such client.
    bool setContext(std::uint64_t clientHandle, void* context) noexcept;
    /// All connections, for people.
    [[nodiscard]] std::vector<ClientInfo> clients() const;
    [[nodiscard]] Link* link(std::uint64_t clientHandle) noexcept;  ///< null when there is no such client
    /// Of a client, also inside the onClientDown() of that client; null when there is none. Lives until the lock is
    /// released.
    [[nodiscard]] const eta::transport::ChannelInfo* channelInfo(std::uint64_t clientHandle) const noexcept;
    [[nodiscard]] std::uint64_t clientOf(std::uint64_t handle) const noexcept;  ///< 0 when there is no such stream

    /// For texts: "'TRI.N' of service 1 (stream 5, domain 6)", or "handle 17 does not exist".
    [[nodiscard]] std::string describe(std::uint64_t handle) const;

    /// The services that clients see.
    [[nodiscard]] const rdm::Directory& directory() const noexcept;
    /// Live values; read under the session lock.
    [[nodiscard]] const ProviderCounters& counters() const noexcept;
    /// Adds all counts of the role to a snapshot; it does so by itself to those of its reactor. Roles that listen
    /// together share one listener: with `ofListener` false another role adds the listener's counts.
    void collect(metrics::Snapshot& into, bool ofListener = true) const;
    /// Streams of all clients together.
    [[nodiscard]] std::size_t openStreams() const noexcept;

    struct Impl;

private:
    std::unique_ptr<Impl> impl_;
    MetricSource metrics_;
};

}  // namespace emissary::reactor

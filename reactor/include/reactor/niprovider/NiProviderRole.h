// The non-interactive provider: connects, logs in as a provider, publishes its directory and whatever items it likes
// (session.md section 7).
#pragma once

#include "eta/dictionary/Dictionary.h"
#include "reactor/MetricSource.h"
#include "reactor/PackedMessage.h"
#include "reactor/Reactor.h"
#include "reactor/rdm/Directory.h"
#include "reactor/session/Backoff.h"
#include "reactor/session/LoginOptions.h"
#include "reactor/session/session_types.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace emissary::reactor::niprovider {

using session::Refusal;
using session::RequestView;
using session::Subscriber;

/// What a non-interactive provider is made from.
struct NiProviderOptions {
    std::vector<session::ServerChannel> channels;  ///< in order of trying; at least one
    session::ReconnectOptions reconnect;
    session::LoginOptions login;  ///< Role 1 in its attributes
    std::chrono::milliseconds requestTimeout =
        session::kRequestTimeout;                  ///< of login and dictionary requests; 0 = none
    bool directoryByUser = false;                  ///< nothing is published until a directory refresh is submitted
    std::vector<rdm::Service> services;            ///< published after each login, unless directoryByUser
    bool mergeSourceDirectoryStreams = true;       ///< directory messages go out on stream 0, whatever their handle
    bool recoverUserSubmitSourceDirectory = true;  ///< what was submitted is published again after a reconnect
    bool removeItemsOnDisconnect = false;          ///< handles forget their items when the connection is lost
    bool refreshFirstRequired = true;              ///< updates before the item's refresh are refused
    std::uint32_t itemCountHint = 0;
    std::shared_ptr<const eta::dictionary::Dictionary>
        dictionary;  ///< for JSON connections; null: no field lists there
};

/// The application's side. All calls come with the session lock held, on the dispatching thread; messages and their
/// views live until the call returns. onMessage() delivers what comes on streams that registerClient() opened.
class NiProviderHandler : public session::ClientSink {
public:
    /// What the server sends on the stream of a published item, or of the directory (handle of the last directory
    /// submit, else 0): posts, generic messages, statuses, closes. After a close, or a status with a final state, the
    /// handle names no stream any more.
    virtual void onItemMessage(std::uint64_t handle, const eta::codec::Msg& msg) = 0;
};

/// Why a message was not published.
enum class PublishFault : std::uint8_t {
    none,
    registeredHandle,  ///< the handle came from registerClient()
    unknownHandle,     ///< a generic message for a handle without an item
    notAllowed,        ///< this message class or domain cannot be published
    refreshFirst,      ///< an update before the first refresh on this connection
    noService,         ///< the first message of an item does not name its service
    unknownService,    ///< the directory has no such service
    otherService,      ///< the item belongs to another service
    endsInPack,        ///< a message in front of it in the pack ends the item
    badDirectory,      ///< the payload is no valid source directory map
    badDictionary,     ///< a dictionary refresh without a Series
    tooManyItems,      ///< stream ids are used up
    noChannel,         ///< not connected, or not logged in
    noBuffers,         ///< the output is full: try again later, or enlarge GuaranteedOutputBuffers
    encoding,          ///< the message cannot be encoded (`error` says why)
};

/// The result of publishing a message.
struct [[nodiscard]] PublishResult {
    PublishFault fault = PublishFault::none;
    Error error;  ///< for encoding and badDirectory
    /// True when it was queued.
    [[nodiscard]] bool ok() const noexcept { return fault == PublishFault::none; }
};

/// What a role counts since it was made. Written under the session lock.
struct NiProviderCounters {
    Total<"emissary_niprovider_connects_total", "attempts", "Connection attempts."> connects;
    Total<"emissary_niprovider_disconnects_total", "connections", "Connections lost after they were up."> disconnects;
    Total<"emissary_niprovider_posts_total", "messages", "Post messages received on published streams."> posts;
    Total<"emissary_niprovider_generics_total", "messages", "Generic messages received on published streams."> generics;
    Total<"emissary_niprovider_statuses_total", "messages", "Status messages received on published streams."> statuses;
    Total<"emissary_niprovider_closes_total", "messages", "Close messages received on published streams."> closes;
    Total<"emissary_niprovider_ignored_total", "messages",
          "Messages without meaning here: the stream is unknown, or the class is unexpected.">
        ignored;
    Total<"emissary_niprovider_malformed_total", "messages", "Messages that could not be decoded."> malformed;
    Total<"emissary_niprovider_requests_dropped_total", "messages",
          "Messages that found too much unread by the server; its connection was given up.">
        requestsDropped;
    Total<"emissary_niprovider_notices_dropped_total", "messages",
          "Statuses made here for handles that had others waiting.">
        noticesDropped;
    Level<"emissary_niprovider_open_items", "streams", "Items that are published."> openItems;
};

/// One provider on one reactor. Any thread, also inside callbacks (the destructor excepted), with the session lock
/// held. Reactor and handler outlive the role.
class NiProviderRole {
public:
    /// How far the session has come.
    enum class Phase : std::uint8_t {
        idle,
        connecting,
        loggingIn,
        ready,       ///< logged in, the directory is out
        backingOff,  ///< the connection was lost or failed; another attempt follows
        closed,      ///< no further attempts
    };

    /// Borrows reactor and handler, which must outlive it. Nothing is connected before start().
    NiProviderRole(Reactor& reactor, NiProviderOptions options, NiProviderHandler& handler);
    ~NiProviderRole();  ///< closes the connection, no callbacks
    NiProviderRole(const NiProviderRole&) = delete;
    NiProviderRole& operator=(const NiProviderRole&) = delete;

    /// Takes over a directory (a checked Map payload) instead of the configured services; before start().
    [[nodiscard]] Error useDirectory(Bytes map);
    /// Begins the first connection attempt.
    void start();
    /// Sends the login close, disconnects, delivers nothing more.
    void shutdown();

    /// Where the session stands now.
    [[nodiscard]] Phase phase() const noexcept;
    [[nodiscard]] bool loginRefused() const noexcept;              ///< phase closed because the peer closed the login
    [[nodiscard]] const std::string& lastReason() const noexcept;  ///< of the last failure, with the channel's name
    [[nodiscard]] const session::ServerChannel& channel() const noexcept;  ///< in use, or tried last
    [[nodiscard]] Link* link() noexcept;                                   ///< null while there is no connection

    /// Publishes on the item that the application calls `handle`. The first message of a handle opens a stream (the
    /// next free negative id) and must name a service of the directory; stream id, domain and service id are filled in
    /// from then on, SOLICITED is taken off; `msg` is changed in these members only. A final state ends the stream.
    /// Directory messages (domain 4) change the directory. No allocation for messages on streams that are open.
    PublishResult submit(std::uint64_t handle, eta::codec::Msg& msg);
    /// What submit() would do up to the point of sending, for messages that go out in a pack. `effect`: what the pack's
    /// messages for this handle do so far; with this one when it is good. Changes nothing else: an item that begins in
    /// a pack gets its stream id in submitPacked().
    PublishResult prepare(std::uint64_t handle, eta::codec::Msg& msg, PackedEffect& effect);
    /// Queues a ready packed body; `connection` is connectionNumber() at the time it was begun. `changes`: the messages
    /// that are no updates, and all of items that begin in the pack, in their order; they get their stream ids in
    /// `body`, and take effect when it was queued.
    PublishResult submitPacked(std::uint64_t connection, std::span<std::byte> body, std::uint32_t messages,
                               std::span<const PackedMessage> changes);
    /// Changes with every connection; 0 while none is logged in.
    [[nodiscard]] std::uint64_t connectionNumber() const noexcept;

    /// Opens a login or dictionary stream; messages come through the handler's onMessage(). 0 and a refusal when the
    /// request is wrong.
    session::Handle registerClient(const RequestView& request, const Subscriber& subscriber, Refusal& refusal);
    /// Changes an open request of registerClient(); refused for unknown handles.
    [[nodiscard]] Refusal reissue(session::Handle handle, const RequestView& request);
    void unregister(session::Handle handle);  ///< unknown handles are ignored

    /// For texts: "item 5 of service 'NI_PUB' (stream -1, domain 6)", or "handle 5".
    [[nodiscard]] std::string describe(std::uint64_t handle) const;
    /// The services that are, or will be, published.
    [[nodiscard]] const rdm::Directory& directory() const noexcept;
    /// The values now.
    [[nodiscard]] NiProviderCounters counters() const noexcept;

    struct Impl;

private:
    std::unique_ptr<Impl> impl_;
    MetricSource metrics_;
};

}  // namespace emissary::reactor::niprovider

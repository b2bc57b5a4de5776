// Answers the questions of the pages: rows of plain values, taken on the stage thread.
#pragma once

#include "eta/dictionary/Dictionary.h"
#include "hub/client/RecentEnds.h"
#include "hub/client/client_counts.h"
#include "hub/config/HubSettings.h"
#include "hub/core/ItemTable.h"
#include "hub/core/Service.h"
#include "hub/flow/ItemFlow.h"
#include "hub/ops/MeshRow.h"
#include "reactor/Reactor.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace emissary::hub::relay {
class Relay;
}
namespace emissary::hub::client {
class Interventions;
}

namespace emissary::hub::ops {

class CaptureFiles;

/// For the audit log: a call that somebody made, or that was refused.
struct CallNote {
    bool refused = false;
    std::string code;  ///< "drain", or "wrong_token", "role" of one that was refused
    std::string text;  ///< a sentence
    std::string user, address;
};

/// What came of a request to read the configuration again.
struct ReloadAnswer {
    bool good = false;  ///< applied, or, where only the difference was asked for, it could be
    std::string text;   ///< lines for the person who asked
};

/// How the configuration was read again last.
struct LastReload {
    std::string outcome;  ///< "applied", "unchanged", "refused"; empty: it was not
    std::string who;      ///< address of the request, or "SIGHUP"
    std::string text;     ///< what changed, or why it was refused, in one line
    std::int64_t at = 0;  ///< seconds since 1970, UTC
};

/// One source, publisher, or mesh.
struct SourceRow {
    std::string name, kind;
    bool up = false, required = false;
    std::string where;           ///< configured channels; of a mesh the server, and what goes over it
    std::string reason;          ///< why it is not up; empty while it is
    std::uint64_t seconds = 0;   ///< since it came up, or was lost
    std::uint64_t attempts = 0;  ///< to connect since it was lost
    /// Services that it offers and may not (PublisherGroups): the first of them, and how many there are.
    std::vector<std::string> barred{};
    std::size_t barredServices = 0;
};

/// Borrowed; all of it outlives the pages.
struct Inspected {
    reactor::Reactor& reactor;
    ItemTable& items;
    ClientTable& clients;
    ServiceTable& services;
    flow::ItemFlow& flow;
    const HubSettings& settings;
    /// Calls back with every source there is, publishers included.
    std::function<void(const std::function<void(Source&)>&)> eachSource;
    std::function<std::shared_ptr<const eta::dictionary::Dictionary>()> dictionary;  ///< null while there is none
    /// So many clients a second; 0: all within DrainTimeout.
    std::function<void(const std::string& why, std::uint32_t clientsPerSecond)> drain;
    std::function<bool()> draining;
    relay::Relay* relay = nullptr;             ///< serves the connections; null: the reactor's thread does
    const client::RecentEnds* ends = nullptr;  ///< null: none are shown
    /// Reads the configuration again; `dryRun`: only tells the difference. Empty: it cannot be.
    std::function<ReloadAnswer(const std::string& who, bool dryRun)> reload = {};
    std::function<LastReload()> lastReload = {};     ///< may be empty
    client::Interventions* interventions = nullptr;  ///< null: there are no calls
    /// Uses a source no more, or again: what refuses it, or an empty text.
    std::function<std::string(const std::string& name, bool paused)> pauseSource = {};
    std::function<void(const std::string& line)> log = {};  ///< may be empty
    CaptureFiles* captures = nullptr;                       ///< null: there are none
    std::function<void(const CallNote&)> note = {};         ///< for the audit log; may be empty
    std::function<std::optional<SourceRow>()> mesh = {};    ///< the hub's mesh as one line; may be empty
    std::function<std::optional<MeshRow>()> meshRow = {};   ///< and all of it; may be empty
};

/// One consumer connection.
struct ClientRow {
    std::uint32_t index = 0;
    std::uint64_t connection = 0;  ///< its number among all since the start, from 1
    bool stopped = false;          ///< an operator has paused it
    std::uint32_t throttle = 0;    ///< requests a second that an operator allows; 0 = no such limit
    std::string address, user, position, application, protocol;
    std::string certificate;          ///< subject of its certificate; empty = it has none
    std::string proxy;                ///< "ip:port" of the one that forwards it; empty = none
    std::vector<std::string> groups;  ///< of the user
    std::string userClass;            ///< the UserClass entry; empty = none
    std::string view;                 ///< the View entry of that class; empty = all fields
    std::string listener;             ///< that it came through
    std::uint32_t thread = 0;         ///< that serves it, from 1; the first is the one with the items
    bool loggedIn = false, paused = false, standby = false;
    /// Names of services with the mode that it uses them in (ConsumerStatus); the first kMostUses of `usesInAll`.
    static constexpr std::size_t kMostUses = 20;
    std::vector<std::pair<std::string, const char*>> uses;
    std::size_t usesInAll = 0;
    bool answers = true;     ///< false: its thread stands still, and the numbers of its connection are not known
    bool behind = false;     ///< more of its output waits than ConflateAbove
    bool joins = false;      ///< its updates wait, joined, until it reads again, or may have more
    bool overLimit = false;  ///< it has used up MaxUpdateRate or MaxByteRate
    std::uint64_t mounts = 0, messages = 0, bytesOut = 0, bytesIn = 0, queuedBytes = 0;
};

/// Updates that wait, joined, for one stream of a client.
struct QueuedItem {
    std::int32_t stream = 0;
    std::string service, name;                  ///< of its item; empty: the stream is about to end
    std::uint32_t updates = 0;                  ///< that were joined
    std::uint64_t bytes = 0, milliseconds = 0;  ///< memory; since the first of them came
};

/// What waits for one client, and of what it sent.
struct QueueRow {
    static constexpr std::size_t kMostItems = 500;
    ClientRow client;
    bool unread = false;  ///< much waits for it, so that its requests are not read
    std::uint64_t joinedItems = 0, joinedBytes = 0, oldestMilliseconds = 0;
    std::vector<QueuedItem> joined;  ///< the first ones, that which waits longest in front
    std::uint64_t heldMessages = 0, heldBytes = 0, heldRequests = 0;  ///< that it sent, and that wait for their turn
    std::uint64_t batchLeft = 0, waitForService = 0, waitForCheck = 0;
};

/// Which connections, in which order. At most kMost rows are given.
struct ClientQuery {
    enum class Order : std::uint8_t { index, bytes, queued, mounts, messages };
    static constexpr std::size_t kMost = 1000;
    std::string user;  ///< empty = all
    Order order = Order::index;
};

struct ClientRows {
    std::size_t all = 0;  ///< that fit the query, shown or not
    std::vector<ClientRow> rows;
    std::vector<client::RecentEnd> ended;  ///< that fit the query, the newest first
};

struct ServiceRow {
    std::uint16_t id = 0;
    std::string name, sourceMode, cache;
    bool published = false, up = false, accepting = false;
    std::vector<std::pair<std::string, bool>> sources;  ///< name, and whether its offer is usable
    std::uint64_t images = 0, imageBytes = 0;
    /// Clients by the mode that they use it in (reactor::rdm::ServiceUse).
    std::array<std::uint64_t, reactor::rdm::kServiceUseNames.size()> uses{};
    /// Updates compared in hot mode, by kPairResultNames; empty: none were.
    std::optional<std::array<std::uint64_t, kPairResultNames.size()>> pair;
    /// In hot mode with usable sources of both kinds, whose updates are not compared: those that speak JSON, and those
    /// that do not. Else both are empty.
    std::vector<std::string> json, rwf;
};

struct MountRow {
    std::string user, position;
    std::int32_t stream = 0;
    bool waiting = false, paused = false;
};

/// One item; the image is a refresh as bytes.
struct ItemRow {
    static constexpr std::size_t kMostMounts = 100;
    std::uint8_t domain = 0;
    std::string service, name, state, text, phase, source;
    std::uint16_t group = 0;
    std::uint32_t index = 0, generation = 0, seqNum = 0;
    bool hasSeqNum = false, cached = false, complete = false, current = false;
    std::uint32_t mounts = 0;
    std::vector<MountRow> firstMounts;
    std::vector<std::byte> image;  ///< empty: none, or it cannot be written
    std::shared_ptr<const eta::dictionary::Dictionary> dictionary;
};

/// Where consumers connect over TCP.
struct ListenerRow {
    std::string name;
    std::uint16_t port = 0;
    bool encrypted = false;
};

/// The hub at a glance.
struct Overview {
    std::size_t clients = 0, items = 0;
    bool draining = false;
    std::vector<ListenerRow> listeners;  ///< those whose port is a number that the configuration gives
    std::vector<SourceRow> sources;
    std::vector<ServiceRow> services;
    std::vector<std::string> absent;    ///< services of the configuration that nobody has offered
    std::vector<std::string> problems;  ///< what is wrong, a sentence each, the worst first; empty: all is well
    LastReload reload;
};

/// Takes rows. Every call on the dispatching thread, or with the session lock held; none changes anything. A call looks
/// at every client or at every service, never at every item.
class Inspector {
public:
    explicit Inspector(Inspected hub) : hub_(std::move(hub)) {}

    [[nodiscard]] Overview overview() const;
    [[nodiscard]] ClientRows clients(const ClientQuery& query) const;
    /// Empty when no connection has that number.
    [[nodiscard]] std::optional<QueueRow> queue(std::uint64_t connection) const;
    /// Empty when the hub has no such service or item.
    [[nodiscard]] std::optional<ItemRow> item(const std::string& service, const std::string& name,
                                              std::uint8_t domain) const;
    /// Names of required sources that are not up.
    [[nodiscard]] std::vector<std::string> missing() const;
    [[nodiscard]] const Inspected& hub() const noexcept { return hub_; }

private:
    /// Of these, in the order of their numbers, leaves the ClientQuery::kMost that the order puts in front.
    void leaveFirst(ClientQuery::Order order, std::vector<const Client*>& clients) const;
    /// Calls back for each of these whose thread answers, with the record that the thread has of it, if any.
    void eachOutput(const std::vector<const Client*>& clients,
                    const std::function<void(std::size_t place, const Client* output)>& each) const;
    [[nodiscard]] ClientRow row(const Client& client) const;
    void addTraffic(const std::vector<const Client*>& shown, std::vector<ClientRow>& rows) const;
    [[nodiscard]] ServiceRow row(const Service& service) const;
    [[nodiscard]] std::vector<ListenerRow> listeners() const;
    [[nodiscard]] std::vector<SourceRow> sources() const;
    void addHealth(const Source& source, SourceRow& r) const;
    void image(Item& item, ItemRow& out) const;
    [[nodiscard]] std::vector<std::string> problems(const Overview& overview) const;

    Inspected hub_;
};

}  // namespace emissary::hub::ops

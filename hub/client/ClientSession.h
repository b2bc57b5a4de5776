// The client room's record for one connection (Client::session).
#pragma once

#include "eta/codec/Msg.h"
#include "hub/client/client_counts.h"
#include "hub/core/Client.h"
#include "reactor/rdm/Directory.h"
#include "reactor/rdm/consumer_status.h"
#include "reactor/rdm/request_payload.h"

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace emissary::hub::client {

using reactor::rdm::PayloadError;
using reactor::rdm::PayloadFault;
using reactor::rdm::readPayload;
using reactor::rdm::RequestPayload;
using reactor::rdm::requestsIn;

class Listener;

/// A directory stream: what it asked for.
struct DirectoryStream {
    std::uint64_t handle = 0;
    std::int32_t stream = 0;
    reactor::rdm::DirectorySelection wanted;
};

/// A batch that is dealt with item by item.
struct Batch {
    std::vector<std::byte> message;  ///< that the others borrow from
    eta::codec::Msg msg;
    RequestPayload payload;
    std::uint16_t view = 0;  ///< one reference, while the batch lives
    std::size_t next = 0;    ///< place in the list
    std::size_t good = 0;    ///< items that were taken
    [[nodiscard]] std::size_t size() const noexcept { return payload.streams.size() + payload.names.size(); }
    [[nodiscard]] std::size_t left() const noexcept { return size() - next; }
    /// Its items are requests; else they are closes.
    [[nodiscard]] bool counted() const noexcept { return msg.cls == eta::codec::MsgClass::Request; }
    /// It may open a stream of that id yet.
    [[nodiscard]] bool opens(std::int32_t stream) const noexcept {
        return !payload.names.empty() && stream > msg.streamId &&
               std::size_t(std::int64_t{stream} - msg.streamId) > next &&
               std::size_t(std::int64_t{stream} - msg.streamId) <= payload.names.size();
    }
};

struct ClientSession final : ServingSide {
    Listener* listener = nullptr;  ///< outlives the connection
    EndReason end = EndReason::lost;
    std::uint64_t bytesOut = 0;           ///< written, once the connection has ended
    eta::transport::ChannelInfo channel;  ///< as it was agreed on
    [[nodiscard]] bool web() const noexcept { return !channel.webSocketProtocol.empty(); }
    /// The connection, which another thread may serve: what Channel says is for any thread, or under its output lock.
    std::weak_ptr<eta::transport::Channel> wire;

    // Logins
    std::uint64_t login = 0;          ///< handle of the login stream; 0 = none
    std::uint64_t ticket = 0;         ///< of a login check without an answer; 0 = none
    reactor::TimerId checkTimer = 0;  ///< runs while there is a ticket
    reactor::TimerId endTimer = 0;    ///< runs while the login has an end (LoginVerdict::lasts)
    std::vector<std::byte> request;   ///< the login request that is checked, or was accepted last
    // RoundTrips
    bool answersProbes = false;
    std::uint64_t probe = 0;        ///< Ticks of the probe without an answer; 0 = none
    std::uint64_t lastLatency = 0;  ///< nanoseconds; 0 = not known
    // Directories: streams that go on
    std::vector<DirectoryStream> directories;
    // ServiceUses: in the order of services
    std::vector<reactor::rdm::UsedService> uses;
    // Pace: what waits, in the order in which it is dealt with
    /// All streams of the client, one after the other.
    struct Walk {
        enum class Kind : std::uint8_t { flow, resume, leave };
        Kind kind = Kind::leave;
        std::vector<std::int32_t> streams;
        std::size_t next = 0;
        bool listed = false;  ///< `streams` are those that the walk is about
        /// Of these services, sorted, or of all, the client is no standby any more: each stream gets an image.
        std::vector<std::uint16_t> active;
        bool allActive = false;
    };
    std::unique_ptr<Walk> walk;
    /// ServiceWaits: requests by their streams.
    struct Wait {
        std::vector<std::byte> message;
        std::uint16_t view = 0;    ///< one reference to that of its batch
        std::string service;       ///< that is to come, by name, or by id where a default service is; empty: any
        std::uint64_t number = 0;  ///< rises from wait to wait
        reactor::TimePoint due = reactor::TimePoint::max();
    };
    std::map<std::int32_t, Wait> waits;
    /// OpenChecks: requests by their streams.
    struct Check {
        std::vector<std::byte> message;
        std::uint16_t view = 0;    ///< one reference to that of its batch
        std::uint64_t ticket = 0;  ///< that its verdict comes under
        bool early = false;        ///< it came before its service was up
    };
    std::map<std::int32_t, Check> checks;
    std::unique_ptr<Batch> batch;  ///< Batches: the one that is under way
    struct Held {
        std::vector<std::byte> message;
        std::size_t requests = 0;  ///< that it counts as
        bool collides = false;     ///< a batch that would take ids of streams of the role, as it was found when it came
        std::uint64_t directory = 0;  ///< the handle of its stream, of a directory request; else 0
        bool postInTime = true;       ///< of a post: PostPace, as it was when it came
    };
    std::deque<Held> held;
    std::size_t heldBytes = 0, heldRequests = 0;
    bool queued = false;         ///< waits for its turn
    bool unread = false;         ///< it is not read from, since so much is held
    bool departs = false;        ///< its connection has ended
    bool stopped = false;        ///< it is not read from, since an operator says so
    bool letGo = false;          ///< it was asked to go
    std::uint32_t throttle = 0;  ///< requests a second that an operator allows; 0 = what the settings say
    double allowance = 0;        ///< requests that may come at once
    reactor::TimePoint allowanceAt{};
    [[nodiscard]] bool idle() const noexcept { return !walk && !batch && held.empty(); }

    [[nodiscard]] static ClientSession& of(const Client& client) noexcept {
        return static_cast<ClientSession&>(*client.session);
    }
};

}  // namespace emissary::hub::client

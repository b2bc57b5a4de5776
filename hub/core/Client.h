// A connection that consumers use, as all rooms of the hub see it.
#pragma once

#include "hub/core/Mount.h"
#include "hub/core/OwnedBy.h"
#include "hub/core/PostPace.h"
#include "reactor/Reactor.h"
#include "reactor/memory.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace emissary::hub {

namespace conflate {
class PendingUpdates;
}
namespace fanout {
class Allowance;
class FanOut;
class OutputLimits;
class SlowClients;
class TurnLog;
}  // namespace fanout
namespace relay {
class Intake;
}

class Sink;

/// What the room that serves a connection keeps of its client: client::ClientSession, or at a front relay::FrontPort.
class ServingSide {
protected:
    ServingSide() = default;
    ServingSide(const ServingSide&) = default;
    ServingSide& operator=(const ServingSide&) = default;
    ~ServingSide() = default;
};

/// Made when a connection is up; the client room fills in what the login says. Others read it, but for `mounts`
/// (Mounts). What fanout and relay keep here has one writer, which the compiler holds to it.
struct Client {
    static constexpr std::uint32_t kNoDelivery = 0xFFFFFFFF;

    std::uint32_t index = 0;
    std::uint32_t listener = 0;     ///< that it came through, by its place in the settings
    std::uint64_t handle = 0;       ///< of the provider role
    reactor::Link* link = nullptr;  ///< null once the connection has ended
    Sink* sink = nullptr;           ///< not null: it is no connection, and its mounts are the sink's (Outputs)
    std::uint8_t userClass = 0;     ///< of the login: its number in the settings, from 1 on; 0 = none
    bool json = false;              ///< the connection carries rssl.json.v2
    bool expandsEnums = true;       ///< JSON: enumerated fields are display text, else numbers
    bool loggedIn = false;
    bool singleOpen = true, allowSuspectData = true;  ///< of the login (hub.md 2.3)
    bool hearsGroups = false;                         ///< asked for the Group filter, and not JSON (hub.md 3.3)
    bool paused = false;                              ///< pause-all on the login stream
    bool onStandby = false;                           ///< WarmStandbyMode 1: mounts stay, no updates (hub.md 2.2)
    bool standsBySome = false;                        ///< `standbyServices` has some
    std::uint64_t updateTypes = ~0ull;                ///< bit n: updates of type n are wanted; types above 63 always
    OwnedBy<std::uint32_t, fanout::TurnLog> firstDelivery{kNoDelivery}, lastDelivery{kNoDelivery};  ///< of the turn
    OwnedBy<std::uint32_t, fanout::FanOut> updates;     ///< among the deliveries
    OwnedBy<bool, fanout::SlowClients> behind, cutOff;  ///< much of its output waits; its end was asked for
    OwnedBy<bool, fanout::SlowClients> saysJoined;  ///< a status has said that it is behind and its updates are joined
    OwnedBy<bool, fanout::OutputLimits> overLimit;  ///< its updates wait for what `allowance` has to come
    /// What its login may get in a second, and what is left of it. Null: there is no limit.
    std::shared_ptr<fanout::Allowance> allowance;
    /// Its updates wait here, joined, from the first that comes while it is behind or over its limit until it is
    /// neither. Null: they go as they come. Made by FanOut, taken by SlowClients and OutputLimits.
    std::shared_ptr<conflate::PendingUpdates> pending;
    bool unread = false;  ///< much of its output waits, and nothing is read from it (fanout; relay, on the stage)
    bool waits = false;   ///< nothing is read from it for another reason: much of what it sent waits
    std::int32_t loginStream = 0;
    std::string user, position, application;  ///< for logs and pages
    std::string address;                      ///< of the peer, "ip:port"
    std::string certSubject;                  ///< of its certificate, for logs and pages; empty: it has none
    /// Names of the services that it knows of, in order; null: all. Of the listener, which outlives it.
    const std::vector<std::string>* services = nullptr;
    bool mayPost = true;                       ///< posts and generic messages are taken from it
    std::optional<std::uint32_t> postAddress;  ///< of its PostUserInfo, whatever its posts say
    PostPace posts;
    std::uint64_t connection = 0;                       ///< its number among all since the start, from 1
    std::vector<std::string> groups;                    ///< of the user, as the login check said
    std::optional<std::uint32_t> maxMounts;             ///< likewise; 0 = no limit, absent = the settings'
    reactor::ItemMap<std::int32_t, MountPlace> mounts;  ///< by the client's stream id
    /// Mounts of all connections of its user that are logged in (client::Users), which MountsOf counts; null: it counts
    /// for no user.
    std::size_t* userMounts = nullptr;
    std::size_t keyBytes = 0;                              ///< of its items' keys and of its views
    reactor::ItemMap<std::uint16_t, std::uint32_t> views;  ///< number of mounts with each view (ViewTable)
    /// In order: services that it is a warm standby for (ConsumerStatus), and gets no updates of (hub.md 2.2).
    std::vector<std::uint16_t> standbyServices;
    /// By stream: what a mount that has another view was asked for with, 0 being all fields; its login may have less.
    reactor::ItemMap<std::int32_t, std::uint16_t> viewsAsked;

    [[nodiscard]] bool sees(std::string_view service) const noexcept {
        return services == nullptr || std::ranges::binary_search(*services, service);
    }

    [[nodiscard]] bool standsBy(std::uint16_t service) const noexcept {
        return onStandby || (standsBySome && std::ranges::binary_search(standbyServices, service));
    }

    OwnedBy<std::uint64_t, fanout::FanOut> sent;        ///< messages
    OwnedBy<std::uint32_t, relay::Intake> front, slot;  ///< the thread that serves the connection, its number there
    std::shared_ptr<ServingSide> session;               ///< null before the room that serves the connection has made it
};

/// Clients by number. Numbers of clients that are gone are used again; nothing of the hub keeps one beyond the
/// client's mounts.
class ClientTable {
public:
    /// `sink`: it is no connection. Throws std::bad_alloc.
    Client& add(Sink* sink = nullptr) {
        std::uint32_t index = 0;
        if (free_.empty()) {
            index = static_cast<std::uint32_t>(clients_.size());
            free_.reserve(clients_.size() + 1);
            clients_.push_back(std::make_unique<Client>());
        } else {
            index = free_.back();
            clients_[index] = std::make_unique<Client>();
            free_.pop_back();
        }
        clients_[index]->index = index;
        clients_[index]->sink = sink;
        if (sink == nullptr) ++count_;
        return *clients_[index];
    }
    /// It has no mounts any more.
    void remove(Client& client) noexcept {
        const std::uint32_t index = client.index;
        if (client.sink == nullptr) --count_;
        clients_[index].reset();
        free_.push_back(index);  // add() made room
    }
    /// Of a number that a mount has.
    [[nodiscard]] Client& operator[](std::uint32_t index) noexcept { return *clients_[index]; }
    /// Null when no client has that number.
    [[nodiscard]] Client* find(std::uint32_t index) noexcept {
        return index < clients_.size() ? clients_[index].get() : nullptr;
    }
    [[nodiscard]] std::size_t size() const noexcept { return count_; }  ///< connections
    [[nodiscard]] std::uint32_t end() const noexcept { return static_cast<std::uint32_t>(clients_.size()); }

private:
    std::vector<std::unique_ptr<Client>> clients_;
    std::vector<std::uint32_t> free_;
    std::size_t count_ = 0;
};

}  // namespace emissary::hub

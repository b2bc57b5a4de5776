// The base of all parts of the client room.
#pragma once

#include "hub/client/ClientOptions.h"
#include "hub/client/ClientSession.h"
#include "hub/client/LoginViews.h"
#include "hub/client/RecentEnds.h"
#include "hub/client/Users.h"
#include "hub/core/ClientOutput.h"
#include "hub/core/ViewTable.h"
#include "hub/core/carried_service.h"
#include "hub/flow/ItemFlow.h"
#include "hub/post/PostRouter.h"
#include "reactor/LimitedLines.h"

#include <functional>
#include <string>

namespace emissary::hub::client {

class ConnectionMaker;

/// Borrowed; all of it outlives the consumer port.
struct Rooms {
    reactor::Reactor& reactor;
    ClientTable& clients;
    ItemTable& items;
    Mounts& mounts;
    ServiceTable& services;
    ClientOutput& out;
    ViewTable& views;
    flow::ItemFlow& flow;
    post::PostRouter& posts;
    ConnectionMaker* elsewhere = nullptr;  ///< makes connections that other threads serve; null: there are none
};

/// Made first and destroyed last of the room.
struct Context {
    Context(const Rooms& r, ClientOptions o) : rooms(r), options(std::move(o)) {}

    /// In a time with many lines, for some only.
    void tell(Severity severity, const std::string& line) {
        if (!options.log || !lines_.pass()) return;
        const std::uint64_t left = lines_.takeLeftOut();
        options.log(severity,
                    left == 0 ? line
                              : line + (left == 1 ? " (1 line before it was left out)"
                                                  : " (" + std::to_string(left) + " lines before it were left out)"));
    }
    /// Something that peers can cause as often as they like: a line now and then, the others are counted in it.
    void log(const std::string& line) { tell(Severity::warning, line); }
    /// The same for what is ordinary.
    void note(const std::string& line) { tell(Severity::success, line); }

    /// Into the audit log, where there is one. The fields are only looked at then.
    template <class Fields>
    void audit(AuditEvent::Kind kind, const Client& client, Fields&& fields) {
        if (options.audit == nullptr) return;
        AuditEvent event;
        event.kind = kind;
        event.client = &client;
        fields(event);
        options.audit->audit(event);
    }

    Rooms rooms;
    ClientOptions options;
    AllCounts counts;
    RecentEnds ends;
    Users users;
    LoginViews loginViews;
    const reactor::rdm::Directory* told = nullptr;  ///< services as clients see them; set once it is there
    /// Called after a new service was announced to clients; set once.
    std::function<void(const Service&)> serviceCame;
    /// Called after the end of a service was announced to clients; set once.
    std::function<void(std::uint16_t service)> serviceGone;
    /// Called when what a client that is logged in may have is another thing than before; set once.
    std::function<void()> rightsChanged;
    bool draining = false;  ///< nothing new is taken
    bool collides = false;  ///< ClientSession::Held::collides of the message that is dealt with

private:
    reactor::LimitedLines lines_{rooms.reactor, [this](std::uint64_t left) {
                                     if (options.log)
                                         options.log(Severity::warning,
                                                     std::to_string(left) + " lines on clients were left out");
                                 }};
};

/// The service for a request or post that names none: DefaultService of the client's listener, else of the hub, else
/// the only service. Null if none of these exists.
[[nodiscard]] Service* defaultService(Context& context, const Client& client) noexcept;

/// There is none, and one may come: the DefaultService is not there yet, or no service at all.
[[nodiscard]] bool lacksDefault(Context& context, const Client& client) noexcept;

/// "user 'dana' at 10.9.8.7/net on listener 'consumers'", for lines of the log.
[[nodiscard]] std::string nameOf(const Client& client);

}  // namespace emissary::hub::client

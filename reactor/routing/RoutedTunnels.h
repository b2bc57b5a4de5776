// reactor/routing: the tunnel streams of a router: each belongs to one session, and ends with it.
#pragma once

#include "routing/MergedDirectory.h"
#include "routing/SessionTable.h"
#include "session/RequestTable.h"

#include <map>
#include <vector>

namespace emissary::reactor::routing {

using session::Request;
using session::RequestTable;

/// Session lock held throughout.
class RoutedTunnels {
public:
    RoutedTunnels(consumer::ConsumerSink& sink, RequestTable& requests, const SessionTable& sessions,
                  const MergedDirectory& merged) noexcept
        : sink_(sink), requests_(requests), sessions_(sessions), merged_(merged) {}

    /// At the first session, in order, that is ready and has the service up, or else the first that has it.
    Handle open(const tunnel::TunnelRequest& request, const Subscriber& subscriber, Refusal& refusal);
    Handle openInside(Handle tunnel, const RequestView& request, const Subscriber& subscriber, Refusal& refusal);

    /// The handle is that of a tunnel, or of a stream inside one.
    [[nodiscard]] bool has(Handle handle) const noexcept { return byHandle_.contains(handle); }
    // Of handles that it has.
    [[nodiscard]] Refusal reissue(Handle handle, const RequestView& request);
    [[nodiscard]] Refusal submit(Handle handle, const eta::codec::Msg& msg);
    void close(Handle handle);

    /// A session has a message for what was registered with Session::tunnelClient.
    void onMessage(Session& s, const eta::codec::Msg& msg, const Recipient& to, std::string_view serviceName);

private:
    /// A tunnel or a stream inside one.
    struct Routed {
        Handle handle = 0, inner = 0;  ///< towards the application, at the session
        Handle tunnel = 0;             ///< the application's, of the tunnel around it
        Session* session = nullptr;
        std::uint16_t service = 0, ownService = 0;  ///< its id towards the application, at the session
        std::vector<Handle> inside;                 ///< of a tunnel
    };
    struct Target {
        Session* session = nullptr;
        const MergedService* service = nullptr;
        std::uint16_t id = 0;  ///< at the session
    };
    [[nodiscard]] Target choose(const tunnel::TunnelRequest& request) const;
    [[nodiscard]] Routed& add(Request::Kind kind, const Subscriber& subscriber);
    /// With what is inside.
    void remove(Handle handle);
    void release(Handle handle);
    static void toSession(eta::codec::Msg& msg, const Routed& r) noexcept;

    consumer::ConsumerSink& sink_;
    RequestTable& requests_;
    const SessionTable& sessions_;
    const MergedDirectory& merged_;
    std::map<Handle, Routed> byHandle_;  // their addresses are what sessions know them by
};

}  // namespace emissary::reactor::routing

// reactor/consumer: routes calls of the application to the parts of a consumer.
#pragma once

#include "consumer/LocalDictionary.h"
#include "consumer/Tunnels.h"
#include "consumer/WarmStandby.h"
#include "session/DirectoryStream.h"
#include "session/LoginStream.h"
#include "watchlist/Watchlist.h"

#include <string_view>

namespace emissary::reactor::consumer {

/// Requests by their domain, everything else by the kind of request that the handle stands for: login, directory,
/// dictionaries from files, items, tunnels. What does not fit a kind is refused with a word on why. Session lock held.
class ConsumerCalls {
public:
    /// All belong to the role.
    struct Parts {
        RequestTable& requests;
        Sender& sender;
        session::LoginStream& login;
        session::DirectoryStream& directory;
        Watchlist& watchlist;
        LocalDictionary& local;
        Tunnels& tunnels;
        WarmStandby& standby;
    };
    explicit ConsumerCalls(const Parts& parts) noexcept : to_(parts) {}

    [[nodiscard]] Handle open(const RequestView& request, const Subscriber& subscriber, Refusal& refusal);
    /// A stream inside a tunnel.
    [[nodiscard]] Handle openInside(Handle tunnel, const RequestView& request, const Subscriber& subscriber,
                                    Refusal& refusal);
    [[nodiscard]] Refusal reissue(Handle handle, const RequestView& request);
    [[nodiscard]] Refusal close(Handle handle);
    [[nodiscard]] Refusal submitGeneric(Handle handle, const eta::codec::Msg& msg);
    [[nodiscard]] Refusal submitPost(Handle handle, const eta::codec::Msg& msg, std::string_view serviceName);

private:
    Parts to_;
};

}  // namespace emissary::reactor::consumer

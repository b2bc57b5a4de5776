// Messages of the application on their way out.
#pragma once

#include "routing/Item.h"
#include "routing/MergedDirectory.h"
#include "routing/SessionTable.h"

namespace emissary::reactor::routing {

class ItemMessages {
public:
    ItemMessages(const SessionTable& sessions, const MergedDirectory& merged) noexcept
        : sessions_(sessions), merged_(merged) {}

    [[nodiscard]] Refusal submitGeneric(Item& item, const eta::codec::Msg& msg);
    [[nodiscard]] Refusal submitPost(Item& item, const eta::codec::Msg& msg, std::string_view serviceName);
    /// To the first session that is ready and has the service up; one that lacks it says what is wrong.
    [[nodiscard]] Refusal submitOffStream(const eta::codec::Msg& msg, std::string_view serviceName);
    /// A generic message on the login (or the directory) goes to every session.
    [[nodiscard]] Refusal submitToAll(bool onLogin, const eta::codec::Msg& msg);

private:
    /// The service id of the application's world becomes the session's.
    [[nodiscard]] Refusal toSession(eta::codec::Msg& msg, const Session& s) const;

    const SessionTable& sessions_;
    const MergedDirectory& merged_;
};

}  // namespace emissary::reactor::routing

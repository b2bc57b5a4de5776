// How many requests a second one client may make (hub.md 11.2).
#pragma once

#include "hub/client/ItemMessages.h"

namespace emissary::hub::client {

/// What comes above the limit waits here with all that follows it, at most ten times what a second may have and 16 MiB;
/// more ends the connection.
class RequestRate {
public:
    RequestRate(Context& context, ItemMessages& items) noexcept : context_(context), items_(items) {}
    ~RequestRate();
    RequestRate(const RequestRate&) = delete;
    RequestRate& operator=(const RequestRate&) = delete;

    /// Hands the message on, or lets it wait. False: see ItemMessages::onMessage().
    bool onMessage(Client& client, const Msg& message);

private:
    /// One request more may pass now.
    [[nodiscard]] bool pass(ClientSession& session);
    void hold(Client& client, const Msg& message);
    void release();
    void release(Client& client);

    static constexpr std::size_t kMostBytes = 16u << 20;

    Context& context_;
    ItemMessages& items_;
    reactor::TimerId timer_ = 0;
};

}  // namespace emissary::hub::client

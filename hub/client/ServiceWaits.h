// Requests for items whose service is not there yet (hub.md 5.1).
#pragma once

#include "hub/client/Admission.h"
#include "hub/client/Replies.h"
#include "hub/client/request_payload.h"
#include "reactor/GrowingBuffer.h"

#include <functional>
#include <memory>
#include <vector>

namespace emissary::hub::client {

/// A copy of each is kept (ClientSession::waits), within the limits of its client, and dealt with anew when services
/// have come: a slice in a turn, in the order of the stream ids.
class ServiceWaits {
public:
    /// Deals with a request anew; `view` as in ItemStreams::open().
    using Again =
        std::function<void(Client&, const Msg&, const RequestPayload&, const PayloadError&, std::uint16_t view)>;

    ServiceWaits(Context& context, Replies& replies, Again again)
        : context_(context), replies_(replies), again_(std::move(again)) {}
    ServiceWaits(const ServiceWaits&) = delete;
    ServiceWaits& operator=(const ServiceWaits&) = delete;

    /// The request waits, and its client is told Open/Suspect; or (false) the client has too much, and is told that.
    /// `view`: the number of its view where a batch has one, else 0.
    bool keep(Client& client, const Msg& request, std::int32_t stream, std::uint16_t view);
    /// The stream is over. False: no request waits on it.
    bool drop(Client& client, std::int32_t stream) noexcept;
    /// All of the client's are over.
    void forget(Client& client) noexcept;
    /// There is a service more.
    void serviceCame();

private:
    using Wait = ClientSession::Wait;
    [[nodiscard]] Wait takeOut(Client& client, std::int32_t stream) noexcept;
    void deal(Client& client, std::int32_t stream);
    void dealWithSome();

    Context& context_;
    Replies& replies_;
    const Again again_;
    std::vector<std::uint32_t> clients_;  // with requests that wait
    bool posted_ = false;
    reactor::GrowingBuffer buffer_;
    std::shared_ptr<char> alive_ = std::make_shared<char>();
};

}  // namespace emissary::hub::client

// Requests for items whose service is not there yet (hub.md 5.1).
#pragma once

#include "hub/client/Admission.h"
#include "hub/client/Replies.h"
#include "reactor/GrowingBuffer.h"
#include "reactor/rdm/request_payload.h"

#include <compare>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace emissary::hub::client {

/// A copy of each is kept (ClientSession::waits), within the limits of its client, and dealt with anew when its service
/// has come: a slice in a turn, a client's in the order of the stream ids. One whose service does not come in time
/// (ClientOptions::serviceWait) is refused. Stage thread only.
class ServiceWaits {
public:
    /// Deals with a request anew; `view` as in ItemStreams::open().
    using Again =
        std::function<void(Client&, const Msg&, const RequestPayload&, const PayloadError&, std::uint16_t view)>;

    ServiceWaits(Context& context, Replies& replies, Again again)
        : context_(context), replies_(replies), again_(std::move(again)) {}
    ~ServiceWaits() { context_.rooms.reactor.cancelTimer(timer_); }
    ServiceWaits(const ServiceWaits&) = delete;
    ServiceWaits& operator=(const ServiceWaits&) = delete;

    /// The request waits, and its client gets Open/Suspect. False: it has too many, and gets that status.
    /// `view`: the number of its view where a batch has one, else 0.
    bool keep(Client& client, const Msg& request, std::int32_t stream, std::uint16_t view);
    /// The stream is over. False: no request waits on it.
    bool drop(Client& client, std::int32_t stream) noexcept;
    /// All of the client's are over.
    void forget(Client& client) noexcept;
    /// There is a service more.
    void serviceCame(const Service& service);
    /// Another default service than `was` holds for clients of a listener: what waits for that one is looked at anew.
    void defaultChanged(const std::string& was);
    /// A request that has waited is on its way through `again`.
    [[nodiscard]] bool dealing() const noexcept { return dealing_; }

private:
    using Wait = ClientSession::Wait;
    struct Place {
        std::uint32_t client = 0;
        std::int32_t stream = 0;
        auto operator<=>(const Place&) const = default;
    };
    /// What waits for this service is dealt with: all behind `last`.
    struct Arrival {
        std::string service;
        std::string name;  ///< of what came; empty: several, or another default
        std::optional<Place> last;
    };
    using Due = std::pair<reactor::TimePoint, std::uint64_t>;  // and Wait::number
    /// What the request waits for (Wait::service).
    [[nodiscard]] static std::string serviceOf(const Client& client, const Msg& request);
    [[nodiscard]] Wait takeOut(Client& client, std::int32_t stream) noexcept;
    [[nodiscard]] static std::size_t costOf(const Wait& wait) noexcept;
    /// The client of a place, while a request waits there.
    [[nodiscard]] Client* clientAt(Place place) noexcept;
    void again(const std::string& service, const std::string& name = {});
    void goOn();
    void dealWithSome();
    void deal(Client& client, std::int32_t stream);
    void arm();
    void endSome();

    Context& context_;
    Replies& replies_;
    const Again again_;
    bool dealing_ = false;
    std::map<std::string, std::set<Place>, std::less<>> byService_;  // by Wait::service; no set is empty
    std::deque<Arrival> came_;
    std::map<Due, Place> due_;
    std::uint64_t number_ = 0;
    reactor::TimerId timer_ = 0;
    reactor::TimePoint timerAt_{};
    bool posted_ = false;
    reactor::GrowingBuffer buffer_;
    std::shared_ptr<char> alive_ = std::make_shared<char>();
};

}  // namespace emissary::hub::client

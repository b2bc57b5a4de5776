// Item requests whose check is not answered yet.
#pragma once

#include "hub/client/Admission.h"
#include "hub/client/Replies.h"
#include "hub/client/RequestCheck.h"
#include "reactor/GrowingBuffer.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>

namespace emissary::hub::client {

/// A copy of each is kept (ClientSession::checks), within the limits of its client and of the hub, and dealt with anew
/// when it is granted. Tickets that nobody waits for are given back (RequestCheck::cancel). Verdicts cost work of the
/// turn: those beyond its budget wait for the next one, in order. Stage thread only.
class OpenChecks final : RequestVerdicts {
public:
    /// Deals with a request that is granted; `view` as in ItemStreams::open().
    using Again =
        std::function<void(Client&, const Msg&, const RequestPayload&, const PayloadError&, std::uint16_t view)>;

    OpenChecks(Context& context, Replies& replies, Again again)
        : context_(context), replies_(replies), again_(std::move(again)) {}
    ~OpenChecks();
    OpenChecks(const OpenChecks&) = delete;
    OpenChecks& operator=(const OpenChecks&) = delete;

    /// What becomes of a request that passed all other checks.
    enum class Now : std::uint8_t {
        granted,
        refused,  ///< the client has the refusal
        waits,    ///< it is dealt with anew once it is granted
    };
    /// `view`: the number of its view where a batch has one, else 0. `early`: it came before its service was up.
    [[nodiscard]] Now ask(Client& client, const Service& service, const Msg& request, std::int32_t stream,
                          std::uint16_t view, bool early);
    /// A request that came before its service was up is on its way through `again`.
    [[nodiscard]] bool early() const noexcept { return early_; }
    /// The stream is over. False: no request waits on it.
    bool drop(Client& client, std::int32_t stream) noexcept;
    /// All of the client's are over.
    void forget(Client& client) noexcept;

    /// Requests that wait, of all clients.
    [[nodiscard]] std::size_t size() const noexcept { return open_.size() + answered_.size(); }

private:
    using Check = ClientSession::Check;
    struct Open {
        std::uint32_t client = 0;
        std::int32_t stream = 0;
        reactor::TimePoint until;
    };
    struct Answered {
        Open of;
        std::uint64_t ticket = 0;
        RequestVerdict verdict;
    };
    void onVerdict(std::uint64_t ticket, RequestVerdict verdict) override;
    [[nodiscard]] Now keep(Client& client, const Msg& request, std::int32_t stream, const Check& check);
    [[nodiscard]] Now refuse(Client& client, const Msg& request, std::int32_t stream, Reason reason,
                             std::string_view why);
    [[nodiscard]] Now refuse(Client& client, const Msg& request, std::int32_t stream, const RequestVerdict& verdict);
    [[nodiscard]] Check takeOut(Client& client, std::int32_t stream) noexcept;
    [[nodiscard]] static std::size_t costOf(const Check& check) noexcept;
    void deal(const Answered& answer);
    void goOn();
    void dealWithSome();
    void arm();
    void endSome();

    Context& context_;
    Replies& replies_;
    const Again again_;
    bool granting_ = false;  // a request that was granted is on its way through `again`
    bool early_ = false;
    std::uint64_t lastTicket_ = 0;
    std::map<std::uint64_t, Open> open_;  // by ticket, and so by time
    std::deque<Answered> answered_;       // those that the turn had no work left for
    reactor::TimerId timer_ = 0;
    bool posted_ = false;
    reactor::GrowingBuffer buffer_;
    std::shared_ptr<char> alive_ = std::make_shared<char>();
};

}  // namespace emissary::hub::client

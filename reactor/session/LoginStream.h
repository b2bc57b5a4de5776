// The login stream: request, cached refresh, everyone who listens to it (session.md sections 3, 4.8; rdm.md 2).
#pragma once

#include "reactor/session/LoginOptions.h"
#include "session/AnswerTimer.h"
#include "session/RequestTable.h"
#include "session/Sender.h"

#include <vector>

namespace emissary::reactor::session {

/// Session lock held throughout.
class LoginStream {
public:
    enum class Outcome : std::uint8_t { none, accepted, refused, closed, closedRecover, undecodable };

    LoginStream(Reactor& reactor, Sender& sender, RequestTable& requests, ClientSink& sink, const LoginOptions& options,
                std::chrono::milliseconds timeout);
    ~LoginStream();
    LoginStream(const LoginStream&) = delete;
    LoginStream& operator=(const LoginStream&) = delete;

    [[nodiscard]] bool open() const noexcept { return open_; }
    [[nodiscard]] bool singleOpen() const noexcept { return wanted_.wantsSingleOpen(); }
    [[nodiscard]] bool allowSuspectData() const noexcept { return wanted_.allowsSuspectData(); }
    /// What the provider said in its last refresh.
    [[nodiscard]] const rdm::LoginAttributes& provider() const noexcept { return provider_; }

    void request();  ///< on a fresh connection; made again when `timeout` (0 = none) passes without an answer
    [[nodiscard]] Outcome onMessage(eta::codec::Msg& msg);
    /// "login refused by the provider: stream state 4, status code 3, 'no'"; of the message that ended the stream.
    [[nodiscard]] static std::string describeEnd(Outcome outcome, const eta::codec::Msg& msg, const char* peer);
    void connectionLost() noexcept;
    /// Login clients hear "channel up" right before the refresh of the next login, once.
    void sayUpBeforeLogin() noexcept { sayUp_ = true; }
    /// No more connections: clients that come from now on hear a closed status with this text.
    void closeForGood(std::string_view text);
    void sendClose();
    /// The request as it is sent; borrows this object.
    void make(eta::codec::Msg& msg, const LoginOptions* account = nullptr) const;
    /// Logs in as somebody else from the next request on: the channel's account says who. Null changes nothing.
    void use(const LoginOptions* account);
    /// The same, and sends it to the provider: at once, or when the login that is under way has been accepted. The
    /// application gets no callback for it (credentials.md 6.1).
    void renew(const LoginOptions& account);
    /// Another server of a warm-standby group goes on; the application keeps the refresh it has.
    void takeOver(rdm::LoginAttributes provider) { provider_ = std::move(provider); }

    Handle add(const Subscriber& subscriber);
    void remove(Request& r);
    [[nodiscard]] Refusal reissue(const RequestView& request);
    [[nodiscard]] bool paused() const noexcept { return paused_; }
    /// A status made here, to every login client.
    void tell(std::uint8_t stream, std::uint8_t data, std::uint8_t code, std::string_view text);
    /// Any message, to every login client; `serviceName`: of the service that its key names, where it does.
    void fanOut(eta::codec::Msg& msg, std::string_view serviceName = {});

private:
    void set(const LoginOptions& login);
    [[nodiscard]] Refusal take(std::string_view name, const rdm::LoginAttributes& given);
    [[nodiscard]] eta::codec::Msg status(std::uint8_t stream, std::uint8_t data, std::uint8_t code,
                                         std::string_view text) const;
    void send(std::uint16_t extraFlags);
    [[nodiscard]] bool store(const eta::codec::Msg& msg);
    void answerRtt(const eta::codec::Msg& msg);
    void timedOut();

    OwnCalls calls_;
    Sender& sender_;
    RequestTable& requests_;
    ClientSink& sink_;
    std::string userName_;
    std::uint8_t userNameType_;
    std::vector<std::byte> attributes_;
    const bool enableRtt_, recoversFirst_;
    const std::chrono::milliseconds timeout_;
    rdm::LoginAttributes wanted_, provider_;
    std::vector<Handle> clients_;
    GrowingBuffer rewritten_, encoded_;
    std::vector<std::byte> cached_;  // the last refresh, or the end, as the application sees it; empty = none
    AnswerTimer timer_;
    bool open_ = false, everOpen_ = false, paused_ = false, sayUp_ = false;
    bool ofAccount_ = false;  // name and name type are not the application's
    bool renewDue_ = false;   // the request that waits for its answer has an older token
};

}  // namespace emissary::reactor::session

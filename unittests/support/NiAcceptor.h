// The server that non-interactive providers connect to in tests: takes their logins, keeps a line for everything that
// they publish, and sends them posts, generic messages, statuses and closes when told to.
#pragma once

#include "reactor/acceptor/AcceptorRole.h"
#include "support/until.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace emissary::test {

/// Runs on a thread of its own, or in the caller's (manual): then turn() does everything. All members but turn() may be
/// called from any thread.
class NiAcceptor final : public reactor::acceptor::AcceptorHandler {
public:
    enum class Run : std::uint8_t { thread, manual };
    struct Options {
        std::string port = "0";
        std::string fieldFile, enumFile;      ///< dictionaries to serve; empty = none
        std::string certificate, privateKey;  ///< PEM files; given: RSSL_ENCRYPTED
        /// Given: hears a multicast group instead of listening on the port.
        std::optional<eta::transport::ConnectOptions> group;
        bool refuseLogins = false;
        std::size_t keptLines = 10000;                   ///< further lines are counted only
        std::uint32_t pingTimeoutSeconds = 60;           ///< offered to publishers
        std::function<void(const std::string&)> onLine;  ///< called with every line, on the dispatching thread
    };
    /// Throws std::runtime_error when it cannot listen or load.
    explicit NiAcceptor(Run run) : NiAcceptor(run, Options()) {}
    NiAcceptor(Run run, Options options);
    ~NiAcceptor() override;

    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
    void turn(std::chrono::microseconds wait);
    void wake() noexcept { loop_->wake(); }  ///< ends a turn's wait; async-signal-safe

    // --- what came
    struct Totals {
        std::uint64_t logins = 0, directories = 0, refreshes = 0, updates = 0, statuses = 0, generics = 0, ignored = 0;
        std::uint64_t connects = 0, losses = 0;
    };
    [[nodiscard]] Totals totals() const;
    /// One for each message, in order:
    ///   LOGIN user role 1 app 256 position 10.0.0.1/net
    ///   DIR RFSH 0 0x148 filter 3: 1 DIRECT_FEED up
    ///   RFSH -1 d6 0x48 svc 1 TRI.N Open/Ok/0 fids 22 25
    ///   UPD -1 d6 0x0 TRI.N fids 22
    ///   IGNORED why        UP address        DOWN reason
    [[nodiscard]] std::vector<std::string> lines() const;
    void forgetLines();
    /// Waits (not manual: in the caller's thread) until the condition on totals and lines holds; false when it does not
    /// in time.
    [[nodiscard]] bool waitFor(const std::function<bool(const Totals&, const std::vector<std::string>&)>& condition,
                               std::chrono::milliseconds patience = kPatience);
    [[nodiscard]] bool waitForLine(const std::string& start);  ///< a line that starts like this
    [[nodiscard]] std::size_t streams();                       ///< open streams of all publishers

    // --- what is sent: to every publisher that has the item open; the number of those
    /// `fields`: the bytes of a field list; none: a post without a payload.
    std::size_t post(const std::string& item, std::uint32_t postId, std::string_view fields = {});
    std::size_t generic(const std::string& item);
    std::size_t status(const std::string& item, const eta::codec::State& state);
    std::size_t closeItem(const std::string& item);
    /// Exactly this, to every publisher.
    std::size_t send(const eta::codec::Msg& msg);

    // --- faults
    void refuseLogins(bool refuse, std::uint8_t streamState = eta::codec::StreamState::closed);
    void closeLogins(const eta::codec::State& state);
    void disconnectAll();
    void stopListening();
    void listenAgain();  ///< on the same port

private:
    void onPublisherUp(std::uint64_t publisher, const eta::transport::ChannelInfo& info) override;
    void onPublisherDown(std::uint64_t publisher, const std::string& reason) override;
    reactor::acceptor::LoginAnswer onLogin(std::uint64_t publisher, const eta::codec::Msg& request,
                                           const reactor::rdm::LoginAttributes& attributes,
                                           reactor::rdm::OwnedState& refusal) override;
    void onDirectory(std::uint64_t publisher, const reactor::rdm::Directory& directory,
                     const eta::codec::Msg& msg) override;
    void onItem(std::uint64_t publisher, const reactor::acceptor::PublishedStream& stream,
                const eta::codec::Msg& msg) override;
    void onIgnored(std::uint64_t publisher, const std::string& why) override;

    void line(std::string text);
    [[nodiscard]] bool wantsLine() const noexcept { return onLine_ || kept_ < keptLines_; }
    void count(std::uint64_t Totals::*what);
    std::size_t toItem(const std::string& item, eta::codec::Msg& msg);

    std::size_t keptLines_;
    std::function<void(const std::string&)> onLine_;
    std::unique_ptr<reactor::Reactor> loop_;
    std::unique_ptr<reactor::acceptor::AcceptorRole> role_;
    std::uint16_t port_ = 0;
    std::uint8_t refusalState_ = eta::codec::StreamState::closed;         // session lock
    bool refuse_;                                                         // session lock
    std::map<std::pair<std::uint64_t, std::string>, std::int32_t> open_;  // item of a publisher -> stream; session lock
    std::size_t kept_ = 0;                                                // dispatching thread
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    Totals totals_;                   // guarded by mutex_
    std::vector<std::string> lines_;  // guarded by mutex_
    std::atomic<bool> stopping_{false};
    std::thread thread_;
};

}  // namespace emissary::test

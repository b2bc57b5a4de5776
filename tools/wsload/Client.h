// tools/wsload: one virtual client: connects, logs in, asks for its items, and measures what comes.
#pragma once

#include "Items.h"
#include "Scanner.h"
#include "Tally.h"

#include "eta/transport/Channel.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace emissary::wsload {

struct Json;

/// What all clients of a run share; constant while they run.
struct Setup {
    const Options& options;
    const Items& items;
    std::shared_ptr<const eta::transport::Route> route, slowRoute;
    std::string target;               ///< "host:port", for people
    std::chrono::microseconds limit;  ///< -maxLatency
};

/// What the clients of one thread share.
struct ThreadState {
    const Setup& setup;
    Tally& tally;
    Interval live;  ///< since the last line
    Phase phase = Phase::connecting;
    std::minstd_rand random;
    std::uint64_t updates = 0;  ///< for -verify
    eta::TimePoint measuredFrom{};
};

/// One stream of a client.
struct Stream {
    static constexpr std::size_t kBidBytes = 14;
    std::uint64_t sequence = 0;
    eta::TimePoint staleSince{};  ///< zero: not stale
    std::uint32_t item = 0;
    bool image = false, closed = false;
    std::uint8_t bidSize = 0;
    std::array<char, kBidBytes> bidText{};
    [[nodiscard]] std::string_view bid() const { return {bidText.data(), bidSize}; }
};

/// What one client has measured.
struct ClientFigures {
    std::uint64_t messages = 0, most = 0, gaps = 0, duplicates = 0, conflated = 0;
    double sum = 0;  ///< us
    eta::TimePoint mostAt{};
    std::uint32_t mostItem = 0;
    unsigned losses = 0;
};

/// Thread: that of its loader.
class Client {
public:
    /// What the loader has to do next for it.
    enum class Next : std::uint8_t {
        wait,      ///< until the descriptor is ready
        again,     ///< more is buffered
        pause,     ///< a slow one: not before pausedUntil()
        comeBack,  ///< connect again after pauseBeforeReturn()
        askAgain,  ///< for closed items, after pauseBeforeReturn()
        nothing,   ///< it has ended
    };
    Client(ThreadState& thread, unsigned number, Group group);

    [[nodiscard]] Next connect(eta::TimePoint now);
    [[nodiscard]] Next serve(eta::TimePoint now);
    /// Asks again for what was closed.
    [[nodiscard]] Next askAgain();
    /// Ends the connection itself: with a close, or by a reset of TCP.
    void leave(bool reset, eta::TimePoint now);
    /// Posts to the next of its items, with an acknowledgement asked for.
    void post(eta::TimePoint now);
    /// Looks at the deadlines: whether the server has fallen silent. `trim`: also gives memory back (once a second).
    [[nodiscard]] Next look(eta::TimePoint now, bool trim);
    /// Counts what is stale up to now.
    void end(eta::TimePoint now);
    void notSlowAnyMore() { slow_ = false; }

    [[nodiscard]] int fd() const { return channel_ ? channel_->fd() : -1; }
    [[nodiscard]] bool wantsWrite() const { return channel_ && channel_->wantsWrite(); }
    [[nodiscard]] bool open() const { return images_ == streams_.size(); }
    [[nodiscard]] eta::TimePoint pausedUntil() const { return pausedUntil_; }
    [[nodiscard]] std::chrono::milliseconds pauseBeforeReturn();
    [[nodiscard]] unsigned number() const { return number_; }
    [[nodiscard]] Group group() const { return group_; }
    [[nodiscard]] std::string user() const;
    [[nodiscard]] const std::vector<Stream>& streams() const { return streams_; }
    [[nodiscard]] const ClientFigures& figures() const { return figures_; }
    /// What it waits for, for people; empty: nothing.
    [[nodiscard]] std::string missing() const;

    // the loader's notes
    int watched = -1;            ///< descriptor that epoll has
    std::uint32_t interest = 0;  ///< events that epoll has
    bool listed = false;         ///< among those with more buffered

private:
    [[nodiscard]] Next readOn(eta::TimePoint now);
    [[nodiscard]] Next lost(const std::string& why, eta::TimePoint now);
    void forget(eta::TimePoint now);
    void send(const std::string& text);
    /// The stream of the login, whoever makes it.
    [[nodiscard]] std::int32_t loginId() const noexcept;
    void login();
    void ask();
    void take(std::string_view text, eta::TimePoint arrival);
    void update(const Seen& seen, eta::TimePoint arrival);
    void measure(Stream& stream, const Seen& seen, eta::TimePoint arrival);
    void verify(const Seen& seen);
    void other(const Seen& seen, eta::TimePoint now);
    void acknowledged(const Json& message, const Seen& seen);
    void loginAnswer(const Json& message, const Seen& seen);
    void image(Stream& stream, const Json& message, const Seen& seen, eta::TimePoint now);
    void status(Stream& stream, const Json& message, eta::TimePoint now);
    void stale(Stream& stream, bool is, eta::TimePoint now);
    void giveUp(std::string why);
    [[nodiscard]] Stream* streamOf(std::int32_t id);

    ThreadState& thread_;
    const unsigned number_;
    const Group group_;
    std::unique_ptr<eta::transport::Channel> channel_;
    std::vector<Stream> streams_;
    ClientFigures figures_;
    std::size_t images_ = 0;
    eta::TimePoint pausedUntil_{}, lostAt_{};
    std::uint64_t bytesSeen_ = 0;                   // of the connection, for -slow
    std::unordered_set<std::uint64_t> unanswered_;  // posts
    std::uint64_t posts_ = 0;                       // ids of them: 1 ..
    unsigned tries_ = 0;                            // since the last time it had all images
    bool slow_ = false, loggedIn_ = false, over_ = false, askAgain_ = false;
};

}  // namespace emissary::wsload

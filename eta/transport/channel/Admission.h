// Knows the connections of a listener, and decides which connection ends when it is full.
#pragma once

#include "eta/core/Clock.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>

namespace emissary::eta::transport {

/// Counts the connections of one listener, in all and by address, and makes room for a newcomer by ending the one that
/// has got least far. Connections live in several threads and may outlive their listener.
///
/// Connections that have sent nothing go first, the oldest one at once. A connection that has sent something, or
/// has not been settled since its handshake, may go once it had `grace` for it; a settled one stays. When no connection
/// can go, the newcomer is refused.
class Admission {
public:
    using TimePoint = eta::TimePoint;
    /// An address in IPv6 form; of IPv6 the network part alone, because one customer has 2^64 addresses.
    using Key = std::array<std::uint8_t, 16>;
    [[nodiscard]] static Key keyOf(Key address) noexcept;

    enum class Stage : std::uint8_t {
        silent,   ///< not a byte has come
        heard,    ///< in its handshake
        active,   ///< handshake done
        settled,  ///< its owner knows the user
    };
    struct Limits {
        std::uint32_t initializing = 1024, initializingPerAddress = 64;  ///< stages silent and heard
        std::uint32_t connections = 0, connectionsPerAddress = 0;        ///< all stages; 0 = no limit
        Duration grace = std::chrono::seconds(5);
    };
    class Place;

    explicit Admission(const Limits& limits) noexcept : limits_(limits) {}
    /// What is full of connections that stay.
    enum class Full : std::uint8_t { nothing, address, listener };
    enum class OfAddress : std::uint8_t { limited, unlimited };
    /// `fd` is shut down when the place is taken away; with -1 the place is never taken. `ofAddress`: unlimited for
    /// proxies, behind which are many clients.
    [[nodiscard]] static Full admit(const std::shared_ptr<Admission>& self, Place& place, const Key& key, int fd,
                                    TimePoint now, OfAddress ofAddress = OfAddress::limited);
    /// The process has run out of descriptors: a connection that may go gives up its own.
    void shed(TimePoint now) noexcept;
    [[nodiscard]] std::uint64_t evictions() const noexcept { return evictions_.load(std::memory_order_relaxed); }

private:
    static constexpr std::size_t kStages = 4;
    using List = std::list<Place*>;           // the oldest first
    using Group = std::array<List, kStages>;  // by stage
    using Addresses = std::map<Key, Group>;

    // All with the mutex held.
    [[nodiscard]] static std::size_t count(const Group& group, Stage last) noexcept;
    [[nodiscard]] bool makeRoom(Group& among, Stage last, TimePoint now) noexcept;
    [[nodiscard]] bool fits(Group& group, std::uint32_t initializing, std::uint32_t all, TimePoint now) noexcept;
    void evict(Place& place) noexcept;
    void move(Place& place, Stage stage) noexcept;
    void leave(Place& place) noexcept;
    void eraseIfEmpty(Addresses::iterator address) noexcept;

    const Limits limits_;
    std::mutex mutex_;
    Addresses addresses_;          // under mutex_
    Group all_;                    // under mutex_
    const Key* coming_ = nullptr;  // under mutex_: the newcomer's address stays while room is made
    std::atomic<std::uint64_t> evictions_{0};
};

/// A connection's place among the others, held until it is closed. Belongs to the connection's thread.
class Admission::Place {
public:
    Place() = default;
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    ~Place() { release(); }
    void advance(Stage stage) noexcept;  ///< a later stage; others are ignored
    /// It counts for another address from now on, that of a client behind a proxy. False: that address is full, and
    /// the place stays what it was. May throw std::bad_alloc, without any effect.
    [[nodiscard]] bool moveTo(const Key& key, TimePoint now);
    void release() noexcept;  ///< before the descriptor is given back
    [[nodiscard]] bool evicted() const noexcept { return evicted_.load(std::memory_order_acquire); }

private:
    friend class Admission;
    std::shared_ptr<Admission> admission_;  // the thread's own
    // Under the mutex.
    bool counted_ = false;
    int fd_ = -1;
    Stage stage_ = Stage::silent;
    TimePoint since_{};
    Addresses::iterator address_;
    List::iterator inAll_, inAddress_;

    std::atomic<bool> evicted_{false};
};

}  // namespace emissary::eta::transport

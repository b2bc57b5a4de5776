// Rings and the log behind them, without sockets.
#include "hub/relay/MessageLog.h"
#include "hub/relay/Wakeup.h"

#include "support/AllocationCounter.h"
#include "support/catch.hpp"

#include <cstring>
#include <thread>

#include <poll.h>

using namespace emissary;
using namespace emissary::hub::relay;

namespace {

struct Note {
    const std::byte* bytes = nullptr;
    std::uint32_t length = 0;
    std::uint64_t number = 0;
};

[[nodiscard]] bool readable(int fd) {
    pollfd p{fd, POLLIN, 0};
    return ::poll(&p, 1, 0) == 1;
}

[[nodiscard]] Note write(MessageLog& log, std::uint64_t number, std::size_t size) {
    const std::span<std::byte> room = log.room(size);
    std::memset(room.data(), static_cast<int>(number & 0xFF), size);
    const eta::Bytes kept = log.keep(size);
    return {kept.data(), static_cast<std::uint32_t>(kept.size()), number};
}

[[nodiscard]] bool intact(const Note& note) {
    for (std::uint32_t i = 0; i < note.length; ++i)
        if (note.bytes[i] != static_cast<std::byte>(note.number & 0xFF)) return false;
    return true;
}

}  // namespace

TEST_CASE("a segment is used again when every ring has been passed", "[hub][relay]") {
    Ring<Note> fast(1024), slow(1024);
    MessageLog log({&fast, &slow});
    const auto tell = [&](std::uint64_t number, std::size_t size) {
        const Note note = write(log, number, size);
        REQUIRE(fast.tryPush(note));
        REQUIRE(slow.tryPush(note));
        return note.bytes;
    };
    const std::byte* const first = tell(1, 600'000);
    tell(2, 600'000);
    CHECK(log.waiting() == MessageLog::kSegment);
    fast.take(2, [](const Note&) {});
    log.recycle();
    CHECK(log.waiting() == MessageLog::kSegment);  // the other one may still read it
    slow.take(1, [](const Note& note) { CHECK(intact(note)); });
    log.recycle();
    CHECK(log.waiting() == 0);
    CHECK(tell(3, 600'000) == first);
    const std::size_t used = log.bytes();
    fast.take(2, [](const Note&) {});
    slow.take(3, [](const Note& note) { CHECK(intact(note)); });
    log.trim();
    CHECK(log.bytes() < used);
}

TEST_CASE("a reader that stands still holds what it has not passed, and no later segment", "[hub][relay]") {
    Ring<Note> going(1024), standing(1024);
    MessageLog log({&going, &standing});
    REQUIRE(standing.tryPush(write(log, 1, 600'000)));
    std::size_t most = 0;
    for (std::uint64_t number = 2; number < 40; ++number) {
        REQUIRE(going.tryPush(write(log, number, 600'000)));
        going.take(1, [](const Note& note) { CHECK(intact(note)); });
        most = std::max(most, log.bytes());
    }
    CHECK(log.held(0) == 0);
    CHECK(log.held(1) == MessageLog::kSegment);
    CHECK(most <= 4 * MessageLog::kSegment);
    standing.take(1, [](const Note& note) { CHECK(intact(note)); });
    CHECK(log.held(1) == 0);
}

TEST_CASE("a message larger than a segment has one of its own, which is not kept", "[hub][relay]") {
    Ring<Note> ring(16);
    MessageLog log({&ring});
    REQUIRE(ring.tryPush(write(log, 7, 3 * MessageLog::kSegment)));
    REQUIRE(ring.tryPush(write(log, 8, 10)));
    CHECK(log.waiting() == 3 * MessageLog::kSegment);
    ring.take(2, [](const Note& note) { CHECK(intact(note)); });
    log.trim();
    CHECK(log.bytes() == MessageLog::kSegment);
}

TEST_CASE("a full ring refuses until its reader has made room", "[hub][relay]") {
    Ring<Note> ring(4);
    for (int i = 0; i < 4; ++i)
        REQUIRE(ring.tryPush({}));
    CHECK_FALSE(ring.tryPush({}));
    CHECK(ring.pushed() == 4);
    std::thread reader([&] { CHECK(ring.take(100, [](const Note&) {}) == 4); });
    while (ring.passed() == 0)
        std::this_thread::yield();
    reader.join();
    CHECK(ring.passed() == 4);
    CHECK(ring.tryPush({}));
}

TEST_CASE("two threads: everything arrives in order and whole, and nothing is allocated", "[hub][relay]") {
    constexpr std::uint64_t kNotes = 200'000;
    Ring<Note> ring(1024);
    MessageLog log({&ring});
    bool whole = true, inOrder = true;
    std::thread reader([&] {
        for (std::uint64_t next = 0; next < kNotes;)
            ring.take(64, [&](const Note& note) {
                inOrder = inOrder && note.number == next++;
                whole = whole && intact(note);
            });
    });
    std::uint64_t before = 0;
    for (std::uint64_t i = 0; i < kNotes; ++i) {
        if (i == kNotes / 2) before = test::allocationsOfThisThread();
        const Note note = write(log, i, 50 + i % 200);
        for (;;) {
            if (ring.tryPush(note)) break;
            std::this_thread::yield();
        }
    }
    CHECK(test::allocationsOfThisThread() == before);
    reader.join();
    CHECK(whole);
    CHECK(inOrder);
    CHECK(log.bytes() <= 4 * MessageLog::kSegment);
}

TEST_CASE("a wakeup is readable from the first ring to the look at it", "[hub][relay]") {
    Wakeup wakeup;
    CHECK_FALSE(readable(wakeup.fd()));
    wakeup.signal();
    wakeup.signal();
    CHECK(readable(wakeup.fd()));
    wakeup.clear();
    CHECK_FALSE(readable(wakeup.fd()));
    wakeup.signal();
    CHECK(readable(wakeup.fd()));
}

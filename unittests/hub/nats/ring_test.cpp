// The ring of frames between two threads: order, bounds, and its end.
#include "hub/nats/FrameRing.h"
#include "support/catch.hpp"

#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace emissary;
using hub::nats::FrameRing;

namespace {

std::vector<std::byte> frameOf(std::size_t size, unsigned what) {
    return std::vector<std::byte>(size, static_cast<std::byte>(what));
}

}  // namespace

TEST_CASE("A ring gives frames back in their order, whole, with their subjects", "[nats]") {
    FrameRing ring(1);
    std::mt19937 random(7);
    unsigned in = 0, out = 0;
    std::vector<std::size_t> sizes;
    std::size_t wrong = 0;
    for (int round = 0; round < 2000; ++round) {
        const std::size_t size = random() % 60000;
        if (ring.push("s." + std::to_string(in), frameOf(size, in & 255))) {
            sizes.push_back(size);
            ++in;
        }
        for (unsigned n = random() % 4; n > 0; --n)
            if (ring.pop([&](const char* subject, eta::Bytes frame) {
                    const bool same = subject == "s." + std::to_string(out) && frame.size() == sizes[out] &&
                                      (frame.empty() || (frame.front() == static_cast<std::byte>(out & 255) &&
                                                         frame.back() == static_cast<std::byte>(out & 255)));
                    wrong += same ? 0u : 1u;
                }))
                ++out;
    }
    CHECK(wrong == 0);
    CHECK(in > 500);
    while (ring.pop([](const char*, eta::Bytes) {}))
        ++out;
    CHECK(out == in);
    CHECK(ring.used() == 0);
}

TEST_CASE("A ring refuses what has no room, and takes it when there is some again", "[nats]") {
    FrameRing ring(FrameRing::kLeastBytes);
    CHECK_FALSE(ring.push("s", frameOf(FrameRing::kLeastBytes / 2, 0)));  // longer than half of it, with its head
    const auto frame = frameOf(FrameRing::kLeastBytes / 4 - 16, 1);       // four of them fill it to the last byte
    for (int i = 0; i < 4; ++i)
        REQUIRE(ring.push("subject", frame));
    CHECK(ring.used() == FrameRing::kLeastBytes);
    CHECK_FALSE(ring.push("s", {}));
    REQUIRE(ring.pop([](const char*, eta::Bytes) {}));
    CHECK(ring.push("s", {}));
    CHECK_FALSE(ring.push("subject", frame));
}

TEST_CASE("Writer and reader of a ring need no lock", "[nats]") {
    FrameRing ring(1);
    constexpr unsigned kFrames = 20000;
    std::thread writer([&] {
        for (unsigned i = 0; i < kFrames;) {
            const std::string text = std::to_string(i);
            if (ring.push("s", eta::asBytes(text))) ++i;
            else std::this_thread::yield();
        }
    });
    unsigned next = 0, wrong = 0;
    while (next < kFrames) {
        if (!ring.pop([&](const char*, eta::Bytes frame) { wrong += eta::asText(frame) != std::to_string(next); })) {
            std::this_thread::yield();
            continue;
        }
        ++next;
    }
    writer.join();
    CHECK(wrong == 0);
}

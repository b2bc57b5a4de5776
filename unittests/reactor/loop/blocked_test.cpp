// Many links that the kernel has pushed back: each goes on when its far end reads, in whatever order, and links that
// end meanwhile take nothing of the others with them.
#include "far_end.h"
#include "reactor/metrics/Snapshot.h"
#include "support/until.h"

#include <algorithm>
#include <array>

using namespace emissary;
using namespace std::chrono_literals;
using reactor::Link;
using reactor::Reactor;
using test::FarEnd;
using test::IdHandler;

namespace {

constexpr std::size_t kLinks = 40;

transport_test::Row smallBuffers() {
    transport_test::Row row = transport_test::row("tcp");
    row.bind.sysSendBufSize = row.bind.sysRecvBufSize = 4096;
    row.connect.sysSendBufSize = row.connect.sysRecvBufSize = 4096;
    row.bind.guaranteedOutputBuffers = 100;
    return row;
}

/// Links whose far ends the test reads.
struct Many {
    Many() {
        const transport_test::Row row = smallBuffers();
        for (std::size_t i = 0; i < kLinks; ++i)
            far.push_back(std::make_unique<FarEnd>(row));
        const std::lock_guard guard(loop.lock());
        for (const auto& f : far)
            links.push_back(loop.adopt(std::move(f->accepted), told));
    }
    ~Many() {
        const std::lock_guard guard(loop.lock());
        links.clear();
    }
    /// Queues messages of 4 KB until the link has no room for another one.
    void fill(std::size_t i) {
        test::ByteVector bytes = test::updateOf(1);
        bytes.resize(4096);
        const std::lock_guard guard(loop.lock());
        for (;;) {
            eta::storeBe(bytes.data() + 4, sent[i] + 1);
            if (!links[i]->send(eta::Bytes(bytes)).ok()) return;
            ++sent[i];
        }
    }
    /// The links that the worker waits for the kernel with.
    [[nodiscard]] std::uint64_t blocked() { return loop.metrics().value("emissary_worker_blocked_total").value_or(0); }
    void close(std::size_t i) {
        const std::lock_guard guard(loop.lock());
        links[i].reset();
    }
    [[nodiscard]] bool hasAll(std::size_t i) {
        far[i]->read();
        if (far[i]->heard.size() != sent[i]) return false;
        for (std::size_t n = 0; n < sent[i]; ++n)
            if (far[i]->heard[n] != n + 1) return false;
        return true;
    }

    std::vector<std::unique_ptr<FarEnd>> far;
    IdHandler told;
    Reactor loop{FarEnd::options()};
    std::vector<std::unique_ptr<Link>> links;
    std::array<std::uint32_t, kLinks> sent{};  ///< to each
};

}  // namespace

TEST_CASE("blocked links go on in the order in which there is room, and end while they wait",
          "[reactor][loop][blocked]") {
    Many m;
    REQUIRE(test::turnUntil([&] { return std::ranges::all_of(m.links, [](const auto& l) { return l->active(); }); },
                            [&] { m.loop.dispatch(0us, 10); }));
    for (std::size_t i = 0; i < kLinks; ++i)
        m.fill(i);
    REQUIRE(test::eventually([&] { return m.blocked() >= kLinks; }));
    // The first, the last, and others in between.
    const auto ends = [](std::size_t i) { return i % 3 == 0; };
    static_assert(kLinks % 3 == 1);
    for (std::size_t i = 0; i < kLinks; ++i)
        if (ends(i)) m.close(i);
    for (std::size_t i = kLinks; i-- > 0;) {
        if (ends(i)) continue;
        INFO("link " << i);
        CHECK(test::turnUntil([&] { return m.hasAll(i); }, [] {}));
    }
    // And once more, now that some have gone.
    const std::uint64_t before = m.blocked();
    std::size_t left = 0;
    for (std::size_t i = 0; i < kLinks; ++i) {
        if (ends(i)) continue;
        ++left;
        m.fill(i);
    }
    REQUIRE(test::eventually([&] { return m.blocked() >= before + left; }));
    for (std::size_t i = 0; i < kLinks; ++i) {
        if (ends(i)) continue;
        INFO("link " << i);
        CHECK(test::turnUntil([&] { return m.hasAll(i); }, [] {}));
    }
    CHECK(m.told.downs.empty());
}

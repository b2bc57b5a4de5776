// Hubs of a mesh over a NATS server: updates and posts a second, delay, a lane's resync, and an owner that is killed.
//
//     nats-server -a 127.0.0.1 -p 14222 &       # any server will do
//     hub_mesh_bench [nats://127.0.0.1:14222 [ITEMS [SECONDS [REQUESTS]]]]
//
// The address of a second server behind a comma: everything goes over both. REQUESTS: items asked for in a second (as
// hubs do: 100,000). Two owners are processes of their own; this one is the edge. Updates have 145 bytes and the time
// at which they were to be sent. The rate is what the edge takes: the owner is at most 50,000 updates ahead of it, and
// none may be lost. Posts have 145 bytes and ask for an ack each, which the owner gives at once; at most 10,000 wait,
// and each has to be answered once.
#include "hub/mesh/MeshNode.h"
#include "hub/nats/PairedBus.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace emissary;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kBody = 145, kImage = 450;
constexpr std::uint64_t kAhead = 50'000;  // less than fits into outBytes

/// What the processes tell each other.
struct Board {
    std::atomic<int> updates{0};  // 0 none, 1 as many as can be, above 1: the rate a second
    std::atomic<std::uint64_t> sent{0}, got{0}, ownerCpu{0}, ownerLost{0}, ownerMemory{0};
};

std::uint64_t nanoseconds() {
    return static_cast<std::uint64_t>(eta::Clock::now().time_since_epoch().count());
}

std::uint64_t cpu() {
    timespec t{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
}

/// The resident set, in bytes.
std::uint64_t memory() {
    std::ifstream in("/proc/self/statm");
    std::uint64_t all = 0, resident = 0;
    in >> all >> resident;
    return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

double megabytes(std::uint64_t bytes) {
    return static_cast<double>(bytes) / 1e6;
}

[[noreturn]] void fail(const std::string& text) {
    std::fprintf(stderr, "hub_mesh_bench: %s\n", text.c_str());
    std::exit(1);
}

class Node final : public hub::mesh::OwnItems, public hub::mesh::EdgeListener, public hub::mesh::PostTaker {
public:
    Node(const std::string& server, const std::string& mesh, std::uint32_t id,
         std::uint32_t requests = hub::mesh::MeshOptions().requestRate) {
        const std::size_t comma = server.find(',');
        bus = busTo(server.substr(0, comma));
        if (comma != std::string::npos)
            bus = std::make_unique<hub::nats::PairedBus>(std::move(bus), busTo(server.substr(comma + 1)));
        hub::mesh::MeshOptions m;
        if (bus->sides() > 1) m.forTwoWays();
        m.mesh = mesh;
        m.node = id;
        m.requestRate = requests;
        m.epoch = nanoseconds();
        node = std::make_unique<hub::mesh::MeshNode>(*bus, *this, *this, m, this);
        bus->onNobody([this](std::string_view subject) { node->nobodyListens(subject); });
        const auto end = eta::Clock::now() + 5s;
        while (bus->state() != hub::nats::NatsBus::State::connected) {
            if (eta::Clock::now() > end) fail(bus->lastError());
            turn(10ms);
        }
    }
    static std::unique_ptr<hub::nats::NatsBus> busTo(const std::string& server) {
        hub::nats::NatsOptions o;
        o.servers = {server};
        eta::Refused refused;
        auto made = hub::nats::NatsBus::make(o, refused);
        if (!made) fail(refused.text);
        return made;
    }
    void turn(std::chrono::nanoseconds wait) {
        pollfd p{bus->fd(), POLLIN, 0};
        const timespec t{0, wait.count()};
        static_cast<void>(::ppoll(&p, 1, &t, nullptr));
        const std::uint64_t from = nanoseconds();
        bus->receive(64, [this](eta::Bytes frame) {
            if (!deaf && !node->received(frame)) bus->tooEarly(frame);
        });
        node->tick();
        longest = std::max(longest, nanoseconds() - from);
    }
    /// Since the last call, in ms: what else a hub does waits so long.
    [[nodiscard]] double longestTurn() { return static_cast<double>(std::exchange(longest, 0)) / 1e6; }

    bool wanted(std::uint32_t number, std::string_view, std::string_view) override {
        highest = std::max(highest, number);
        return true;
    }
    void writeImage(std::uint32_t, eta::BeWriter& out) override {
        static const std::array<std::byte, kImage> image{};
        out.bytes(image);
    }
    void unwanted(std::uint32_t) override {}
    void image(std::uint32_t, std::uint32_t, eta::Bytes) override {}
    void update(std::uint32_t, std::uint32_t, eta::Bytes message) override {
        ++updates;
        if (record) delays.push_back(nanoseconds() - eta::loadBe<std::uint64_t>(message.data()));
    }
    void state(std::uint32_t, bool ok) override { ok ? ++current : --current; }
    void ended(std::uint32_t, eta::Bytes) override {}
    bool canReplace(eta::Bytes) const override { return true; }
    void posted(const hub::mesh::PostedFar& post) override { node->posts().answer(post.ref, 0, {}); }
    void postEnded(std::uint64_t cookie, const hub::mesh::PostEnd& end) override {
        if (end.why != hub::mesh::PostEnd::Why::answered || end.code != 0) fail("a post got no ack");
        if (answered.size() <= cookie) answered.resize(cookie + 1'000'000);
        if (answered[cookie]) fail("a post was answered twice");
        answered[cookie] = true;
        ++acks;
    }

    std::unique_ptr<hub::nats::NatsBus> bus;
    std::unique_ptr<hub::mesh::MeshNode> node;
    std::uint32_t highest = 0;
    std::uint64_t updates = 0, current = 0, acks = 0, longest = 0;
    std::vector<bool> answered;  // posts, by cookie
    std::vector<std::uint64_t> delays;
    bool record = false, deaf = false;
};

[[noreturn]] void own(const std::string& server, const std::string& mesh, std::uint32_t id, Board& board) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    Node me(server, mesh, id);
    static_cast<void>(me.node->directory().offer("S", {static_cast<std::uint8_t>(id), true}));
    std::array<std::byte, kBody> body{};
    std::uint32_t next = 0;
    const auto send = [&](std::uint64_t at) {
        eta::storeBe(body.data(), at);
        static_cast<void>(me.node->owner().update(next++ % me.highest + 1, body));
        board.sent.fetch_add(1, std::memory_order_relaxed);
    };
    std::uint64_t due = 0, measured = 0;
    for (;;) {
        const int rate = board.updates.load(std::memory_order_relaxed);
        if (rate == 0 || me.node->owner().load() == 0) {
            due = 0;
            me.turn(1ms);
        } else if (rate == 1) {
            const bool far =
                board.sent.load(std::memory_order_relaxed) > board.got.load(std::memory_order_relaxed) + kAhead;
            for (int i = 0; !far && i < 200; ++i)
                send(nanoseconds());
            me.turn(far ? 100us : 0us);
        } else {
            const std::uint64_t step = 1'000'000'000u / static_cast<unsigned>(rate), now = nanoseconds();
            for (due = due == 0 ? now : due; due <= now; due += step)
                send(due);
            me.turn(50us);
        }
        if (id != 1) continue;
        board.ownerCpu.store(cpu(), std::memory_order_relaxed);
        board.ownerLost.store(me.bus->counts().outLost, std::memory_order_relaxed);
        if (const std::uint64_t now = nanoseconds(); now >= measured + 100'000'000) {
            measured = now;
            board.ownerMemory.store(memory(), std::memory_order_relaxed);
        }
    }
}

double seconds(std::uint64_t from) {
    return static_cast<double>(nanoseconds() - from) / 1e9;
}

template <class Condition>
double untilSo(Node& edge, const char* what, Condition condition) {
    const std::uint64_t from = nanoseconds();
    while (!condition()) {
        edge.turn(1ms);
        if (seconds(from) > 60)
            fail(std::string(what) + " did not end within a minute: " + std::to_string(edge.current) +
                 " items are current");
    }
    return seconds(from);
}

/// Turns for so long; the board says how far the edge is.
void run(Node& edge, Board& board, double time) {
    for (const std::uint64_t from = nanoseconds(); seconds(from) < time;) {
        edge.turn(1ms);
        board.got.store(edge.updates, std::memory_order_relaxed);
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::string server = argc > 1 ? argv[1] : "nats://127.0.0.1:14222";
    const std::size_t items = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 100'000;
    const double time = argc > 3 ? std::strtod(argv[3], nullptr) : 5;
    auto* const board =
        new (::mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) Board;
    const std::string mesh = "bench" + std::to_string(::getpid());
    std::array<pid_t, 2> owners{};
    for (std::uint32_t i = 0; i < owners.size(); ++i) {
        owners[i] = ::fork();
        if (owners[i] == 0) own(server, mesh, i + 1, *board);
    }
    Node edge(server, mesh, 3,
              argc > 4 ? static_cast<std::uint32_t>(std::strtoul(argv[4], nullptr, 10))
                       : hub::mesh::MeshOptions().requestRate);
    const auto all = [&] { return edge.current == items; };
    untilSo(edge, "finding the owners", [&] { return edge.node->peers() == 2; });
    run(edge, *board, 2);
    const std::uint64_t ownerBefore = board->ownerMemory, edgeBefore = memory(), opened = nanoseconds();
    for (std::size_t i = 0; i < items; ++i) {
        if (edge.node->edge().open("S", "ITEM" + std::to_string(i)) < 0) fail("too many items");
        if (i % 1000 == 999) edge.turn(0ns);  // clients do not come all in one turn either
    }
    untilSo(edge, "the interest", all);
    std::printf("interest of %zu items by a node that has none, images of %zu bytes: %.2f s, longest turn %.1f ms\n",
                items, kImage, seconds(opened), edge.longestTurn());
    run(edge, *board, 0.3);
    std::printf("memory of the mesh for these items: owner %.0f MB, edge %.0f MB (resident: %.0f and %.0f)\n",
                megabytes(board->ownerMemory - ownerBefore), megabytes(memory() - edgeBefore),
                megabytes(board->ownerMemory), megabytes(memory()));

    const auto& counts = edge.node->counts();
    board->updates = 1;
    run(edge, *board, 1);
    const std::uint64_t before = edge.updates, ownCpu = cpu(), ownersCpu = board->ownerCpu, from = nanoseconds();
    run(edge, *board, time);
    const double took = seconds(from);
    const double updates = static_cast<double>(edge.updates - before);
    std::printf("updates of %zu bytes, as many as can be: %.0f a second, processor time an update: owner %.0f ns, edge "
                "%.0f ns\n",
                kBody, updates / took, static_cast<double>(board->ownerCpu - ownersCpu) / updates,
                static_cast<double>(cpu() - ownCpu) / updates);

    board->updates = 100'000;
    run(edge, *board, 1);
    edge.delays.reserve(static_cast<std::size_t>(time * 200'000));
    edge.record = true;
    run(edge, *board, time);
    edge.record = false;
    std::vector<std::uint64_t>& d = edge.delays;
    if (d.empty()) fail("no update came");
    std::sort(d.begin(), d.end());
    double sum = 0;
    for (const std::uint64_t v : d)
        sum += static_cast<double>(v);
    const auto at = [&](double part) {
        return static_cast<double>(d[static_cast<std::size_t>(static_cast<double>(d.size() - 1) * part)]) / 1000;
    };
    std::printf("delay at 100,000 a second (%zu): mean %.0f us, p50 %.0f, p99 %.0f, p99.9 %.0f, maximum %.0f\n",
                d.size(), sum / static_cast<double>(d.size()) / 1000, at(0.5), at(0.99), at(0.999), at(1));
    std::printf("gaps %llu, frames lost by the edge %llu, by the owner %llu\n",
                static_cast<unsigned long long>(counts.gaps.get()),
                static_cast<unsigned long long>(edge.bus->counts().inLost.get()),
                static_cast<unsigned long long>(board->ownerLost.load()));

    board->updates = 0;
    constexpr std::uint64_t kPostsWait = 10'000;
    const std::array<std::byte, kBody> post{};
    const auto postAll = [&](double howLong) {
        std::uint64_t posted = edge.acks;
        const std::uint64_t begin = nanoseconds(), first = posted;
        while (seconds(begin) < howLong) {
            while (posted - edge.acks < kPostsWait &&
                   edge.node->edge().post(static_cast<std::uint32_t>(posted % items), true, posted, {}, post) ==
                       hub::mesh::Edge::Posting::taken)
                ++posted;
            edge.turn(100us);
        }
        untilSo(edge, "the acks", [&] { return edge.acks == posted; });
        return static_cast<double>(posted - first) / seconds(begin);
    };
    static_cast<void>(postAll(1));
    const std::uint64_t edgeCpu = cpu(), postCpu = board->ownerCpu, postsBefore = edge.acks;
    const double posts = postAll(time);
    const auto madePosts = static_cast<double>(edge.acks - postsBefore);
    std::printf(
        "posts of %zu bytes with acks: %.0f a second, each answered once, processor time a post: owner %.0f ns, "
        "edge %.0f ns\n",
        kBody, posts, static_cast<double>(board->ownerCpu - postCpu) / madePosts,
        static_cast<double>(cpu() - edgeCpu) / madePosts);
    board->updates = 100'000;
    run(edge, *board, 0.5);

    static_cast<void>(edge.longestTurn());
    // Frames of 50 ms are lost; all items have to be checked, those that were changed sent.
    edge.deaf = true;
    run(edge, *board, 0.05);
    edge.deaf = false;
    board->updates = 0;
    const auto answers = [&] { return counts.same.get() + counts.images.get() + counts.oldImages.get(); };
    const std::uint64_t answered = answers(), images = counts.images.get();
    const double resync = untilSo(edge, "the resync", [&] { return answers() >= answered + items && all(); });
    std::printf("resync of %zu items after a lost lane: %.2f s, %llu of them with an image, longest turn %.1f ms\n",
                items, resync, static_cast<unsigned long long>(counts.images.get() - images), edge.longestTurn());

    // The first owner has the lower rank, and so the items.
    ::kill(owners[0], SIGKILL);
    const std::uint64_t killed = nanoseconds();
    const std::uint64_t moved = counts.handedOver.get();
    std::uint64_t least = items;
    double begun = 0, suspect = 0;
    // Current with the other one: an item that is current still has the proof of the one that was killed.
    untilSo(edge, "the move", [&] {
        if (edge.current < least) {
            if (suspect == 0) suspect = seconds(killed);
            least = edge.current;
        }
        if (begun == 0 && counts.moves.get() != 0) begun = seconds(killed);
        return all() && counts.moves.get() == items;
    });
    std::printf(
        "owner killed: the first item moves after %.2f s, %zu items current with the other one after %.2f s; %llu "
        "never suspect, %zu at once%s\n",
        begun, items, seconds(killed), static_cast<unsigned long long>(counts.handedOver.get() - moved),
        static_cast<std::size_t>(items - least),
        suspect == 0 ? "" : (", the first after " + std::to_string(suspect).substr(0, 4) + " s").c_str());
    std::printf("longest turn meanwhile: %.1f ms; owners that seemed to be gone since the start: %llu\n",
                edge.longestTurn(), static_cast<unsigned long long>(counts.doubts.get()));
    ::kill(owners[1], SIGKILL);
    while (::wait(nullptr) > 0) {}
    return 0;
}

// Posts between nodes: each is handed on once and in order, and each that asked for an ack is answered once, whatever
// the bus does. A failure prints seed and step, and the same seed fails in the same step again.
#include "post_hubs.h"

#include <deque>

using namespace emissary;
using namespace emissary::test::posts;
using test::SimulatedBus;

namespace {

struct PostWorld {
    explicit PostWorld(std::uint64_t seed) : random(seed), bus(seed * 31 + 7, kHubs) {
        bus.mostFrame = 73'728;  // the least that a server of NATS may take (hub/nats)
        for (std::size_t i = 0; i < kHubs; ++i) {
            hubs.push_back(std::make_unique<PostHub>(bus, i, book, seed * 100 + i));
            hubs[i]->start();
        }
    }
    void advance() {
        bus.run(std::chrono::microseconds(random() % 4000));
        for (const auto& h : hubs)
            if (h->running()) h->tick();
    }
    void fault() {
        const std::size_t a = random() % kHubs, b = random() % kHubs;
        PostHub& hub = *hubs[a];
        switch (random() % 8) {
        case 0:
            bus.faults.loss = static_cast<unsigned>(std::array{0, 0, 2, 10, 30}[random() % 5]);
            bus.faults.twice = static_cast<unsigned>(std::array{0, 5, 30}[random() % 3]);
            bus.faults.reorder = static_cast<unsigned>(std::array{0, 0, 3, 20}[random() % 4]);
            bus.faults.apart = random() % 2 == 0;
            bus.faults.mostDelay = std::array<std::chrono::microseconds, 4>{2ms, 2ms, 30ms, 400ms}[random() % 4];
            return;
        case 1:
            bus.cut(a, b, true);
            return;
        case 2:
            bus.cut(a, b, true);
            bus.cut(b, a, true);
            return;
        case 3:
        case 4:
            bus.heal();
            return;
        case 5:
            if (hub.running()) hub.stopped = true, bus.stop(a);
            return;
        case 6:
            for (std::size_t i = 0; i < kHubs; ++i)
                if (hubs[i]->stopped) hubs[i]->stopped = false, bus.resume(i);
            return;
        default:
            if (random() % 3 == 0) hub.kill(), hub.start();
        }
    }
    bool step() {
        ++steps;
        const auto dice = random() % 1000;
        if (dice < 700) {
            PostHub& edge = *hubs[kOwners + random() % kEdges];
            if (edge.running())
                for (auto n = random() % 40 == 0 ? 120u : 1u; n != 0; --n)
                    edge.post();
        } else if (dice >= 996) {
            fault();
        }
        advance();
        return book.error.empty();
    }
    /// Without faults for 12 s nothing may wait any more.
    bool settle() {
        bus.heal();
        for (std::size_t i = 0; i < kHubs; ++i)
            if (hubs[i]->stopped) hubs[i]->stopped = false, bus.resume(i);
        for (const eta::TimePoint from = bus.now(); bus.now() - from < 12s && book.error.empty();)
            advance();
        for (const auto& [serial, e] : book.posts)
            if (e.asks && e.answered != 1 && book.error.empty())
                book.error = "post " + std::to_string(serial) + " has " + std::to_string(e.answered) + " answers";
        for (const auto& h : hubs)
            if (h->node->edge().posts() != 0 || h->node->posts().waiting() != 0 || h->node->posts().partBytes() != 0)
                book.error = "posts are counted that are over";
        book.posts.clear();
        return book.error.empty();
    }
    [[nodiscard]] std::uint64_t sum(Counter MeshCounts::*count) {
        std::uint64_t total = 0;
        for (const auto& h : hubs)
            total += (h->node->counts().*count).get();
        return total;
    }
    std::mt19937_64 random;
    Book book;
    SimulatedBus bus;
    std::vector<std::unique_ptr<PostHub>> hubs;
    std::uint64_t steps = 0;
};

void runPosts(std::uint64_t firstSeed, std::uint64_t seeds, std::uint64_t steps) {
    Book all;
    std::uint64_t repeated = 0, again = 0, acksAgain = 0, lost = 0;
    for (std::uint64_t seed = firstSeed; seed < firstSeed + seeds; ++seed) {
        PostWorld world(seed);
        while (world.steps < steps) {
            bool good = true;
            for (int i = 0; i < 5000 && good; ++i)
                good = world.step();
            good = good && world.settle();
            INFO("seed " << seed << ", step " << world.steps << ": " << world.book.error);
            REQUIRE(good);
        }
        all.serials += world.book.serials;
        all.applied += world.book.applied;
        all.ok += world.book.ok;
        all.gone += world.book.gone;
        all.late += world.book.late;
        all.full += world.book.full;
        all.noOwner += world.book.noOwner;
        all.inParts += world.book.inParts;
        repeated += world.sum(&MeshCounts::postsRepeated);
        again += world.sum(&MeshCounts::postsSentAgain);
        acksAgain += world.sum(&MeshCounts::acksSentAgain);
        lost += world.sum(&MeshCounts::postsLost);
    }
    WARN(seeds << " seeds, " << seeds * steps << " steps: " << all.serials << " posts, " << all.applied
               << " handed on, none twice, " << all.inParts << " of them in parts; " << all.ok
               << " answered by the owner, " << all.gone << " gone, " << all.late << " late, " << all.full
               << " beyond the bounds, " << all.noOwner << " without an owner; at the end " << again << " sent again, "
               << repeated << " repeated, " << acksAgain << " acks sent again, " << lost << " lost without an ack");
    CHECK(all.ok > all.serials / 4);
    CHECK(all.gone > 0);
    CHECK(all.late > 0);
    CHECK(all.full > 0);
    CHECK(all.inParts > 0);
    CHECK(repeated > 0);
    CHECK(acksAgain > 0);
}

}  // namespace

TEST_CASE("Under faults each post is handed on once at most, in order, and answered once", "[mesh][posts]") {
    runPosts(1, 5, 20'000);
}

TEST_CASE("The same for a million steps of posts", "[.long][posts]") {
    runPosts(101, 20, 50'000);
}

TEST_CASE("A post that lies costs that record, and nobody else", "[mesh][posts]") {
    LyingTo f;
    Book& book = f.book;
    PostHub& hub = f.hub;
    Liar& liar = f.liar;
    liar.beat();
    const auto ignored = [&] { return hub.node->counts().ignoredRecords.get(); };
    liar.post(1, 1);
    CHECK(book.applied == 1);
    liar.request(Kind::post, 0, 1, {});
    liar.request(Kind::post, 0, 1, std::vector<std::byte>(8));
    liar.post(0, 2);  // no session
    liar.post(1, 0);  // numbers begin with 1
    liar.post(1, kMostSequence + 1);
    liar.post(1, 2, 0x80);  // a flag that nobody has defined
    liar.post(1, 2, kAsksForAck, kMostPost + 1);
    liar.post(1, 2, kMore, kMostPost + 1);
    liar.post(1, 2, kMore | kAsksForAck);  // the last part says that
    liar.post(1, 2, kMore | kVoid);
    liar.request(Kind::ackHeard, 0, 1, std::vector<std::byte>(7));
    CHECK(ignored() == 11);
    CHECK(book.applied == 1);
    liar.post(1, 1);  // once more
    CHECK(hub.node->counts().postsRepeated.get() == 1);
    liar.post(1, 3);  // not the next one
    CHECK(book.applied == 1);
    liar.post(1, 2);
    CHECK(book.applied == 2);
    liar.post(1, 3, kVoid, 0);  // its poster was told that it is over
    CHECK(book.applied == 2);
    liar.post(1, 4);
    CHECK(book.applied == 3);
    liar.post(7, 1);  // another session ends the one before
    CHECK(book.applied == 4);
    liar.post(1, 5);
    CHECK(book.applied == 4);
    CHECK(book.error.empty());
    // Acks and the like of posts that were never sent.
    Batch b;
    std::array<std::byte, 8> epoch;
    eta::storeBe(epoch.data(), hub.node->options().epoch);
    REQUIRE(b.add(Kind::addressee, 0, 0, epoch));
    REQUIRE(b.add(Kind::ack, 0, 1, std::vector<std::byte>(9)));
    REQUIRE(b.add(Kind::ack, 0, 1, std::vector<std::byte>(3)));
    REQUIRE(b.add(Kind::ack, 0, 1, std::vector<std::byte>(9 + kMostAckText + 1)));
    REQUIRE(b.add(Kind::postsTaken, 0, 1, std::vector<std::byte>(8, std::byte{0x7F})));
    REQUIRE(b.add(Kind::postsTaken, 0, 1, std::vector<std::byte>(5)));
    std::uint64_t replies = 0;
    const std::uint64_t before = ignored();
    liar.send(FrameType::reply, b, replies);
    CHECK(ignored() == before + 3);
    CHECK(book.error.empty());
}

TEST_CASE("Posts that a node has given up keep no place here, answered or not", "[mesh][posts]") {
    LyingTo f;
    f.liar.beat();
    for (std::uint64_t id = 1; id <= 200; ++id)
        f.liar.post(1, id);
    const std::size_t waiting = f.hub.node->posts().waiting();
    CHECK(waiting > 0);  // some are answered at once
    std::vector<std::byte> all(200 * 8);
    for (std::uint64_t id = 1; id <= 200; ++id)
        eta::storeBe(&all[(id - 1) * 8], id);
    f.liar.request(Kind::ackHeard, 0, 1, all);
    CHECK(f.hub.node->posts().waiting() == 0);
    // The answers that come later find nothing.
    for (int i = 0; i < 200; ++i) {
        f.bus.run(50ms);
        f.liar.beat();
        f.hub.tick();
    }
    CHECK(f.hub.node->posts().waiting() == 0);
    CHECK(f.book.error.empty());
    f.liar.post(1, 201);
    CHECK(f.book.applied == 201);
}

TEST_CASE("A node that confirms no ack is refused beyond its bound, and then waits", "[mesh][posts]") {
    LyingTo f;
    PostHub& hub = f.hub;
    Liar& liar = f.liar;
    liar.beat();
    for (std::uint64_t id = 1; id < 2000; ++id)
        liar.post(1, id);
    CHECK(hub.node->posts().waiting() <= 300);
    CHECK(hub.node->counts().postsIn.get() == 600);  // twice its bound is kept for it
    for (int i = 0; i < 160; ++i) {                  // and its acks are said again at a measured pace
        f.bus.run(50ms);
        liar.beat();
        hub.tick();
    }
    CHECK(hub.node->counts().acksSentAgain.get() <= 160 * 200);
    CHECK(hub.node->posts().waiting() == 0);
}

TEST_CASE("What a post costs between two nodes", "[.measure][posts]") {
    SimulatedBus bus(1, kHubs);
    Book book;
    struct Taker final : PostTaker {
        void posted(const PostedFar& p) override { node->posts().answer(p.ref, 0, {}), ++count; }
        MeshNode* node = nullptr;
        std::uint64_t count = 0;
    } taker;
    PostHub edge(bus, kOwners, book, 1), nobody(bus, 0, book, 1);
    MeshOptions o;
    o.node = 1;
    o.epoch = 1;
    MeshNode owner(bus.of(0), nobody, nobody, o, &taker);
    taker.node = &owner;
    bus.begin(0, [&](eta::Bytes frame) { owner.received(frame); });
    owner.directory().offer("S", {});
    struct Listener final : EdgeListener {
        void image(std::uint32_t, std::uint32_t, eta::Bytes) override {}
        void update(std::uint32_t, std::uint32_t, eta::Bytes) override {}
        void state(std::uint32_t, bool) override {}
        void ended(std::uint32_t, eta::Bytes) override {}
        [[nodiscard]] bool canReplace(eta::Bytes) const override { return true; }
        void postEnded(std::uint64_t, const PostEnd& end) override { answered += end.code == 0 ? 1 : 0; }
        std::uint64_t answered = 0;
    } listener;
    o.node = 2;
    MeshNode node(bus.of(1), nobody, listener, o);
    bus.begin(1, [&](eta::Bytes frame) { node.received(frame); });
    const auto turn = [&] {
        owner.tick();
        node.tick();
        bus.run(1ms);
    };
    for (int i = 0; i < 1500; ++i)
        turn();
    constexpr std::uint64_t kAll = 1'000'000;
    const std::vector<std::byte> body(150);
    const auto from = std::chrono::steady_clock::now();
    for (std::uint64_t n = 0; listener.answered < kAll; turn())
        while (n < kAll && node.edge().post("S", "A", true, n, {}, body) == Edge::Posting::taken)
            ++n;
    const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - from);
    CHECK(taker.count == kAll);
    WARN(kAll << " posts of 150 bytes with acks, both sides and the bus: " << ns.count() / std::int64_t{kAll}
              << " ns each");
}

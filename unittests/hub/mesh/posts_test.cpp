// Posts between nodes: each is handed on once and in order, and each that asked for an ack is answered once, whatever
// the bus does. A failure prints seed and step, and the same seed fails in the same step again.
#include "SimulatedBus.h"
#include "hub/mesh/MeshNode.h"
#include "support/catch.hpp"

#include <deque>
#include <map>
#include <optional>

using namespace emissary;
using namespace emissary::hub::mesh;
using namespace std::chrono_literals;
using test::SimulatedBus;

namespace {

constexpr std::size_t kOwners = 2, kEdges = 3, kHubs = kOwners + kEdges;

/// What is known of all posts, by their serial number.
struct Book {
    struct Entry {
        std::size_t edge = 0;
        std::uint64_t life = 0;
        bool asks = false;
        std::size_t size = 0;
        unsigned applied = 0, answered = 0;
        std::uint8_t code = 0;
    };
    std::map<std::uint64_t, Entry> posts;
    std::uint64_t serials = 0, lives = 0;
    std::string error;
    std::uint64_t applied = 0, ok = 0, gone = 0, late = 0, full = 0, noOwner = 0, inParts = 0;
};

struct PostHub final : OwnItems, EdgeListener, PostTaker {
    PostHub(SimulatedBus& b, std::size_t i, Book& k, std::uint64_t seed) : bus(b), index(i), book(k), random(seed) {}
    void start() {
        MeshOptions o;
        o.node = static_cast<std::uint32_t>(0x100 + index);
        o.epoch = life = ++book.lives;
        o.maxPosts = 300;
        o.maxPostsHeld = 500;
        o.postTimeout = 4s;
        o.maxPost = 300'000;
        o.maxPartBytes = 400'000;
        o.partsLast = 6s;
        if (change) change(o);
        node = std::make_unique<MeshNode>(bus.of(index), *this, *this, o, this);
        bus.begin(index, [this](eta::Bytes frame) { node->received(frame); });
        if (index < kOwners) node->directory().offer("S", {static_cast<std::uint8_t>(index), true});
        else
            for (const char* const name : {"A", "B", "C"})
                items.push_back(static_cast<std::uint32_t>(node->edge().open("S", name)));
    }
    void kill() {
        bus.kill(index);
        for (const auto& [cookie, serial] : asked)
            ++book.posts[serial].answered;  // nobody is left who could be told
        asked.clear();
        later.clear();
        items.clear();
        lastOf.clear();
        node.reset();
        stopped = false;
    }
    [[nodiscard]] bool running() const { return node && !stopped; }
    void tick() {
        const eta::TimePoint now = bus.now();
        while (!later.empty() && later.begin()->first <= now) {
            const Later l = later.begin()->second;
            later.erase(later.begin());
            answer(l.ref, l.serial);
        }
        node->tick();
    }
    void post() {
        const std::uint64_t serial = book.serials + 1;
        const bool asks = random() % 10 < 7;
        std::array<std::byte, 8> head;
        eta::storeBe(head.data(), serial);
        const std::size_t size = random() % 50 == 0 ? random() % 300'000 : random() % 200;
        const std::vector<std::byte> body = bodyOf(serial, size);
        Book::Entry entry{.edge = index, .life = life, .asks = asks, .size = size};
        const bool onStream = random() % 2 == 0;
        const auto posted = onStream ? node->edge().post(items[random() % items.size()], asks, serial, head, body)
                                     : node->edge().post("S", random() % 2 == 0 ? "A" : "Z", asks, serial, head, body);
        if (posted == Edge::Posting::tooLong && 8 + size <= kMostPost) book.error = "a short post is too long";
        if (posted == Edge::Posting::full) ++book.full;
        if (posted == Edge::Posting::noOwner) ++book.noOwner;
        if (posted != Edge::Posting::taken) return;
        ++book.serials;
        book.posts[serial] = entry;
        if (asks) asked[serial] = serial;
    }
    void answer(const PostRef& ref, std::uint64_t serial) {
        const std::string text = "t" + std::to_string(serial);
        node->posts().answer(ref, book.posts[serial].code, eta::asBytes(text));
        node->posts().answer(ref, 99, {});  // the first one counts
    }
    // --- of the node
    void posted(const PostedFar& p) override {
        if (p.body.size() < 8) return void(book.error = "a body is cut");
        const auto serial = eta::loadBe<std::uint64_t>(p.body.data());
        Book::Entry& e = book.posts[serial];
        if (++e.applied > 1) book.error = "post " + std::to_string(serial) + " was handed on twice";
        if (checksBodies && !std::ranges::equal(p.body.subspan(8), bodyOf(serial, e.size)))
            book.error = "post " + std::to_string(serial) + " has another body";
        if (p.body.size() > kMostPost) ++book.inParts;
        if (e.asks != p.asks) book.error = "post " + std::to_string(serial) + " has another flag";
        std::uint64_t& last = lastOf[e.life];
        if (serial <= last) book.error = "post " + std::to_string(serial) + " came behind " + std::to_string(last);
        last = serial;
        ++book.applied;
        if (!p.asks) return;
        e.code = static_cast<std::uint8_t>(random() % 15);
        const auto dice = random() % 100;
        if (dice < 50) return answer(p.ref, serial);
        later.emplace(bus.now() + (dice < 90 ? std::chrono::milliseconds(random() % 500) : 6000ms),
                      Later{p.ref, serial});
    }
    void postEnded(std::uint64_t cookie, const PostEnd& end) override {
        const auto at = asked.find(cookie);
        if (at == asked.end()) return void(book.error = "an answer to what does not wait");
        Book::Entry& e = book.posts[at->second];
        if (++e.answered > 1) book.error = "a second answer";
        if (end.why == PostEnd::Why::answered) {
            ++book.ok;
            // Too many wait, or too many bytes of parts; or the parts came too slowly.
            const bool refused =
                (end.code == PostsIn::kNoResources || (end.code == PostsIn::kNoResponse && e.size > kMostPost - 8)) &&
                e.applied == 0;
            if (!refused &&
                (e.applied != 1 || end.code != e.code || eta::asText(end.text) != "t" + std::to_string(at->second)))
                book.error = "the answer to " + std::to_string(at->second) +
                             " is another one's: " + std::string(eta::asText(end.text)) + ", code " +
                             std::to_string(end.code) + " instead of " + std::to_string(e.code) + ", handed on " +
                             std::to_string(e.applied) + " times";
        } else {
            ++(end.why == PostEnd::Why::gone ? book.gone : book.late);
        }
        asked.erase(at);
    }
    bool wanted(std::uint32_t, std::string_view, std::string_view) override { return index < kOwners; }
    void writeImage(std::uint32_t, eta::BeWriter& out) override { out.u8(1); }
    void unwanted(std::uint32_t) override { appliedBefore = book.applied; }
    void image(std::uint32_t, std::uint32_t, eta::Bytes) override {}
    void update(std::uint32_t, std::uint32_t, eta::Bytes) override {}
    void state(std::uint32_t, bool) override {}
    void ended(std::uint32_t, eta::Bytes) override {}
    [[nodiscard]] bool canReplace(eta::Bytes) const override { return true; }

    [[nodiscard]] static std::vector<std::byte> bodyOf(std::uint64_t serial, std::size_t size) {
        std::vector<std::byte> body(size);
        for (std::size_t i = 0; i < size; ++i)
            body[i] = static_cast<std::byte>(serial * 31 + i / 7 + i / 65'000);
        return body;
    }
    struct Later {
        PostRef ref;
        std::uint64_t serial = 0;
    };
    SimulatedBus& bus;
    const std::size_t index;
    Book& book;
    std::mt19937_64 random;
    std::function<void(MeshOptions&)> change;
    bool checksBodies = true;
    std::uint64_t life = 0;
    std::optional<std::uint64_t> appliedBefore;  ///< posts that had come when an item was not wanted any more
    std::unique_ptr<MeshNode> node;
    bool stopped = false;
    std::vector<std::uint32_t> items;
    std::map<std::uint64_t, std::uint64_t> asked, lastOf;  // by cookie; by life of the poster
    std::multimap<eta::TimePoint, Later> later;
};

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

namespace {

/// A node that is made of frames alone.
struct Liar {
    explicit Liar(MeshNode& to) : node(to) {}
    void send(FrameType type, Batch& batch, std::uint64_t& sequence) {
        Header h;
        h.type = type;
        h.node = 0x999;
        h.epoch = 5;
        h.sequence = sequence;
        batch.flush(h, kMostPayload, [&](eta::Bytes frame) { node.received(frame); });
        sequence = h.sequence;
    }
    void beat() {
        Batch b;
        send(FrameType::heartbeat, b, beats);
    }
    void request(Kind kind, std::uint32_t number, std::uint32_t version, eta::Bytes body) {
        Batch b;
        std::array<std::byte, 8> epoch;
        eta::storeBe(epoch.data(), node.options().epoch);
        REQUIRE(b.add(Kind::addressee, 0, 0, epoch));
        REQUIRE(b.add(kind, number, version, body));
        send(FrameType::request, b, requests);
    }
    void post(std::uint32_t session, std::uint64_t id, std::uint8_t marks = kAsksForAck, std::size_t more = 8) {
        std::vector<std::byte> body(9 + more);
        eta::BeWriter out(body);
        out.write(id);
        out.u8(marks);
        if (more == 8 || (marks & kMore) != 0) out.write(++serial);
        request(Kind::post, 0, session, body);
    }
    MeshNode& node;
    std::uint64_t beats = 0, requests = 0, serial = 0;
};

/// A hub with one peer, whose posts ask for acks whatever they say.
struct LyingTo {
    SimulatedBus bus{1, kHubs};
    Book book;
    PostHub hub{bus, 0, book, 1};
    Liar liar{started(hub, book)};

private:
    static MeshNode& started(PostHub& hub, Book& book) {
        for (std::uint64_t serial = 1; serial < 3000; ++serial)
            book.posts[serial].asks = true;
        hub.checksBodies = false;
        hub.start();
        return *hub.node;
    }
};

}  // namespace

TEST_CASE("A post that is larger than the window goes ahead of the end of its item", "[mesh][posts]") {
    const bool loses = GENERATE(false, true);
    SimulatedBus bus(1, kHubs);
    Book book;
    PostHub owner(bus, 0, book, 1), edge(bus, kOwners, book, 2);
    for (PostHub* const hub : {&owner, &edge}) {
        hub->change = [](MeshOptions& o) {
            o.maxPost = 4'000'000;
            o.maxPostBytes = 8'000'000;
            o.maxPartBytes = 8'000'000;
        };
        hub->start();
    }
    const auto pass = [&](std::chrono::milliseconds time) {
        for (auto left = time; left > 0ms; left -= 5ms) {
            bus.run(5ms);
            owner.tick();
            edge.tick();
        }
    };
    pass(3000ms);
    constexpr std::size_t kSize = 2'000'000;
    book.posts[1] = {.edge = kOwners, .life = edge.life, .asks = true, .size = kSize};
    edge.asked[1] = book.serials = 1;
    std::array<std::byte, 8> head;
    eta::storeBe(head.data(), std::uint64_t{1});
    const std::vector<std::byte> body = PostHub::bodyOf(1, kSize);
    REQUIRE(edge.node->edge().post(edge.items[0], true, 1, head, body) == Edge::Posting::taken);
    edge.node->edge().close(edge.items[0]);
    CHECK_FALSE(owner.appliedBefore);
    if (loses) {  // what goes once more is not behind the end either
        bus.cut(kOwners, 0, true);
        pass(30ms);
        bus.cut(kOwners, 0, false);
    }
    pass(12'000ms);
    CHECK(book.applied == 1);
    CHECK(owner.appliedBefore == 1);
    CHECK(edge.node->edge().posts() == 0);
    CHECK(book.error.empty());
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

namespace {

/// Posts in parts to a hub that asks for none of them to be whole.
struct Parts {
    LyingTo f;
    std::uint64_t id = 0;
    std::size_t answers = 0;
    [[nodiscard]] std::uint64_t refused() { return f.hub.node->counts().refusedPosts.get(); }
    [[nodiscard]] std::size_t held() { return f.hub.node->posts().partBytes(); }
    void more(std::size_t bytes = kMostPost) { f.liar.post(1, ++id, kMore, bytes); }
    void last(std::size_t bytes = 8) { f.liar.post(1, ++id, kAsksForAck, bytes); }
};

}  // namespace

TEST_CASE("Parts that come twice, in another order or without their neighbours are one post, or none",
          "[mesh][posts]") {
    Parts p;
    p.f.liar.beat();
    p.more();
    CHECK(p.held() == kMostPost);
    p.f.liar.post(1, 1, kMore, kMostPost);  // once more
    p.f.liar.post(1, 3, kAsksForAck, 100);  // the one before it is missing
    CHECK(p.held() == kMostPost);
    CHECK(p.f.book.applied == 0);
    p.more();
    p.f.liar.post(1, 2, kMore, kMostPost);
    CHECK(p.held() == 2 * kMostPost);
    p.last(100);
    CHECK(p.f.book.applied == 1);
    CHECK(p.f.book.inParts == 1);
    CHECK(p.held() == 0);
    CHECK(p.f.hub.node->counts().postsRepeated.get() == 2);
    CHECK(p.f.hub.node->counts().postsIn.get() == 1);
    // Its poster was told that it is over: the rest is void, and the next one is whole.
    p.more();
    p.f.liar.post(1, ++p.id, kVoid, 0);
    p.f.liar.post(1, ++p.id, kVoid | kAsksForAck, 0);
    CHECK(p.held() == 0);
    CHECK(p.f.book.applied == 1);
    p.last();
    CHECK(p.f.book.applied == 2);
    CHECK(p.f.book.inParts == 1);
    // Another session, and another life, have none of it.
    p.more();
    p.f.liar.post(2, 1);
    CHECK(p.held() == 0);
    CHECK(p.f.book.applied == 3);
    CHECK(p.f.book.inParts == 1);
    CHECK(p.f.book.error.empty());
}

TEST_CASE("Parts without an end have a bound, and what is behind them is taken", "[mesh][posts]") {
    Parts p;
    p.f.liar.beat();
    for (int i = 0; i < 100; ++i) {  // 6 MiB
        p.more();
        CHECK(p.held() <= 300'000);
    }
    CHECK(p.held() == 0);
    p.last();
    CHECK(p.refused() == 1);
    CHECK(p.f.book.applied == 0);
    p.last();
    CHECK(p.f.book.applied == 1);
    CHECK(p.f.book.error.empty());
}

TEST_CASE("Parts that do not come in time are given back, and so are those of a node that is lost", "[mesh][posts]") {
    Parts p;
    p.f.liar.beat();
    const auto pass = [&](std::chrono::milliseconds time, bool beats) {
        for (std::chrono::milliseconds t{}; t < time; t += 100ms) {
            p.f.bus.run(100ms);
            if (beats) p.f.liar.beat();
            p.f.hub.tick();
        }
    };
    p.more();
    pass(5500ms, true);
    CHECK(p.held() == kMostPost);
    p.more();
    pass(5500ms, true);
    CHECK(p.held() == 2 * kMostPost);
    pass(1000ms, true);
    CHECK(p.held() == 0);
    p.more();
    CHECK(p.held() == 0);
    p.last();
    CHECK(p.refused() == 1);
    CHECK(p.f.book.applied == 0);
    p.more();
    pass(12'000ms, false);
    CHECK(p.held() == 0);
    p.f.liar.beat();  // in the same life: the beginning of its post is not here any more
    p.last();
    CHECK(p.refused() == 2);
    CHECK(p.f.book.applied == 0);
    p.last();
    CHECK(p.f.book.applied == 1);
    CHECK(p.f.book.error.empty());
}

TEST_CASE("Parts of all nodes together have a bound", "[mesh][posts]") {
    Parts p;
    p.f.hub.kill();
    p.f.hub.change = [](MeshOptions& o) { o.maxPartBytes = 100'000; };
    p.f.hub.start();
    Liar liar(*p.f.hub.node);
    liar.beat();
    liar.post(1, 1, kMore, kMostPost);
    CHECK(p.held() == kMostPost);
    liar.post(1, 2, kMore, kMostPost);
    CHECK(p.held() == 0);
    liar.post(1, 3);
    CHECK(p.refused() == 1);
    CHECK(p.f.book.applied == 0);
}

TEST_CASE("A hub of a version without parts gets posts of one part alone", "[mesh][posts]") {
    SimulatedBus bus(1, kHubs);
    Book book;
    PostHub owner(bus, 0, book, 1), edge(bus, kOwners, book, 2);
    owner.start();
    edge.start();
    // What such a version says of itself ends behind the load.
    bool old = true;
    bus.begin(kOwners, [&](eta::Bytes frame) {
        const auto h = readHeader(frame);
        if (!old || !h.ok() || h.value().type != FrameType::heartbeat) return void(edge.node->received(frame));
        RecordReader reader(frame.subspan(kHeaderBytes));
        Batch batch;
        for (Record r; reader.next(r);)
            REQUIRE(batch.add(r.kind, r.number, r.version, r.kind == Kind::summary ? r.body.first(4) : r.body));
        Header header = h.value();
        --header.sequence;
        batch.flush(header, kMostPayload, [&](eta::Bytes as) { edge.node->received(as); });
    });
    const auto pass = [&](std::chrono::milliseconds time) {
        for (std::chrono::milliseconds t{}; t < time; t += 1ms) {
            bus.run(1ms);
            owner.tick();
            edge.tick();
        }
    };
    std::uint64_t serial = 0;
    const auto post = [&](std::size_t size) {
        book.posts[++serial] = {.edge = kOwners, .life = edge.life, .asks = true, .size = size};
        edge.asked[serial] = serial;
        std::array<std::byte, 8> head;
        eta::storeBe(head.data(), serial);
        const auto posted = edge.node->edge().post("S", "A", true, serial, head, PostHub::bodyOf(serial, size));
        if (posted != Edge::Posting::taken) edge.asked.erase(serial);
        return posted;
    };
    pass(2000ms);
    CHECK(post(kMostPost - 7) == Edge::Posting::tooLong);
    CHECK(post(kMostPost - 8) == Edge::Posting::taken);
    pass(8000ms);
    CHECK(book.applied == 1);
    CHECK(book.inParts == 0);
    old = false;
    pass(1000ms);
    CHECK(post(kMostPost - 7) == Edge::Posting::taken);
    CHECK(post(300'000 - 8) == Edge::Posting::taken);
    CHECK(post(300'000 - 7) == Edge::Posting::tooLong);
    CHECK(edge.node->edge().posts() == 2 + 5);  // parts count as posts until they are taken
    pass(8000ms);
    CHECK(book.applied == 3);
    CHECK(book.inParts == 2);
    CHECK(edge.asked.empty());
    CHECK(edge.node->edge().posts() == 0);
    CHECK(edge.node->counts().postsOut.get() == 3);
    CHECK(book.error.empty());
}

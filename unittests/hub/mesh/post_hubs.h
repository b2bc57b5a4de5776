// Hubs that post to each other over a bus without faults of its own, a book of all posts, and a node that lies; shared
// by the tests of posts.
#pragma once

#include "SimulatedBus.h"
#include "hub/mesh/MeshNode.h"
#include "support/catch.hpp"

#include <map>
#include <optional>

namespace emissary::test::posts {

using namespace emissary::hub::mesh;
using namespace std::chrono_literals;

inline constexpr std::size_t kOwners = 2, kEdges = 3, kHubs = kOwners + kEdges;

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

/// An owner and an edge.
struct PostPair {
    explicit PostPair(const std::function<void(MeshOptions&)>& change = {}) {
        for (PostHub* const hub : {&owner, &edge}) {
            hub->change = change;
            hub->start();
        }
    }
    void pass(std::chrono::milliseconds time) {
        for (std::chrono::milliseconds t{}; t < time; t += 1ms) {
            bus.run(1ms);
            owner.tick();
            edge.tick();
        }
    }
    /// The edge's next post, which asks for an ack: on its first item, or on the item A of the service.
    Edge::Posting post(std::size_t size, bool onStream = false) {
        const std::uint64_t serial = ++book.serials;
        book.posts[serial] = {.edge = kOwners, .life = edge.life, .asks = true, .size = size};
        edge.asked[serial] = serial;
        std::array<std::byte, 8> head;
        eta::storeBe(head.data(), serial);
        const std::vector<std::byte> body = PostHub::bodyOf(serial, size);
        Edge& from = edge.node->edge();
        const auto posted = onStream ? from.post(edge.items[0], true, serial, head, body)
                                     : from.post("S", "A", true, serial, head, body);
        if (posted != Edge::Posting::taken) edge.asked.erase(serial);
        return posted;
    }
    SimulatedBus bus{1, kHubs};
    Book book;
    PostHub owner{bus, 0, book, 1}, edge{bus, kOwners, book, 2};
};

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

}  // namespace emissary::test::posts

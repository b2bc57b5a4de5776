// Two buses that carry the same: what one of them does, up to losing everything, is not seen.
#include "SimulatedBus.h"
#include "hub/mesh/MeshNode.h"
#include "hub/nats/PairedBus.h"
#include "support/catch.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <random>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

using namespace emissary;
using namespace std::chrono_literals;
using hub::nats::NatsBus;
using hub::nats::PairedBus;
using test::SimulatedBus;

namespace {

/// One side of a node: a bus in memory with a descriptor, as the bus over NATS has one.
class Side final : public NatsBus {
public:
    Side(SimulatedBus& all, std::size_t node) : all_(all), node_(node), fd_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
        all.begin(
            node, [this](eta::Bytes frame) { inbox.emplace_back(frame.begin(), frame.end()), ring(); },
            [this](std::string_view subject) { nobodies.emplace_back(subject), ring(); });
    }
    ~Side() override {
        all_.kill(node_);
        ::close(fd_);
    }
    Side(const Side&) = delete;
    Side& operator=(const Side&) = delete;
    void publish(std::string_view subject, eta::Bytes frame) override {
        ++published;
        all_.of(node_).publish(subject, frame);
    }
    void publishAsking(std::string_view subject, std::string_view nobody, eta::Bytes frame) override {
        all_.of(node_).publishAsking(subject, nobody, frame);
    }
    void onNobody(std::function<void(std::string_view)> heard) override { heard_ = std::move(heard); }
    void subscribe(std::string_view subject) override { all_.of(node_).subscribe(subject); }
    void unsubscribe(std::string_view subject) override { all_.of(node_).unsubscribe(subject); }
    [[nodiscard]] std::size_t mostFrame() const noexcept override { return most; }
    [[nodiscard]] eta::TimePoint now() const noexcept override { return all_.now(); }
    [[nodiscard]] int fd() const noexcept override { return fd_; }
    std::size_t receive(std::size_t most, const std::function<void(eta::Bytes)>& use) override {
        std::uint64_t count = 0;
        static_cast<void>(!::read(fd_, &count, sizeof(count)));
        for (const std::string& subject : std::exchange(nobodies, {}))
            if (heard_) heard_(subject);
        std::size_t n = 0;
        for (; n < most && !inbox.empty(); ++n) {
            const auto frame = std::move(inbox.front());
            inbox.pop_front();
            use(frame);
        }
        if (!inbox.empty()) ring();
        return n;
    }
    [[nodiscard]] State state() const noexcept override { return connected ? State::connected : State::connecting; }
    [[nodiscard]] std::string server() const override { return connected ? name : ""; }
    [[nodiscard]] std::string lastError() const override { return connected ? "" : name + " is away"; }
    [[nodiscard]] const hub::nats::NatsCounts& counts() const noexcept override { return counts_; }
    void ring() const {
        const std::uint64_t one = 1;
        static_cast<void>(!::write(fd_, &one, sizeof(one)));
    }

    std::deque<std::vector<std::byte>> inbox;
    std::vector<std::string> nobodies;
    std::string name = "memory";
    std::size_t most = hub::mesh::kHeaderBytes + hub::mesh::kMostPayload, published = 0;
    bool connected = true;

private:
    SimulatedBus& all_;
    const std::size_t node_;
    const int fd_;
    std::function<void(std::string_view)> heard_;
    hub::nats::NatsCounts counts_;
};

/// The bus of a node on both, and its sides.
struct Pair {
    Pair(SimulatedBus& a, SimulatedBus& b, std::size_t node) {
        auto x = std::make_unique<Side>(a, node), y = std::make_unique<Side>(b, node);
        sides = {x.get(), y.get()};
        x->name = "a", y->name = "b";
        bus = std::make_unique<PairedBus>(std::move(x), std::move(y));
    }
    [[nodiscard]] bool readable() const {
        pollfd p{bus->fd(), POLLIN, 0};
        return ::poll(&p, 1, 0) == 1;
    }
    std::array<Side*, 2> sides{};
    std::unique_ptr<PairedBus> bus;
};

constexpr std::size_t kItems = 20;

/// A hub on both: every item's value is the number of its changes.
struct PairedHub final : hub::mesh::OwnItems, hub::mesh::EdgeListener, hub::mesh::PostTaker {
    PairedHub(SimulatedBus& a, SimulatedBus& b, std::size_t index) : pair(a, b, index) {
        hub::mesh::MeshOptions o;
        o.node = static_cast<std::uint32_t>(100 + index);
        o.epoch = 1;
        o.forTwoWays();
        node = std::make_unique<hub::mesh::MeshNode>(*pair.bus, *this, *this, o, this);
        pair.bus->onNobody([this](std::string_view subject) { node->nobodyListens(subject); });
    }
    bool wanted(std::uint32_t number, std::string_view, std::string_view name) override {
        const std::size_t item = std::stoul(std::string(name));
        numbers[item] = number;
        items[number] = item;
        return true;
    }
    void writeImage(std::uint32_t number, eta::BeWriter& out) override {
        out.write(values[items[number]]);
        static const std::vector<std::byte> more(400'000);
        if (items[number] == 0) out.bytes(more);  // in fragments
    }
    void unwanted(std::uint32_t) override {}
    void image(std::uint32_t item, std::uint32_t, eta::Bytes refresh) override {
        ++images;
        values[item] = eta::loadBe<std::uint64_t>(refresh.data());
    }
    void update(std::uint32_t item, std::uint32_t, eta::Bytes) override { ++values[item]; }
    void state(std::uint32_t, bool current) override { current ? ++oks : ++suspects; }
    void ended(std::uint32_t, eta::Bytes) override {}
    bool canReplace(eta::Bytes) const override { return true; }
    /// Posts its next number, on the item's stream or beside it; half of them ask for an ack.
    void post(std::uint32_t item) {
        const std::uint64_t number = ++posts;
        const bool asks = number % 2 == 0;
        std::array<std::byte, 8> head;
        eta::storeBe(head.data(), number);
        const auto posted = number % 3 == 0 ? node->edge().post("S", "7", asks, number, head, eta::asBytes("post"))
                                            : node->edge().post(item, asks, number, head, eta::asBytes("post"));
        REQUIRE(posted == hub::mesh::Edge::Posting::taken);
    }
    void posted(const hub::mesh::PostedFar& p) override {
        const auto number = eta::loadBe<std::uint64_t>(p.body.data());
        inOrder = inOrder && number == ++taken && p.asks == (number % 2 == 0);
        if (p.asks) node->posts().answer(p.ref, 0, eta::asBytes(std::to_string(number)));
    }
    void postEnded(std::uint64_t cookie, const hub::mesh::PostEnd& end) override {
        const bool good = end.why == hub::mesh::PostEnd::Why::answered && end.code == 0 &&
                          eta::asText(end.text) == std::to_string(cookie);
        if (good) ++acked[cookie];
        else ++failed;
    }
    void change(std::size_t item) {
        ++values[item];
        if (numbers[item] != 0) REQUIRE(node->owner().update(numbers[item], eta::asBytes("x")));
    }
    void turn() {
        while (pair.readable())
            pair.bus->receive(16, [this](eta::Bytes frame) {
                if (!node->received(frame)) pair.bus->tooEarly(frame);
            });
        node->tick();
    }

    Pair pair;
    std::unique_ptr<hub::mesh::MeshNode> node;
    std::array<std::uint64_t, kItems> values{};
    std::array<std::uint32_t, kItems> numbers{};
    std::map<std::uint32_t, std::size_t> items;
    std::uint64_t images = 0, oks = 0, suspects = 0, posts = 0, taken = 0, failed = 0;
    bool inOrder = true;  // each post once, and with its flag
    std::map<std::uint64_t, unsigned> acked;
};

/// An owner and an edge that has all of its items, in steps of a millisecond.
struct Couple {
    explicit Couple(std::uint64_t seed) : a(seed, 2), b(seed + 1, 2), owner(a, b, 0), edge(a, b, 1) {
        REQUIRE(owner.node->directory().offer("S", {}));
        pass(1500ms);
        for (std::size_t i = 0; i < kItems; ++i)
            REQUIRE(edge.node->edge().open("S", std::to_string(i)) == static_cast<std::int64_t>(i));
        pass(1500ms);
        REQUIRE(current() == kItems);
    }
    void step() {
        owner.turn();
        edge.turn();
        a.run(1ms);
        b.run(1ms);
    }
    void pass(std::chrono::milliseconds time) {
        for (auto t = 0ms; t < time; t += 1ms)
            step();
    }
    [[nodiscard]] std::size_t current() const {
        std::size_t n = 0;
        for (std::uint32_t i = 0; i < kItems; ++i)
            n += edge.node->edge().isCurrent(i, a.now()) ? 1u : 0u;
        return n;
    }
    /// Each post was taken once and in order, and each that asked for an ack has one.
    void checkPosts() const {
        CHECK(edge.posts > 1000);
        CHECK(owner.inOrder);
        CHECK(owner.taken == edge.posts);
        CHECK(edge.failed == 0);
        CHECK(edge.acked.size() == edge.posts / 2);
        CHECK(std::ranges::all_of(edge.acked, [](const auto& a) { return a.second == 1; }));
        CHECK(edge.node->edge().posts() == 0);
        CHECK(owner.node->posts().waiting() == 0);
    }
    static void cut(SimulatedBus& bus, bool how) {
        bus.cut(0, 1, how);
        bus.cut(1, 0, how);
    }
    SimulatedBus a, b;
    PairedHub owner, edge;
};

}  // namespace

TEST_CASE("A frame is a copy when every byte of it has come, and nothing else is", "[nats][mesh]") {
    hub::mesh::SeenFrames seen;
    std::mt19937_64 random(7);
    for (const unsigned size : {0u, 1u, 7u, 8u, 9u, 31u, 32u, 33u, 145u, 4096u, 32'768u}) {
        std::vector<std::byte> frame(size);
        for (std::byte& x : frame)
            x = static_cast<std::byte>(random());
        CHECK_FALSE(seen.isCopy(frame));
        CHECK(seen.isCopy(frame));
        for (std::size_t i = 0; i < size; i += 1 + size / 64)
            for (unsigned bit = 0; bit < 8; ++bit) {
                frame[i] ^= static_cast<std::byte>(1u << bit);
                CHECK_FALSE(seen.isCopy(frame));
                frame[i] ^= static_cast<std::byte>(1u << bit);
            }
        frame.push_back(std::byte{0});
        CHECK_FALSE(seen.isCopy(frame));
    }
}

TEST_CASE("Whatever one of two clusters does, nothing of it is seen", "[nats][mesh]") {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        Couple c(seed * 1000);
        std::mt19937_64 random(seed);
        std::deque<std::array<std::uint64_t, kItems>> past;
        const std::uint64_t suspects = c.edge.suspects, images = c.edge.images;
        const std::uint64_t losses = c.edge.node->counts().losses.get();  // a lane that begins is one
        std::uint64_t behind = 0, faults = 0;
        SimulatedBus* last = &c.a;
        int clean = 0;  // steps until the next fault may begin: what the other side delays is on its way so long
        for (int step = 0; step < 20'000; ++step) {
            if (clean != 0) --clean;
            else if (random() % 200 == 0) {
                SimulatedBus& bad = random() % 2 == 0 ? c.a : c.b;
                c.a.heal();
                c.b.heal();
                if (std::exchange(last, &bad) != &bad) clean = 500;
            }
            if (clean == 1 || (clean == 0 && random() % 200 == 0)) {
                SimulatedBus& bad = *last;
                ++faults;
                bad.faults.loss = static_cast<unsigned>(std::array{0, 5, 50, 100}[random() % 4]);
                bad.faults.twice = static_cast<unsigned>(std::array{0, 30, 100}[random() % 3]);
                bad.faults.reorder = static_cast<unsigned>(std::array{0, 5, 50}[random() % 3]);
                bad.faults.lies = static_cast<unsigned>(std::array{0, 100}[random() % 2]);
                bad.faults.mostDelay = std::array<std::chrono::microseconds, 3>{2ms, 30ms, 400ms}[random() % 3];
                if (random() % 3 == 0) Couple::cut(bad, true);
            }
            if (random() % 2 == 0) c.owner.change(random() % kItems);
            c.step();
            past.push_back(c.owner.values);
            if (past.size() <= 10) continue;
            past.pop_front();
            for (std::size_t i = 0; i < kItems; ++i)
                behind += c.edge.values[i] < past.front()[i] || c.edge.values[i] > c.owner.values[i] ? 1u : 0u;
            if (c.current() != kItems || c.edge.suspects != suspects || behind != 0) break;
        }
        INFO("seed " << seed << ", " << faults << " faults");
        CHECK(faults > 30);
        CHECK(c.current() == kItems);
        CHECK(c.edge.suspects == suspects);
        CHECK(behind == 0);
        CHECK(c.edge.images == images);
        CHECK(c.edge.node->counts().losses.get() == losses);
        CHECK(c.edge.node->counts().resynced.get() == 0);
        CHECK(c.edge.node->counts().doubts.get() == 0);
        CHECK(c.edge.pair.bus->copies() > 1000);
        CHECK(c.edge.pair.sides[0]->published == c.edge.pair.sides[1]->published);
    }
}

TEST_CASE("What the faster of two clusters loses comes by one that is 80 ms slower", "[nats][mesh]") {
    const unsigned loss = GENERATE(5u, 30u);
    Couple c(50 + loss);
    c.b.faults.leastDelay = 80ms;
    c.pass(1000ms);  // what is proven over the slower one alone
    c.a.faults.loss = loss;
    std::mt19937_64 random(loss);
    const std::uint64_t suspects = c.edge.suspects, losses = c.edge.node->counts().losses.get();
    std::uint64_t opened = 0, wrong = 0;
    for (int step = 0; step < 20'000; ++step) {
        c.owner.change(random() % kItems);
        if (step % 10 == 0) c.edge.post(1 + static_cast<std::uint32_t>(random() % (kItems - 1)));
        if (step % 1000 == 0) {  // the large one, in fragments
            c.edge.node->edge().close(0);
            REQUIRE(c.edge.node->edge().open("S", "0") == 0);
            ++opened;
        }
        c.step();
        for (std::uint32_t i = 1; i < kItems; ++i)
            wrong += c.edge.node->edge().isCurrent(i, c.a.now()) ? 0u : 1u;
    }
    CHECK(wrong == 0);
    CHECK(c.edge.suspects == suspects);
    CHECK(c.edge.node->counts().losses.get() == losses);
    CHECK(opened == 20);
    CHECK(c.edge.node->counts().doubts.get() == 0);
    c.a.heal();
    c.pass(3000ms);
    CHECK(c.current() == kItems);
    CHECK(c.edge.values == c.owner.values);
    c.checkPosts();
}

TEST_CASE("Posts over two clusters are taken once and acked once while one after the other is away", "[nats][mesh]") {
    Couple c(70);
    std::mt19937_64 random(7);
    const std::uint64_t suspects = c.edge.suspects;
    for (int round = 0; round < 8; ++round) {
        SimulatedBus& bad = round % 2 == 0 ? c.a : c.b;
        for (int step = 0; step < 3000; ++step) {
            if (step == 300) Couple::cut(bad, true);
            if (step == 2700) bad.heal();
            c.owner.change(random() % kItems);
            for (int n = 0; n < 3; ++n)
                c.edge.post(static_cast<std::uint32_t>(random() % kItems));
            c.step();
        }
    }
    c.pass(2000ms);
    CHECK(c.edge.suspects == suspects);
    c.checkPosts();
}

TEST_CASE("A frame that came before its node was known is taken when its copy comes behind", "[nats][mesh]") {
    SimulatedBus a(1, 2), b(2, 2);
    PairedHub edge(a, b, 1);
    PairedHub owner(a, b, 0);
    REQUIRE(owner.node->directory().offer("S", {}));
    owner.node->tick();
    a.run(5ms);
    b.run(5ms);
    auto &ahead = edge.pair.sides[1]->inbox, &behind = edge.pair.sides[0]->inbox;
    const auto isBeat = [](const std::vector<std::byte>& f) {
        return hub::mesh::readHeader(f).value().type == hub::mesh::FrameType::heartbeat;
    };
    REQUIRE(std::ranges::count_if(ahead, isBeat) == 1);
    REQUIRE(ahead.size() >= 2);
    std::stable_partition(ahead.begin(), ahead.end(), std::not_fn(isBeat));  // the directory comes first
    const std::deque<std::vector<std::byte>> directory(ahead.begin(), ahead.end() - 1);
    behind.clear();
    while (edge.pair.readable())
        edge.turn();
    CHECK(edge.node->peers() == 1);
    CHECK_FALSE(edge.node->rows().at(0).directory);
    for (const std::size_t copies : {std::size_t{0}, directory.size()}) {
        behind = directory;
        edge.pair.sides[0]->ring();
        edge.turn();
        CHECK(edge.node->rows().at(0).directory);
        CHECK(edge.pair.bus->copies() == copies);
    }
}

TEST_CASE("Losing both of two clusters is as losing one that is alone", "[nats][mesh]") {
    Couple c(3);
    const std::uint64_t suspects = c.edge.suspects;
    Couple::cut(c.a, true);
    c.pass(10'000ms);
    CHECK(c.current() == kItems);
    Couple::cut(c.b, true);
    c.owner.change(3);
    c.pass(2000ms);
    CHECK(c.current() == 0);
    CHECK(c.edge.suspects == suspects + kItems);
    c.a.heal();  // the other one
    c.pass(2000ms);
    CHECK(c.current() == kItems);
    CHECK(c.edge.values[3] == c.owner.values[3]);
}

TEST_CASE("Both clusters have to say that nobody listens, or the other one has to be away", "[nats][mesh]") {
    SimulatedBus a(1, 2), b(2, 2);
    Pair pair(a, b, 0);
    unsigned said = 0;
    pair.bus->onNobody([&](std::string_view subject) { said += subject == "emh.1.main.u.1.2" ? 1u : 100u; });
    const auto ask = [&] {
        pair.bus->publishAsking("emh.1.main.q.1", "emh.1.main.u.1.2", eta::asBytes("frame"));
        a.run(1ms), b.run(1ms);
        pair.bus->receive(10, [](eta::Bytes) {});
    };
    ask();
    CHECK(said == 1);
    {
        Side there(b, 1);
        there.subscribe("emh.1.main.q.*");
        ask();
        ask();
        CHECK(said == 1);
        pair.sides[1]->connected = false;
        ask();
        CHECK(said == 2);
        pair.sides[1]->connected = true;
    }
    for (const char* const stranger : {"emh.1.main.u.9.2", ""}) {
        for (Side* const side : pair.sides)
            side->nobodies.emplace_back(stranger);
        pair.bus->receive(10, [](eta::Bytes) {});
        CHECK(said == 2);  // nobody asked that
    }
    ask();
    CHECK(said == 3);
}

TEST_CASE("A paired bus is readable when either side is, and says what both are", "[nats][mesh]") {
    SimulatedBus a(1, 2), b(2, 2);
    Pair pair(a, b, 0);
    CHECK_FALSE(pair.readable());
    std::vector<std::string> got;
    const auto take = [&](std::size_t most) {
        return pair.bus->receive(most, [&](eta::Bytes frame) { got.emplace_back(eta::asText(frame)); });
    };
    const auto comes = [&](std::size_t side, std::string_view text) {
        const eta::Bytes bytes = eta::asBytes(text);
        pair.sides[side]->inbox.emplace_back(bytes.begin(), bytes.end());
        pair.sides[side]->ring();
    };
    comes(1, "x");
    CHECK(pair.readable());
    CHECK(take(10) == 1);
    CHECK_FALSE(pair.readable());
    comes(0, "x");
    comes(0, "y");
    comes(1, "y");
    CHECK(take(10) == 3);
    CHECK(got == std::vector<std::string>{"x", "y"});
    CHECK(pair.bus->copies() == 2);
    // Neither side keeps the other one from its turn.
    for (int i = 0; i < 100; ++i)
        comes(0, "a" + std::to_string(i));
    comes(1, "b");
    got.clear();
    CHECK(take(10) <= 10);
    CHECK(std::ranges::find(got, "b") != got.end());
    while (pair.readable())
        CHECK(take(10) != 0);
    CHECK(got.size() == 101);

    pair.sides[1]->most = 80'000;
    CHECK(pair.bus->mostFrame() == 80'000);
    CHECK(pair.bus->server() == "a and b");
    pair.sides[0]->connected = false;
    CHECK(pair.bus->state() == NatsBus::State::connected);
    CHECK(pair.bus->server() == "b");
    pair.sides[1]->connected = false;
    CHECK(pair.bus->state() == NatsBus::State::connecting);
    CHECK(pair.bus->server().empty());
    CHECK(pair.bus->lastError() == "a is away");
    CHECK(pair.bus->sides() == 2);
    CHECK(&pair.bus->side(1) == pair.sides[1]);
}

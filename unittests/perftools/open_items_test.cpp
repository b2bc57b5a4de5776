// Open items and waiting images of a provider, connection by connection.
#include "EventSlices.h"
#include "OpenItems.h"
#include "support/catch.hpp"

#include <algorithm>
#include <random>
#include <set>

using namespace emissary::perf;

namespace {

WaitingItem stream(std::uint64_t handle, bool streaming = true, bool takesGenerics = false) {
    WaitingItem item;
    item.handle = handle;
    item.streaming = streaming;
    item.takesGenerics = takesGenerics;
    return item;
}

bool anybody(std::uint64_t) {
    return true;
}

// Sends the images that wait of clients with room, so many at a turn; their names in order.
template <class HasRoom = bool (*)(std::uint64_t)>
std::vector<std::string> sendAll(OpenItems& table, HasRoom hasRoom = anybody, int atATurn = 1000) {
    std::vector<std::string> names;
    WaitingItem item;
    std::string_view name;
    while (table.nextTurn(hasRoom))
        for (int i = 0; i != atATurn && table.front(item, name); ++i) {
            names.emplace_back(name);
            table.imageSent();
        }
    return names;
}

std::set<std::uint64_t> openHandles(OpenItems& table) {
    std::set<std::uint64_t> handles;
    for (const auto& connection : table.connections())
        for (const OpenItem& item : connection->items)
            handles.insert(item.handle);
    return handles;
}

}  // namespace

TEST_CASE("items wait for their image in the order of the requests, then are open", "[perftools]") {
    OpenItems table;
    table.want(7, stream(1), "ONE");
    table.want(7, stream(2), "TWO");
    table.want(8, stream(3), "THREE");
    CHECK(table.waiting());
    CHECK(openHandles(table).empty());
    CHECK(sendAll(table) == std::vector<std::string>{"ONE", "TWO", "THREE"});
    CHECK_FALSE(table.waiting());
    CHECK(openHandles(table) == std::set<std::uint64_t>{1, 2, 3});
    REQUIRE(table.connections().size() == 2);
    REQUIRE(table.find(7, "TWO") != nullptr);
    CHECK(table.find(7, "TWO")->handle == 2);
    CHECK(table.find(8, "TWO") == nullptr);
    CHECK(table.find(7, "NONE") == nullptr);
}

TEST_CASE("connections take turns for images, and one without room holds up no other", "[perftools]") {
    OpenItems table;
    for (std::uint64_t i = 1; i <= 3; ++i)
        for (std::uint64_t client = 7; client <= 9; ++client)
            table.want(client, stream(10 * client + i), std::to_string(10 * client + i));
    CHECK(sendAll(
              table, [](std::uint64_t client) { return client != 8; }, 2) ==
          std::vector<std::string>{"71", "72", "91", "92", "73", "93"});
    CHECK(table.waiting());
    table.close(81);
    table.forget(7);
    CHECK(sendAll(table) == std::vector<std::string>{"82", "83"});
    CHECK_FALSE(table.waiting());
    CHECK_FALSE(table.nextTurn(anybody));
    table.want(8, stream(84), "84");
    REQUIRE(table.nextTurn(anybody));
    table.forget(8);  // in the middle of its turn
    WaitingItem item;
    std::string_view name;
    CHECK_FALSE(table.front(item, name));
    CHECK_FALSE(table.waiting());
}

TEST_CASE("snapshots get an image and no updates", "[perftools]") {
    OpenItems table;
    table.want(7, stream(1, false), "ONE");
    CHECK(sendAll(table).size() == 1);
    CHECK(openHandles(table).empty());
    CHECK(table.connections().empty());
    CHECK(table.size() == 0);
}

TEST_CASE("closing one item leaves the others alone", "[perftools]") {
    OpenItems table;
    for (std::uint64_t handle = 1; handle <= 5; ++handle)
        table.want(7, stream(handle, true, handle % 2 == 0), "X");
    table.close(3);  // still waiting
    CHECK(sendAll(table).size() == 4);
    table.close(1);
    table.close(1);
    table.close(99);
    CHECK(openHandles(table) == std::set<std::uint64_t>{2, 4, 5});
    const auto genericHandles = [&] {
        std::vector<std::uint64_t> handles;
        for (const GenericItem& item : table.connections().front()->genericItems)
            handles.push_back(item.handle);
        return handles;
    };
    CHECK(genericHandles() == std::vector<std::uint64_t>{2, 4});
    table.close(2);
    CHECK(genericHandles() == std::vector<std::uint64_t>{4});
    table.close(4);
    table.close(5);
    CHECK(table.connections().empty());
    CHECK(table.size() == 0);
}

TEST_CASE("a client that leaves takes its items along, waiting ones too", "[perftools]") {
    OpenItems table;
    table.want(7, stream(1), "ONE");
    table.want(8, stream(2), "TWO");
    CHECK(sendAll(table).size() == 2);
    table.want(7, stream(3), "THREE");
    table.want(8, stream(4), "FOUR");
    table.forget(7);
    table.forget(9);
    CHECK(table.size() == 2);
    CHECK(sendAll(table) == std::vector<std::string>{"FOUR"});
    CHECK(openHandles(table) == std::set<std::uint64_t>{2, 4});
    table.forget(8);
    CHECK(table.size() == 0);
    CHECK(table.connections().empty());
}

TEST_CASE("a handle that is used again belongs to the later stream", "[perftools]") {
    OpenItems table;
    table.want(7, stream(1), "OLD");
    table.close(1);
    CHECK(table.connections().empty());
    table.want(7, stream(1), "NEW");
    CHECK(sendAll(table) == std::vector<std::string>{"NEW"});
    CHECK(table.find(7, "NEW") != nullptr);
    CHECK(table.find(7, "OLD") == nullptr);
}

TEST_CASE("a reissue gets another image and stays one item", "[perftools]") {
    OpenItems table;
    WaitingItem again = stream(1);
    again.again = true;
    table.want(7, again, "ONE");  // unknown: nothing to do
    CHECK(sendAll(table).empty());
    table.want(7, stream(1), "ONE");
    table.want(7, again, "ONE");  // its image is coming anyway
    CHECK(sendAll(table).size() == 1);
    table.want(7, again, "ONE");
    CHECK(sendAll(table) == std::vector<std::string>{"ONE"});
    CHECK(table.connections().front()->items.size() == 1);
    table.want(7, again, "ONE");
    table.close(1);
    CHECK(sendAll(table).empty());
}

TEST_CASE("an item whose image cannot be sent is forgotten", "[perftools]") {
    OpenItems table;
    WaitingItem item;
    std::string_view name;
    table.want(7, stream(1), "ONE");
    table.want(7, stream(2), "TWO");
    REQUIRE(table.nextTurn(anybody));
    REQUIRE(table.front(item, name));
    table.dropFront();
    CHECK(sendAll(table) == std::vector<std::string>{"TWO"});
    CHECK(openHandles(table) == std::set<std::uint64_t>{2});
}

TEST_CASE("random opens and closes keep the table consistent", "[perftools]") {
    OpenItems table;
    std::mt19937 random(11);
    std::set<std::uint64_t> open;
    for (int step = 0; step < 20'000; ++step) {
        const std::uint64_t handle = random() % 200 + 1;
        if (open.contains(handle)) {
            table.close(handle);
            open.erase(handle);
        } else {
            table.want(handle % 3, stream(handle), std::to_string(handle));
            open.insert(handle);
        }
        if (step % 7 == 0) {
            static_cast<void>(sendAll(table));
            REQUIRE(openHandles(table) == open);
            REQUIRE(table.size() == open.size());
        }
    }
}

TEST_CASE("scattered updates go round all items, each once, and none beside the one before", "[perftools]") {
    for (std::size_t items = 1; items < 3000; ++items) {
        const std::size_t step = scatterStep(items);
        INFO(items << " items, step " << step);
        REQUIRE(step >= 1);
        REQUIRE((items == 1 || step < items));
        std::vector<bool> seen(items);
        std::size_t at = 0;
        for (std::size_t i = 0; i < items; ++i) {
            REQUIRE_FALSE(seen[at]);
            seen[at] = true;
            at = (at + step) % items;
        }
        REQUIRE(at == 0);
    }
    CHECK(scatterStep(100'000) > 61'000);
    CHECK(scatterStep(100'000) < 63'000);
}

TEST_CASE("images have their share of the bytes of a connection", "[perftools]") {
    ImageShare share;
    CHECK_FALSE(share.counting());
    const std::uint32_t percent = GENERATE(1U, 25U, 50U, 99U);
    INFO(percent << " percent");
    share.begin(1'000'000);
    CHECK(share.counting());
    CHECK_FALSE(share.owed(1'000'000, percent));  // nothing was sent
    CHECK_FALSE(share.owed(999'999, percent));
    // Updates go when they may, images otherwise.
    std::uint64_t sent = 1'000'000, images = 0;
    for (int i = 0; i < 20'000; ++i) {
        sent += 100;
        if (share.owed(sent - 100, percent)) images += 100;
        else share.add(100);
    }
    const double part = static_cast<double>(images) / static_cast<double>(sent - 1'000'000);
    CHECK(part == Approx(percent / 100.0).margin(0.001));
    // What both had before is forgotten when images begin to wait anew.
    share.end();
    CHECK_FALSE(share.counting());
    share.begin(sent);
    CHECK_FALSE(share.owed(sent, percent));
}

TEST_CASE("a burst of requests is served in slices, with a turn for updates behind each", "[perftools]") {
    struct Event {
        std::uint32_t number = 0, nameLength = 0;
    };
    struct Batch {
        std::vector<Event> events;
        std::string names;
        std::vector<int> posts;
        void add(std::uint32_t number) {
            const std::string name = std::to_string(number);
            events.push_back({number, static_cast<std::uint32_t>(name.size())});
            names += name;
        }
    };
    constexpr std::uint32_t kSlice = 1000;
    const std::uint32_t burst = GENERATE(0U, 1U, 999U, 1000U, 1001U, 10'000U);
    Batch waiting;
    for (std::uint32_t i = 0; i < burst; ++i)
        waiting.add(i);
    waiting.posts.push_back(7);
    EventSlices<Batch> slices(kSlice);
    CHECK_FALSE(slices.left());
    std::uint32_t seen = 0, posts = 0;
    const auto work = [&] {
        return slices.work(
            [&](Batch& batch) {
                batch = {};
                std::swap(waiting, batch);
            },
            [&](const Event& event, std::string_view name) {
                CHECK(event.number == seen);
                CHECK(name == std::to_string(seen));
                CHECK(posts == (event.number < burst ? 0U : 1U));  // a post follows the requests before it
                ++seen;
            },
            [&](int post) {
                CHECK(post == 7);
                CHECK(seen == burst);
                ++posts;
            });
    };
    std::uint32_t turns = 0;
    do {
        const std::uint32_t before = seen;
        CHECK(work() == std::min(kSlice, burst - before));
        if (++turns == 1) waiting.add(burst);  // comes while the burst is served, and is served behind it
    } while (slices.left());
    CHECK(turns == std::max(1U, (burst + kSlice - 1) / kSlice));
    CHECK(seen == burst);
    CHECK(posts == 1);
    CHECK(work() == 1);
    CHECK(seen == burst + 1);
    CHECK(work() == 0);
    CHECK(posts == 1);
}

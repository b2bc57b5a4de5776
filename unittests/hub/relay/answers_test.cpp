// What clients on threads of their own send beside requests, while data flow and some of them die: posts and their
// answers, generic messages, private streams, batches.
#include "eyes.h"
#include "support/item_list.h"

#include <random>
#include <set>

using namespace emissary;
using namespace emissary::test;

namespace {

[[nodiscard]] std::vector<std::unique_ptr<Eye>> tenEyes(KindsFixture& f) {
    std::vector<std::unique_ptr<Eye>> eyes;
    for (int i = 0; i < 10; ++i)
        eyes.push_back(std::make_unique<Eye>(f, kWires[i % 5], i));
    return eyes;
}

/// One more stream for each of them, and its refresh.
void openAll(std::vector<std::unique_ptr<Eye>>& eyes, std::int32_t stream, const std::string& name) {
    for (const auto& eye : eyes) {
        eye->request(stream, name);
        const Heard got = eye->next();
        REQUIRE(got.type == "Refresh");
        REQUIRE(got.stream == stream);
    }
}

}  // namespace

TEST_CASE("posts of clients on every thread are answered to who posted, once, while others die", "[hub][relay][post]") {
    KindsFixture f;
    std::vector<RawProvider::Got> waiting;
    f.onOther = [&](const RawProvider::Got& got) {
        if (got.msg.cls != MsgClass::Post) return;
        waiting.push_back(got);
        REQUIRE(codec::decodeMsg(Bytes(waiting.back().bytes), waiting.back().msg).ok());
    };
    std::set<std::uint32_t> numbers;  // the hub's own are unlike each other on all streams
    std::uint64_t taken = 0, refusedPosts = 0;
    const auto answerSome = [&](std::size_t most, std::mt19937& random) {
        for (; most != 0 && !waiting.empty(); --most) {
            const std::size_t at = random() % waiting.size();
            const Msg& post = waiting[at].msg;
            CHECK(post.postUserId == 4);
            CHECK(numbers.insert(post.postId).second);
            Msg ack;
            ack.cls = MsgClass::Ack;
            ack.streamId = post.streamId;
            ack.domain = post.domain;
            ack.ackId = post.postId;
            if (RelayFixture::valueOf(post) % 3 == 0) {
                ack.flags |= codec::AckFlag::nakCode;
                ack.nakCode = 10;
                ++refusedPosts;
            } else {
                ++taken;
            }
            f.provider.send(ack);
            waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(at));
        }
    };
    std::vector<std::unique_ptr<Eye>> eyes = tenEyes(f);
    openAll(eyes, 5, "IBM");
    std::vector<std::map<std::uint32_t, std::pair<std::int32_t, bool>>> open(eyes.size());  // stream, to be refused
    std::uint32_t lastId = 0;
    std::uint64_t posts = 0, answers = 0;
    const auto take = [&](std::size_t which, const Heard& got) {
        if (got.type != "Ack") return;
        INFO("client " << which << " ack " << got.ackId);
        const auto at = open[which].find(got.ackId);
        REQUIRE(at != open[which].end());
        CHECK(got.stream == at->second.first);
        CHECK(got.refused == at->second.second);
        open[which].erase(at);
        ++answers;
    };
    std::mt19937 random(3);
    for (int round = 0; round < 600; ++round) {
        const std::size_t which = random() % eyes.size();
        Eye& eye = *eyes[which];
        f.tick();
        if (random() % 40 == 0) {  // with posts that wait for their answers
            eye.die();
            open[which].clear();
            eye.connect();
            eye.request(5, "IBM");
        } else if (random() % 2 == 0) {
            const bool onStream = random() % 2 == 0;
            const std::uint64_t value = random() % 1000;
            open[which][++lastId] = {onStream ? 5 : 1, value % 3 == 0};
            eye.post(onStream ? 5 : 1, lastId, value, onStream ? "" : "IBM");
            ++posts;
        }
        while (const auto got = eye.look())
            take(which, *got);
        f.settle(1);
        answerSome(random() % 4, random);
    }
    for (std::size_t which = 0; which < eyes.size(); ++which)
        f.until([&] {
            f.serve();
            answerSome(waiting.size(), random);
            while (const auto got = eyes[which]->look())
                take(which, *got);
            return open[which].empty();
        });
    CHECK(answers > 150);
    CHECK(answers <= posts);
    CHECK(taken != 0);
    CHECK(refusedPosts != 0);
    f.until([&] {
        f.serve();
        answerSome(waiting.size(), random);
        return f.count("emissary_hub_posts_outstanding") == 0;
    });
}

TEST_CASE("generic messages go to the source from every thread, and its own to everybody in one order",
          "[hub][relay]") {
    KindsFixture f;
    std::vector<std::uint64_t> passed;  // in the provider's order
    f.onOther = [&](const RawProvider::Got& got) {
        if (got.msg.cls != MsgClass::Generic) return;
        passed.push_back(RelayFixture::valueOf(got.msg));
        Msg back;
        back.cls = MsgClass::Generic;
        back.streamId = got.msg.streamId;
        back.flags = codec::GenericFlag::complete;
        f.fill(back, passed.back());
        f.provider.send(back);
    };
    std::vector<std::unique_ptr<Eye>> eyes = tenEyes(f);
    openAll(eyes, 5, "IBM");
    std::vector<std::vector<std::uint64_t>> heard(eyes.size());
    const auto take = [&](std::size_t which, const Heard& got) {
        if (got.type == "Generic") heard[which].push_back(got.value.value());
    };
    constexpr std::size_t kDies = 4;
    std::uint64_t value = 0;
    for (int round = 0; round < 300; ++round) {
        const std::size_t which = static_cast<std::size_t>(round) % eyes.size();
        if (round == 150) eyes[kDies]->die();
        if (!eyes[which]->there()) continue;
        f.tick();
        eyes[which]->generic(5, ++value);
        f.settle(1);
        while (const auto got = eyes[which]->look())
            take(which, *got);
    }
    f.until([&] {
        f.serve();
        return passed.size() >= value - 1;  // what was sent last by who died may be lost with the connection
    });
    for (std::size_t which = 0; which < eyes.size(); ++which) {
        if (which == kDies) continue;
        INFO("client " << which);
        while (heard[which].size() < passed.size())
            take(which, eyes[which]->next());
        CHECK(heard[which] == passed);
    }
    std::vector<std::uint64_t> sorted = passed;
    std::ranges::sort(sorted);
    CHECK(std::ranges::adjacent_find(sorted) == sorted.end());
}

TEST_CASE("private streams of every thread are each client's own, and end with their source", "[hub][relay]") {
    KindsFixture f;
    std::map<std::int32_t, std::uint64_t> own;  // the provider's private streams: the last value of each
    const auto serveOwn = [&] {
        while (const auto got = f.provider.take()) {
            if (got->msg.cls == MsgClass::Close) own.erase(got->msg.streamId);
            if (got->msg.cls != MsgClass::Request || !got->msg.has(RequestFlag::privateStream)) continue;
            std::uint64_t& value = own[got->msg.streamId];
            value = 1'000'000u * static_cast<std::uint64_t>(got->msg.streamId);
            Msg refresh = RawProvider::refresh(got->msg.streamId);
            refresh.flags |= RefreshFlag::privateStream;
            f.fill(refresh, value);
            f.provider.send(refresh);
        }
    };
    std::vector<std::unique_ptr<Eye>> eyes;
    for (int i = 0; i < 10; ++i)
        eyes.push_back(std::make_unique<Eye>(f, kWires[i % 5], i));
    std::vector<std::uint64_t> last(eyes.size());
    std::vector<bool> ended(eyes.size());
    const auto read = [&](std::size_t which) {
        while (const auto got = eyes[which]->look()) {
            INFO("client " << which << " told " << got->type << " " << got->value.value_or(0));
            if (got->stream != 5) continue;
            if (got->type == "Refresh") {
                CHECK(got->isPrivate);
                REQUIRE(last[which] == 0);
                last[which] = got->value.value();
            } else if (got->type == "Update") {
                REQUIRE(got->value.value() == ++last[which]);
            } else {
                CHECK(got->state == "ClosedRecover/Suspect");
                ended[which] = true;
            }
        }
    };
    for (const auto& eye : eyes)
        eye->request(5, "OWN", RequestFlag::privateStream);
    f.until([&] {
        serveOwn();
        return own.size() == eyes.size();
    });
    const auto tick = [&] {
        for (auto& [stream, value] : own)
            f.update(stream, ++value);
    };
    const auto caughtUp = [&] {
        std::vector<std::uint64_t> all, seen;
        for (const auto& [stream, value] : own)
            all.push_back(value);
        for (std::size_t which = 0; which < eyes.size(); ++which)
            if (eyes[which]->there()) read(which), seen.push_back(last[which]);
        std::ranges::sort(seen);
        std::ranges::sort(all);
        return seen == all;
    };
    for (int i = 0; i < 200; ++i) {
        tick();
        f.turn();
        if (i == 100) {
            eyes[0]->die();
            eyes[2]->die();
            f.until([&] {
                serveOwn();
                return own.size() == eyes.size() - 2;
            });
        }
    }
    f.until(caughtUp);
    f.provider.disconnect();
    f.until([&] {
        bool all = true;
        for (std::size_t which = 0; which < eyes.size(); ++which)
            if (eyes[which]->there()) read(which), all = all && ended[which];
        return all;
    });
}

TEST_CASE("batches on every thread: a refresh and every update for each of their items", "[hub][relay]") {
    KindsFixture f;
    std::vector<std::string> names;
    for (int i = 0; i < 60; ++i)
        names.push_back("N" + std::to_string(i));
    std::vector<std::unique_ptr<Eye>> eyes = tenEyes(f);
    std::vector<std::map<std::int32_t, std::uint64_t>> values(eyes.size());
    std::vector<bool> done(eyes.size());
    const auto take = [&](std::size_t which, const Heard& got) {
        INFO("client " << which << " stream " << got.stream << " told " << got.type << " " << got.state);
        if (got.stream == 100) {
            CHECK(got.state == "Closed/Ok");
            done[which] = true;
            return;
        }
        REQUIRE(got.stream > 100);
        REQUIRE(got.stream <= 100 + static_cast<std::int32_t>(names.size()));
        if (got.type == "Refresh") {
            CHECK(got.state == "Open/Ok");
            values[which][got.stream] = got.value.value();
        } else {
            REQUIRE(got.type == "Update");
            REQUIRE(got.value.value() == ++values[which][got.stream]);
        }
    };
    for (std::size_t which = 0; which < eyes.size(); ++which) {
        eyes[which]->batch(100, names);
        if (which == 3 || which == 7) eyes[which]->die();  // perhaps in the middle of being answered
        f.settle();
        if (f.streams.size() == names.size()) f.tick();
    }
    for (int i = 0; i < 20; ++i) {
        f.settle(1);
        if (f.streams.size() == names.size()) f.tick();
        for (std::size_t which = 0; which < eyes.size(); ++which)
            while (const auto got = eyes[which]->there() ? eyes[which]->look() : std::nullopt)
                take(which, *got);
    }
    f.until([&] {
        f.serve();
        return f.streams.size() == names.size();
    });
    f.tick();
    for (std::size_t which = 0; which < eyes.size(); ++which) {
        if (!eyes[which]->there()) continue;
        const auto caughtUp = [&] {
            if (!done[which] || values[which].size() != names.size()) return false;
            return std::ranges::all_of(values[which], [&](const auto& v) {
                return v.second == f.values[names[static_cast<std::size_t>(v.first - 101)]];
            });
        };
        while (!caughtUp())
            take(which, eyes[which]->next());
    }
    CHECK(f.hub->rooms().flow.counts().mounts.get() == 8 * names.size());
}

TEST_CASE("a batch that would take the id of a dictionary's stream is refused on every thread", "[hub][relay]") {
    const bool held = GENERATE(false, true);
    INFO((held ? "the batches have to wait" : "no limit"));
    RelayFixture f([held](HubSettings& s) { s.requestsPerSecondPerClient = held ? 20 : 0; });
    f.connected();
    f.until([&] { return f.hub->dictionary() != nullptr; });
    const auto batch = [](std::int32_t stream, reactor::GrowingBuffer& buffer) {
        return batchRequest(stream, {"A", "B", "C"}, HubFixture::kId, buffer);
    };
    std::vector<RawConsumer> clients;
    for (int i = 0; i < 2; ++i)
        clients.push_back(f.loggedIn("c" + std::to_string(i)));
    for (RawConsumer& c : clients) {
        Msg dictionary = RawConsumer::dictionaryRequest(12, "RWFFld");
        dictionary.key.serviceId = HubFixture::kId;
        c.send(dictionary);
        while (!c.next().msg.has(RefreshFlag::complete)) {}
        for (int i = 0; held && i < 30; ++i)  // more than may come at once
            c.send(RawConsumer::request(1000 + i, 6, "none", std::uint16_t{65'000}));
        reactor::GrowingBuffer bad, good;
        c.send(batch(10, bad));
        c.send(batch(20, good));
        c.send(RawConsumer::request(999, 6, "none", std::uint16_t{65'000}));
        std::map<std::int32_t, int> codes;
        int opened = 0;
        while (!codes.contains(999)) {
            std::optional<Received> got;
            f.until([&] {
                f.serve();
                got = c.tryNext(std::chrono::milliseconds(0));
                return got.has_value();
            });
            if (got->msg.cls == MsgClass::Refresh) opened += got->msg.streamId > 20 && got->msg.streamId < 24;
            else if (got->msg.streamId < 1000) codes[got->msg.streamId] = got->msg.state.code;
        }
        f.until([&] {
            f.serve();
            if (const auto got = c.tryNext(std::chrono::milliseconds(0)))
                opened += got->msg.cls == MsgClass::Refresh && got->msg.streamId > 20;
            return opened == 3;
        });
        CHECK(codes == std::map<std::int32_t, int>{{10, 23}, {20, 0}, {999, 15}});  // UnableToRequestAsBatch
    }
    if (held) CHECK(f.count("emissary_hub_requests_held_total") > 0);
}

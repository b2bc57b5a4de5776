// Batches of clients, requests without streaming, and keys in updates: what a foreign consumer may ask a provider for.
#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"
#include "reactor/provider/ProviderFixture.h"
#include "support/catch.hpp"
#include "support/item_list.h"

#include <atomic>
#include <thread>

using namespace emissary::test;
using namespace emissary;

namespace {

using What = Told::What;

/// An element list with a list of names or of stream ids, and a view of field 22 where that is asked for.
class ListPayload {
public:
    ListPayload(const std::vector<std::string>& names, const std::vector<std::int32_t>& streams, bool view = false) {
        codec::ElementListEncoder list;
        list.begin(buffer_.start());
        if (!names.empty()) addItemList(list, names);
        if (!streams.empty()) {
            list.beginElement(":StreamIdList", codec::DataType::Array);
            codec::ArrayEncoder array;
            array.begin(list.writer(), codec::DataType::Int);
            for (const std::int32_t id : streams) {
                std::array<std::byte, 4> content{};
                eta::storeBe(content.data(), static_cast<std::uint32_t>(id));
                array.add(content);
            }
            REQUIRE(array.complete().ok());
            list.endElement();
        }
        if (view) list.addUInt(":ViewType", 1);
        REQUIRE(list.complete().ok());
    }
    void into(codec::Msg& m) const {
        m.containerType = codec::DataType::ElementList;
        m.payload = buffer_.view();
    }

private:
    eta::GrowingBuffer buffer_;
};

codec::Msg batchOf(std::int32_t streamId, const ListPayload& payload) {
    codec::Msg m = RawConsumer::request(streamId, 6, {}, 1);
    m.flags |= codec::RequestFlag::batch;
    payload.into(m);
    return m;
}

codec::Msg closeOf(std::int32_t streamId, const ListPayload& payload) {
    codec::Msg m = RawConsumer::close(streamId);
    m.flags |= codec::CloseFlag::batch;
    payload.into(m);
    return m;
}

/// Answers what is not a login with an Open image, as small applications do.
void answerOpen(ProviderFixture& f) {
    f.app.answer = [&f](const StreamEvent& e, const codec::Msg& m) { CHECK(f.app.submitRefresh(e.handle, m).ok()); };
}

}  // namespace

TEST_CASE("each item of a batch is a request of its own", "[reactor][provider][batch]") {
    ProviderFixture f;
    answerOpen(f);
    RawConsumer c = f.loggedIn();
    const ListPayload names({"A", "B", "C"}, {}, true);
    codec::Msg batch = batchOf(20, names);
    batch.flags |= codec::RequestFlag::view;
    c.send(batch);
    const Received status = c.next();
    CHECK(status.msg.cls == codec::MsgClass::Status);
    CHECK(status.msg.streamId == 20);
    CHECK(status.msg.state.stream == codec::StreamState::closed);
    CHECK(status.msg.state.data == codec::DataState::ok);
    for (int i = 0; i < 3; ++i) {
        const Received image = c.next();
        CHECK(image.msg.cls == codec::MsgClass::Refresh);
        CHECK(image.msg.streamId == 21 + i);
        CHECK(image.name() == std::string(1, static_cast<char>('A' + i)));
        const Told& told = f.app.told[static_cast<std::size_t>(1 + i)];
        CHECK(told.what == What::request);
        CHECK_FALSE(told.msg.has(codec::RequestFlag::batch));
        CHECK(told.msg.has(codec::RequestFlag::view));
        CHECK(told.msg.containerType == codec::DataType::ElementList);
    }
    CHECK(f.role->counters().openStreams == 4);

    SECTION("and asked for again together") {
        const ListPayload ids({}, {21, 99, 23});
        codec::Msg again = batchOf(30, ids);
        again.key = {};
        c.send(again);
        CHECK(c.next().msg.streamId == 30);
        f.runUntil([&] { return f.app.count(What::reissue) == 2; });
    }
    SECTION("and closed together, whatever else the list names") {
        const ListPayload ids({}, {99, 21, 20, -5, 22, 23});
        c.send(closeOf(99, ids));
        f.runUntil([&] { return f.app.count(What::close) == 3; });
        CHECK(f.role->counters().openStreams == 1);
        CHECK(f.app.downs.empty());
    }
    SECTION("with an Ack for each where one is asked for") {
        const ListPayload ids({}, {21, 99, 23});
        codec::Msg close = closeOf(21, ids);
        close.flags |= codec::CloseFlag::ack;
        c.send(close);
        for (const std::uint32_t id : {21u, 23u}) {
            const Received ack = c.next();
            CHECK(ack.msg.cls == codec::MsgClass::Ack);
            CHECK(ack.msg.ackId == id);
            CHECK(ack.msg.streamId == static_cast<std::int32_t>(id));
        }
        const Received done = c.next();
        CHECK(done.msg.streamId == 21);
        CHECK(done.msg.state.stream == codec::StreamState::closed);
        CHECK(done.msg.state.data == codec::DataState::ok);
    }
    SECTION("and a close of none that is open is answered as well") {
        const ListPayload ids({}, {98, 99});
        c.send(closeOf(98, ids));
        const Received done = c.next();
        CHECK(done.msg.streamId == 98);
        CHECK(done.msg.state.stream == codec::StreamState::closed);
        CHECK(done.msg.state.data == codec::DataState::ok);
        CHECK(f.role->counters().openStreams == 4);
    }
    SECTION("and the login in the list ends all of them") {
        const ListPayload ids({}, {21, 1, 22});
        c.send(closeOf(21, ids));
        f.runUntil([&] { return f.role->counters().openStreams == 0; });
        CHECK(f.app.downs.empty());
    }
}

TEST_CASE("a batch whose list cannot be used is refused as such", "[reactor][provider][batch]") {
    ProviderFixture f;
    answerOpen(f);
    SECTION("the provider offers none") {
        f.app.batches = 0;
        RawConsumer c = f.loggedIn();
        const ListPayload names({"A", "B", "C", "D", "E", "F", "G"}, {});
        c.send(batchOf(20, names));
        const Received refused = c.next();
        CHECK(refused.msg.state.stream == codec::StreamState::closed);
        CHECK(int{refused.msg.state.code} == 23);
        CHECK_THAT(refused.stateText(),
                   Catch::Contains("'A', 'B', 'C', 'D', 'E' and 2 more") && Catch::Contains("SupportBatchRequests"));
        CHECK(f.app.count(What::request) == 1);
    }
    SECTION("there is no list, the list is empty, the ids run over, a stream is not free") {
        RawConsumer c = f.loggedIn();
        codec::Msg empty = RawConsumer::request(20, 6, {}, 1);
        empty.flags |= codec::RequestFlag::batch;
        c.send(empty);
        CHECK(int{c.next().msg.state.code} == 23);
        const ListPayload nothing({}, {});
        c.send(batchOf(20, nothing));
        CHECK(int{c.next().msg.state.code} == 23);
        const ListPayload two({"A", "B"}, {});
        c.send(batchOf(2147483646, two));
        CHECK(int{c.next().msg.state.code} == 23);
        c.send(RawConsumer::directoryRequest(3, 22));
        CHECK(c.next().msg.streamId == 22);
        c.send(batchOf(20, two));
        CHECK_THAT(c.next().stateText(), Catch::Contains("a directory"));
        CHECK(f.app.count(What::request) == 1);
        c.send(RawConsumer::request(31, 6, "OLD", 1));
        CHECK(c.next().msg.streamId == 31);
        c.send(batchOf(30, two));
        CHECK(c.next().msg.streamId == 30);
        const Received first = c.next();
        CHECK(first.msg.streamId == 31);
        CHECK(first.msg.state.isFinal());
        CHECK(c.next().msg.streamId == 32);
        CHECK(f.app.count(What::close) == 1);
    }
    SECTION("a list of closes that cannot be read closes nothing") {
        RawConsumer c = f.loggedIn();
        c.send(RawConsumer::request(31, 6, "A", 1));
        CHECK(c.next().msg.streamId == 31);
        codec::Msg close = RawConsumer::close(31);
        close.flags |= codec::CloseFlag::batch;
        c.send(close);
        const auto ignored = f.role->counters().ignored;
        f.runUntil([&] { return f.role->counters().ignored == ignored + 1; });
        CHECK(f.role->counters().openStreams == 2);
    }
}

TEST_CASE("the image of a request without streaming is the last of its stream", "[reactor][provider][snapshot]") {
    ProviderFixture f;
    answerOpen(f);
    RawConsumer c = f.loggedIn();
    const auto snapshot = [](std::int32_t id, const std::string& name) {
        codec::Msg m = RawConsumer::request(id, 6, name, 1);
        m.flags = 0;
        return m;
    };
    SECTION("2,000 of them leave no streams") {
        constexpr int kMany = 2000;
        for (int i = 0; i < kMany; ++i) {
            c.send(snapshot(10 + i, "I" + std::to_string(i)));
            const Received image = c.next();
            CHECK(image.msg.streamId == 10 + i);
            CHECK(image.msg.state.stream == codec::StreamState::nonStreaming);
        }
        f.runUntil([&] { return f.app.count(What::close) == kMany; });
        CHECK(f.role->counters().openStreams == 1);
    }
    SECTION("the application may go on until it hears of the end") {
        c.send(snapshot(10, "A"));
        f.runUntil([&] { return f.app.count(What::request) == 2; });
        const std::uint64_t handle = f.app.told[1].event.handle;
        f.locked([&](ProviderRole& role) {
            if (f.app.count(What::close) != 0) return;
            codec::Msg update = Application::update();
            CHECK(role.submit(handle, update).ok());
        });
        CHECK(c.next().msg.state.stream == codec::StreamState::nonStreaming);
        f.runUntil([&] { return f.app.count(What::close) == 1; });
        CHECK(f.app.last().event.handle == handle);
        codec::Msg update = Application::update();
        CHECK(f.locked([&](ProviderRole& r) { return r.submit(handle, update); }).fault == SubmitFault::unknownHandle);
        c.send(snapshot(11, "B"));
        CHECK(c.next().msg.streamId == 11);  // no update came between
    }
    SECTION("stream id and item may be asked for again at once") {
        f.app.answer = {};
        c.send(snapshot(10, "A"));
        f.runUntil([&] { return f.app.count(What::request) == 2; });
        const Told first = f.app.last();
        f.locked([&](ProviderRole& role) {
            codec::Msg image = Application::refresh();
            CHECK(role.submit(first.event.handle, image).ok());
            CHECK(image.state.stream == codec::StreamState::nonStreaming);
        });
        answerOpen(f);
        c.send(RawConsumer::request(10, 6, "A", 1));
        CHECK(c.next().msg.state.stream == codec::StreamState::nonStreaming);
        CHECK(c.next().msg.state.stream == codec::StreamState::open);
        CHECK(f.app.count(What::reissue) == 0);
        CHECK(f.app.count(What::request) == 3);
        CHECK(f.app.count(What::close) == 1);
    }
    SECTION("parts come before the last one; a status leaves it open") {
        f.app.answer = {};
        c.send(snapshot(10, "A"));
        f.runUntil([&] { return f.app.count(What::request) == 2; });
        const std::uint64_t handle = f.app.last().event.handle;
        f.locked([&](ProviderRole& role) {
            codec::Msg status = Application::status(codec::StreamState::open);
            CHECK(role.submit(handle, status).ok());
            codec::Msg part = Application::refresh();
            part.flags &= static_cast<std::uint16_t>(~codec::RefreshFlag::complete);
            CHECK(role.submit(handle, part).ok());
            codec::Msg last = Application::refresh();
            CHECK(role.submit(handle, last).ok());
        });
        CHECK(c.next().msg.cls == codec::MsgClass::Status);
        CHECK(c.next().msg.state.stream == codec::StreamState::open);
        CHECK(c.next().msg.state.stream == codec::StreamState::nonStreaming);
    }
    SECTION("a client that goes takes them along") {
        c.send(snapshot(10, "A"));
        CHECK(c.next().msg.streamId == 10);
        c.send(RawConsumer::close(1, 1));
        f.runUntil([&] { return f.role->counters().openStreams == 0; });
    }
}

TEST_CASE("updates and statuses carry the key where that was asked for", "[reactor][provider][key]") {
    ProviderFixture f;
    answerOpen(f);
    RawConsumer c = f.loggedIn();
    codec::Msg request = RawConsumer::request(10, 6, "TRI.N", 1);
    const bool wanted = GENERATE(true, false);
    const bool rare = GENERATE(true, false);
    if (wanted) request.flags |= codec::RequestFlag::msgKeyInUpdates;
    if (rare) {
        request.key.flags |= codec::KeyFlag::identifier;
        request.key.identifier = 7;
    }
    c.send(request);
    CHECK(c.next().msg.cls == codec::MsgClass::Refresh);
    const std::uint64_t handle = f.app.last().event.handle;
    const std::string payload = GENERATE("", "some bytes");
    codec::Msg update = Application::update();
    if (!payload.empty()) {
        update.containerType = codec::DataType::Opaque;
        update.payload = eta::asBytes(payload);
    }
    const auto check = [&](const Received& got) {
        CHECK(got.msg.streamId == 10);
        REQUIRE(got.msg.hasKey() == wanted);
        if (!wanted) return;
        CHECK(got.name() == "TRI.N");
        CHECK(got.msg.key.has(codec::KeyFlag::serviceId));
        CHECK(got.msg.key.serviceId == 1);
        CHECK_FALSE(got.msg.key.has(codec::KeyFlag::identifier));
    };
    f.locked([&](ProviderRole& role) {
        SubmitResult plain;
        if (role.submitPlain(handle, update, plain)) CHECK(plain.ok());
        else CHECK(role.submit(handle, update).ok());
        update.key = {};
        update.flags = codec::UpdateFlag::seqNum | codec::UpdateFlag::doNotRipple;
        update.seqNum = 9;
        CHECK(role.submit(handle, update).ok());
        codec::Msg status = Application::status(codec::StreamState::open);
        CHECK(role.submit(handle, status).ok());
    });
    const Received first = c.next();
    check(first);
    CHECK(eta::asText(first.msg.payload) == payload);
    const Received second = c.next();
    check(second);
    CHECK(second.msg.seqNum == 9);
    const Received third = c.next();
    CHECK(third.msg.cls == codec::MsgClass::Status);
    check(third);

    SECTION("a reissue changes that") {
        request.flags ^= codec::RequestFlag::msgKeyInUpdates;
        c.send(request);
        f.runUntil([&] { return f.app.count(What::reissue) == 1; });
        f.locked([&](ProviderRole& role) {
            codec::Msg plain = Application::update();
            CHECK(role.submit(handle, plain).ok());
        });
        CHECK(c.next().msg.hasKey() != wanted);
    }
    SECTION("so it is with a refusal") {
        request.streamId = 11;
        c.send(request);  // it is open already
        const Received refused = c.next();
        CHECK(refused.msg.streamId == 11);
        CHECK(refused.msg.state.isFinal());
        REQUIRE(refused.msg.hasKey() == wanted);
        CHECK(refused.name() == (wanted ? "TRI.N" : ""));
    }
    SECTION("a key of the application's own stays") {
        f.locked([&](ProviderRole& role) {
            codec::Msg own = Application::update();
            own.flags = codec::UpdateFlag::msgKey;
            own.key.flags = codec::KeyFlag::name;
            own.key.name = eta::asBytes("OWN");
            CHECK(role.submit(handle, own).ok());
        });
        CHECK(c.next().name() == "OWN");
    }
}

TEST_CASE("another thread has its turn between two names of a batch", "[reactor][provider][batch]") {
    constexpr std::size_t kNames = 2000;
    ProviderFixture f;
    RawConsumer c = f.loggedIn();
    std::atomic<bool> had = false, closed = false;
    std::thread other;
    std::size_t handled = 0, before = 0;
    const bool ends = GENERATE(false, true);  // its turn ends the client, of whom the batch is
    f.app.answer = [&](const StreamEvent& e, const codec::Msg&) {
        ++handled;
        if (had) return;
        ++before;
        if (other.joinable()) return std::this_thread::yield();
        other = std::thread([&f, &had, &closed, ends, client = e.clientHandle] {
            const std::lock_guard guard(f.loop.lock());
            if (ends) closed = f.role->closeClient(client);
            had = true;
        });
        while (!f.loop.lock().wanted())
            std::this_thread::yield();
    };
    std::vector<std::string> names;
    for (std::size_t i = 0; i < kNames; ++i)
        names.push_back("N" + std::to_string(i));
    const ListPayload payload(names, {});
    c.send(batchOf(20, payload));
    f.runUntil([&] { return had && (ends || handled == kNames); });
    other.join();
    CHECK(closed == ends);
    CHECK(before < kNames);
    CHECK(handled == (ends ? before : kNames));
}

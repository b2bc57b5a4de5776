// submit() in all its forms: rules, texts, fan-out, packs, threads, allocations.
#include "ProviderTest.h"
#include "support/AllocationCounter.h"

#include <thread>

using namespace emissary;
using namespace emissary::test;
using Code = OmmInvalidUsageException;

namespace {

struct OpenItem {
    ConfigFile file;
    RecordingClient app;
    OmmProvider provider;
    RawConsumer c;
    UInt64 handle = 0;
    explicit OpenItem(bool refreshed = true, const std::string& parameters = {})
        : file(parameters), provider(OmmIProviderConfig(file.path()), app), c(loggedIn(provider)) {
        app.answer = refreshed;
        c.send(RawConsumer::request(5, 6, "TRI.N", 1));
        handle = app.at(2).handle;
        if (refreshed) CHECK(c.next().msg.cls == codec::MsgClass::Refresh);
    }
};

FieldList& price(FieldList& fields, Int64 value) {
    fields.clear();
    fields.addReal(22, value, OmmReal::ExponentNeg2Enum).addUInt(30, 100).complete();
    return fields;
}

}  // namespace

TEST_CASE("submit by handle", "[ema][provider]") {
    OpenItem item;
    FieldList fields;
    SECTION("reaches the stream, and leaves the message as it was") {
        UpdateMsg update;
        update.updateTypeNum(1).payload(price(fields, 3391));
        item.provider.submit(update, item.handle);
        item.provider.submit(update, item.handle);
        for (int i = 0; i < 2; ++i) {
            const Received got = item.c.next();
            CHECK(got.msg.cls == codec::MsgClass::Update);
            CHECK(got.msg.streamId == 5);
            CHECK(got.msg.updateType == 1);
            CHECK_FALSE(got.msg.hasKey());
        }
        CHECK(update.getStreamId() == 0);
        CHECK_FALSE(update.hasServiceId());
    }
    SECTION("a service name becomes an id") {
        UpdateMsg update;
        update.name("TRI.N").serviceName("DIRECT_FEED").payload(price(fields, 1));
        item.provider.submit(update, item.handle);
        const Received got = item.c.next();
        CHECK(got.msg.key.serviceId == 1);
        CHECK(got.name() == "TRI.N");
    }
    SECTION("an unknown service is refused and named") {
        std::string text;
        UpdateMsg update;
        update.serviceName("NO_FEED").payload(price(fields, 1));
        CHECK(usageCode([&] { item.provider.submit(update, item.handle); }, &text) == Code::InvalidOperationEnum);
        CHECK(text.find("NO_FEED") != std::string::npos);
        CHECK(usageCode([&] { item.provider.submit(RefreshMsg().serviceId(99), item.handle); }) ==
              Code::InvalidOperationEnum);
        CHECK(item.c.silent());
    }
    SECTION("an unknown handle is refused and named") {
        std::string text;
        CHECK(usageCode([&] { item.provider.submit(UpdateMsg(), 4711); }, &text) == Code::InvalidArgumentEnum);
        CHECK(text.find("4711") != std::string::npos);
        CHECK(usageCode([&] { item.provider.submit(GenericMsg(), 0); }) == Code::InvalidArgumentEnum);
        CHECK(usageCode([&] { item.provider.submit(AckMsg(), 0); }) == Code::InvalidArgumentEnum);
        CHECK(usageCode([&] { item.provider.submit(UpdateMsg(), 0); }) == Code::InvalidArgumentEnum);
        CHECK(usageCode([&] { item.provider.submit(RefreshMsg(), 0); }) == Code::InvalidArgumentEnum);
        CHECK(usageCode([&] { item.provider.submit(UpdateMsg().domainType(MMT_LOGIN), item.app.at(1).handle); }) ==
              Code::InvalidArgumentEnum);
    }
    SECTION("a final status ends the handle") {
        item.provider.submit(
            StatusMsg().state(OmmState::ClosedEnum, OmmState::SuspectEnum, OmmState::NotFoundEnum, "gone"),
            item.handle);
        CHECK(item.c.next().stateText() == "gone");
        CHECK(usageCode([&] { item.provider.submit(UpdateMsg(), item.handle); }) == Code::InvalidArgumentEnum);
    }
    SECTION("posts are acknowledged") {
        codec::Msg post;
        post.cls = codec::MsgClass::Post;
        post.streamId = 5;
        post.flags = codec::PostFlag::postId | codec::PostFlag::ack | codec::PostFlag::complete;
        post.postId = 9;
        item.c.send(post);
        CHECK(item.app.at(3).what == "post");
        item.provider.submit(AckMsg().ackId(9), item.app.at(3).handle);
        CHECK(item.c.next().msg.ackId == 9);
    }
}

TEST_CASE("an update before the refresh", "[ema][provider]") {
    SECTION("is an invalid handle, naming the item") {
        OpenItem item(false);
        bool thrown = false;
        try {
            item.provider.submit(UpdateMsg(), item.handle);
        } catch (const OmmInvalidHandleException& e) {
            thrown = true;
            CHECK(e.getHandle() == item.handle);
            CHECK(std::string(e.getText().c_str()).find("TRI.N") != std::string::npos);
        }
        CHECK(thrown);
    }
    SECTION("is sent when configured so") {
        OpenItem item(false, "<RefreshFirstRequired value=\"0\"/>");
        item.provider.submit(UpdateMsg(), item.handle);
        CHECK(item.c.next().msg.cls == codec::MsgClass::Update);
    }
}

TEST_CASE("fan-out", "[ema][provider]") {
    OpenItem item;
    RawConsumer other = loggedIn(item.provider);
    item.provider.submit(StatusMsg().domainType(MMT_LOGIN).state(OmmState::OpenEnum, OmmState::SuspectEnum, 0, "slow"),
                         0);
    CHECK(item.c.next().stateText() == "slow");
    CHECK(other.next().stateText() == "slow");
    SECTION("of directory payloads that are none") {
        FieldList fields;
        price(fields, 1);
        CHECK(usageCode([&] { item.provider.submit(UpdateMsg().domainType(MMT_DIRECTORY).payload(fields), 0); }) ==
              Code::InvalidArgumentEnum);
        CHECK(usageCode([&] { item.provider.submit(RefreshMsg().domainType(MMT_DICTIONARY).payload(fields), 0); }) ==
              Code::InvalidArgumentEnum);
    }
}

TEST_CASE("updates do not allocate", "[ema][provider]") {
    OpenItem item;
    FieldList fields;
    UpdateMsg update, built;
    update.payload(price(fields, 1));
    std::uint64_t allocations = 0;
    for (int i = 0; i < 3000; ++i) {
        const std::uint64_t before = allocationsOfThisThread();
        item.provider.submit(update, item.handle);
        built.clear();
        built.updateTypeNum(1).payload(price(fields, i));
        item.provider.submit(built, item.handle);
        if (i >= 200) allocations += allocationsOfThisThread() - before;
        CHECK(item.c.next().msg.cls == codec::MsgClass::Update);
        CHECK(item.c.next().msg.cls == codec::MsgClass::Update);
    }
    // A flushing thread that the system held up lets the output queue grow by a chunk or two, which it keeps.
    CHECK(allocations <= 4);
}

TEST_CASE("eight threads submit to one client", "[ema][provider]") {
    ConfigFile file;
    RecordingClient app;
    OmmProvider provider(OmmIProviderConfig(file.path()), app);
    RawConsumer c = loggedIn(provider);
    constexpr int kThreads = 8, kEach = 1500;
    for (int i = 0; i < kThreads; ++i) {
        c.send(RawConsumer::request(10 + i, 6, "ITEM" + std::to_string(i), 1));
        CHECK(c.next().msg.streamId == 10 + i);
    }
    std::atomic<int> failures{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
        const UInt64 handle = app.at(static_cast<std::size_t>(2 + i)).handle;
        threads.emplace_back([&, handle] {
            FieldList fields;
            UpdateMsg update;
            update.payload(price(fields, 5));
            for (int n = 0; n < kEach;) {
                const Int32 code = usageCode([&] { provider.submit(update, handle); });
                if (code == Code::NoErrorEnum) ++n;
                else if (code == Code::NoBuffersEnum) std::this_thread::yield();
                else return void(++failures);
            }
        });
    }
    std::vector<int> seen(kThreads, 0);
    for (int n = 0; n < kThreads * kEach; ++n)
        ++seen[static_cast<std::size_t>(c.next().msg.streamId - 10)];
    for (std::thread& t : threads)
        t.join();
    CHECK(failures == 0);
    CHECK(seen == std::vector<int>(kThreads, kEach));
}

TEST_CASE("packed messages", "[ema][provider]") {
    OpenItem item;
    FieldList fields;
    UpdateMsg update;
    update.payload(price(fields, 5));
    PackedMsg pack(item.provider);
    const UInt64 client = item.app.at(1).client;
    SECTION("arrive one by one") {
        pack.initBuffer(client);
        CHECK(pack.maxSize() == 6000);
        for (int i = 0; i < 20; ++i)
            pack.addMsg(update, item.handle);
        CHECK(pack.packedMsgCount() == 20);
        CHECK(pack.remainingSize() < 6000);
        item.provider.submit(pack);
        CHECK(pack.packedMsgCount() == 0);
        for (int i = 0; i < 20; ++i)
            CHECK(item.c.next().msg.streamId == 5);
    }
    SECTION("what does not fit leaves the pack as it is") {
        pack.initBuffer(client, static_cast<UInt32>(60));
        pack.addMsg(update, item.handle);
        Int32 code = 0;
        while ((code = usageCode([&] { pack.addMsg(update, item.handle); })) == 0) {}
        CHECK(code == Code::BufferTooSmallEnum);
        const UInt64 count = pack.packedMsgCount();
        item.provider.submit(pack);
        for (UInt64 i = 0; i < count; ++i)
            CHECK(item.c.next().msg.cls == codec::MsgClass::Update);
    }
    SECTION("misuse") {
        CHECK(usageCode([&] { pack.addMsg(update, item.handle); }) == Code::InvalidOperationEnum);
        CHECK(usageCode([&] { item.provider.submit(pack); }) == Code::InvalidOperationEnum);
        CHECK(usageCode([&] { pack.initBuffer(); }) == Code::InvalidOperationEnum);
        pack.initBuffer(client);
        CHECK(usageCode([&] { pack.addMsg(update, 0); }) == Code::InvalidOperationEnum);
        CHECK_THROWS_AS(pack.initBuffer(static_cast<UInt64>(4711)), OmmInvalidHandleException);
    }
    SECTION("a final state takes effect with the pack") {
        pack.initBuffer(client);
        pack.addMsg(StatusMsg().state(OmmState::ClosedEnum, OmmState::SuspectEnum), item.handle);
        item.provider.submit(update, item.handle);
        item.provider.submit(pack);
        CHECK(item.c.next().msg.cls == codec::MsgClass::Update);
        CHECK(item.c.next().msg.cls == codec::MsgClass::Status);
        CHECK(usageCode([&] { item.provider.submit(update, item.handle); }) == Code::InvalidArgumentEnum);
    }
}

TEST_CASE("a state that does not exist is refused, with its member and value, and nothing is sent", "[ema][provider]") {
    OpenItem item;
    const auto refused = [&](unsigned stream, unsigned data, unsigned code, const char* what) {
        INFO(what);
        const auto s = static_cast<OmmState::StreamState>(stream);
        const auto d = static_cast<OmmState::DataState>(data);
        std::string text;
        CHECK(usageCode([&] { item.provider.submit(RefreshMsg().state(s, d, static_cast<UInt8>(code)), item.handle); },
                        &text) == Code::InvalidArgumentEnum);
        CHECK_THAT(text, Catch::Contains("submit(RefreshMsg)") && Catch::Contains(what));
        CHECK(usageCode([&] { item.provider.submit(StatusMsg().state(s, d, static_cast<UInt8>(code)), item.handle); },
                        &text) == Code::InvalidArgumentEnum);
        CHECK_THAT(text, Catch::Contains("submit(StatusMsg)") && Catch::Contains(what));
        // To all clients as well.
        CHECK(usageCode([&] {
                  item.provider.submit(StatusMsg().domainType(MMT_DIRECTORY).state(s, d, static_cast<UInt8>(code)), 0);
              }) == Code::InvalidArgumentEnum);
    };
    refused(0, 1, 0, "stream state 0");
    refused(6, 1, 0, "stream state 6");
    refused(7, 1, 0, "stream state 7");  // the largest that the enumeration can hold, as 3 is below
    refused(1, 3, 0, "data state 3");
    refused(1, 2, 17, "status code 17");
    refused(1, 2, 127, "status code 127");
    CHECK(item.c.silent());
    for (const unsigned code : {0u, 35u, 128u, 255u}) {
        item.provider.submit(
            StatusMsg().state(OmmState::OpenEnum, OmmState::SuspectEnum, static_cast<UInt8>(code), "text"),
            item.handle);
        const Received got = item.c.next();
        CHECK(got.msg.cls == codec::MsgClass::Status);
        CHECK(got.msg.state.code == code);
    }
    item.provider.submit(StatusMsg().permissionData(EmaBuffer("p", 1)), item.handle);
    CHECK_FALSE(item.c.next().msg.hasState());
}

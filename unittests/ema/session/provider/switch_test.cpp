// The Accept* and Enforce* parameters of an interactive provider, each off (as by default) and on.
#include "ProviderTest.h"
#include "support/AllocationCounter.h"

#include <netinet/in.h>

using namespace emissary;
using namespace emissary::test;
using Code = OmmInvalidUsageException;

namespace {

[[nodiscard]] std::string parameter(const char* name, bool on) {
    return on ? "<" + std::string(name) + " value=\"1\"/>" : std::string();
}

/// A provider with the one parameter set, or without.
struct Switched {
    ConfigFile file;
    RecordingClient app;
    OmmProvider provider;
    Switched(const char* name, bool on) : file(parameter(name, on)), provider(OmmIProviderConfig(file.path()), app) {}
};

/// The answer is an image exactly when the switch is on; else a refusal, and the application hears nothing.
void checkAnswer(Switched& s, RawConsumer& c, bool accepted, std::size_t toldBefore) {
    const Received got = c.next();
    if (accepted) {
        CHECK(got.msg.cls == codec::MsgClass::Refresh);
        CHECK(s.app.at(toldBefore + 1).what == "request");
        return;
    }
    CHECK(got.msg.cls == codec::MsgClass::Status);
    CHECK(got.msg.state.stream == codec::StreamState::closedRecover);
    CHECK(got.msg.state.data == codec::DataState::suspect);
    CHECK(int{got.msg.state.code} == OmmState::UsageErrorEnum);
    CHECK_FALSE(got.msg.hasKey());
    CHECK(s.app.size() == toldBefore);
}

void submitService(OmmProvider& provider, UInt16 id, const char* name, UInt64 accepting) {
    OmmArray capabilities;
    capabilities.addUInt(MMT_MARKET_PRICE).complete();
    ElementList info, state;
    info.addAscii(ENAME_NAME, name).addArray(ENAME_CAPABILITIES, capabilities).complete();
    state.addUInt(ENAME_SVC_STATE, 1).addUInt(ENAME_ACCEPTING_REQS, accepting).complete();
    FilterList filters;
    filters.add(SERVICE_INFO_ID, FilterEntry::SetEnum, info)
        .add(SERVICE_STATE_ID, FilterEntry::SetEnum, state)
        .complete();
    Map services;
    services.addKeyUInt(id, MapEntry::AddEnum, filters).complete();
    provider.submit(UpdateMsg().domainType(MMT_DIRECTORY).payload(services), 0);
}

}  // namespace

TEST_CASE("switches of an interactive provider", "[ema][provider][switch]") {
    const bool on = GENERATE(false, true);
    CAPTURE(on);
    SECTION("AcceptMessageWithoutBeingLogin") {
        Switched s("AcceptMessageWithoutBeingLogin", on);
        RawConsumer c(ema::ProviderAccess::port(s.provider));
        c.send(RawConsumer::request(5, 6, "TRI.N", 1));
        checkAnswer(s, c, on, 0);
        c.send(RawConsumer::directoryRequest(63));
        CHECK((c.next().msg.cls == codec::MsgClass::Refresh) == on);
    }
    SECTION("AcceptMessageWithoutAcceptingRequests") {
        Switched s("AcceptMessageWithoutAcceptingRequests", on);
        submitService(s.provider, 9, "CLOSED_FEED", 0);
        RawConsumer c = loggedIn(s.provider);
        c.send(RawConsumer::request(5, 6, "TRI.N", 9));
        checkAnswer(s, c, on, 1);
    }
    SECTION("AcceptMessageWithoutQosInRange") {
        Switched s("AcceptMessageWithoutQosInRange", on);
        RawConsumer c = loggedIn(s.provider);
        codec::Msg delayed = RawConsumer::request(5, 6, "TRI.N", 1);
        delayed.flags |= codec::RequestFlag::qos;
        delayed.qos = {2, 2, false, 0, 0};
        c.send(delayed);
        checkAnswer(s, c, on, 1);
        codec::Msg offered = RawConsumer::request(6, 6, "TRI.O", 1);
        offered.flags |= codec::RequestFlag::qos;
        offered.qos = {1, 1, false, 0, 0};
        c.send(offered);
        CHECK(c.next().msg.cls == codec::MsgClass::Refresh);
    }
    SECTION("AcceptMessageSameKeyButDiffStream") {
        Switched s("AcceptMessageSameKeyButDiffStream", on);
        RawConsumer c = loggedIn(s.provider);
        c.send(RawConsumer::request(5, 6, "TRI.N", 1));
        CHECK(c.next().msg.cls == codec::MsgClass::Refresh);
        c.send(RawConsumer::request(6, 6, "TRI.N", 1));
        checkAnswer(s, c, on, 2);
        s.provider.submit(UpdateMsg(), s.app.at(2).handle);  // the first is none the worse for it
        CHECK(c.next().msg.streamId == 5);
    }
    SECTION("AcceptMessageThatChangesService") {
        Switched s("AcceptMessageThatChangesService", on);
        submitService(s.provider, 9, "OTHER_FEED", 1);
        RawConsumer c = loggedIn(s.provider);
        c.send(RawConsumer::request(5, 6, "TRI.N", 1));
        CHECK(c.next().msg.cls == codec::MsgClass::Refresh);
        c.send(RawConsumer::request(5, 6, "TRI.N", 9));
        CHECK(s.app.at(3).what == (on ? "reissue" : "close"));  // refused, the item has ended
        CHECK(s.app.at(3).handle == s.app.at(2).handle);
        if (!on) CHECK(c.next().msg.cls == codec::MsgClass::Status);
    }
    SECTION("AcceptDirMessageWithoutMinFilters") {
        Switched s("AcceptDirMessageWithoutMinFilters", on);
        RawConsumer c = loggedIn(s.provider);
        c.send(RawConsumer::directoryRequest(SERVICE_INFO_FILTER));
        CHECK((c.next().msg.cls == codec::MsgClass::Refresh) == on);
    }
    SECTION("EnforceAckIDValidation") {
        Switched s("EnforceAckIDValidation", on);
        RawConsumer c = loggedIn(s.provider);
        c.send(RawConsumer::request(5, 6, "TRI.N", 1));
        CHECK(c.next().msg.cls == codec::MsgClass::Refresh);
        codec::Msg post;
        post.cls = codec::MsgClass::Post;
        post.streamId = 5;
        post.flags = codec::PostFlag::postId | codec::PostFlag::ack | codec::PostFlag::complete;
        post.postId = 9;
        c.send(post);
        const UInt64 handle = s.app.at(3).handle;
        const Int32 refused = on ? Code::InvalidArgumentEnum : Code::NoErrorEnum;
        CHECK(usageCode([&] { s.provider.submit(AckMsg().ackId(8), handle); }) == refused);
        CHECK(usageCode([&] { s.provider.submit(AckMsg().ackId(9), handle); }) == Code::NoErrorEnum);
        CHECK(usageCode([&] { s.provider.submit(AckMsg().ackId(9), handle); }) == refused);  // acknowledged already
    }
}

TEST_CASE("two hundred strangers of one address that say nothing", "[ema][provider][switch]") {
    Switched s("AcceptMessageWithoutBeingLogin", false);
    std::vector<int> strangers;
    for (int i = 0; i < 200; ++i) {
        const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(ema::ProviderAccess::port(s.provider));
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        REQUIRE(::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0);
        strangers.push_back(fd);
    }
    RawConsumer c = loggedIn(s.provider);  // is let in all the same
    CHECK(ema::ProviderAccess::counters(s.provider).clientsAccepted == 201);
    for (const int fd : strangers)
        ::close(fd);
}

TEST_CASE("packs do not allocate once they have their buffer", "[ema][provider][switch]") {
    Switched s("AcceptMessageWithoutBeingLogin", false);
    RawConsumer c = loggedIn(s.provider);
    c.send(RawConsumer::request(5, 6, "TRI.N", 1));
    CHECK(c.next().msg.cls == codec::MsgClass::Refresh);
    FieldList fields;
    fields.addReal(22, 3391, OmmReal::ExponentNeg2Enum).complete();
    UpdateMsg update;
    update.payload(fields);
    PackedMsg pack(s.provider);
    const UInt64 handle = s.app.at(2).handle, client = s.app.at(2).client;
    std::uint64_t allocations = 0;
    for (int i = 0; i < 200; ++i) {
        const std::uint64_t before = allocationsOfThisThread();
        pack.initBuffer(client);
        for (int n = 0; n < 50; ++n)
            pack.addMsg(update, handle);
        s.provider.submit(pack);
        if (i >= 50) allocations += allocationsOfThisThread() - before;
        for (int n = 0; n < 50; ++n)
            REQUIRE(c.next().msg.cls == codec::MsgClass::Update);
    }
    // A flushing thread that the system held up lets the output queue grow by a chunk or two, which it keeps.
    CHECK(allocations <= 4);
}

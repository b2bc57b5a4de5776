// What an application sees of its clients: order of callbacks, logins, RTT, statistics, dictionaries asked of clients.
#include "ProviderTest.h"

#include "eta/codec/containers.h"
#include "reactor/rdm/consumer_status.h"

#include <malloc.h>

using namespace emissary;
using namespace emissary::test;
using Code = OmmInvalidUsageException;

namespace {

[[nodiscard]] std::string ascii(const EmaString& s) {
    return {s.c_str(), s.length()};
}

/// Writes down every callback in order; accepts logins when told to.
class Diary : public OmmProviderClient {
public:
    bool acceptLogins = true;
    UInt64 login = 0, item = 0, client = 0;
    int closure = 0;
    std::string lines, peerAtClose;

    bool endsInAllMsg = false;   ///< items are ended before the specific callback
    bool quitsInAllMsg = false;  ///< handles are unregistered there
    bool nobodyAsked = false;    ///< what is told is about no client

    void onAllMsg(const Msg& m, const OmmProviderEvent& e) override {
        note("all", m, e);
        if (endsInAllMsg && m.getDomainType() == MMT_MARKET_PRICE)
            e.getProvider().submit(StatusMsg().state(OmmState::ClosedEnum, OmmState::SuspectEnum), e.getHandle());
        if (quitsInAllMsg) e.getProvider().unregister(e.getHandle());
    }
    void onReqMsg(const ReqMsg& m, const OmmProviderEvent& e) override {
        note("request", m, e);
        client = e.getClientHandle();
        (m.getDomainType() == MMT_LOGIN ? login : item) = e.getHandle();
        if (m.getDomainType() == MMT_LOGIN && acceptLogins) acceptLogin(m, e);
    }
    void onReissue(const ReqMsg& m, const OmmProviderEvent& e) override { note("reissue", m, e); }
    void onClose(const ReqMsg& m, const OmmProviderEvent& e) override {
        note("close", m, e);
        peerAtClose = ascii(e.getChannelInformation().getIPaddress());
        CHECK_FALSE(m.getInitialImage());
        CHECK_FALSE(m.getInterestAfterRefresh());
    }
    void onPostMsg(const PostMsg& m, const OmmProviderEvent& e) override { note("post", m, e); }
    void onGenericMsg(const GenericMsg& m, const OmmProviderEvent& e) override {
        note("generic", m, e);
        if (m.hasName() && m.getName() == "ConsumerStatus") return noteStatus(m.getPayload().getMap());
        if (m.getPayload().getDataType() != DataType::ElementListEnum) return;
        const ElementList& list = m.getPayload().getElementList();
        if (list.forth("Ticks")) lines += "ticks " + std::to_string(list.getEntry().getUInt()) + ";";
    }
    void onRefreshMsg(const RefreshMsg& m, const OmmProviderEvent& e) override {
        note(m.getComplete() ? "refresh complete" : "refresh part", m, e);
        CHECK(m.getPayload().getDataType() == DataType::SeriesEnum);
    }
    void onStatusMsg(const StatusMsg& m, const OmmProviderEvent& e) override {
        note("status " + ascii(m.getState().getStreamStateAsString()), m, e);
    }
    [[nodiscard]] std::string take() { return std::exchange(lines, {}); }

private:
    void noteStatus(const Map& services) {
        lines += "ConsumerStatus";
        while (services.forth()) {
            lines += " service " + std::to_string(services.getEntry().getKey().getUInt()) + ":";
            const ElementList& list = services.getEntry().getElementList();
            while (list.forth())
                lines += " " + ascii(list.getEntry().getName()) + " " + std::to_string(list.getEntry().getUInt()) + ";";
        }
    }
    void note(const std::string& what, const Msg& m, const OmmProviderEvent& e) {
        lines += what + " " + std::to_string(m.getDomainType()) + ";";
        CHECK(e.getClosure() == &closure);
        CHECK(e.getHandle() != 0);
        CHECK((e.getClientHandle() != 0) != nobodyAsked);
    }
};

struct Talk {
    ConfigFile file;
    Diary diary;
    std::unique_ptr<OmmProvider> provider;
    explicit Talk(const std::string& parameters = {}) : file(parameters) {
        OmmIProviderConfig config(file.path());
        config.operationModel(OmmIProviderConfig::UserDispatchEnum);
        provider = std::make_unique<OmmProvider>(config, diary, &diary.closure);
    }
    [[nodiscard]] RawConsumer connect() {
        return RawConsumer(ema::ProviderAccess::port(*provider), [this] { provider->dispatch(0); });
    }
    [[nodiscard]] RawConsumer login() {
        RawConsumer c = connect();
        c.send(RawConsumer::loginRequest("user"));
        REQUIRE(c.next().msg.domain == 1);
        CHECK(diary.take() == "all 1;request 1;");
        return c;
    }
    void until(const std::string& wanted) {
        CHECK(turnUntil([&] { return diary.lines.size() >= wanted.size(); }, [&] { provider->dispatch(1000); }));
        CHECK(diary.take() == wanted);
    }
};

[[nodiscard]] codec::Msg onStream(codec::MsgClass cls, std::int32_t streamId, std::uint8_t domain,
                                  std::uint16_t flags = 0) {
    codec::Msg m;
    m.cls = cls;
    m.streamId = streamId;
    m.domain = domain;
    m.flags = flags;
    return m;
}

[[nodiscard]] codec::Msg seriesRefresh(std::int32_t streamId, bool complete) {
    static constexpr std::byte group[2]{}, series[] = {std::byte{0}, std::byte{133}, std::byte{0}, std::byte{0}};
    codec::Msg m = onStream(codec::MsgClass::Refresh, streamId, 5, codec::RefreshFlag::solicited);
    if (complete) m.flags |= codec::RefreshFlag::complete;
    m.state = {codec::StreamState::open, codec::DataState::ok, 0, {}};
    m.groupId = group;
    m.containerType = codec::DataType::Series;
    m.payload = Bytes(series);
    return m;
}

}  // namespace

TEST_CASE("callbacks come as onAllMsg first, then the specific one", "[ema][provider][session]") {
    Talk t;
    RawConsumer c = t.login();
    c.send(RawConsumer::request(5, 6, "TRI.N", 1));
    t.until("all 6;request 6;");
    c.send(RawConsumer::request(5, 6, "TRI.N", 1));
    t.until("all 6;reissue 6;");
    c.send(onStream(codec::MsgClass::Post, 5, 6, codec::PostFlag::complete));
    t.until("all 6;post 6;");
    c.send(onStream(codec::MsgClass::Generic, 5, 6));
    t.until("all 6;generic 6;");
    c.send(RawConsumer::close(5));
    t.until("all 6;close 6;");
    c.send(RawConsumer::loginRequest("user"));
    t.until("all 1;reissue 1;");
    c.send(RawConsumer::request(6, 6, "TRI.O", 1));
    t.until("all 6;request 6;");
    c.disconnect();
    t.until("all 1;close 1;");  // items end with it, without a callback of their own
    CHECK(t.diary.peerAtClose == "127.0.0.1");
    CHECK(usageCode([&] { t.provider->submit(UpdateMsg(), t.diary.item); }) == Code::InvalidArgumentEnum);
}

TEST_CASE("the specific callback does not come for a handle that ended inside onAllMsg", "[ema][provider][session]") {
    Talk t;
    RawConsumer c = t.login();
    t.diary.endsInAllMsg = true;
    SECTION("of a request") {
        c.send(RawConsumer::request(5, 6, "TRI.N", 1));
    }
    SECTION("of a message on an open item") {
        t.diary.endsInAllMsg = false;
        c.send(RawConsumer::request(5, 6, "TRI.N", 1));
        t.until("all 6;request 6;");
        t.diary.endsInAllMsg = true;
        SECTION("reissue") {
            c.send(RawConsumer::request(5, 6, "TRI.N", 1));
        }
        SECTION("post") {
            c.send(onStream(codec::MsgClass::Post, 5, 6, codec::PostFlag::complete));
        }
        SECTION("generic") {
            c.send(onStream(codec::MsgClass::Generic, 5, 6));
        }
    }
    t.until("all 6;");
    const Received end = c.next();
    CHECK(end.msg.cls == codec::MsgClass::Status);
    CHECK(end.msg.streamId == 5);
    c.send(RawConsumer::loginRequest("user"));
    t.until("all 1;reissue 1;");  // nothing else came
}

TEST_CASE("a login in the application's hands", "[ema][provider][session]") {
    Talk t;
    t.diary.acceptLogins = false;
    RawConsumer c = t.connect();
    c.send(RawConsumer::loginRequest("user"));
    t.until("all 1;request 1;");
    c.send(RawConsumer::request(5, 6, "TRI.N", 1));
    CHECK(int{c.next().msg.state.code} == OmmState::UsageErrorEnum);
    SECTION("is refused: the client hears why and is disconnected") {
        t.provider->submit(StatusMsg().domainType(MMT_LOGIN).state(OmmState::ClosedEnum, OmmState::SuspectEnum,
                                                                   OmmState::NotAuthorizedEnum, "who are you"),
                           t.diary.login);
        CHECK(c.next().stateText() == "who are you");
        CHECK(c.waitClosed());
        CHECK(t.diary.take().empty());
        EmaVector<ChannelInformation> clients;
        t.provider->getConnectedClientChannelInfo(clients);
        CHECK(clients.size() == 0);
    }
    SECTION("is accepted later, and its status told at any time") {
        t.provider->submit(RefreshMsg().domainType(MMT_LOGIN).name("user").complete().solicited(true).state(
                               OmmState::OpenEnum, OmmState::OkEnum),
                           t.diary.login);
        CHECK(c.next().msg.cls == codec::MsgClass::Refresh);
        t.provider->submit(
            StatusMsg().domainType(MMT_LOGIN).state(OmmState::OpenEnum, OmmState::SuspectEnum, 0, "source is slow"),
            t.diary.login);
        CHECK(c.next().stateText() == "source is slow");
        c.send(RawConsumer::request(6, 6, "TRI.N", 1));
        t.until("all 6;request 6;");
        t.provider->submit(StatusMsg().domainType(MMT_LOGIN).state(OmmState::ClosedRecoverEnum, OmmState::SuspectEnum,
                                                                   0, "going down"),
                           t.diary.login);
        CHECK(c.next().stateText() == "going down");
        CHECK(c.waitClosed());
    }
    SECTION("is accepted with suspect data: a login all the same") {  // rdm.md 2.2
        t.provider->submit(RefreshMsg().domainType(MMT_LOGIN).name("user").complete().solicited(true).state(
                               OmmState::OpenEnum, OmmState::SuspectEnum),
                           t.diary.login);
        CHECK(c.next().msg.cls == codec::MsgClass::Refresh);
        c.send(RawConsumer::request(6, 6, "TRI.N", 1));
        t.until("all 6;request 6;");
    }
}

TEST_CASE("round trip times are asked for on the login stream", "[ema][provider][session]") {
    Talk t;
    RawConsumer c = t.login();
    ElementList ticks;
    ticks.addUInt("Ticks", 123456).complete();
    t.provider->submit(GenericMsg().domainType(MMT_LOGIN).payload(ticks), t.diary.login);
    const Received probe = c.next();
    CHECK(probe.msg.cls == codec::MsgClass::Generic);
    CHECK(probe.msg.streamId == 1);
    CHECK(probe.msg.domain == 1);
    codec::Msg answer = onStream(codec::MsgClass::Generic, 1, 1, codec::GenericFlag::complete);
    answer.containerType = probe.msg.containerType;
    answer.payload = probe.msg.payload;
    c.send(answer);
    t.until("all 1;generic 1;ticks 123456;");
}

TEST_CASE("a ConsumerStatus on the directory stream reaches the application as it is", "[ema][provider][session]") {
    Talk t;
    RawConsumer c = t.login();
    c.send(RawConsumer::directoryRequest(3));
    REQUIRE(c.next().msg.domain == 4);  // answered for the application
    (void)t.diary.take();
    emissary::eta::GrowingBuffer payload;
    codec::Msg m;
    const std::vector<emissary::reactor::rdm::UsedService> uses{
        {1, emissary::reactor::rdm::ServiceUse::activeWithStandby}};
    REQUIRE(emissary::reactor::rdm::makeConsumerStatus(m, uses, payload).ok());
    c.send(m);
    t.until("all 4;generic 4;ConsumerStatus service 1: SourceMirroringMode 1;");
}

TEST_CASE("an image in parts", "[ema][provider][session]") {
    Talk t;
    RawConsumer c = t.login();
    c.send(RawConsumer::request(5, 7, "BOOK", 1));
    t.until("all 7;request 7;");
    FieldList summary;
    summary.addReal(22, 1, OmmReal::Exponent0Enum).complete();
    for (UInt16 part = 0; part < 3; ++part) {
        Map book;
        book.summaryData(summary).addKeyAscii(("o" + std::to_string(part)).c_str(), MapEntry::AddEnum, summary);
        book.complete();
        t.provider->submit(RefreshMsg()
                               .domainType(MMT_MARKET_BY_ORDER)
                               .name("BOOK")
                               .serviceName("DIRECT_FEED")
                               .partNum(part)
                               .solicited(true)
                               .complete(part == 2)
                               .state(OmmState::OpenEnum, OmmState::OkEnum)
                               .payload(book),
                           t.diary.item);
        if (part == 0) t.provider->submit(UpdateMsg().domainType(MMT_MARKET_BY_ORDER), t.diary.item);
    }
    const codec::MsgClass order[] = {codec::MsgClass::Refresh, codec::MsgClass::Update, codec::MsgClass::Refresh,
                                     codec::MsgClass::Refresh};
    int parts = 0;
    for (const codec::MsgClass wanted : order) {
        const Received got = c.next();
        CHECK(got.msg.cls == wanted);
        CHECK(got.msg.domain == 7);
        if (got.msg.cls != codec::MsgClass::Refresh) continue;
        CHECK(int{got.msg.partNum} == parts);
        CHECK(got.msg.has(codec::RefreshFlag::complete) == (++parts == 3));
    }
}

TEST_CASE("what went over a client's connection", "[ema][provider][session]") {
    Talk t;
    RawConsumer c = t.login();
    const auto before = ema::ProviderAccess::clientCounters(*t.provider, t.diary.client);
    CHECK(before.messagesRead == 1);
    CHECK(before.messagesWritten == 1);
    CHECK(before.bytesWritten > 20);
    CHECK(before.pingsRead == 0);
    const std::byte ping[] = {std::byte{0}, std::byte{3}, std::byte{2}};  // transport.md: a frame without content
    REQUIRE(::send(c.channel().fd(), ping, sizeof ping, MSG_NOSIGNAL) == sizeof ping);
    const auto pings = [&] { return ema::ProviderAccess::clientCounters(*t.provider, t.diary.client).pingsRead; };
    CHECK(turnUntil([&] { return pings() != 0; }, [&] { t.provider->dispatch(1000); }));
    CHECK(pings() == 1);
    CHECK(ema::ProviderAccess::clientCounters(*t.provider, 4711).bytesRead == 0);
}

TEST_CASE("dictionaries asked of a client", "[ema][provider][session]") {
    Talk t("<RequestTimeout value=\"0\"/>");
    Diary answers;
    ReqMsg request;
    request.domainType(MMT_DICTIONARY).name("RWFFld").serviceName("DIRECT_FEED").filter(DICTIONARY_VERBOSE);
    CHECK(usageCode([&] { (void)t.provider->registerClient(request, answers, &answers.closure); }) ==
          Code::NoActiveChannelEnum);
    RawConsumer c = t.login();
    SECTION("arrive at the client given with the request") {
        const UInt64 handle = t.provider->registerClient(request, answers, &answers.closure);
        CHECK(handle != 0);
        const Received got = c.next();
        CHECK(got.msg.cls == codec::MsgClass::Request);
        CHECK(got.msg.domain == 5);
        CHECK(got.name() == "RWFFld");
        CHECK(got.msg.key.serviceId == 1);
        CHECK(got.msg.key.filter == DICTIONARY_VERBOSE);
        c.send(seriesRefresh(got.msg.streamId, false));
        c.send(seriesRefresh(got.msg.streamId, true));
        CHECK(c.silent());
        CHECK(answers.take() == "all 5;refresh part 5;all 5;refresh complete 5;");
        t.provider->reissue(ReqMsg().domainType(MMT_DICTIONARY).name("RWFFld").filter(DICTIONARY_NORMAL), handle);
        CHECK(c.next().msg.key.filter == DICTIONARY_NORMAL);
        t.provider->reissue(ReqMsg().filter(DICTIONARY_INFO), handle);  // what it does not say stays
        const Received third = c.next();
        CHECK(third.msg.domain == 5);
        CHECK(third.name() == "RWFFld");
        CHECK(third.msg.key.filter == DICTIONARY_INFO);
        CHECK(usageCode([&] { t.provider->reissue(ReqMsg().domainType(7).name("RWFFld"), handle); }) ==
              Code::InvalidArgumentEnum);
        CHECK(usageCode([&] { t.provider->reissue(ReqMsg(request).serviceName("NONE"), handle); }) ==
              Code::InvalidArgumentEnum);
        CHECK(usageCode([&] { t.provider->reissue(ReqMsg().domainType(MMT_DICTIONARY).name("RWFEnum"), handle); }) ==
              Code::InvalidArgumentEnum);
        SECTION("until it is unregistered") {
            t.provider->unregister(handle);
            CHECK(c.next().msg.cls == codec::MsgClass::Close);
            t.provider->unregister(handle);
            CHECK_THROWS_AS(t.provider->reissue(request, handle), OmmInvalidHandleException);
        }
        SECTION("until that client is gone") {
            c.disconnect();
            t.until("all 1;close 1;");
            CHECK(answers.take() == "all 5;status ClosedRecover 5;");
            CHECK_THROWS_AS(t.provider->reissue(request, handle), OmmInvalidHandleException);
        }
        CHECK(t.diary.take().empty());  // all that was none of the provider's own client's business
    }
    SECTION("given up inside onAllMsg, the specific callback does not come") {
        answers.quitsInAllMsg = true;
        (void)t.provider->registerClient(request, answers, &answers.closure);
        c.send(seriesRefresh(c.next().msg.streamId, false));
        CHECK(c.next().msg.cls == codec::MsgClass::Close);
        CHECK(answers.take() == "all 5;");
    }
    SECTION("of a service that there is not: a handle and its end") {
        answers.nobodyAsked = true;  // so no client's handle
        const auto ask = [&](ReqMsg& asked) { return t.provider->registerClient(asked, answers, &answers.closure); };
        ReqMsg byName, byId;
        CHECK(ask(byName.domainType(MMT_DICTIONARY).name("RWFFld").serviceName("NONE")) != 0);
        const UInt64 second = ask(byId.domainType(MMT_DICTIONARY).name("RWFFld").serviceId(4711));
        CHECK(second != 0);
        const std::string ends = "all 5;status Closed 5;all 5;status Closed 5;";
        CHECK(turnUntil([&] { return answers.lines.size() >= ends.size(); }, [&] { t.provider->dispatch(1000); }));
        CHECK(answers.take() == ends);
        CHECK_THROWS_AS(t.provider->reissue(request, second), OmmInvalidHandleException);
        CHECK(c.silent());
    }
    SECTION("misuse is refused") {
        std::string text;
        CHECK(usageCode([&] { (void)t.provider->registerClient(ReqMsg().name("TRI.N"), answers); }, &text) ==
              Code::InvalidArgumentEnum);
        CHECK(text.find("domain 6") != std::string::npos);
        CHECK(usageCode([&] { (void)t.provider->registerClient(ReqMsg().domainType(MMT_DICTIONARY), answers); }) ==
              Code::InvalidArgumentEnum);
        CHECK_THROWS_AS(t.provider->reissue(request, 4711), OmmInvalidHandleException);
        t.provider->unregister(4711);
    }
}

TEST_CASE("handles of several providers differ, and each takes its own alone", "[ema][provider][session]") {
    Talk first, second;
    RawConsumer ofFirst = first.login(), ofSecond = second.login();
    const auto ask = [](Talk& t, RawConsumer& c) {
        c.send(RawConsumer::request(5, 6, "TRI.N", 1));
        t.until("all 6;request 6;");
        return t.diary.item;
    };
    const UInt64 a = ask(first, ofFirst), b = ask(second, ofSecond);
    CHECK(a != b);
    CHECK(usageCode([&] { first.provider->submit(RefreshMsg().state(), b); }) == Code::InvalidArgumentEnum);
    CHECK(usageCode([&] { second.provider->submit(RefreshMsg().state(), a); }) == Code::InvalidArgumentEnum);
    // Requests to clients, too.
    Diary answers;
    ReqMsg request;
    request.domainType(MMT_DICTIONARY).name("RWFFld").filter(DICTIONARY_VERBOSE);
    const UInt64 asked = first.provider->registerClient(request, answers);
    CHECK(second.provider->registerClient(request, answers) != asked);
    CHECK_THROWS_AS(second.provider->reissue(request, asked), OmmInvalidHandleException);
    second.provider->unregister(asked);
    CHECK_NOTHROW(first.provider->reissue(request, asked));
    first.provider->submit(RefreshMsg().state(), a);
    second.provider->submit(RefreshMsg().state(), b);
}

TEST_CASE("providers that come and go leave nothing behind", "[ema][provider][session]") {
    const ConfigFile file;
    RecordingClient app;
    OmmIProviderConfig config(file.path());
    std::size_t inUse[2]{};
    for (int i = 0; i < 150; ++i) {
        OmmProvider provider(config, app);
        if (i % 10 == 0) {
            RawConsumer c = loggedIn(provider);
            c.send(RawConsumer::request(5, 6, "TRI.N", 1));
            CHECK(c.next().msg.cls == codec::MsgClass::Refresh);
        }
        if (i == 20) inUse[0] = ::mallinfo2().uordblks;
        if (i == 140) inUse[1] = ::mallinfo2().uordblks;
    }
    INFO(inUse[0] << " bytes in use after 20, " << inUse[1] << " after 140 providers");
    // Each has loaded dictionaries of 128 KiB and more. One set may be alive at either look: a look-up thread lets go
    // late.
    CHECK(inUse[1] < inUse[0] + (512u << 10));
}

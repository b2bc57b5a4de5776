// Directory and dictionary in the application's hands; directory messages for all clients when they are not.
#include "ProviderTest.h"
#include "support/paths.h"

using namespace emissary;
using namespace emissary::test;
using Code = OmmInvalidUsageException;

namespace {

/// A provider program that answers everything itself, in the way of the field's examples.
class SelfMadeProvider : public OmmProviderClient {
public:
    SelfMadeProvider() {
        dictionary_.loadFieldDictionary(emissary::test::sourcePath("/etc/RDMFieldDictionary").c_str());
        dictionary_.loadEnumTypeDictionary(emissary::test::sourcePath("/etc/enumtype.def").c_str());
    }
    void onReqMsg(const ReqMsg& m, const OmmProviderEvent& e) override {
        ++requests[m.getDomainType()];
        switch (m.getDomainType()) {
        case MMT_LOGIN:
            acceptLogin(m, e);
            break;
        case MMT_DIRECTORY:
            directoryHandle = e.getHandle();
            clientHandle = e.getClientHandle();
            e.getProvider().submit(directory(m.getFilter()), e.getHandle());
            break;
        case MMT_DICTIONARY:
            serveDictionary(m, e);
            break;
        default:
            itemHandle = e.getHandle();
            answerItem(m, e);
        }
    }
    void onReissue(const ReqMsg& m, const OmmProviderEvent& e) override {
        ++reissues[m.getDomainType()];
        if (m.getDomainType() == MMT_DIRECTORY) e.getProvider().submit(directory(m.getFilter()), e.getHandle());
    }
    void onClose(const ReqMsg& m, const OmmProviderEvent&) override { ++closes[m.getDomainType()]; }

    [[nodiscard]] static Map& services(Map& map, UInt16 id, const char* name, UInt64 filter, MapEntry::MapAction action,
                                       UInt64 up = 1) {
        if (action == MapEntry::DeleteEnum) {
            map.addKeyUInt(id, action).complete();
            return map;
        }
        FilterList filters;
        if ((filter & SERVICE_INFO_FILTER) != 0) {
            OmmArray capabilities, used;
            capabilities.addUInt(MMT_DICTIONARY).addUInt(MMT_MARKET_PRICE).complete();
            used.addAscii("RWFFld").addAscii("RWFEnum").complete();
            ElementList info;
            info.addAscii(ENAME_NAME, name)
                .addArray(ENAME_CAPABILITIES, capabilities)
                .addArray(ENAME_DICTIONARYS_PROVIDED, used)
                .addArray(ENAME_DICTIONARYS_USED, used)
                .complete();
            filters.add(SERVICE_INFO_ID, FilterEntry::SetEnum, info);
        }
        if ((filter & SERVICE_STATE_FILTER) != 0) {
            ElementList state;
            state.addUInt(ENAME_SVC_STATE, up).addUInt(ENAME_ACCEPTING_REQS, 1).complete();
            filters.add(SERVICE_STATE_ID, action == MapEntry::AddEnum ? FilterEntry::SetEnum : FilterEntry::UpdateEnum,
                        state);
        }
        filters.complete();
        map.addKeyUInt(id, action, filters).complete();
        return map;
    }
    [[nodiscard]] static RefreshMsg directory(UInt64 filter) {
        RefreshMsg refresh;
        Map map;
        refresh.domainType(MMT_DIRECTORY)
            .filter(SERVICE_INFO_FILTER | SERVICE_STATE_FILTER)
            .complete()
            .solicited(true)
            .state(OmmState::OpenEnum, OmmState::OkEnum)
            .payload(services(map, 11, "SELF_MADE", filter, MapEntry::AddEnum));
        return refresh;
    }

    std::atomic<int> requests[16]{}, reissues[16]{}, closes[16]{};
    std::atomic<UInt64> directoryHandle{0}, clientHandle{0}, itemHandle{0};

private:
    void serveDictionary(const ReqMsg& m, const OmmProviderEvent& e) {
        const bool fields = m.getName() == "RWFFld";
        Int32 place = fields ? dictionary_.getMinFid() : 0;
        for (bool last = false, first = true; !last; first = false) {
            Series series;
            last = fields ? dictionary_.encodeFieldDictionary(series, place, DICTIONARY_VERBOSE, kPartBytes)
                          : dictionary_.encodeEnumTypeDictionary(series, place, DICTIONARY_VERBOSE, kPartBytes);
            e.getProvider().submit(RefreshMsg()
                                       .domainType(MMT_DICTIONARY)
                                       .name(m.getName())
                                       .serviceId(m.getServiceId())
                                       .filter(DICTIONARY_VERBOSE)
                                       .solicited(true)
                                       .clearCache(first)
                                       .complete(last)
                                       .state(OmmState::OpenEnum, OmmState::OkEnum)
                                       .payload(series),
                                   e.getHandle());
        }
    }
    DataDictionary dictionary_;
    static constexpr UInt32 kPartBytes = 1000;
};

void userControl(OmmIProviderConfig& config) {
    config.adminControlDirectory(OmmIProviderConfig::UserControlEnum)
        .adminControlDictionary(OmmIProviderConfig::UserControlEnum);
}

[[nodiscard]] reactor::rdm::Directory directoryOf(const Received& got) {
    reactor::rdm::Directory directory;
    CHECK(got.msg.domain == 4);
    REQUIRE(directory.apply(got.msg.payload, true).ok());
    return directory;
}

}  // namespace

TEST_CASE("directory and dictionary in the application's hands", "[ema][provider][admin]") {
    const ConfigFile file;
    SelfMadeProvider app;
    OmmIProviderConfig config(file.path());
    userControl(config);
    OmmProvider provider(config, app);
    RawConsumer c = loggedIn(provider);
    Map map;
    SECTION("no service is known before the application named one") {
        c.send(RawConsumer::request(5, 6, "TRI.N", 11));
        const Received refused = c.next();
        CHECK(refused.msg.cls == codec::MsgClass::Status);
        CHECK(refused.msg.state.stream == codec::StreamState::closedRecover);
        c.send(RawConsumer::dictionaryRequest(3, "RWFFld"));
        CHECK(int{c.next().msg.state.code} == 28);
        CHECK(app.requests[MMT_DICTIONARY] == 0);
    }
    SECTION("a service that a pack adds is there once the pack has left, not for messages behind it in the pack") {
        c.send(RawConsumer::directoryRequest(3));
        (void)c.next();
        c.send(RawConsumer::request(5, 6, "TRI.N", 11));
        CHECK(c.next().msg.cls == codec::MsgClass::Refresh);
        PackedMsg pack(provider);
        pack.initBuffer(app.clientHandle);
        constexpr UInt32 kFilter = SERVICE_INFO_FILTER | SERVICE_STATE_FILTER;
        UpdateMsg adds;
        adds.domainType(MMT_DIRECTORY)
            .filter(kFilter)
            .payload(SelfMadeProvider::services(map, 12, "LATER", kFilter, MapEntry::AddEnum));
        pack.addMsg(adds, app.directoryHandle);
        FieldList fields;
        fields.addUInt(30, 1).complete();
        UpdateMsg behind;
        behind.name("TRI.N").serviceId(12).payload(fields);
        CHECK(usageCode([&] { pack.addMsg(behind, app.itemHandle); }) == Code::InvalidArgumentEnum);
        CHECK(pack.packedMsgCount() == 1);
        provider.submit(pack);
        CHECK(c.next().msg.domain == 4);
        c.send(RawConsumer::request(6, 6, "TRI.N", 12));
        CHECK(c.next().msg.cls == codec::MsgClass::Refresh);
        provider.submit(behind, app.itemHandle);
        CHECK(c.next().msg.key.serviceId == 12);
    }
    SECTION("its directory is what clients get, and what requests are checked against") {
        c.send(RawConsumer::directoryRequest(3));
        const Received got = c.next();
        CHECK(got.msg.streamId == 2);
        CHECK(directoryOf(got).find(std::uint16_t{11})->name() == "SELF_MADE");
        c.send(RawConsumer::request(5, 6, "TRI.N", 11));
        CHECK(c.next().msg.cls == codec::MsgClass::Refresh);
        c.send(RawConsumer::request(6, 6, "TRI.N", 1));
        CHECK(c.next().msg.cls == codec::MsgClass::Status);

        c.send(RawConsumer::directoryRequest(3));
        CHECK(c.next().msg.streamId == 2);
        CHECK(app.reissues[MMT_DIRECTORY] == 1);
        provider.submit(UpdateMsg()
                            .domainType(MMT_DIRECTORY)
                            .payload(SelfMadeProvider::services(map, 11, "SELF_MADE", SERVICE_STATE_FILTER,
                                                                MapEntry::UpdateEnum, 0)),
                        app.directoryHandle);
        const Received down = c.next();
        CHECK(down.msg.cls == codec::MsgClass::Update);
        CHECK(down.msg.streamId == 2);
        c.send(RawConsumer::close(2, 4));
        c.send(RawConsumer::request(7, 6, "TRI.O", 11));
        CHECK(c.next().msg.streamId == 7);
        CHECK(app.closes[MMT_DIRECTORY] == 1);
        map.clear();
        CHECK(usageCode([&] {
                  provider.submit(
                      UpdateMsg()
                          .domainType(MMT_DIRECTORY)
                          .payload(SelfMadeProvider::services(map, 11, "", SERVICE_STATE_FILTER, MapEntry::UpdateEnum)),
                      app.directoryHandle);
              }) == Code::InvalidArgumentEnum);
    }
    SECTION("its dictionary goes out in the parts that it made") {
        c.send(RawConsumer::directoryRequest(3));
        CHECK(c.next().msg.streamId == 2);
        codec::Msg request = RawConsumer::dictionaryRequest(3, "RWFFld");
        request.key.serviceId = 11;
        c.send(request);
        Received got = c.next();
        CHECK(got.msg.has(codec::RefreshFlag::clearCache));
        CHECK(got.name() == "RWFFld");
        int parts = 1;
        for (; !got.msg.has(codec::RefreshFlag::complete); ++parts) {
            got = c.next();
            CHECK_FALSE(got.msg.has(codec::RefreshFlag::clearCache));
            CHECK(got.msg.streamId == 3);
            CHECK(got.msg.containerType == codec::DataType::Series);
        }
        CHECK(parts > 10);
        c.send(RawConsumer::close(3, 5));
        c.send(RawConsumer::request(7, 6, "TRI.O", 11));
        CHECK(c.next().msg.streamId == 7);
        CHECK(app.closes[MMT_DICTIONARY] == 1);
    }
}

namespace {

class PriceClient : public OmmConsumerClient {
public:
    std::string price;
    void onRefreshMsg(const RefreshMsg& m, const OmmConsumerEvent&) override {
        const FieldList& fields = m.getPayload().getFieldList();
        while (fields.forth())
            price += std::string(fields.getEntry().getName().c_str()) + "=" +
                     fields.getEntry().getLoad().toString().c_str() + " ";
    }
};

}  // namespace

TEST_CASE("a consumer takes everything from a provider that answers for itself", "[ema][provider][admin]") {
    const ConfigFile file;
    SelfMadeProvider app;
    OmmIProviderConfig config(file.path());
    userControl(config);
    OmmProvider provider(config, app);
    PriceClient client;
    OmmConsumerConfig consumerConfig;
    consumerConfig.operationModel(OmmConsumerConfig::UserDispatchEnum)
        .host(("127.0.0.1:" + std::to_string(ema::ProviderAccess::port(provider))).c_str());
    OmmConsumer consumer(consumerConfig);
    (void)consumer.registerClient(ReqMsg().serviceName("SELF_MADE").name("TRI.N"), client);
    CHECK(turnUntil([&] { return !client.price.empty(); }, [&] { consumer.dispatch(100'000); }));
    CHECK(client.price == "BID=33.91 ");
    CHECK(app.requests[MMT_DICTIONARY] == 2);
    CHECK(app.requests[MMT_DIRECTORY] == 1);
}

TEST_CASE("directory messages of an application whose directory the library serves", "[ema][provider][admin]") {
    const ConfigFile file;
    RecordingClient app;
    OmmProvider provider(OmmIProviderConfig(file.path()), app);
    Map map;
    RawConsumer all = loggedIn(provider), one = loggedIn(provider), late = loggedIn(provider);
    all.send(RawConsumer::directoryRequest(63));
    CHECK(directoryOf(all.next()).services().size() == 1);
    codec::Msg onlyOne = RawConsumer::directoryRequest(3);
    onlyOne.key.flags |= codec::KeyFlag::serviceId;
    onlyOne.key.serviceId = 1;
    one.send(onlyOne);
    CHECK(directoryOf(one.next()).services().size() == 1);

    provider.submit(UpdateMsg()
                        .domainType(MMT_DIRECTORY)
                        .payload(SelfMadeProvider::services(map, 11, "SELF_MADE", 3, MapEntry::AddEnum)),
                    0);
    const Received added = all.next();
    CHECK(added.msg.cls == codec::MsgClass::Update);
    CHECK(directoryOf(added).find(std::uint16_t{11})->name() == "SELF_MADE");
    late.send(RawConsumer::directoryRequest(63));
    CHECK(directoryOf(late.next()).services().size() == 2);
    CHECK(app.size() == 3);  // the logins: directory requests were answered without it

    all.send(RawConsumer::request(5, 6, "TRI.N", 11));
    CHECK(all.next().msg.cls == codec::MsgClass::Refresh);
    const UInt64 item = app.at(4).handle;
    map.clear();
    SECTION("a service that goes takes its items with it, everywhere and without onClose") {
        provider.submit(UpdateMsg()
                            .domainType(MMT_DIRECTORY)
                            .payload(SelfMadeProvider::services(map, 11, "", 0, MapEntry::DeleteEnum)),
                        0);
        CHECK(all.next().msg.cls == codec::MsgClass::Update);
        CHECK(late.next().msg.cls == codec::MsgClass::Update);
        CHECK(one.silent());
        CHECK(usageCode([&] { provider.submit(UpdateMsg(), item); }) == Code::InvalidArgumentEnum);
        CHECK(app.size() == 4);
        all.send(RawConsumer::request(6, 6, "TRI.N", 11));
        CHECK(all.next().msg.cls == codec::MsgClass::Status);
    }
    SECTION("a service that goes down leaves its items open; new requests are for the application to judge") {
        provider.submit(
            UpdateMsg()
                .domainType(MMT_DIRECTORY)
                .payload(SelfMadeProvider::services(map, 11, "", SERVICE_STATE_FILTER, MapEntry::UpdateEnum, 0)),
            0);
        CHECK(all.next().msg.cls == codec::MsgClass::Update);
        provider.submit(UpdateMsg(), item);
        CHECK(all.next().msg.streamId == 5);
        CHECK(one.silent());
    }
    SECTION("a refresh that clears the cache replaces the directory") {
        RefreshMsg refresh = SelfMadeProvider::directory(3);
        provider.submit(refresh.clearCache(true), 0);
        for (RawConsumer* c : {&all, &late}) {
            const Received got = c->next();
            CHECK(got.msg.cls == codec::MsgClass::Refresh);
            CHECK_FALSE(got.msg.has(codec::RefreshFlag::solicited));
            CHECK(directoryOf(got).services().size() == 1);
        }
        CHECK(directoryOf(one.next()).services().empty());
        one.send(RawConsumer::request(6, 6, "TRI.N", 1));
        CHECK(one.next().msg.cls == codec::MsgClass::Status);
        provider.submit(UpdateMsg(), item);
        CHECK(all.next().msg.streamId == 5);
    }
}

// Request routing, service lists and preferred hosts through the public interface.
#include "ema/session/consumer/Journal.h"

#include <chrono>

using namespace emissary::test;
using Lines = std::vector<std::string>;

namespace {

std::string channel(const std::string& name, std::uint16_t port) {
    return "<Channel><Name value=\"" + name +
           "\"/><ChannelType value=\"ChannelType::RSSL_SOCKET\"/><Host value=\"127.0.0.1\"/><Port value=\"" +
           std::to_string(port) + "\"/></Channel>";
}
std::string session(const std::string& name, const std::string& parameters) {
    return "<SessionChannel><Name value=\"" + name + "\"/>" + parameters + "</SessionChannel>";
}
std::string channelSet(const std::string& names) {
    return "<ChannelSet value=\"" + names + "\"/>";
}
/// What follows the first channel's parameters in ConsumerConfigFile: more channels and the session channels.
std::string groups(const std::string& channels, const std::string& sessions) {
    return "</Channel>" + channels + "</ChannelList></ChannelGroup><SessionChannelGroup><SessionChannelList>" +
           sessions +
           "</SessionChannelList></SessionChannelGroup><ChannelGroup><ChannelList><Channel><Name value=\"Unused\"/>";
}

void answering(RawProvider& p) {
    p.automatic.items = true;
    p.services.push_back(RawProvider::service(99, "MARK_" + std::to_string(p.port())));
}

std::string text(const EmaString& s) {
    return s.c_str();
}

/// One consumer, two providers, a session channel for each.
class TwoSessions {
public:
    ProviderThread first, second;
    ConsumerConfigFile file;
    explicit TwoSessions(const std::function<void(RawProvider&)>& one = answering,
                         const std::function<void(RawProvider&)>& two = answering, const std::string& parameters = {},
                         const std::string& ofSession = {})
        : first(one), second(two),
          file(first.port(), "<SessionChannelSet value=\"Session_1, Session_2\"/>" + parameters, true,
               groups(channel("One", first.port()) + channel("Two", second.port()),
                      session("Session_1", channelSet("One") + ofSession) +
                          session("Session_2", channelSet("Two") + ofSession)),
               "") {}
    [[nodiscard]] OmmConsumerConfig& config() { return config_.username("user"); }

private:
    OmmConsumerConfig config_{file.path()};
};

/// Waits until every session channel serves: each has a service of its own, "MARK_" and its port, with an item.
void bothUp(OmmConsumer& consumer, const std::vector<ProviderThread*>& providers) {
    RecordingConsumerClient client;
    for (ProviderThread* p : providers) {
        const std::string service = "MARK_" + std::to_string(p->port());
        const UInt64 handle =
            consumer.registerClient(ReqMsg().serviceName(service.c_str()).name(service.c_str()), client);
        REQUIRE(client.wait(service + " refresh Open/Ok/0"));
        consumer.unregister(handle);
    }
}

}  // namespace

TEST_CASE("request routing: one consumer over two session channels", "[ema][routing]") {
    TwoSessions two(answering, [](RawProvider& p) {
        answering(p);
        p.services[0] = RawProvider::service(1, "OTHER");
    });
    Journal journal;
    OmmConsumer consumer(two.config());
    bothUp(consumer, {&two.first, &two.second});
    consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("A"), journal, const_cast<char*>("A"));
    consumer.registerClient(ReqMsg().serviceName("OTHER").name("B"), journal, const_cast<char*>("B"));
    REQUIRE(journal.wait("A refresh Open/Ok/0"));
    REQUIRE(journal.wait("B refresh Open/Ok/0"));

    EmaVector<ChannelInformation> sessions;
    consumer.getSessionInformation(sessions);
    REQUIRE(sessions.size() == 2);
    CHECK(text(sessions[0].getSessionName()) == "Session_1");
    CHECK(text(sessions[0].getName()) == "One");
    CHECK(sessions[0].port() == two.first.port());
    CHECK(text(sessions[1].getSessionName()) == "Session_2");
    CHECK(text(sessions[1].getName()) == "Two");
    CHECK(sessions[1].port() == two.second.port());
    ChannelInformation one;
    consumer.getChannelInformation(one);
    CHECK(text(one.getSessionName()) == "Session_1");
}

TEST_CASE("request routing: an event knows its session channel; its loss moves the item", "[ema][routing]") {
    TwoSessions two;
    std::mutex mutex;
    std::vector<std::string> from;
    RecordingConsumerClient client, login;
    client.hook = [&](const Msg& m, const OmmConsumerEvent& e) {
        EmaVector<ChannelInformation> all;
        e.getSessionInformation(all);
        const std::lock_guard guard(mutex);
        if (m.getDataType() == DataType::RefreshMsgEnum)
            from.push_back(text(e.getChannelInformation().getSessionName()) + " of " + std::to_string(all.size()));
    };
    OmmConsumer consumer(two.config(), login);
    bothUp(consumer, {&two.first, &two.second});
    consumer.registerClient(item("A"), client);
    REQUIRE(client.wait("A refresh Open/Ok/0"));
    two.first.run([](RawProvider& p) { p.die(); });
    REQUIRE(client.wait("A refresh Open/Ok/0", 2));
    CHECK(client.lines() == Lines{"A refresh Open/Ok/0", "A status Open/Suspect/0", "A refresh Open/Ok/0"});
    {
        const std::lock_guard guard(mutex);
        CHECK(from == Lines{"Session_1 of 2", "Session_2 of 2"});
    }
    CHECK(login.count("user refresh Open/Ok/0") == 1);
    CHECK(login.count("user status Open/Suspect/0") == 0);
    EmaVector<ChannelInformation> sessions;
    consumer.getSessionInformation(sessions);
    REQUIRE(sessions.size() == 2);
    CHECK(sessions[0].getChannelState() == ChannelInformation::ClosedEnum);
    CHECK(sessions[1].getChannelState() == ChannelInformation::ActiveEnum);
}

TEST_CASE("request routing: SessionEnhancedItemRecovery 0 waits for the same session channel", "[ema][routing]") {
    TwoSessions two(answering, answering, R"(<SessionEnhancedItemRecovery value="0"/>)");
    RecordingConsumerClient client;
    OmmConsumer consumer(two.config());
    bothUp(consumer, {&two.first, &two.second});
    consumer.registerClient(item("A"), client);
    REQUIRE(client.wait("A refresh Open/Ok/0"));
    two.first.run([](RawProvider& p) {
        p.die();
        p.revive();
    });
    REQUIRE(client.wait("A refresh Open/Ok/0", 2));
    CHECK(two.second.run([](RawProvider& p) {
        return std::none_of(p.wire.begin(), p.wire.end(), [](const std::string& l) { return l.ends_with(" A"); });
    }));
}

TEST_CASE("request routing: usable when the first session channel is ready", "[ema][routing]") {
    TwoSessions two(answering, [](RawProvider& p) { p.stopListening(); });
    RecordingConsumerClient client;
    OmmConsumer consumer(two.config());
    consumer.registerClient(item("A"), client);
    CHECK(client.wait("A refresh Open/Ok/0"));
}

TEST_CASE("request routing: all session channels refuse the login", "[ema][routing]") {
    const auto refuse = [](RawProvider& p) { p.automatic.login = false; };
    TwoSessions two(refuse, refuse);
    const auto answer = [](ProviderThread& p) {
        return p.until([](RawProvider& provider) {
            if (provider.inbox.empty()) return false;
            provider.send(RawProvider::status(1, codec::StreamState::closed, codec::DataState::suspect, 0, "no"));
            return true;
        });
    };
    auto one = std::async(std::launch::async, [&] { return answer(two.first); });
    auto other = std::async(std::launch::async, [&] { return answer(two.second); });
    const std::string what = thrown([&] { const OmmConsumer consumer(two.config()); });
    CHECK(one.get());
    CHECK(other.get());
    CHECK(what.find("OmmInvalidUsageException -4053: login failed: session channel Session_") == 0);
}

TEST_CASE("request routing: posts, pause and directory work as with one session", "[ema][routing]") {
    TwoSessions two;
    RecordingConsumerClient client, directory, login;
    OmmConsumer consumer(two.config());
    bothUp(consumer, {&two.first, &two.second});
    const UInt64 loginHandle = consumer.registerClient(ReqMsg().domainType(MMT_LOGIN), login);
    REQUIRE(login.wait("user refresh Open/Ok/0"));
    consumer.registerClient(ReqMsg().domainType(MMT_DIRECTORY), directory);
    REQUIRE(directory.wait("- refresh Open/Ok/0"));
    const UInt64 a = consumer.registerClient(item("A"), client);
    REQUIRE(client.wait("A refresh Open/Ok/0"));
    FieldList fields;
    fields.addUInt(1, 7).complete();
    consumer.submit(PostMsg().postId(9).serviceId(1).name("A").complete().solicitAck(true).payload(fields), a);
    REQUIRE(two.first.until([](RawProvider& p) {
        while (auto got = p.take()) {
            if (got->msg.cls != codec::MsgClass::Post) continue;
            codec::Msg ack;
            ack.cls = codec::MsgClass::Ack;
            ack.domain = 6;
            ack.streamId = got->msg.streamId;
            ack.ackId = got->msg.postId;
            p.send(ack);
            return true;
        }
        return false;
    }));
    CHECK(client.wait("A ack"));
    consumer.submit(GenericMsg().domainType(MMT_LOGIN).name("x"), loginHandle);
    for (ProviderThread* p : {&two.first, &two.second})
        CHECK(p->until([](RawProvider& provider) {
            return std::any_of(provider.wire.begin(), provider.wire.end(),
                               [](const std::string& l) { return l.starts_with("GEN 1 "); });
        }));
    consumer.unregister(a);
    CHECK(two.first.until([](RawProvider& p) {
        return std::count_if(p.wire.begin(), p.wire.end(),
                             [](const std::string& l) { return l.starts_with("CLOSE "); }) == 2;  // and the marker's
    }));
}

TEST_CASE("service lists: the first service that can; with one connection too", "[ema][routing]") {
    ProviderThread provider(answering);
    const ConsumerConfigFile file(provider.port());
    OmmConsumerConfig config(file.path());
    ServiceList prices("PRICES");
    prices.addService("NOT_THERE").addService("DIRECT_FEED");
    config.username("user").addServiceList(prices);
    std::string service;
    RecordingConsumerClient client;
    OmmConsumer consumer(config);
    client.hook = [&](const Msg& m, const OmmConsumerEvent&) {
        if (m.getDataType() == DataType::RefreshMsgEnum)
            service = text(static_cast<const RefreshMsg&>(m).getServiceName());
    };
    ReqMsg request;
    request.serviceListName("PRICES").name("A");
    const ReqMsg copy(request);
    consumer.registerClient(copy, client);
    REQUIRE(client.wait("A refresh Open/Ok/0"));
    CHECK(service == "DIRECT_FEED");
    EmaVector<ChannelInformation> sessions;
    consumer.getSessionInformation(sessions);
    CHECK(sessions.empty());
    CHECK(thrown([&] { consumer.registerClient(ReqMsg().serviceListName("OTHER").name("A"), client); }) ==
          "OmmInvalidUsageException -22: registerClient() failed: there is no service list 'OTHER'; "
          "OmmConsumerConfig::addServiceList() added PRICES.");
    CHECK(thrown([&] { request.serviceName("X"); }) ==
          "OmmInvalidUsageException -4048: ReqMsg: serviceName() while serviceListName is set; a message names its "
          "service one way only");
    CHECK(thrown([&] { request.serviceId(1); }).find("ReqMsg: serviceId() while serviceListName is set") !=
          std::string::npos);
    request.clear();
    request.serviceName("X");
    CHECK(thrown([&] { request.serviceListName("PRICES"); }) ==
          "OmmInvalidUsageException -4048: ReqMsg: serviceListName() while serviceName is set; a message names its "
          "service one way only");
    CHECK(thrown([&] { ReqMsg().serviceListName(""); }).find("serviceListName() needs the name") != std::string::npos);
}

TEST_CASE("service lists: what cannot be added", "[ema][routing]") {
    const ConsumerConfigFile file(1);
    OmmConsumerConfig config(file.path());
    ServiceList list("L");
    CHECK(thrown([&] { config.addServiceList(list); }) ==
          "OmmInvalidUsageException -22: OmmConsumerConfig::addServiceList: the service list 'L' names no service; use "
          "ServiceList::addService()");
    list.addService("S");
    config.addServiceList(list);
    CHECK(thrown([&] { config.addServiceList(list); }) ==
          "OmmInvalidUsageException -22: OmmConsumerConfig::addServiceList: a service list named 'L' was added before");
    CHECK(thrown([&] { config.addServiceList(ServiceList("").addService("S")); }) ==
          "OmmInvalidUsageException -22: OmmConsumerConfig::addServiceList: the service list has no name");
    CHECK(thrown([&] { config.clear().addServiceList(list); }).empty());
}

TEST_CASE("service lists: without any, a request that names one is refused", "[ema][routing]") {
    ProviderThread provider(answering);
    const ConsumerConfigFile file(provider.port());
    RecordingConsumerClient client;
    OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
    CHECK(thrown([&] { consumer.registerClient(ReqMsg().serviceListName("L").name("A"), client); }) ==
          "OmmInvalidUsageException -22: registerClient() failed: there is no service list 'L'; "
          "OmmConsumerConfig::addServiceList() added none.");
}

TEST_CASE("preferred host: configured, asked for, told about", "[ema][routing][preferred]") {
    ProviderThread first([](RawProvider&p) { p.stopListening(); }), second(answering);
    const ConsumerConfigFile file(
        first.port(),
        R"(<EnablePreferredHostOptions value="1"/><PHDetectionTimeInterval value="3600"/><PreferredChannelName value="One"/>)",
        true,
        "</Channel>" + channel("One", first.port()) + channel("Two", second.port()) +
            "<Channel><Name value=\"Unused\"/>",
        channelSet("Two, One"));
    RecordingConsumerClient client;
    OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
    consumer.registerClient(item("A"), client);
    REQUIRE(client.wait("A refresh Open/Ok/0"));
    ChannelInformation information;
    consumer.getChannelInformation(information);
    CHECK(text(information.getName()) == "Two");
    const auto& info = information.getPreferredHostInfo();
    CHECK(info.getEnablePreferredHostOptions());
    CHECK(info.getPHDetectionTimeInterval() == 3600);
    CHECK(text(info.getPreferredChannelName()) == "One");
    CHECK(info.getRemainingDetectionTime() > 3500);
    CHECK(info.getRemainingDetectionTime() <= 3600);
    CHECK_FALSE(info.getIsChannelPreferred());
    CHECK(text(information.toString()).find("ph preferred host option: enabled") != std::string::npos);
    CHECK(text(information.toString()).find("ph is channel preferred: non-preferred") != std::string::npos);

    first.run([](RawProvider& p) {
        p.automatic.items = true;
        p.revive();
    });
    consumer.fallbackPreferredHost();
    REQUIRE(client.wait("A refresh Open/Ok/0", 2));
    consumer.getChannelInformation(information);
    CHECK(text(information.getName()) == "One");
    CHECK(information.getPreferredHostInfo().getIsChannelPreferred());
    CHECK(text(information.toString()).find("ph is channel preferred: preferred") != std::string::npos);
    CHECK(client.lines() == Lines{"A refresh Open/Ok/0", "A status Open/Suspect/0", "A refresh Open/Ok/0"});
}

TEST_CASE("preferred host: options change at run time", "[ema][routing][preferred]") {
    ProviderThread first(answering), second(answering);
    const ConsumerConfigFile file(first.port(), {}, true,
                                  "</Channel>" + channel("One", first.port()) + channel("Two", second.port()) +
                                      "<Channel><Name value=\"Unused\"/>",
                                  channelSet("One, Two"));
    RecordingConsumerClient client;
    OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
    consumer.registerClient(item("A"), client);
    REQUIRE(client.wait("A refresh Open/Ok/0"));
    CHECK(
        thrown([&] { consumer.fallbackPreferredHost(); }) ==
        "OmmInvalidUsageException -4048: fallbackPreferredHost() failed: The preferred host options are not enabled.");
    ChannelInformation information;
    consumer.getChannelInformation(information);
    CHECK(text(information.toString()).find("ph preferred host option") == std::string::npos);

    constexpr Int32 kPreferred = IOCtlReactorChannelCode::ReactorChannelPreferredHost;
    PreferredHostOptions options;
    options.enablePreferredHostOptions(true).preferredChannelName("Three");
    CHECK(
        thrown([&] { consumer.modifyReactorChannelIOCtl(kPreferred, &options); }) ==
        "OmmInvalidUsageException -22: modifyReactorChannelIOCtl(201): PreferredChannelName [Three] is not one of the "
        "channels in use: One, Two.");
    options.preferredChannelName("Two").phDetectionTimeSchedule("x");
    CHECK(thrown([&] {
              consumer.modifyReactorChannelIOCtl(kPreferred, &options);
          }).find("PHDetectionTimeSchedule [x] is not a schedule: it has 1 fields") != std::string::npos);
    options.phDetectionTimeSchedule("").sessionChannelName("S");
    CHECK(thrown([&] { consumer.modifyReactorChannelIOCtl(kPreferred, &options); }) ==
          "OmmInvalidUsageException -22: modifyReactorChannelIOCtl(201): sessionChannelName 'S' is none of the session "
          "channels: there are none.");
    CHECK(thrown([&] {
              consumer.modifyReactorChannelIOCtl(kPreferred, nullptr);
          }).find("the value is a null pointer") != std::string::npos);
    CHECK(thrown([&] {
              consumer.modifyReactorChannelIOCtl(1, &options);
          }).find("use ReactorChannelDirectWrite or ReactorChannelPreferredHost") != std::string::npos);
    Int32 on = 1;
    CHECK(thrown([&] {
              consumer.modifyReactorChannelIOCtl(IOCtlReactorChannelCode::ReactorChannelDirectWrite, &on);
          }).empty());

    options.sessionChannelName("").phDetectionTimeInterval(1);
    consumer.modifyReactorChannelIOCtl(kPreferred, &options);
    REQUIRE(client.wait("A refresh Open/Ok/0", 2));  // a second later
    consumer.getChannelInformation(information);
    CHECK(text(information.getName()) == "Two");
}

TEST_CASE("preferred host: of one session channel", "[ema][routing][preferred]") {
    ProviderThread one(answering), two(answering), three(answering);
    const ConsumerConfigFile file(
        one.port(), "<SessionChannelSet value=\"S1, S2\"/>", true,
        groups(channel("One", one.port()) + channel("Two", two.port()) + channel("Three", three.port()),
               session("S1", channelSet("One, Two")) + session("S2", channelSet("Three"))),
        "");
    OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
    bothUp(consumer, {&one, &three});
    PreferredHostOptions options;
    options.enablePreferredHostOptions(true).preferredChannelName("Two");
    constexpr Int32 kPreferred = IOCtlReactorChannelCode::ReactorChannelPreferredHost;
    CHECK(thrown([&] {
              consumer.modifyReactorChannelIOCtl(kPreferred, &options);
          }).find("sessionChannelName '' is none of the session channels: S1, S2.") != std::string::npos);
    options.sessionChannelName("S1");
    consumer.modifyReactorChannelIOCtl(kPreferred, &options);
    consumer.fallbackPreferredHost();
    EmaVector<ChannelInformation> sessions;
    REQUIRE(two.until([&](RawProvider& p) {
        consumer.getSessionInformation(sessions);
        return p.wire.size() >= 2 && sessions[0].getChannelState() == ChannelInformation::ActiveEnum;
    }));
    CHECK(text(sessions[0].getName()) == "Two");
    CHECK(sessions[0].getPreferredHostInfo().getIsChannelPreferred());
    CHECK_FALSE(sessions[1].getPreferredHostInfo().getEnablePreferredHostOptions());
}

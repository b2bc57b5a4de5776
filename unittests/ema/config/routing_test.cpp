// Session channels and preferred hosts (ema-config.md 8, 9).
#include "support.h"

#include "Ema.h"
#include "config/ProgrammaticConfigReader.h"
#include "config/preferred_host.h"

using namespace emissary::ema;
using namespace emissary::ema::test;

namespace {

std::string value(const std::string& parameter, const std::string& v) {
    return "<" + parameter + " value=\"" + v + "\"/>\n";
}
std::string entry(const std::string& kind, const std::string& name, const std::string& parameters = "") {
    return "<" + kind + ">" + value("Name", name) + parameters + "</" + kind + ">\n";
}
std::string group(const std::string& kind, const std::string& entries) {
    return "<" + kind + "Group><" + kind + "List>" + entries + "</" + kind + "List></" + kind + "Group>\n";
}
std::string channels() {
    return group("Channel", entry("Channel", "C", value("Host", "c")) + entry("Channel", "D", value("Host", "d")) +
                                entry("Channel", "E", value("Host", "e")));
}
std::string standbyGroup() {
    return group("WarmStandbyServerInfo", entry("WarmStandbyServerInfo", "W1", value("Channel", "C")) +
                                              entry("WarmStandbyServerInfo", "W2", value("Channel", "D"))) +
           "<WarmStandbyGroup><WarmStandbyList>" +
           entry("WarmStandbyChannel", "G", value("StartingActiveServer", "W1") + value("StandbyServerSet", "W2")) +
           "</WarmStandbyList></WarmStandbyGroup>";
}
ConsumerSettings resolved(const std::string& consumer, const std::string& sessions) {
    return resolveConsumer(readXml(group("Consumer", entry("Consumer", "A", consumer)) + channels() + standbyGroup() +
                                   (sessions.empty() ? "" : group("SessionChannel", sessions))),
                           {});
}

}  // namespace

TEST_CASE("session channels from the file", "[config][routing]") {
    const ConsumerSettings s =
        resolved(value("SessionChannelSet", "S1, S2") + value("SessionEnhancedItemRecovery", "0") +
                     value("ReconnectMinDelay", "300"),
                 entry("SessionChannel", "S1",
                       value("ChannelSet", "C, D") + value("ReconnectAttemptLimit", "3") +
                           value("ReconnectMinDelay", "200") + value("ReconnectMaxDelay", "100") +
                           value("EnablePreferredHostOptions", "1") + value("PHDetectionTimeSchedule", "0 6 * * *") +
                           value("PHDetectionTimeInterval", "60") + value("PreferredChannelName", "D")) +
                     entry("SessionChannel", "S2", value("WarmStandbyChannelSet", "G") + value("ChannelSet", "E")) +
                     entry("SessionChannel", "Unused", value("ChannelSet", "E")));
    INFO(listed(s.queued));
    CHECK(s.queued.empty());
    CHECK_FALSE(s.enhancedItemRecovery);
    REQUIRE(s.sessions.size() == 2);
    const SessionSettings& one = s.sessions[0];
    CHECK(one.name == "S1");
    REQUIRE(one.channels.size() == 2);
    CHECK(one.channels[1].connect.host == "d");
    CHECK(one.reconnect.attemptLimit == 3);
    CHECK(one.reconnect.minDelay.count() == 200);
    CHECK(one.reconnect.maxDelay.count() == 200);  // never below the smallest
    CHECK(one.preferredHost.enabled);
    CHECK(one.preferredHost.schedule == "0 6 * * *");
    CHECK(one.preferredHost.intervalSeconds == 60);
    std::string why;
    const auto preferred = preferredHostOf(one.preferredHost, one.channels, why);
    CHECK(preferred.enabled);
    CHECK(preferred.channel == 1);
    CHECK(preferred.schedule.has_value());
    const SessionSettings& two = s.sessions[1];
    REQUIRE(two.channels.size() == 3);
    CHECK(two.channels[0].standbyGroup == 1);
    CHECK(two.channels[0].standbyGroupName == "G");
    CHECK(two.channels[2].name == "E");
    CHECK(two.reconnect.attemptLimit == -1);
    CHECK(two.reconnect.minDelay.count() == 300);  // the consumer's
    CHECK_FALSE(two.preferredHost.enabled);
}

TEST_CASE("session channels that cannot be used are left out", "[config][routing]") {
    const ConsumerSettings s =
        resolved(value("SessionChannelSet", "S1, Missing, S1, Empty, NoGroup"),
                 entry("SessionChannel", "S1", value("ChannelSet", "C, Nowhere")) + entry("SessionChannel", "Empty") +
                     entry("SessionChannel", "NoGroup", value("WarmStandbyChannelSet", "H")));
    INFO(listed(s.queued));
    REQUIRE(s.sessions.size() == 1);
    CHECK(s.sessions[0].channels.size() == 2);
    CHECK(recordsWith(s.queued, LogSeverity::error, {"could not obtain the Channel entry [Nowhere]"}) == 1);
    CHECK(recordsWith(s.queued, LogSeverity::error,
                      {"session channel [Missing] has no SessionChannel entry; it is left out (", "EmaConfig.xml:"}) ==
          1);
    CHECK(recordsWith(s.queued, LogSeverity::error, {"session channel [S1] is named twice"}) == 1);
    CHECK(recordsWith(s.queued, LogSeverity::error,
                      {"session channel [Empty] has neither a ChannelSet nor a usable WarmStandbyChannelSet"}) == 1);
    CHECK(recordsWith(s.queued, LogSeverity::error, {"WarmStandbyChannel entry [H]"}) == 1);
    CHECK(recordsWith(s.queued, LogSeverity::error, {"session channel [NoGroup] has neither"}) == 1);
    CHECK(s.queued.size() == 6);

    const ConsumerSettings none = resolved(value("SessionChannelSet", "Missing") + value("Channel", "D"), "");
    CHECK(none.sessions.empty());
    CHECK(none.channels.at(0).connect.host == "d");
    CHECK(recordsWith(none.queued, LogSeverity::error,
                      {"SessionChannelSet of Consumer [A] names no usable session channel",
                       "the consumer's own channels are used"}) == 1);
}

TEST_CASE("host() goes past session channels", "[config][routing]") {
    FunctionCalls calls;
    parseHost("other:17", "14002", calls);
    const ConsumerSettings s = resolveConsumer(
        readXml(group("Consumer", entry("Consumer", "A", value("SessionChannelSet", "S1"))) + channels() +
                group("SessionChannel", entry("SessionChannel", "S1", value("ChannelSet", "C")))),
        calls);
    CHECK(s.sessions.empty());
    REQUIRE(s.channels.size() == 1);
    CHECK(s.channels[0].connect.host == "other");
}

TEST_CASE("session channels from a Map and from the environment", "[config][routing]") {
    using namespace refinitiv::ema::access;
    Configuration c = readXml(channels());
    Map sessions;
    sessions
        .addKeyAscii("S", MapEntry::AddEnum,
                     ElementList()
                         .addAscii("ChannelSet", "C, D")
                         .addInt("ReconnectAttemptLimit", 5)
                         .addUInt("EnablePreferredHostOptions", 1)
                         .addAscii("PreferredChannelName", "D")
                         .complete())
        .complete();
    Map consumers;
    consumers.addKeyAscii("A", MapEntry::AddEnum, ElementList().addAscii("SessionChannelSet", "S").complete())
        .complete();
    Map all;
    all.addKeyAscii("ConsumerGroup", MapEntry::AddEnum,
                    ElementList().addAscii("DefaultConsumer", "A").addMap("ConsumerList", consumers).complete())
        .addKeyAscii("SessionChannelGroup", MapEntry::AddEnum,
                     ElementList().addMap("SessionChannelList", sessions).complete())
        .complete();
    addProgrammaticConfig(all, c);
    c.variables.push_back({"EMISSARY_SESSIONCHANNEL_S_RECONNECTMINDELAY", "150"});
    const ConsumerSettings s = resolveConsumer(c, {});
    INFO(listed(s.queued));
    REQUIRE(s.sessions.size() == 1);
    CHECK(s.sessions[0].channels.size() == 2);
    CHECK(s.sessions[0].reconnect.attemptLimit == 5);
    CHECK(s.sessions[0].reconnect.minDelay.count() == 150);
    CHECK(s.sessions[0].preferredHost.enabled);
}

TEST_CASE("preferred hosts that cannot be are reported and left out", "[config][routing]") {
    struct Row {
        std::string consumer, error;
    };
    const Row row = GENERATE(values<Row>({
        {value("ChannelSet", "C, D") + value("PreferredChannelName", "E"),
         "PreferredChannelName [E] is not one of the channels in use: C, D; the preferred host options of Consumer [A] "
         "are ignored"},
        {value("ChannelSet", "C, D") + value("PreferredWSBChannelName", "G"),
         "PreferredWSBChannelName [G] is not one of the warm-standby groups in use: none; the preferred host options "
         "of Consumer [A] are ignored"},
        {value("WarmStandbyChannelSet", "G") + value("PreferredWSBChannelName", "H"),
         "PreferredWSBChannelName [H] is not one of the warm-standby groups in use: G; the preferred host options of "
         "Consumer [A] are ignored"},
        {value("WarmStandbyChannelSet", "G") + value("PreferredChannelName", "C"),
         "PreferredChannelName [C] is not one of the channels in use: none; the preferred host options of Consumer [A] "
         "are ignored"},
        {value("ChannelSet", "C, D") + value("PHDetectionTimeSchedule", "0 25 * * *"),
         "PHDetectionTimeSchedule [0 25 * * *] is not a schedule: the hour field '25' is not made of values from 0 to "
         "23; the preferred host options of Consumer [A] are ignored"},
    }));
    const ConsumerSettings s = resolved(row.consumer + value("EnablePreferredHostOptions", "1"), "");
    INFO(listed(s.queued));
    CHECK(recordsWith(s.queued, LogSeverity::error, {row.error}) == 1);
    CHECK_FALSE(s.preferredHost.enabled);
    // Switched off, nobody minds.
    CHECK(resolved(row.consumer, "").queued.empty());
}

TEST_CASE("which channel is preferred", "[config][routing]") {
    struct Row {
        std::string consumer;
        std::size_t channel;
    };
    const Row row = GENERATE(values<Row>({
        {value("ChannelSet", "C, D"), 0},
        {value("ChannelSet", "C, D") + value("PreferredChannelName", "D"), 1},
        {value("WarmStandbyChannelSet", "G") + value("ChannelSet", "E"), 0},
        {value("WarmStandbyChannelSet", "G") + value("ChannelSet", "E") + value("PreferredChannelName", "E"), 2},
        {value("WarmStandbyChannelSet", "G") + value("ChannelSet", "E") + value("PreferredWSBChannelName", "G"), 0},
    }));
    const ConsumerSettings s = resolved(row.consumer + value("EnablePreferredHostOptions", "1"), "");
    INFO(listed(s.queued));
    CHECK(s.queued.empty());
    std::string why;
    const auto preferred = preferredHostOf(s.preferredHost, s.channels, why);
    CHECK(preferred.enabled);
    CHECK(preferred.channel == row.channel);
}

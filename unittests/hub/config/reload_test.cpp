// What differs between two configurations, and what of it a running hub takes.
#include "fixture.h"

#include "hub/config/reload.h"
#include "hub/config/schema.h"
#include "support/hub_parameters.h"
#include "support/same.h"

using namespace emissary;
using namespace emissary::test;

namespace {

std::string textsOf(const std::vector<Change>& changes) {
    std::string all;
    for (const Change& c : changes)
        all += c.text() + "\n";
    return all;
}

HubConfig readText(const std::string& document) {
    Folder::write("hub.xml", document);
    return readHubConfig("hub.xml", {});
}

/// The lines that tell how the second differs from the first.
std::string between(const std::string& first, const std::string& second) {
    const HubConfig a = read(first), b = read(second);
    INFO(errorsOf(a) << errorsOf(b));
    CHECK(a.usable());
    CHECK(b.usable());
    return textsOf(changesBetween(a, b));
}

std::string services(const std::string& entries) {
    return "<ServiceGroup><ServiceList>" + entries + "</ServiceList></ServiceGroup>";
}

}  // namespace

TEST_CASE("every parameter is marked as one that changes while the hub runs, or not", "[hub][config][reload]") {
    for (const parameters::SectionTitle& title : schema().titles)
        for (const parameters::Parameter& p : schema().parameters) {
            if ((p.sections & title.section) == 0) continue;
            INFO(title.name << " / " << p.name);
            CHECK(reloadMark(title.section, p.name).has_value());
        }
    CHECK_FALSE(reloadMark(Section::hub, "Nonsense"));
    CHECK_FALSE(reloadMark(Section::hub, "Max"));  // a part of a name is none
    CHECK(referenceAsMarkdown().find("| ? |") == std::string::npos);
}

TEST_CASE("of every parameter another value is seen, and taken where it is marked live", "[hub][config][reload]") {
    const Folder folder;
    std::size_t live = 0, restart = 0;
    for (const OneParameter& one : allParameters("")) {
        const HubConfig before = readText(one.before), after = readText(one.after);
        INFO(one.section << " / " << one.name << "\n" << one.after << errorsOf(after));
        const std::vector<Change> changes = changesBetween(before, after);
        INFO(textsOf(changes));
        const auto found = std::ranges::find_if(changes, [&](const Change& c) {
            return c.section == one.section && c.entry == one.entry && c.parameter == one.name;
        });
        REQUIRE(found != changes.end());
        CHECK(found->live == (one.mark != Reload::restart));
        CHECK(found->anew == (one.mark == Reload::reconnect));
        CHECK(changesBetween(after, after).empty());
        if (one.mark == Reload::restart) {
            ++restart;
            continue;
        }
        ++live;
        CHECK(after.usable());
        CHECK(std::ranges::all_of(changes, &Change::live));
        HubSettings now = before.settings;
        takeLive(now, after.settings);
        std::string where;
        const bool taken = same(now, after.settings, where, "settings");
        INFO("field " << where);
        CHECK(taken);
        if (one.section != "Logger") CHECK_FALSE(same(before.settings, after.settings, where, "settings"));
    }
    CHECK(live > 50);
    CHECK(restart > 100);
}

TEST_CASE("a Service entry that comes or goes changes what it says otherwise than [*]", "[hub][config][reload]") {
    const Folder folder;
    const std::string entry = "<Service><Name value=\"F\"/><Conflation value=\"tradesafe\"/></Service>";
    CHECK(between("", services(entry)) == "Service [F] Conflation: jit -> tradesafe\n");
    CHECK(between(services(entry), "") == "Service [F] Conflation: tradesafe -> jit\n");
    const std::string common = "<Service><Name value=\"*\"/><Conflation value=\"tradesafe\"/></Service>";
    CHECK(between(services(common), services(common + entry)).empty());
    CHECK(between(services(entry), services(common + entry)) == "Service [*] Conflation: jit -> tradesafe\n");
    CHECK(between("", services("<Service><Name value=\"F\"/><ServiceId value=\"7\"/></Service>")) ==
          "Service [F] ServiceId: none -> 7; needs a restart\n");
    const auto fixed = [](const char* up) {
        return services(std::string("<Service><Name value=\"F\"/><ServiceId value=\"7\"/><Static value=\"1\"/>"
                                    "<InfoFilter><Capabilities><CapabilitiesEntry "
                                    "value=\"6\"/></Capabilities></InfoFilter><StateFilter><ServiceState value=\"") +
                        up + "\"/></StateFilter></Service>");
    };
    CHECK(between(fixed("1"), fixed("1")).empty());
    CHECK(between(fixed("1"), fixed("0")) ==
          "Service [F] InfoFilter/StateFilter/LoadFilter has changed; needs a restart\n");
}

TEST_CASE("differences of many services stand in the order of the lists, the new one's first",
          "[hub][config][reload]") {
    const Folder folder;
    constexpr int kServices = 120;
    const auto document = [](bool backwards, int without, int changed) {
        std::string all;
        for (int i = 0; i < kServices; ++i) {
            const int n = backwards ? kServices - 1 - i : i;
            if (n == without) continue;
            all += "<Service><Name value=\"F" + std::to_string(n) + "\"/><Conflation value=\"" +
                   (n % changed == 0 ? "tradesafe" : "interval") + "\"/></Service>";
        }
        return services(all);
    };
    // F119, F118 ...: those that 20 divides have changed and those that 30 divides; F50 and F3 come and go.
    std::string wanted;
    for (int n = kServices - 1; n >= 0; --n) {
        const bool before = n % 30 == 0, after = n % 20 == 0;
        if (n == 50) wanted += "Service [F50] Conflation: jit -> interval\n";
        else if (n != 3 && before != after)
            wanted += "Service [F" + std::to_string(n) +
                      "] Conflation: " + (before ? "tradesafe -> interval\n" : "interval -> tradesafe\n");
    }
    wanted += "Service [F3] Conflation: interval -> jit\n";
    CHECK(between(document(false, 50, 30), document(true, 3, 20)) == wanted);
    CHECK(between(document(false, 50, 30), document(true, 50, 30)).empty());
}

TEST_CASE("entries that come and go, and an order that decides something", "[hub][config][reload]") {
    const Folder folder;
    const auto classes = [](const std::vector<std::string>& names) {
        std::string all;
        for (const std::string& name : names)
            all += "<UserClass><Name value=\"" + name + "\"/><Groups value=\"g" + name + "\"/></UserClass>";
        return "<UserClassGroup><UserClassList>" + all + "</UserClassList></UserClassGroup>";
    };
    CHECK(between("", classes({"A"})) == "UserClass [A] is new: Groups=gA\n");
    CHECK(between(classes({"A"}), "") == "UserClass [A] is gone: Groups=gA\n");
    CHECK(between(classes({"A", "B"}), classes({"B", "A"})) == "UserClass entries: order A, B -> B, A\n");
    CHECK(between(classes({"A", "B"}), classes({"B"})) == "UserClass [A] is gone: Groups=gA\n");
    const auto sources = [](const std::vector<std::string>& names) {
        std::string all;
        for (const std::string& name : names)
            all += "<Source><Name value=\"" + name + "\"/><Channel value=\"C\"/></Source>";
        return "<SourceGroup><SourceList>" + all +
               "</SourceList></SourceGroup><ChannelGroup><ChannelList><Channel><Name value=\"C\"/></Channel>"
               "</ChannelList></ChannelGroup>";
    };
    CHECK(between(sources({"A"}), sources({"A", "B"})) == "Source [B] is new: Channel=C\n");
    CHECK(between(sources({"A", "B"}), sources({"B", "A"})) == "Source entries: order A, B -> B, A\n");
    CHECK(between(sources({"A", "B"}), sources({"A"})) == "Source [B] is gone: Channel=C\n");
    CHECK(between(sources({}), sources({"A"})) == "Source [A] is new: Channel=C\nChannel [C] is new\n");
    std::string other = sources({"A"});
    other.replace(other.find("<Name value=\"C\"/>"), 17, "<Name value=\"C\"/><Port value=\"5\"/>");
    CHECK(between(sources({"A"}), other) == "Channel [C] Port: 14002 -> 5; the connection is made anew\n");
}

TEST_CASE("a Service entry that comes or goes with its service does so as a whole", "[hub][config][reload]") {
    const Folder folder;
    const std::string entry = services("<Service><Name value=\"F\"/><ServiceId value=\"7\"/></Service>");
    const auto moved = [](const std::string& first, const std::string& second, const ServicesMoved& with) {
        const HubConfig a = read(first), b = read(second);
        return textsOf(changesBetween(a, b, with));
    };
    CHECK(moved("", entry, {{"F"}, {}}) == "Service [F] is new: ServiceId=7\n");
    CHECK(moved(entry, "", {{}, {"F"}}) == "Service [F] is gone: ServiceId=7\n");
    // It is there before, or stays.
    CHECK(moved("", entry, {{"G"}, {"F"}}) == "Service [F] ServiceId: none -> 7; needs a restart\n");
    CHECK(moved(entry, "", {{"F"}, {"G"}}) == "Service [F] ServiceId: 7 -> none; needs a restart\n");
}

TEST_CASE("what a connection is made with is compared in whole", "[hub][config][reload]") {
    const Folder folder;
    std::size_t anew = 0, same = 0;
    for (const OneParameter& one : allParameters("")) {
        if (one.section != "Source" && one.section != "Channel") continue;
        INFO(one.section << " / " << one.name << "\n" << one.after);
        const HubConfig before = readText(one.before), after = readText(one.after), again = readText(one.before);
        REQUIRE(before.settings.sources.size() == 1);
        REQUIRE(after.settings.sources.size() == 1);
        CHECK(before.settings.sources[0].sameConnection(again.settings.sources[0]));
        CHECK(before.settings.sources[0].sameConnection(after.settings.sources[0]) == (one.mark == Reload::live));
        ++(one.mark == Reload::live ? same : anew);
    }
    CHECK(same == 4);
    CHECK(anew > 20);
}

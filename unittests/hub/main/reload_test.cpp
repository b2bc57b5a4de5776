// emissary-hub reads its configuration again: by command, by request and by SIGHUP, and what it refuses.
#include "perftools/ToolProcess.h"
#include "support/RawConsumer.h"
#include "support/RawProvider.h"
#include "support/catch.hpp"
#include "support/http_get.h"
#include "support/hub_parameters.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <thread>

namespace emissary::reload_test {

using perf::test::freePort;
using perf::test::TempDir;
using perf::test::ToolProcess;

namespace {

constexpr double kPatience = 60;

/// A hub with a file of its own, and what one asks it.
struct Reloaded {
    TempDir dir;
    int consumers = freePort(), publishers = freePort(), pages = freePort();
    std::optional<ToolProcess> hub;
    int starts = 0;

    explicit Reloaded(const std::string& inside = {}) {
        write(inside);
        start();
    }
    void start() {
        const std::string output = "out" + std::to_string(++starts);  // that of a hub before says that it listens, too
        hub.emplace(EMISSARY_HUB,
                    std::vector<std::string>{"-c", "hub.xml", "-port", std::to_string(consumers), "-niPort",
                                             std::to_string(publishers), "-httpPort", std::to_string(pages), "-name",
                                             "tested"},
                    dir, output);
        INFO(hub->output());
        REQUIRE(hub->waitForOutput("pages on", kPatience));
    }
    /// What the Hub entry says, and all behind it.
    void write(const std::string& hubEntry, const std::string& rest = {}) {
        writeDocument("<HubConfig>\n<Hub>" + hubEntry + "</Hub>\n" + rest + "</HubConfig>\n");
    }
    /// As editors do: another file in its place.
    void writeDocument(const std::string& document) {
        std::ofstream(dir.file("hub.xml.new")) << document;
        std::filesystem::rename(dir.file("hub.xml.new"), dir.file("hub.xml"));
    }
    /// `emissary-hub reload`, its exit code, and what it printed.
    struct Said {
        int code = -1;
        std::string text;
    };
    Said command(std::vector<std::string> more = {}) {
        std::vector<std::string> words{"reload", "-c", "hub.xml", "-httpPort", std::to_string(pages)};
        words.insert(words.end(), more.begin(), more.end());
        ToolProcess tool(EMISSARY_HUB, words, dir, "command");
        const auto ended = tool.wait(kPatience);
        REQUIRE(ended.has_value());
        return {*ended, tool.output()};
    }
    [[nodiscard]] std::string get(const char* path) const {
        return test::httpGet(static_cast<std::uint16_t>(pages), path);
    }
    [[nodiscard]] std::string post(const std::string& path, const std::string& headers) const {
        return test::http(static_cast<std::uint16_t>(pages),
                          "POST " + path + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "Connection: close\r\n\r\n");
    }
    void end() {
        hub->signal(SIGTERM);
        CHECK(hub->wait(kPatience) == 0);
    }
};

bool has(const std::string& text, const std::string& part) {
    INFO(text);
    INFO("looked for: " << part);
    CHECK(text.find(part) != std::string::npos);
    return text.find(part) != std::string::npos;
}

constexpr const char* kYes = "X-Emissary-Reload: yes\r\n";

}  // namespace

TEST_CASE("reload tells the difference, takes it, and says what it took", "[hub][main][reload]") {
    Reloaded t;
    test::RawConsumer consumer(static_cast<std::uint16_t>(t.consumers));
    consumer.send(test::RawConsumer::loginRequest("ann"));
    CHECK(consumer.next().msg.state.stream == eta::codec::StreamState::open);
    auto said = t.command();
    CHECK(said.code == 0);
    has(said.text, "The configuration says what runs.");
    t.write("<MaxMountsPerClient value=\"7\"/>",
            "<UserClassGroup><UserClassList><UserClass><Name value=\"web\"/><Users value=\"ann\"/><Conflation "
            "value=\"tradesafe\"/></UserClass></UserClassList></UserClassGroup>\n");
    said = t.command({"--dry-run"});
    CHECK(said.code == 0);
    has(said.text, "Hub MaxMountsPerClient: 1000000 -> 7\n");
    has(said.text, "UserClass [web] is new: Users=ann, Conflation=tradesafe\n");
    has(said.text, "It would be applied: 2 changes.");
    CHECK(t.get("/connz").find("\"userClass\":\"web\"") == std::string::npos);
    said = t.command();
    CHECK(said.code == 0);
    has(said.text, "Hub MaxMountsPerClient: 1000000 -> 7\n");
    has(said.text, "Applied: 2 changes.");
    has(t.get("/connz"), "\"userClass\":\"web\"");  // of the client that was there
    has(t.get("/servicez"), "\"reload\":{\"outcome\":\"applied\",\"who\":\"127.0.0.1\"");
    has(t.get("/metrics"), "emissary_hub_reloads_total{hub=\"tested\",outcome=\"applied\"} 1\n");
    has(t.get("/metrics"), "emissary_hub_reloads_total{hub=\"tested\",outcome=\"unchanged\"} 1\n");
    has(t.get("/metrics"), "emissary_hub_reloads_total{hub=\"tested\",outcome=\"refused\"} 0\n");
    has(t.hub->output(), "127.0.0.1: 2 changes of the configuration: Hub MaxMountsPerClient");
    t.write("");
    t.hub->signal(SIGHUP);
    CHECK(
        t.hub->waitForOutput("SIGHUP: 2 changes of the configuration: Hub MaxMountsPerClient: 7 -> 1000000; UserClass "
                             "[web] is gone",
                             kPatience));
    CHECK(t.get("/connz").find("\"userClass\":\"web\"") == std::string::npos);
    CHECK_FALSE(consumer.tryNext(std::chrono::milliseconds(0)).has_value());  // nothing has happened to it
    has(t.get("/connz"), "\"ann\"");
    t.end();
}

TEST_CASE("what needs a restart refuses all of a reload, and names it", "[hub][main][reload]") {
    Reloaded t;
    t.write("<MaxMountsPerClient value=\"7\"/><MaxServices value=\"50\"/><StatusRate value=\"9\"/>");
    for (const bool dry : {true, false}) {
        const auto said = dry ? t.command({"--dry-run"}) : t.command();
        CHECK(said.code == 1);
        has(said.text, "Hub MaxMountsPerClient: 1000000 -> 7\n");
        has(said.text, "Hub MaxServices: 10000 -> 50; needs a restart\n");
        has(said.text, "Error: Hub MaxServices needs a restart\n");
        has(said.text, "Error: Hub StatusRate needs a restart\n");
        has(said.text, dry ? "It would be refused" : "Refused: everything stays as it is.");
    }
    has(t.get("/servicez"), "\"outcome\":\"refused\"");
    has(t.get("/servicez"), "the configuration of 127.0.0.1 was refused, and what ran before runs on: Hub StatusRate "
                            "needs a restart; Hub MaxServices needs a restart");
    has(t.get("/metrics"), "emissary_hub_reloads_total{hub=\"tested\",outcome=\"refused\"} 1\n");
    has(t.hub->output(), "127.0.0.1: Hub MaxServices needs a restart");
    has(t.command({"--dry-run"}).text, "Hub MaxMountsPerClient: 1000000 -> 7\n");  // it was not taken either
    t.write("<MaxMountsPerClient value=\"7\"/>");
    CHECK(t.command().code == 0);
    CHECK(t.get("/servicez").find("was refused") == std::string::npos);
    t.end();
}

TEST_CASE("every parameter that is marked restart is refused by its name", "[hub][main][reload]") {
    const std::string base = "<DrainTimeout value=\"1\"/>";
    Reloaded t;
    std::string before;
    std::size_t tried = 0, named = 0;
    for (const test::OneParameter& one : test::allParameters(base)) {
        if (one.mark != hub::Reload::restart) continue;
        // The rest of the file has to be what runs: a hub is started for each kind of entry.
        if (one.before != before) {
            t.hub->signal(SIGKILL);
            (void)t.hub->wait(kPatience);
            t.writeDocument(before = one.before);
            if (one.section == "Dictionary") break;  // needs files: the last of the sections but one
            t.start();
        }
        // Those of the command line cannot be others in the file.
        if ((one.section == "Hub" && (one.name == "Name" || one.name == "HttpPort")) ||
            (one.section == "Server" && one.name == "Port"))
            continue;
        INFO(one.section << " / " << one.name);
        t.writeDocument(one.after);
        const std::string answer = t.post("/reload", kYes);
        INFO(answer);
        CHECK(answer.starts_with("HTTP/1.1 409"));
        CHECK(answer.find("Refused: everything stays as it is.") != std::string::npos);
        ++tried;
        // Where the value is no good either, such as a file that is not there, it is refused for that.
        if (answer.find("needs a restart") == std::string::npos) continue;
        ++named;
        const std::string entry = one.section == "Hub" || one.section == "Mesh" ? " " : " [" + one.entry + "] ";
        CHECK(answer.find("Error: " + one.section + entry + one.name + " needs a restart\n") != std::string::npos);
    }
    INFO(named << " of " << tried);
    CHECK(named > 100);
    CHECK(tried < named + 40);
    t.hub->signal(SIGTERM);
    (void)t.hub->wait(kPatience);
}

TEST_CASE("a file that cannot be used changes nothing, whatever is wrong with it", "[hub][main][reload]") {
    Reloaded t("<MaxMountsPerClient value=\"7\"/>");
    struct Wrong {
        const char* document;
        const char* text;
    };
    const Wrong wrong[] = {
        {"<HubConfig><Hub><MaxMountsPerClient value=\"8\"/>", "hub.xml"},
        {"", "hub.xml"},
        {"<HubConfig><Hub><Nonsense value=\"1\"/></Hub></HubConfig>", "[Nonsense]"},
        {"<HubConfig><Hub><MaxMountsPerClient value=\"many\"/></Hub></HubConfig>", "[many]"},
        {"<HubConfig><Hub><MaxMountsPerClient value=\"8\"/><MaxMountsPerClient value=\"9\"/></Hub></HubConfig>",
         "MaxMountsPerClient"},
        {"<HubConfig><Hub><ConflateAbove value=\"5\"/><ConflateBelow value=\"9\"/></Hub></HubConfig>", "ConflateBelow"},
    };
    std::size_t refused = 0;
    for (const Wrong& w : wrong) {
        INFO(w.document);
        t.writeDocument(w.document);
        const auto said = t.command();
        CHECK(said.code == 1);
        has(said.text, w.text);
        has(said.text, "Refused: everything stays as it is.");
        has(t.get("/metrics"),
            "emissary_hub_reloads_total{hub=\"tested\",outcome=\"refused\"} " + std::to_string(++refused) + "\n");
    }
    std::filesystem::remove(t.dir.file("hub.xml"));
    const auto said = t.command();
    CHECK(said.code == 1);
    has(said.text, "hub.xml");
    t.write("<MaxMountsPerClient value=\"7\"/>");
    has(t.command().text, "The configuration says what runs.");
    // A number out of its range is clamped, and the answer says so.
    t.write("<MaxMountsPerClient value=\"7\"/><DrainTimeout value=\"999999\"/>");
    has(t.command({"--dry-run"}).text, "Hub DrainTimeout: 10 -> 3600");
    t.end();
}

TEST_CASE("a file that is away, as while somebody replaces it, does not mean the defaults", "[hub][main][reload]") {
    const TempDir dir;
    const auto file = std::filesystem::path(dir.file("HubConfig.xml"));
    std::ofstream(file) << "<HubConfig><Hub><MaxMountsPerClient value=\"5\"/></Hub></HubConfig>\n";
    const int pages = freePort();
    ToolProcess hub(EMISSARY_HUB, {"-port", "0", "-niPort", "0", "-httpPort", std::to_string(pages), "-name", "tested"},
                    dir, "out");
    REQUIRE(hub.waitForOutput("pages on", kPatience));
    std::filesystem::rename(file, file.string() + ".away");
    hub.signal(SIGHUP);
    REQUIRE(hub.waitForOutput("HubConfig.xml' that the hub was started with is not there", kPatience));
    has(test::httpGet(static_cast<std::uint16_t>(pages), "/metrics"),
        "emissary_hub_reloads_total{hub=\"tested\",outcome=\"refused\"} 1\n");
    std::filesystem::rename(file.string() + ".away", file);
    hub.signal(SIGHUP);
    REQUIRE(hub.waitForOutput("the log was opened as configured now", kPatience));
    hub.signal(SIGTERM);
    CHECK(hub.wait(kPatience) == 0);
}

TEST_CASE("a reload asks no other hub when its file cannot be read", "[hub][main][reload]") {
    const TempDir dir;
    std::ofstream(dir.file("broken.xml")) << "<HubConfig><Hub";
    ToolProcess tool(EMISSARY_HUB, {"reload", "-c", "broken.xml"}, dir, "out");
    CHECK(tool.wait(kPatience) == 1);
    CHECK_THAT(tool.output(), Catch::Contains("broken.xml") && Catch::Contains("-httpPort gives it"));
}

TEST_CASE("only who means it may ask for a reload over HTTP", "[hub][main][reload]") {
    Reloaded t;
    has(t.get("/reload"), "HTTP/1.1 405");
    has(t.post("/reload", ""), "HTTP/1.1 403");
    has(t.post("/reload", "X-Emissary-Reload: no\r\n"), "HTTP/1.1 403");
    has(t.post("/reload", std::string(kYes) + "Origin: http://evil.example\r\n"), "HTTP/1.1 403");
    // Another address is another site, one of the hub's names is not.
    has(t.post("/reload", std::string(kYes) + "Origin: http://203.0.113.66\r\n"), "HTTP/1.1 403");
    has(t.post("/reload", std::string(kYes) + "Origin: http://localhost:1\r\n"), "HTTP/1.1 200");
    has(t.post("/reload?dry=1", kYes), "HTTP/1.1 200");
    has(t.get("/metrics"), "emissary_hub_reloads_total{hub=\"tested\",outcome=\"unchanged\"} 1\n");
    t.end();
    const auto said = t.command();
    CHECK(said.code == 1);
    has(said.text, "no hub answers at 127.0.0.1:");
}

TEST_CASE("reloads at the same time come one after the other", "[hub][main][reload]") {
    Reloaded t;
    t.write("<MaxMountsPerClient value=\"7\"/>");
    std::vector<std::string> answers(8);
    std::vector<std::thread> threads;
    for (std::string& answer : answers)
        threads.emplace_back([&] { answer = t.post("/reload", kYes); });
    t.hub->signal(SIGHUP);
    for (std::thread& thread : threads)
        thread.join();
    for (const std::string& answer : answers)
        has(answer, "HTTP/1.1 200");
    CHECK(t.hub->waitForOutput("SIGHUP: the log was opened as configured now", kPatience));
    has(t.get("/metrics"), "emissary_hub_reloads_total{hub=\"tested\",outcome=\"applied\"} 1\n");
    has(t.get("/metrics"), "emissary_hub_reloads_total{hub=\"tested\",outcome=\"unchanged\"} 8\n");
    t.end();
}

TEST_CASE("a hub that drains takes no other configuration", "[hub][main][reload]") {
    Reloaded t("<DrainTimeout value=\"3600\"/>");
    test::RawConsumer consumer(static_cast<std::uint16_t>(t.consumers));
    consumer.send(test::RawConsumer::loginRequest("ann"));
    CHECK(consumer.next().msg.state.stream == eta::codec::StreamState::open);
    t.hub->signal(SIGTERM);
    REQUIRE(t.hub->waitForOutput("drains (signal)", kPatience));
    t.write("<DrainTimeout value=\"0\"/>");
    const auto said = t.command();
    CHECK(said.code == 1);
    has(said.text, "Error: the hub drains");
    REQUIRE(t.hub->waitForOutput("the log was opened as configured now", kPatience));
    t.hub->signal(SIGTERM);
    CHECK(t.hub->wait(kPatience) == 0);
}

TEST_CASE("a hub that is killed while it reads its configuration starts with the file as it is",
          "[hub][main][reload]") {
    Reloaded t;
    for (int round = 0; round < 5; ++round) {
        t.write("<MaxMountsPerClient value=\"" + std::to_string(7 + round) + "\"/>");
        const auto size = std::filesystem::file_size(t.dir.file("hub.xml"));
        t.hub->signal(SIGHUP);
        std::this_thread::yield();
        t.hub->signal(SIGKILL);
        (void)t.hub->wait(kPatience);
        CHECK(std::filesystem::file_size(t.dir.file("hub.xml")) == size);
        t.start();
        has(t.command().text, "The configuration says what runs.");
    }
    t.end();
}

TEST_CASE("sources and services come and go with a reload, and command, pages, log and audit log say so",
          "[hub][main][reload][moves][audit]") {
    const TempDir audit;
    const std::string folder = "<AuditFolder value=\"" + audit.file("") + "\"/><AuditSync value=\"every\"/>";
    test::RawProvider one, two;
    one.services = {test::RawProvider::service(1, "FEED"), test::RawProvider::service(2, "MORE")};
    two.services = {test::RawProvider::service(1, "FEED")};
    one.automatic.items = two.automatic.items = true;
    const auto until = [&](const std::function<bool()>& done) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (!done()) {
            REQUIRE(std::chrono::steady_clock::now() < end);
            one.poll(1);
            two.poll(1);
        }
    };
    struct Source {
        const char* name;
        const test::RawProvider* at;
    };
    const auto groups = [](const std::vector<Source>& sources, const std::string& services) {
        std::string list, channels;
        for (const Source& s : sources) {
            const std::string name = s.name;
            list += "<Source><Name value=\"" + name + "\"/><Channel value=\"C" + name + "\"/></Source>";
            channels += "<Channel><Name value=\"C" + name + "\"/><Host value=\"127.0.0.1\"/><Port value=\"" +
                        std::to_string(s.at->port()) + "\"/></Channel>";
        }
        return "<SourceGroup><SourceList>" + list + "</SourceList></SourceGroup><ChannelGroup><ChannelList>" +
               channels + "</ChannelList></ChannelGroup><ServiceGroup><ServiceList>" + services +
               "</ServiceList></ServiceGroup>";
    };
    Reloaded t(folder);
    test::RawConsumer consumer(test::RawConsumer::optionsFor(static_cast<std::uint16_t>(t.consumers)), [&] {
        one.poll();
        two.poll();
    });
    consumer.send(test::RawConsumer::loginRequest("ann"));
    CHECK(consumer.next().msg.state.stream == eta::codec::StreamState::open);
    const std::string entry = "<Service><Name value=\"FEED\"/><ServiceId value=\"900\"/></Service>";
    t.write(folder, groups({{"A", &one}}, entry));
    auto said = t.command({"--dry-run"});
    CHECK(said.code == 0);
    has(said.text, "Source [A] is new: Channel=CA\n");
    has(said.text, "Channel [CA] is new: Host=127.0.0.1, Port=" + std::to_string(one.port()) + "\n");
    has(said.text, "Service [FEED] is new: ServiceId=900\n");
    has(said.text, "It would be applied: 3 changes.");
    CHECK(t.get("/servicez").find("\"A\"") == std::string::npos);
    CHECK(one.connections == 0);
    said = t.command();
    CHECK(said.code == 0);
    has(said.text, "Applied: 3 changes.");
    until([&] {
        return t.get("/servicez").find("\"id\":900,\"name\":\"FEED\",\"published\":false,\"up\":true") !=
               std::string::npos;
    });
    has(t.get("/metrics"), "source=\"A\"");
    CHECK(one.connections == 1);
    consumer.send(test::RawConsumer::request(5, 6, "IBM", std::uint16_t{900}));
    CHECK(consumer.next().msg.state.data == eta::codec::DataState::ok);

    // What is wrong with sources and services is refused whole.
    t.write(folder, groups({{"A", &one}}, "<Service><Name value=\"FEED\"/><ServiceId value=\"900\"/><Sources "
                                          "value=\"A, NOBODY\"/></Service>"));
    said = t.command();
    CHECK(said.code == 1);
    has(said.text, "there is no Source [NOBODY] in SourceGroup, which Service [FEED] names");
    const std::string fixed = "<Service><Name value=\"FIXED\"/><ServiceId value=\"900\"/><Static value=\"1\"/>"
                              "<InfoFilter><Capabilities><CapabilitiesEntry value=\"6\"/></Capabilities></InfoFilter>"
                              "<StateFilter><ServiceState value=\"1\"/></StateFilter></Service>";
    t.write(folder, groups({{"A", &one}, {"B", &two}}, fixed));
    for (const bool dry : {true, false}) {
        said = dry ? t.command({"--dry-run"}) : t.command();
        CHECK(said.code == 1);
        has(said.text, "Error: Service [FEED] ServiceId needs a restart");  // its source stays
    }
    t.write(folder, groups({{"B", &two}}, entry + fixed));
    CHECK(t.command().code == 1);  // two entries with one id
    t.write(folder, groups({{"B", &two}}, fixed));
    for (const bool dry : {true, false}) {
        said = dry ? t.command({"--dry-run"}) : t.command();
        CHECK(said.code == 1);
        has(said.text, "Source [A] is gone: Channel=CA\n");
        has(said.text, "Service [FEED] is gone: ServiceId=900\n");
        has(said.text, "Error: ServiceId 900 of Service [FIXED] is that of service 'FEED', which is there");
    }
    CHECK(two.connections == 0);
    CHECK(one.connections == 1);
    CHECK(one.connected());

    // Another server behind the same source.
    t.write(folder, groups({{"A", &two}}, entry));
    has(t.command().text, "Channel [CA] Port: " + std::to_string(one.port()) + " -> " + std::to_string(two.port()) +
                              "; the connection is made anew\n");
    until([&] { return two.connected() && !one.connected(); });
    std::uint8_t data = eta::codec::DataState::ok;
    while (data == eta::codec::DataState::ok)
        data = consumer.next().msg.state.data;
    while (data != eta::codec::DataState::ok)
        data = consumer.next().msg.state.data;

    t.write(folder);
    t.hub->signal(SIGHUP);
    REQUIRE(t.hub->waitForOutput("SIGHUP: 3 changes of the configuration: Source [A] is gone", kPatience));
    until([&] { return !two.connected(); });
    for (;;) {
        const test::Received got = consumer.next();
        if (got.msg.streamId == 5 && got.msg.hasState() && got.msg.state.stream != eta::codec::StreamState::open) break;
    }
    until([&] { return t.get("/servicez").find("\"FEED\"") == std::string::npos; });
    CHECK(t.get("/servicez").find("\"A\"") == std::string::npos);
    CHECK(t.get("/metrics").find("source=\"A\"") == std::string::npos);
    CHECK(t.get("/metrics").find("service=\"FEED\"") == std::string::npos);
    has(t.get("/queuez?client=0"), "HTTP/1.1");
    has(t.get("/connz"), "\"ann\"");
    t.end();
    std::string all;
    for (const auto& file : std::filesystem::directory_iterator(audit.file(""))) {
        std::ifstream in(file.path());
        all.append(std::istreambuf_iterator<char>(in), {});
    }
    has(all, "127.0.0.1: applied: Source [A] is new: Channel=CA; Channel [CA] is new");
    has(all, "127.0.0.1: refused: ServiceId 900 of Service [FIXED] is that of service 'FEED'");
    has(all, "SIGHUP: applied: Source [A] is gone");
}

TEST_CASE("the audit log has every reload: who, what came of it, and what changed", "[hub][main][reload][audit]") {
    const TempDir audit;
    const std::string folder = "<AuditFolder value=\"" + audit.file("") + "\"/><AuditSync value=\"every\"/>";
    Reloaded t(folder);
    t.write(folder + "<MaxMountsPerClient value=\"7\"/>");
    CHECK(t.command().code == 0);
    t.write(folder + "<MaxServices value=\"7\"/>");
    CHECK(t.command({"--dry-run"}).code == 1);
    t.hub->signal(SIGHUP);
    CHECK(t.hub->waitForOutput("SIGHUP: the configuration cannot be used; everything stays as it is", kPatience));
    t.end();
    std::string all;
    for (const auto& file : std::filesystem::directory_iterator(audit.file(""))) {
        std::ifstream in(file.path());
        all.append(std::istreambuf_iterator<char>(in), {});
    }
    has(all, "127.0.0.1: applied: Hub MaxMountsPerClient: 1000000 -> 7");
    has(all, "SIGHUP: refused: Hub MaxServices needs a restart");
    CHECK(all.find("127.0.0.1: refused") == std::string::npos);  // the dry run is no event
}

}  // namespace emissary::reload_test

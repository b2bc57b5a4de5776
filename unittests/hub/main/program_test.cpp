// emissary-hub as a process: start, bad configuration, ports that are taken, signals, drain.
#include "perftools/ToolProcess.h"
#include "support/RawConsumer.h"
#include "support/catch.hpp"
#include "support/http_get.h"
#include "support/paths.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace emissary;
using perf::test::freePort;
using perf::test::TempDir;
using perf::test::ToolProcess;

namespace {

constexpr double kPatience = 60;

struct Ports {
    int consumers = freePort(), publishers = freePort(), pages = freePort();
    [[nodiscard]] std::vector<std::string> options(std::vector<std::string> more = {}) const {
        std::vector<std::string> all{"-port",     std::to_string(consumers), "-niPort", std::to_string(publishers),
                                     "-httpPort", std::to_string(pages)};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    [[nodiscard]] std::string get(const char* path) const {
        return test::httpGet(static_cast<std::uint16_t>(pages), path);
    }
};

void write(const TempDir& dir, const char* name, const std::string& text) {
    std::ofstream(dir.file(name)) << text;
}

bool has(const std::string& text, const std::string& part) {
    INFO(text);
    INFO("looked for: " << part);
    CHECK(text.find(part) != std::string::npos);
    return text.find(part) != std::string::npos;
}

/// A port that this process listens on.
class Taken {
public:
    Taken() : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in a{};
        a.sin_family = AF_INET;
        a.sin_addr.s_addr = htonl(INADDR_ANY);
        REQUIRE(::bind(fd_, reinterpret_cast<sockaddr*>(&a), sizeof a) == 0);
        REQUIRE(::listen(fd_, 1) == 0);
        socklen_t size = sizeof a;
        REQUIRE(::getsockname(fd_, reinterpret_cast<sockaddr*>(&a), &size) == 0);
        port = ntohs(a.sin_port);
    }
    ~Taken() { ::close(fd_); }
    Taken(const Taken&) = delete;
    Taken& operator=(const Taken&) = delete;
    int port = 0;

private:
    int fd_;
};

}  // namespace

TEST_CASE("questions that need no hub are answered at once", "[hub][main]") {
    const TempDir dir;
    const auto ask = [&](std::vector<std::string> words, int code) {
        ToolProcess hub(EMISSARY_HUB, words, dir, "out");
        const auto ended = hub.wait(kPatience);
        REQUIRE(ended.has_value());
        CHECK(*ended == code);
        return hub.output();
    };
    has(ask({"--version"}, 0), "emissary-hub ");
    has(ask({"--help"}, 0), "usage: emissary-hub [options]");
    has(ask({"--nonsense"}, 2), "unknown option [--nonsense]");
    has(ask({"-c"}, 2), "-c needs a value");
    has(ask({"--check"}, 0), "can be used");
    write(dir, "good.xml", "<HubConfig><Hub><Name value=\"tested\"/></Hub></HubConfig>");
    write(dir, "bad.xml",
          "<HubConfig>\n<Hub>\n<HttpPort value=\"eighty\"/>\n<Nonsense value=\"1\"/></Hub></HubConfig>");
    has(ask({"-c", "good.xml", "--check"}, 0), "can be used");
    const std::string values = ask({"-c", "good.xml", "-httpPort", "1234", "--print-config"}, 0);
    has(values, "tested");
    has(values, "good.xml:1");
    has(values, "option -httpPort");
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"-c", "bad.xml", "--check"}, std::vector<std::string>{"-c", "bad.xml"}}) {
        const std::string text = ask(words, 1);
        has(text, "bad.xml:3");
        has(text, "[eighty]");
        has(text, "bad.xml:4");
        has(text, "[Nonsense]");
    }
    has(ask({"-c", "missing.xml"}, 1), "missing.xml");
    const std::string full =
        std::string(EMISSARY_HUB " -c ") + dir.file("good.xml") + " --print-config > /dev/full 2>&1";
    const int status = std::system(full.c_str());
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 1);
}

TEST_CASE("a hub says what listens where, serves its pages and ends on SIGTERM", "[hub][main]") {
    const TempDir dir;
    const Ports ports;
    ToolProcess hub(EMISSARY_HUB, ports.options({"-name", "tested"}), dir, "out");
    INFO(hub.output());
    REQUIRE(hub.waitForOutput("pages on http://127.0.0.1:" + std::to_string(ports.pages) + "/", kPatience));
    has(hub.output(), "consumers on port " + std::to_string(ports.consumers) + " (RIPC and WebSocket)");
    has(hub.output(), "publishers on port " + std::to_string(ports.publishers));
    has(hub.output(), "no upstream source is configured");
    has(ports.get("/healthz"), "200 OK");
    has(ports.get("/readyz"), "200 OK");
    has(ports.get("/servicez"), R"("hub":"tested")");
    has(ports.get("/metrics"), "emissary_hub_clients{");
    hub.signal(SIGXFSZ);  // what a write beyond `ulimit -f` sends: that write fails, and the hub goes on
    has(ports.get("/healthz"), "200 OK");
    hub.signal(SIGTERM);
    const auto ended = hub.wait(kPatience);
    REQUIRE(ended.has_value());
    CHECK(*ended == 0);
    has(hub.output(), "drains (signal)");
}

TEST_CASE("a port that is taken is named, with the remedy", "[hub][main]") {
    const TempDir dir;
    const Taken taken;
    Ports ports;
    const char* remedy = nullptr;
    SECTION("of consumers") {
        ports.consumers = taken.port, remedy = "-port";
    }
    SECTION("of publishers") {
        ports.publishers = taken.port, remedy = "-niPort";
    }
    SECTION("of the pages") {
        ports.pages = taken.port, remedy = "-httpPort";
    }
    ToolProcess hub(EMISSARY_HUB, ports.options(), dir, "out");
    const auto ended = hub.wait(kPatience);
    REQUIRE(ended.has_value());
    CHECK(*ended == 1);
    has(hub.output(), std::to_string(taken.port));
    has(hub.output(), "in use");
    has(hub.output(), remedy);
}

TEST_CASE("a source that is not there keeps the hub from being ready, not from serving", "[hub][main]") {
    const TempDir dir;
    const Ports ports;
    ToolProcess hub(EMISSARY_HUB, ports.options({"-source", "feed=127.0.0.1:" + std::to_string(freePort())}), dir,
                    "out");
    INFO(hub.output());
    REQUIRE(hub.waitForOutput("pages on", kPatience));
    has(hub.output(), "source [feed] at 127.0.0.1:");
    REQUIRE(hub.waitForOutput("Warning", kPatience));  // a fault is logged as one
    has(hub.output(), "source 'feed': ");
    const std::string overview = ports.get("/servicez");
    has(overview, R"("problems":["upstream 'feed' is down: )");
    has(overview, R"("attempts":)");
    has(ports.get("/readyz"), "not up: feed");
    test::RawConsumer consumer(static_cast<std::uint16_t>(ports.consumers));
    consumer.send(test::RawConsumer::loginRequest("ann"));
    CHECK(consumer.next().msg.state.stream == eta::codec::StreamState::open);
    has(ports.get("/connz"), R"("user":"ann")");
}

TEST_CASE("clients are let go when the hub drains", "[hub][main]") {
    const TempDir dir;
    const Ports ports;
    write(dir, "hub.xml", "<HubConfig><Hub><DrainTimeout value=\"1\"/></Hub></HubConfig>");
    ToolProcess hub(EMISSARY_HUB, ports.options({"-c", "hub.xml"}), dir, "out");
    INFO(hub.output());
    REQUIRE(hub.waitForOutput("pages on", kPatience));
    test::RawConsumer consumer(static_cast<std::uint16_t>(ports.consumers));
    consumer.send(test::RawConsumer::loginRequest("ann"));
    CHECK(consumer.next().msg.state.stream == eta::codec::StreamState::open);
    SECTION("by POST /drain") {
        has(test::http(static_cast<std::uint16_t>(ports.pages),
                       "POST /drain HTTP/1.1\r\nHost: localhost\r\nX-Emissary-Drain: yes\r\nConnection: close\r\n\r\n"),
            "202");
    }
    SECTION("by SIGINT") {
        hub.signal(SIGINT);
    }
    const auto said = consumer.next();
    CHECK(said.msg.cls == eta::codec::MsgClass::Status);
    CHECK(said.msg.domain == eta::codec::kLoginDomain);
    CHECK(said.msg.state.stream == eta::codec::StreamState::closedRecover);
    const auto ended = hub.wait(kPatience);
    REQUIRE(ended.has_value());
    CHECK(*ended == 0);
}

TEST_CASE("POST /drain is answered although nobody is there to wait for", "[hub][main]") {
    const TempDir dir;
    const Ports ports;
    ToolProcess hub(EMISSARY_HUB, ports.options(), dir, "out");
    REQUIRE(hub.waitForOutput("pages on", kPatience));
    has(test::http(static_cast<std::uint16_t>(ports.pages),
                   "POST /drain HTTP/1.1\r\nHost: localhost\r\nX-Emissary-Drain: yes\r\nConnection: close\r\n\r\n"),
        "draining\n");
    CHECK(hub.wait(kPatience) == 0);
}

TEST_CASE("signals to end that come within one turn count as two", "[hub][main]") {
    const TempDir dir;
    const Ports ports;
    write(dir, "hub.xml", "<HubConfig><Hub><DrainTimeout value=\"3600\"/></Hub></HubConfig>");
    ToolProcess hub(EMISSARY_HUB, ports.options({"-c", "hub.xml"}), dir, "out");
    REQUIRE(hub.waitForOutput("pages on", kPatience));
    test::RawConsumer consumer(static_cast<std::uint16_t>(ports.consumers));
    consumer.send(test::RawConsumer::loginRequest("ann"));
    CHECK(consumer.next().msg.state.stream == eta::codec::StreamState::open);
    hub.signal(SIGSTOP);  // both wait until it goes on
    hub.signal(SIGTERM);
    hub.signal(SIGINT);
    hub.signal(SIGCONT);
    CHECK(hub.wait(kPatience) == 0);
    has(hub.output(), "ends at once");
}

TEST_CASE("a service manager is told that the hub is ready, lives, and ends", "[hub][main]") {
    const TempDir dir;
    const Ports ports;
    const std::string path = dir.file("notify");
    const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    REQUIRE(path.size() < sizeof at.sun_path);
    path.copy(at.sun_path, path.size());
    REQUIRE(::bind(fd, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0);
    const timeval patience{static_cast<time_t>(kPatience), 0};
    REQUIRE(::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) == 0);
    ::setenv("NOTIFY_SOCKET", path.c_str(), 1);
    ::setenv("WATCHDOG_USEC", "200000", 1);
    ::unsetenv("WATCHDOG_PID");
    ToolProcess hub(EMISSARY_HUB, ports.options(), dir, "out");
    ::unsetenv("NOTIFY_SOCKET");
    ::unsetenv("WATCHDOG_USEC");
    const auto next = [&] {
        char text[256];
        const ssize_t n = ::recv(fd, text, sizeof text, 0);
        return n < 0 ? std::string() : std::string(text, static_cast<std::size_t>(n));
    };
    CHECK(next() == "READY=1");
    for (int i = 0; i < 3; ++i)
        CHECK(next() == "WATCHDOG=1");
    hub.signal(SIGTERM);
    std::string last = next();
    while (last == "WATCHDOG=1")
        last = next();
    CHECK(last == "STOPPING=1");
    CHECK(hub.wait(kPatience) == 0);
    ::close(fd);
}

TEST_CASE("SIGHUP opens the log as it is configured now", "[hub][main]") {
    const TempDir dir;
    const Ports ports;
    const auto config = [&](const char* severity) {
        write(dir, "hub.xml",
              std::string("<HubConfig><Hub><Logger value=\"L\"/></Hub><LoggerGroup><LoggerList><Logger><Name "
                          "value=\"L\"/><LoggerType value=\"Stdout\"/><LoggerSeverity value=\"") +
                  severity + "\"/></Logger></LoggerList></LoggerGroup></HubConfig>");
    };
    config("Error");
    ToolProcess hub(EMISSARY_HUB, ports.options({"-c", "hub.xml"}), dir, "out");
    REQUIRE(perf::test::waitForListener(ports.pages, kPatience));
    CHECK(hub.output().empty());
    config("Success");
    hub.signal(SIGHUP);
    CHECK(hub.waitForOutput("certificates were read again", kPatience));
    CHECK(hub.waitForOutput("SIGHUP: the log was opened as configured now", kPatience));
    write(dir, "hub.xml", "<HubConfig><Nonsense/></HubConfig>");
    hub.signal(SIGHUP);
    CHECK(hub.waitForOutput("everything stays as it is", kPatience));
    hub.signal(SIGTERM);
    CHECK(hub.wait(kPatience) == 0);
}

TEST_CASE("--check reads files of users and rules, and SIGHUP reads them again", "[hub][main]") {
    const TempDir dir;
    const Ports ports;
    write(dir, "hub.xml",
          "<HubConfig><Hub><Logger value=\"L\"/><LoginCheck value=\"file\"/><LoginFile value=\"users\"/><Permission "
          "value=\"rules\"/></Hub><LoggerGroup><LoggerList><Logger><Name value=\"L\"/><LoggerType "
          "value=\"Stdout\"/></Logger></LoggerList></LoggerGroup></HubConfig>");
    write(dir, "users", "dana::desk:\n");
    write(dir, "rules", "allow @desk * * *\nalow * * * *\ndeny *\n");
    {
        ToolProcess check(EMISSARY_HUB, {"-c", "hub.xml", "--check"}, dir, "check");
        CHECK(check.wait(kPatience) == 1);
        CHECK(check.output().find("Error: Permission: rules:2: a rule begins with allow or deny") != std::string::npos);
        CHECK(check.output().find("Error: Permission: rules:3: a rule has 5 words") != std::string::npos);
    }
    write(dir, "rules", "allow @desk * * *\n");
    {
        ToolProcess check(EMISSARY_HUB, {"-c", "hub.xml", "--check"}, dir, "check");
        CHECK(check.wait(kPatience) == 0);
        ToolProcess print(EMISSARY_HUB, {"-c", "hub.xml", "--print-config"}, dir, "print");
        CHECK(print.wait(kPatience) == 0);
        CHECK(print.output().find("LoginCheck") != std::string::npos);
        CHECK(print.output().find("Permission") != std::string::npos);
    }
    ToolProcess hub(EMISSARY_HUB, ports.options({"-c", "hub.xml"}), dir, "out");
    REQUIRE(perf::test::waitForListener(ports.pages, kPatience));
    hub.signal(SIGHUP);
    CHECK(hub.waitForOutput("read again: 1 users 1 rules", kPatience));
    write(dir, "users", "dana::desk:\ndana::desk:\n");
    hub.signal(SIGHUP);
    CHECK(hub.waitForOutput("LoginFile: users:2: user [dana] has a line already", kPatience));
    CHECK(hub.waitForOutput("what was read before stays in use", kPatience));
    CHECK(test::httpGet(static_cast<std::uint16_t>(ports.pages), "/metrics.txt")
              .find("emissary_hub_access_faulty_files") != std::string::npos);
    hub.signal(SIGTERM);
    CHECK(hub.wait(kPatience) == 0);
}

TEST_CASE("--check names a program for logins that cannot be run, and rules that would ask none", "[hub][main]") {
    const TempDir dir;
    const auto checked = [&](const std::string& hub) {
        write(dir, "hub.xml", "<HubConfig>\n<Hub>" + hub + "</Hub></HubConfig>");
        ToolProcess check(EMISSARY_HUB, {"-c", "hub.xml", "--check"}, dir, "check");
        const int code = check.wait(kPatience).value_or(-1);
        return std::to_string(code) + " " + check.output();
    };
    const std::string command = "<LoginCheck value=\"command\"/><LoginCommand value=\"";
    const std::string no = checked(command + "/no/such/program users\"/>");
    CHECK(no.starts_with("1 "));
    CHECK(no.find("LoginCommand: [/no/such/program] cannot be run: No such file or directory") != std::string::npos);
    CHECK(checked(command + "/bin/cat\"/>").starts_with("0 "));
    write(dir, "rules", "allow * * A *\nask * * * *\n");
    CHECK(checked("<Permission value=\"rules\"/>")
              .find("Permission: rules:2: a rule says ask, and LoginCommand names no "
                    "program") != std::string::npos);
    CHECK(checked(command + "/bin/cat\"/><Permission value=\"rules\"/>").starts_with("0 "));
}

TEST_CASE("an expired certificate that SIGHUP installs is warned of", "[hub][main]") {
    const TempDir dir;
    const Ports ports;
    const std::string folder = dir.file("certificates");
    REQUIRE(std::system((test::sourcePath("/dev/make_test_certificates.sh") + " " + folder).c_str()) == 0);
    std::filesystem::copy_file(folder + "/ec.pem", folder + "/mine.pem");
    write(dir, "hub.xml",
          "<HubConfig><Hub><Logger value=\"L\"/></Hub><LoggerGroup><LoggerList><Logger><Name value=\"L\"/><LoggerType "
          "value=\"Stdout\"/></Logger></LoggerList></LoggerGroup><ServerGroup><ServerList><Server><Name "
          "value=\"consumers\"/><ServerType value=\"RSSL_ENCRYPTED\"/><ServerCert value=\"certificates/mine.pem\"/>"
          "<ServerPrivateKey value=\"certificates/ec-key.pem\"/></Server></ServerList></ServerGroup></HubConfig>");
    ToolProcess hub(EMISSARY_HUB, ports.options({"-c", "hub.xml"}), dir, "out");
    REQUIRE(perf::test::waitForListener(ports.pages, kPatience));
    CHECK(hub.output().find("expire") == std::string::npos);
    std::filesystem::copy_file(folder + "/bad/out-of-date.pem", folder + "/mine.pem",
                               std::filesystem::copy_options::overwrite_existing);
    hub.signal(SIGHUP);
    CHECK(
        hub.waitForOutput("SIGHUP: Server [consumers]: ServerCert \"certificates/mine.pem\" expired on 20", kPatience));
    hub.signal(SIGTERM);
    CHECK(hub.wait(kPatience) == 0);
}

TEST_CASE("the log of a hub as JSON on standard error, and in a journal", "[hub][main]") {
    const TempDir dir;
    const Ports ports;
    const auto config = [&](const std::string& parameters) {
        write(
            dir, "hub.xml",
            "<HubConfig><Hub><Name value=\"tested\"/><Logger value=\"L\"/></Hub><LoggerGroup><LoggerList><Logger><Name "
            "value=\"L\"/>" +
                parameters + "</Logger></LoggerList></LoggerGroup></HubConfig>");
    };
    SECTION("JSON") {
        config("<LoggerType value=\"Stderr\"/><LoggerFormat value=\"Json\"/>");
        ToolProcess hub(EMISSARY_HUB, ports.options({"-c", "hub.xml"}), dir, "out");
        REQUIRE(hub.waitForOutput(
            "\"severity\":\"Success\",\"instance\":\"tested\",\"component\":\"hub\",\"text\":\"pages on", kPatience));
        hub.signal(SIGTERM);
        CHECK(hub.wait(kPatience) == 0);
    }
    SECTION("a journal") {
        const std::string path = dir.file("journal");
        const int journal = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        REQUIRE(path.size() < sizeof address.sun_path);
        path.copy(address.sun_path, path.size());
        REQUIRE(::bind(journal, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
        const timeval patience{static_cast<time_t>(kPatience), 0};
        ::setsockopt(journal, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        config("<LoggerType value=\"Journal\"/><JournalSocket value=\"" + path + "\"/>");
        ToolProcess hub(EMISSARY_HUB, ports.options({"-c", "hub.xml"}), dir, "out");
        REQUIRE(perf::test::waitForListener(ports.pages, kPatience));
        std::string text;
        while (text.find("MESSAGE=emissary-hub ") ==
               std::string::npos) {  // it comes: what the hub found first is before it
            text.resize(4096);
            const ssize_t n = ::recv(journal, text.data(), text.size(), 0);
            REQUIRE(n > 0);
            text.resize(static_cast<std::size_t>(n));
        }
        has(text, "\nPRIORITY=6\n");
        has(text, "\nSYSLOG_IDENTIFIER=emissary-hub\n");
        has(text, "\nEMISSARY_INSTANCE=tested\n");
        CHECK(hub.output().empty());
        hub.signal(SIGTERM);
        CHECK(hub.wait(kPatience) == 0);
        ::close(journal);
    }
}

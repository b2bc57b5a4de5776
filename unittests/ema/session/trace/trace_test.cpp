// The XML trace as applications get it: by configuration and by ioctl, one file for each connection (xml-trace.md 2).
#include "ema/session/consumer/SessionTest.h"
#include "ema/session/niprovider/NiProviderTest.h"
#include "ema/session/provider/ProviderTest.h"

#include <filesystem>
#include <fstream>

using namespace emissary::test;

namespace {

/// A folder of its own for trace files, gone with it.
struct TraceFolder {
    std::string path;
    TraceFolder() {
        char name[] = "/tmp/emissary_trace_XXXXXX";
        path = ::mkdtemp(name);
    }
    ~TraceFolder() { std::filesystem::remove_all(path); }
    [[nodiscard]] std::string parameters(const std::string& name, const std::string& more = {}) const {
        return "<XmlTraceToFile value=\"1\"/><XmlTraceFileName value=\"" + path + "/" + name + "\"/>" + more;
    }
    /// Contents of the files of that name, oldest first.
    [[nodiscard]] std::vector<std::string> files(const std::string& name) const {
        std::vector<std::string> paths, contents;
        for (const auto& entry : std::filesystem::directory_iterator(path))
            if (entry.path().filename().string().starts_with(name + "_")) paths.push_back(entry.path());
        std::sort(paths.begin(), paths.end());
        for (const std::string& one : paths) {
            std::ifstream in(one, std::ios::binary);
            contents.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
        }
        return contents;
    }
};

[[nodiscard]] bool has(const std::string& text, const std::string& what) {
    return text.find(what) != std::string::npos;
}

EmaString portOf(OmmProvider& provider) {
    return EmaString(std::to_string(emissary::ema::ProviderAccess::port(provider)).c_str());
}

}  // namespace

TEST_CASE("trace: a consumer and a provider, a file for each connection", "[ema][trace]") {
    const TraceFolder folder;
    const ConfigFile providerFile(folder.parameters("prov", "<XmlTraceHex value=\"1\"/>"));
    RecordingClient app;
    auto provider = std::make_unique<OmmProvider>(OmmIProviderConfig(providerFile.path()), app);
    const EmaString port = portOf(*provider);
    const ConsumerConfigFile file(emissary::ema::ProviderAccess::port(*provider), folder.parameters("cons"));
    RecordingConsumerClient client;
    {
        OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
        consumer.registerClient(item("IBM.N"), client);
        CHECK(client.wait("IBM.N refresh Open/Ok/0"));
        const OmmConsumer other(OmmConsumerConfig(file.path()).username("user"));
        CHECK(folder.files("cons").size() == 2);
        const auto served = folder.files("prov");
        REQUIRE(served.size() == 2);
        const std::string sent = folder.files("cons").at(0);
        CHECK(sent.starts_with("<!-- Outgoing Message (Channel IPC descriptor = "));
        CHECK(has(sent, "<requestMsg domainType=\"RSSL_DMT_LOGIN\" streamId=\"1\""));
        CHECK(has(sent, "name=\"IBM.N\""));
        CHECK(has(sent, "<refreshMsg domainType=\"RSSL_DMT_MARKET_PRICE\""));
        CHECK_FALSE(has(sent, "0056 0101"));
        CHECK(served.at(0).starts_with("<!-- Incoming Message (Channel IPC descriptor = "));
        CHECK(has(served.at(0), "0101 0000 0001 0400"));  // the login request's bytes
        CHECK(has(served.at(0), "name=\"IBM.N\""));
        CHECK_FALSE(has(served.at(1), "name=\"IBM.N\""));

        // A connection that is made again has a file of its own.
        provider.reset();
        CHECK(client.wait("IBM.N status Open/Suspect/0"));
        provider = std::make_unique<OmmProvider>(OmmIProviderConfig(providerFile.path()).port(port), app);
        CHECK(client.wait("IBM.N refresh Open/Ok/0", 2));
        CHECK(folder.files("cons").size() >= 3);
        CHECK(has(folder.files("cons").at(0), "<!-- Channel Closed (Channel IPC descriptor = "));
    }
}

TEST_CASE("trace: neither end shows tokens and passwords", "[ema][trace]") {
    const TraceFolder folder;
    const std::string hex = "<XmlTraceHex value=\"1\"/>";
    const ConfigFile providerFile(folder.parameters("prov", hex));
    RecordingClient app;
    const OmmProvider provider(OmmIProviderConfig(providerFile.path()), app);
    const ConsumerConfigFile file(emissary::ema::ProviderAccess::port(const_cast<OmmProvider&>(provider)),
                                  folder.parameters("cons", hex));
    const bool named = GENERATE(true, false);
    ReqMsg login;
    login.domainType(refinitiv::ema::rdm::MMT_LOGIN)
        .name(named ? "secret-token-1" : "user")
        .nameType(named ? refinitiv::ema::rdm::USER_AUTH_TOKEN : 1);
    login.attrib(ElementList()
                     .addAscii("ApplicationId", "256")
                     .addAscii("AuthenticationToken", "secret-token-2")
                     .addAscii("Password", "secret-password")
                     .complete());
    const OmmConsumer consumer(OmmConsumerConfig(file.path()).addAdminMsg(login));
    for (const char* end : {"cons", "prov"}) {
        const auto files = folder.files(end);
        REQUIRE(files.size() == 1);
        INFO(files[0]);
        CHECK(has(files[0], "RSSL_DMT_LOGIN"));
        CHECK_FALSE(has(files[0], "secret"));
        CHECK_FALSE(has(files[0], "7365 6372"));  // "secr", wherever it begins in a dump
        CHECK_FALSE(has(files[0], "65 6372 65"));
    }
}

TEST_CASE("trace: a non-interactive provider", "[ema][trace]") {
    const TraceFolder folder;
    NiAcceptor acceptor(NiAcceptor::Run::thread);
    const NiConfigFile file(folder.parameters("ni", "<XmlTraceRead value=\"0\"/>"));
    RecordingNiClient client;
    OmmProvider provider(OmmNiProviderConfig(file.path()).host(hostOf(acceptor)).username("user"), client);
    const auto traced = folder.files("ni");
    REQUIRE(traced.size() == 1);
    CHECK(has(traced[0], "<!-- Outgoing Message"));
    CHECK(has(traced[0], "RSSL_DMT_LOGIN"));
    CHECK_FALSE(has(traced[0], "<!-- Incoming Message"));
}

TEST_CASE("trace: the parameters of the channel hold, and those of the instance before them", "[ema][trace]") {
    const TraceFolder folder;
    const ConfigFile providerFile;
    RecordingClient app;
    OmmProvider provider(OmmIProviderConfig(providerFile.path()), app);
    const std::uint16_t port = emissary::ema::ProviderAccess::port(provider);
    SECTION("old place alone") {
        const ConsumerConfigFile file(port, {}, true, folder.parameters("old"));
        const OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
        CHECK(folder.files("old").size() == 1);
    }
    SECTION("both") {
        const ConsumerConfigFile file(port, folder.parameters("new"), true, folder.parameters("old"));
        const OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
        CHECK(folder.files("old").empty());
        CHECK(folder.files("new").size() == 1);
    }
}

TEST_CASE("trace: switched on and off while the consumer runs", "[ema][trace]") {
    constexpr int kTrace = 11;
    const TraceFolder folder;
    const ConfigFile providerFile;
    RecordingClient app;
    OmmProvider provider(OmmIProviderConfig(providerFile.path()), app);
    const ConsumerConfigFile file(emissary::ema::ProviderAccess::port(provider),
                                  "<XmlTraceFileName value=\"" + folder.path + "/now\"/>");
    RecordingConsumerClient client;
    OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
    CHECK(folder.files("now").empty());
    consumer.modifyIOCtl(kTrace, 1);
    consumer.registerClient(item("A"), client);
    CHECK(client.wait("A refresh Open/Ok/0"));
    consumer.modifyIOCtl(kTrace, 0);
    consumer.registerClient(item("B"), client);
    CHECK(client.wait("B refresh Open/Ok/0"));
    consumer.modifyIOCtl(kTrace, 1);
    consumer.registerClient(item("C"), client);
    CHECK(client.wait("C refresh Open/Ok/0"));
    const auto traced = folder.files("now");
    REQUIRE(traced.size() == 1);
    CHECK(has(traced[0], "name=\"A\""));
    CHECK_FALSE(has(traced[0], "name=\"B\""));
    CHECK(has(traced[0], "name=\"C\""));
}

TEST_CASE("trace: a file that cannot be opened leaves the session as it is", "[ema][trace]") {
    const ConfigFile providerFile("<XmlTraceToFile value=\"1\"/><XmlTraceFileName value=\"/nonexistent/prov\"/>");
    RecordingClient app;
    OmmProvider provider(OmmIProviderConfig(providerFile.path()), app);
    const ConsumerConfigFile file(emissary::ema::ProviderAccess::port(provider),
                                  "<XmlTraceToFile value=\"1\"/><XmlTraceFileName value=\"/nonexistent/cons\"/>");
    RecordingConsumerClient client;
    OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
    consumer.registerClient(item("IBM.N"), client);
    CHECK(client.wait("IBM.N refresh Open/Ok/0"));
}

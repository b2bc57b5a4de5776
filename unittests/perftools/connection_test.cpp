// The interactive tools over every kind of connection, chosen by options: each run has all images and steady state.
#include "RunStage.h"
#include "support/catch.hpp"
#include "support/paths.h"

#include <csignal>
#include <cstdlib>

using namespace emissary::perf::test;

namespace {

using Arguments = std::vector<std::string>;

Arguments operator+(Arguments a, const Arguments& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

// Runs both and checks that nothing is missing; returns the consumer's summary.
std::string exchange(RunStage& stage, const Arguments& provider, const Arguments& consumer) {
    const auto server = stage.provider(Arguments{"-updateRate", "20000"} + provider);
    const auto client = stage.consumer(consumer);
    const auto code = client->wait(kLong);
    INFO(client->output());
    INFO(server->output());
    REQUIRE(code == 0);
    const std::string summary = readFile(stage.dir().file("ConsSummary.out"));
    CHECK(number(summary, "Refreshes received") == 1000);
    CHECK(number(summary, "Updates received") > 1000);
    CHECK(number(summary, "Latency max (usec)") > 0);
    CHECK(summary.find("Steady state was not reached") == std::string::npos);
    CHECK(client->output().find("Steady state time of 2 seconds has expired.") != std::string::npos);
    server->signal(SIGINT);
    REQUIRE(server->wait(kLong) == 0);
    const std::string published = readFile(stage.dir().file("ProvSummary.out"));
    CHECK(number(published, "Image requests received") == 1000);
    CHECK(number(published, "Updates sent") >= number(summary, "Updates received"));
    return summary;
}

Arguments certified(const RunStage& stage) {
    const std::string to = stage.dir().file("certificates");
    REQUIRE(std::system((emissary::test::sourcePath("/dev/make_test_certificates.sh ") + to).c_str()) == 0);
    return {"-connType", "encrypted", "-cert", "certificates/server.pem", "-keyfile", "certificates/server-key.pem"};
}

const Arguments kTrusting = {"-h", "localhost", "-connType", "encrypted", "-castore", "certificates/ca.pem"};

}  // namespace

TEST_CASE("a provider packs its updates", "[perftools][run]") {
    RunStage stage;
    SECTION("as many as asked for") {
        exchange(stage, {"-maxPackCount", "50", "-preEnc", "-updateRate", "100000"}, {});
        const std::string published = readFile(stage.dir().file("ProvSummary.out"));
        CHECK(published.find("                 Packing: 50\n") != std::string::npos);
        CHECK(published.find("     Pre-Encoded Updates: Yes\n") != std::string::npos);
    }
    SECTION("as many as a small buffer holds") {
        exchange(stage, {"-maxPackCount", "50", "-packBufSize", "400"}, {});
    }
    SECTION("one by one when a buffer holds none") {
        exchange(stage, {"-maxPackCount", "50", "-packBufSize", "20"}, {});
    }
    SECTION("for several clients") {
        exchange(stage, {"-maxPackCount", "7", "-preEnc"}, {"-threads", "-1,-1"});
    }
    SECTION("not for clients that speak JSON") {
        exchange(stage, {"-maxPackCount", "50", "-preEnc"}, {"-websocket", "rssl.json.v2"});
    }
}

TEST_CASE("a pack buffer beyond the fragment size is refused", "[perftools][run]") {
    RunStage stage;
    const auto provider = stage.provider({"-maxPackCount", "5", "-packBufSize", "9000"});
    const auto consumer = stage.consumer({"-steadyStateTime", "60"});
    CHECK(provider->wait(kLong) == 255);
    INFO(provider->output());
    CHECK(provider->output().find("-packBufSize: PackedMsg::initBuffer(): 9000 bytes are more than") !=
          std::string::npos);
    CHECK(provider->output().find("-maxFragmentSize") != std::string::npos);
    CHECK(consumer->wait(kLong) == 255);  // it lost its connection
}

TEST_CASE("WebSocket connections reach steady state", "[perftools][run]") {
    RunStage stage;
    SECTION("rssl.rwf, as a section of the configuration") {
        exchange(stage, {}, {"-websocket", "rssl.rwf"});
    }
    SECTION("rssl.json.v2, as a section of the configuration") {
        exchange(stage, {}, {"-websocket", "rssl.json.v2"});
    }
    SECTION("several connections") {
        exchange(stage, {}, {"-websocket", "rssl.json.v2", "-threads", "-1,-1"});
    }
    SECTION("by kind and sub-protocols") {
        exchange(stage, {"-connType", "websocket", "-pl", "rssl.rwf"},
                 {"-connType", "websocket", "-pl", "rssl.json.v2, rssl.rwf"});
    }
    SECTION("another section of the configuration") {
        exchange(stage, {}, {"-websocket", "rssl.rwf", "-consumerName", "Perf_Consumer_1"});
    }
}

TEST_CASE("the sections that the guides name work as they are shipped", "[perftools][run]") {
    RunStage stage;
    // The files that the encrypted sections name.
    certified(stage);
    std::filesystem::create_directory(stage.dir().file("cert"));
    const auto put = [&](const char* from, const char* to) {
        std::filesystem::copy(stage.dir().file("certificates/" + std::string(from)), stage.dir().file(to));
    };
    put("server.pem", "cert/localhost.crt");
    put("server-key.pem", "cert/localhost.key");
    put("ca.pem", "RootCA.crt");
    const auto [provider, consumer] =
        GENERATE(std::pair{"Perf_Provider", "Perf_Consumer_1"}, std::pair{"Perf_Provider_1", "Perf_Consumer_WSRWF_1"},
                 std::pair{"Perf_Provider_Websock_1", "Perf_Consumer_WSJSON_1"},
                 std::pair{"Perf_Provider_Encr_1", "Perf_Consumer_Encr_1"});
    INFO(provider << ", " << consumer);
    SECTION("by themselves") {
        exchange(stage, {"-providerName", provider}, {"-consumerName", consumer});
    }
    SECTION("with an option laid over their channel and server") {
        exchange(stage, {"-providerName", provider, "-outputBufs", "40000"},
                 {"-consumerName", consumer, "-outputBufs", "4000"});
    }
}

TEST_CASE("a sub-protocol that the provider does not speak is waited for, and said", "[perftools][run]") {
    RunStage stage;
    const auto provider = stage.provider({"-connType", "websocket", "-pl", "rssl.rwf"});
    const auto consumer = stage.consumer({"-websocket", "rssl.json.v2", "-steadyStateTime", "60"});
    REQUIRE(consumer->waitForOutput("waiting for the provider: ", kLong));
    INFO(consumer->output());
    CHECK(consumer->output().find("refused the WebSocket upgrade") != std::string::npos);
    consumer->signal(SIGINT);
    CHECK(consumer->wait(kLong) == 0);
    CHECK(provider->running());
}

TEST_CASE("encrypted connections reach steady state", "[perftools][run]") {
    RunStage stage;
    const Arguments server = certified(stage);
    SECTION("sockets") {
        exchange(stage, server, kTrusting);
    }
    SECTION("one version") {
        exchange(stage, server, kTrusting + Arguments{"-spTLSv1.3"});
    }
    SECTION("the other, with a cipher") {
        exchange(stage, server + Arguments{"-cipher", "ECDHE-RSA-AES256-GCM-SHA384"},
                 kTrusting + Arguments{"-spTLSv1.2"});
    }
    SECTION("WebSocket inside") {
        exchange(stage, server, kTrusting + Arguments{"-encryptedConnType", "websocket", "-pl", "rssl.rwf"});
    }
    SECTION("JSON inside") {
        exchange(stage, server, kTrusting + Arguments{"-websocket", "rssl.json.v2"});
    }
    SECTION("packed") {
        exchange(stage, server + Arguments{"-maxPackCount", "20", "-preEnc"}, kTrusting);
    }
}

TEST_CASE("an authority that is not trusted is named while the consumer waits", "[perftools][run]") {
    RunStage stage;
    const auto provider = stage.provider(certified(stage));
    const auto consumer = stage.consumer(
        {"-h", "localhost", "-connType", "encrypted", "-castore", "certificates/ec.pem", "-steadyStateTime", "60"});
    REQUIRE(consumer->waitForOutput("waiting for the provider", kLong));
    INFO(consumer->output());
    CHECK(consumer->output().find("certificate") != std::string::npos);
    consumer->signal(SIGINT);
    CHECK(consumer->wait(kLong) == 0);
}

TEST_CASE("an encrypted provider without a certificate says which options it needs", "[perftools][run]") {
    RunStage stage;
    ToolProcess provider(EMISSARY_IPROVPERF, {"-p", std::to_string(stage.port()), "-connType", "encrypted"},
                         stage.dir(), "provider.log");
    CHECK(provider.wait(kLong) == 255);
    CHECK(provider.output().find("ServerCert") != std::string::npos);
    CHECK(provider.output().find("-cert and -keyfile") != std::string::npos);
}

TEST_CASE("connections in shared memory reach steady state", "[perftools][run]") {
    RunStage stage;
    SECTION("one") {
        exchange(stage, {"-connType", "shmem"}, {"-connType", "shmem"});
    }
    SECTION("one, user dispatch, looking before it sleeps") {
        const std::string summary =
            exchange(stage, {"-connType", "shmem", "-busyPoll", "200"}, {"-connType", "shmem", "-busyPoll", "200"});
        CHECK_FALSE(summary.empty());
    }
    SECTION("several, packed") {
        exchange(stage, {"-connType", "shmem", "-maxPackCount", "20", "-preEnc"},
                 {"-connType", "shmem", "-threads", "-1,-1"});
    }
}

TEST_CASE("a provider in shared memory that is killed is noticed, and found again", "[perftools][run]") {
    RunStage stage;
    auto provider = stage.provider({"-connType", "shmem", "-updateRate", "20000"});
    const auto consumer = stage.consumer({"-connType", "shmem", "-recover", "-steadyStateTime", "600"});
    REQUIRE(consumer->waitForOutput("UpdRate: ", kLong));
    provider->signal(SIGKILL);
    REQUIRE(consumer->waitForOutput("Perf_Consumer_1: connection lost: ", kLong));
    REQUIRE(provider->wait(kLong) == -SIGKILL);
    provider = stage.provider({"-connType", "shmem", "-updateRate", "20000"});  // the name was left free
    const bool back = consumer->waitForOutput("Perf_Consumer_1: the data is back.", kLong);
    consumer->signal(SIGINT);
    CHECK(consumer->wait(kLong) == 0);
    INFO(consumer->output());
    CHECK(back);
    CHECK(consumer->output().find("closed by peer") != std::string::npos);
}

TEST_CASE("compressed connections reach steady state", "[perftools][run]") {
    RunStage stage;
    const std::string type = GENERATE("zlib", "lz4");
    const Arguments compressed = {"-compressionType", type};
    INFO(type);
    SECTION("both ends") {
        exchange(stage, compressed + Arguments{"-compressionLevel", "9"}, compressed);
    }
    SECTION("packed") {
        exchange(stage, compressed + Arguments{"-maxPackCount", "20", "-preEnc"}, compressed);
    }
    SECTION("one end alone: plain") {
        exchange(stage, {}, compressed);
    }
    SECTION("over WebSocket") {
        exchange(stage, compressed, compressed + Arguments{"-websocket", "rssl.rwf"});
    }
}

TEST_CASE("the consumer of a warm standby pair goes on with the standby", "[perftools][run]") {
    const std::string mode = GENERATE("login", "service");
    INFO(mode);
    RunStage stage;
    const int standbyPort = freePort();
    const auto starting = stage.provider({"-updateRate", "10000"});
    const auto standby = stage.providerAt(standbyPort, "standby", {"-updateRate", "10000"});
    const auto consumer = stage.consumerOf({"-warmStandbyMode", mode, "-startingHostName", "localhost", "-startingPort",
                                            std::to_string(stage.port()), "-standbyHostName", "localhost",
                                            "-standbyPort", std::to_string(standbyPort), "-steadyStateTime", "8"});
    REQUIRE(consumer->waitForOutput("- Image retrieval time for 1000 images", kLong));
    REQUIRE(standby->waitForOutput("images (total: 1000)", kLong));  // no generic messages, so no private streams
    REQUIRE(standby->waitForOutput("UpdRate:        0,", kLong));
    starting->signal(SIGKILL);
    const auto code = consumer->wait(kLong);
    INFO(consumer->output());
    CHECK(code == 0);
    CHECK(consumer->output().find("Steady state time of 8 seconds has expired.") != std::string::npos);
    const std::string summary = readFile(stage.dir().file("ConsSummary.out"));
    CHECK(number(summary, "Refreshes received") >= 1000);
    standby->signal(SIGINT);
    REQUIRE(standby->wait(kLong) == 0);
    const std::string taken = readFile(stage.dir().file("standby.out"));
    CHECK(number(taken, "Image requests received") == 1000);
    CHECK(number(taken, "Updates sent") > 1000);
}

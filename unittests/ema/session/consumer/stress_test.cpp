// Lives of many consumers: created and destroyed over and over, cut off while they work.
#include "Journal.h"
#include "support/paths.h"

#include <cstdlib>

using namespace emissary::test;

namespace {

/// Number of repetitions; EMISSARY_TEST_CYCLES asks for another one.
int cycles(int everyDay) {
    const char* text = std::getenv("EMISSARY_TEST_CYCLES");
    return text != nullptr ? std::atoi(text) : everyDay;
}

#if defined(EMISSARY_UNDER_SANITIZER)
constexpr int kLives = 200;  // a sanitizer keeps what was freed for a while, and is slow
#else
constexpr int kLives = 10000;
#endif
#if defined(EMISSARY_UNDER_ADDRESS_SANITIZER)
constexpr long kMayGrowKilobytes = 300 << 10;  // its quarantine; what is lost for good it finds itself
#else
constexpr long kMayGrowKilobytes = 4 << 10;
#endif

long residentKilobytes() {
    std::ifstream in("/proc/self/statm");
    long total = 0, resident = 0;
    in >> total >> resident;
    return resident * (::sysconf(_SC_PAGESIZE) / 1024);
}

}  // namespace

TEST_CASE("Consumers come and go without leaving memory behind", "[ema][session][stress]") {
    ProviderThread provider([](RawProvider& p) { p.automatic.items = true; });
    const ConsumerConfigFile file(provider.port());
    DataDictionary dictionary;
    dictionary.loadFieldDictionary(emissary::test::sourcePath("/etc/RDMFieldDictionary").c_str());
    dictionary.loadEnumTypeDictionary(emissary::test::sourcePath("/etc/enumtype.def").c_str());
    Journal journal;
    const auto live = [&] {
        OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user").dataDictionary(dictionary));
        consumer.registerClient(item("A"), journal, const_cast<char*>("A"));
        REQUIRE(journal.wait("A refresh Open/Ok/0"));
        journal.take();
        provider.run([](RawProvider& p) {
            p.wire.clear();
            p.inbox.clear();
        });
    };
    const int all = cycles(kLives);
    for (int i = 0; i < all / 4; ++i)
        live();
    const long before = residentKilobytes();
    for (int i = all / 4; i < all; ++i)
        live();
    INFO("resident before " << before << " KiB, after " << residentKilobytes() << " KiB");
    CHECK(residentKilobytes() < before + kMayGrowKilobytes);
}

TEST_CASE("Consumers whose login is refused leave nothing behind", "[ema][session][stress]") {
    ProviderThread provider([](RawProvider& p) {
        p.automatic.login = false;
        p.onMessage = [&p](const RawProvider::Got& got) {
            if (got.msg.domain == 1)
                p.send(RawProvider::loginStatus(codec::StreamState::closed, codec::DataState::suspect, 3, "Denied"));
        };
    });
    const ConsumerConfigFile file(provider.port());
    DataDictionary dictionary;
    dictionary.loadFieldDictionary(emissary::test::sourcePath("/etc/RDMFieldDictionary").c_str());
    dictionary.loadEnumTypeDictionary(emissary::test::sourcePath("/etc/enumtype.def").c_str());
    const auto live = [&] {
        try {
            const OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user").dataDictionary(dictionary));
            FAIL("the login was to be refused");
        } catch (const OmmInvalidUsageException& e) {
            REQUIRE(e.getErrorCode() == OmmInvalidUsageException::LoginRequestRejectedEnum);
        }
        provider.run([](RawProvider& p) {
            p.wire.clear();
            p.inbox.clear();
        });
    };
    const int all = cycles(kLives / 10);
    for (int i = 0; i < all / 4; ++i)
        live();
    const long before = residentKilobytes();
    for (int i = all / 4; i < all; ++i)
        live();
    INFO("resident before " << before << " KiB, after " << residentKilobytes() << " KiB");
    CHECK(residentKilobytes() < before + kMayGrowKilobytes);
}

TEST_CASE("Cuts and restarts while threads register, post and unregister", "[ema][session][stress][threads]") {
    ProviderThread provider([](RawProvider& p) { p.automatic.items = true; });
    const ConsumerConfigFile file(provider.port());
    struct Counter : OmmConsumerClient {
        std::atomic<int> refreshes{0};
        void onRefreshMsg(const RefreshMsg&, const OmmConsumerEvent&) override { ++refreshes; }
    } client;
    RecordingConsumerClient last;
    OmmConsumer consumer(OmmConsumerConfig(file.path()).username("user"));
    std::atomic<bool> stop{false};
    std::atomic<int> round{0};  // each starts so many operations, or the provider would have no end of reading
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t) {
        threads.emplace_back([&, t] {
            const PostMsg post = PostMsg().postId(static_cast<UInt32>(t)).complete();
            for (int i = 0; !stop; ++i) {
                if (i % 50 == 0) round.wait(i / 50);
                const std::string name = "ITEM" + std::to_string((i + t) % 20);
                const UInt64 h = consumer.registerClient(item(name.c_str()), client);
                try {
                    consumer.submit(post, h);
                } catch (const OmmInvalidUsageException&) {  // not refreshed yet
                } catch (const OmmInvalidHandleException&) {}
                consumer.unregister(h);
            }
        });
    }
    for (int n = 0; n < cycles(6); ++n) {
        round = n + 1;
        round.notify_all();
        RecordingConsumerClient served;
        const UInt64 h = consumer.registerClient(item("SERVED"), served);
        CHECK(served.wait("SERVED refresh Open/Ok/0"));
        consumer.unregister(h);
        provider.run([&](RawProvider& p) {
            p.wire.clear();
            p.inbox.clear();
            if (n % 2 == 0) {
                p.disconnect();
            } else {
                p.die();
                p.revive();
            }
        });
    }
    stop = true;
    round = -1;
    round.notify_all();
    for (auto& t : threads)
        t.join();
    consumer.registerClient(item("LAST"), last);
    CHECK(last.wait("LAST refresh Open/Ok/0"));
}

// The performance tool's generated books, as a consumer sees them.
#include "FeedChecker.h"
#include "LiveConfig.h"
#include "perftools/RunStage.h"

#include <csignal>

using namespace booktest;
using namespace emissary::perf::test;
using refinitiv::ema::access::OmmConsumer;
using refinitiv::ema::access::OmmConsumerConfig;

TEST_CASE("EmaCppIProvPerf publishes books that are the generator's, update by update", "[book][live]") {
    RunStage stage(1);
    const std::vector<std::string> options = {"-bookOrders", "40", "-updateRate", "2000", "-runTime", "300"};
    auto provider = stage.provider(options);
    const ConfigFile config;
    OmmConsumer consumer(OmmConsumerConfig(config.path())
                             .host(("localhost:" + std::to_string(stage.port())).c_str())
                             .operationModel(OmmConsumerConfig::UserDispatchEnum));
    Checker checker(40);
    book::BookOptions checked;
    checked.checkSequence = true;
    book::Builder builder(consumer, checker, checked);
    std::vector<book::Book*> books;
    for (const char* name : {"ONE", "TWO"})
        for (const Kind kind : {Kind::orders, Kind::prices})
            books.push_back(&builder.open("DIRECT_FEED", name, kind));
    const auto until = [&](auto&& done) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        while (!std::all_of(books.begin(), books.end(), done) && std::chrono::steady_clock::now() < deadline)
            consumer.dispatch(1000);
        return std::all_of(books.begin(), books.end(), done);
    };
    const auto running = [](const book::Book* b) {
        return b->state() == State::live && b->sequence().value_or(0) > 300;
    };
    INFO(checker.states);
    REQUIRE(until(running));
    for (const book::Book* b : books)
        checker.check(*b);
    CHECK(checker.wrong == "");
    CHECK(builder.counters().entries.get() > 1200);
    CHECK(builder.counters().deleteOfUnknown.get() == 0);

    // Killed, and started again: its books begin anew.
    provider.reset();
    REQUIRE(until([](const book::Book* b) { return b->stale(); }));
    provider = stage.provider(options);
    REQUIRE(until(running));
    for (const book::Book* b : books)
        checker.check(*b);
    CHECK(checker.wrong == "");
    provider->signal(SIGINT);
}

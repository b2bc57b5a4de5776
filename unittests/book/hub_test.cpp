// The performance tool's books through emissary-hub with images kept (docs/spec/order-books.md 7, row 9).
#include "FeedChecker.h"
#include "LiveConfig.h"
#include "perftools/RunStage.h"
#include "support/http_get.h"
#include "support/until.h"

#include <csignal>
#include <thread>

using namespace booktest;
using namespace emissary::perf::test;
using refinitiv::ema::access::OmmConsumer;
using refinitiv::ema::access::OmmConsumerConfig;

namespace {

constexpr std::uint32_t kOrders = 40;
using Names = std::vector<const char*>;

/// A consumer with books of both kinds of each name, compared with the generator's all the time.
class Joiner {
public:
    Joiner(const ConfigFile& config, int port, const Names& names)
        : checker(kOrders), consumer_(OmmConsumerConfig(config.path())
                                          .host(("localhost:" + std::to_string(port)).c_str())
                                          .operationModel(OmmConsumerConfig::UserDispatchEnum)),
          builder_(consumer_, checker, checked()) {
        checker.anyPlace = true;
        for (const char* name : names)
            for (const Kind kind : {Kind::orders, Kind::prices})
                books.push_back(&builder_.open("DIRECT_FEED", name, kind));
    }
    void dispatch() { consumer_.dispatch(500); }
    [[nodiscard]] const book::Counters& counters() const { return builder_.counters(); }
    Checker checker;

private:
    static book::BookOptions checked() {
        book::BookOptions options;
        options.checkSequence = true;
        return options;
    }
    OmmConsumer consumer_;
    book::Builder builder_;

public:
    std::vector<book::Book*> books;
};

/// Two providers with the same books, a hub in front of them.
class HubStage {
    const int ports_[2] = {emissary::perf::test::freePort(), emissary::perf::test::freePort()};
    RunStage stage_{1};

public:
    explicit HubStage(const char* mode) {
        first = provider(0);
        second = provider(1);
        const int pages = emissary::perf::test::freePort();
        std::string sources, channels;
        for (const int i : {0, 1}) {
            const std::string name = "S" + std::to_string(i);
            sources += "<Source><Name value=\"" + name + "\"/><Channel value=\"" + name +
                       "\"/><ReconnectMinDelay value=\"100\"/><ReconnectMaxDelay value=\"200\"/></Source>";
            channels += "<Channel><Name value=\"" + name + "\"/><Host value=\"localhost\"/><Port value=\"" +
                        std::to_string(ports_[i]) + "\"/></Channel>";
        }
        stage_.dir().write("HubConfig.xml",
                           "<HubConfig><Hub><Name value=\"books\"/><Listeners value=\"Clients\"/><HttpPort "
                           "value=\"" +
                               std::to_string(pages) +
                               "\"/></Hub><ServerGroup><ServerList><Server><Name value=\"Clients\"/><Port value=\"" +
                               std::to_string(port) +
                               "\"/></Server></ServerList></ServerGroup><SourceGroup><SourceList>" + sources +
                               "</SourceList></SourceGroup><ChannelGroup><ChannelList>" + channels +
                               "</ChannelList></ChannelGroup><ServiceGroup><ServiceList><Service><Name "
                               "value=\"DIRECT_FEED\"/><Sources value=\"S0,S1\"/><SourceMode value=\"" +
                               mode + "\"/><Cache value=\"all\"/></Service></ServiceList></ServiceGroup></HubConfig>");
        hub_ = std::make_unique<ToolProcess>(
            EMISSARY_HUB, std::vector<std::string>{"-c", stage_.dir().file("HubConfig.xml")}, stage_.dir(), "hub.log");
        // Ready is when it has the service of both sources: without it a request is refused.
        const auto ready = [pages] {
            return emissary::test::httpGet(static_cast<std::uint16_t>(pages), "/readyz").find("200 OK") !=
                   std::string::npos;
        };
        if (!waitForListener(pages, kLong) || !emissary::test::eventually(ready, std::chrono::seconds(60)))
            throw std::runtime_error("no hub: " + hub_->output());
    }
    [[nodiscard]] std::unique_ptr<ToolProcess> provider(int i) {
        return stage_.providerAt(ports_[i], "provider" + std::to_string(i),
                                 {"-bookOrders", std::to_string(kOrders), "-updateRate", "2000", "-runTime", "600"});
    }
    [[nodiscard]] std::string log() const { return hub_->output(); }
    const int port = emissary::perf::test::freePort();
    std::unique_ptr<ToolProcess> first, second;

private:
    std::unique_ptr<ToolProcess> hub_;
};

/// Until `done`, with every joiner dispatched.
template <class Done>
bool until(const std::vector<Joiner*>& all, Done&& done) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!done()) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        for (Joiner* j : all)
            j->dispatch();
    }
    return true;
}

bool running(const Joiner& j, std::uint32_t least) {
    return std::all_of(j.books.begin(), j.books.end(), [least](const book::Book* b) {
        return b->state() == State::live && b->sequence().value_or(0) >= least;
    });
}

/// The same books to the last order, both the generator's.
void compare(Joiner& early, Joiner& late) {
    REQUIRE(early.books.size() == late.books.size());
    for (std::size_t i = 0; i != early.books.size(); ++i) {
        const book::Book &a = *early.books[i], &b = *late.books[i];
        INFO(a.name() << " at " << a.sequence().value_or(0) << ", domain " << static_cast<int>(a.kind()));
        CHECK(sorted(contentOf(a)) == sorted(contentOf(b)));
        early.checker.check(a);
        late.checker.check(b);
    }
    for (const Joiner* j : {&early, &late}) {
        CHECK(j->checker.wrong == "");
        CHECK(j->counters().deleteOfUnknown.get() == 0);
        CHECK(j->counters().addOfKnown.get() == 0);
        CHECK(j->counters().updateWithoutAdd.get() == 0);
    }
}

/// The providers stand still until both have the last update that was sent.
void comparePaused(const HubStage& stage, Joiner& early, Joiner& late) {
    for (const ToolProcess* p : {stage.first.get(), stage.second.get()})
        if (p != nullptr) p->signal(SIGSTOP);
    CHECK(until({&early, &late}, [&] {
        for (std::size_t i = 0; i != early.books.size(); ++i)
            if (early.books[i]->sequence() != late.books[i]->sequence()) return false;
        return true;
    }));
    compare(early, late);
    for (const ToolProcess* p : {stage.first.get(), stage.second.get()})
        if (p != nullptr) p->signal(SIGCONT);
}

}  // namespace

TEST_CASE("Who joins late through a hub with images kept has the book of who joined early", "[book][live][hub]") {
    HubStage stage("ordered");
    const ConfigFile config;
    const Names names = {"ONE", "TWO"};
    Joiner early(config, stage.port, names);
    const bool came = until({&early}, [&] { return running(early, 100); });
    INFO(early.checker.states << stage.log());
    REQUIRE(came);
    for (std::uint32_t round = 1; round != 5; ++round) {
        Joiner late(config, stage.port, names);
        REQUIRE(until({&early, &late}, [&] { return running(late, 200 * round); }));
        // From the cache: one image, which stood where the early one was, not at the beginning.
        CHECK(late.counters().images.get() == late.books.size());
        CHECK(late.counters().updates.get() < *late.books.front()->sequence() * late.books.size());
        comparePaused(stage, early, late);
    }
    CHECK(early.counters().images.get() == early.books.size());
}

TEST_CASE("Books through a hub whose source dies are those of the next source, for early and late alike",
          "[book][live][hub]") {
    const bool hot = GENERATE(false, true);
    CAPTURE(hot);
    HubStage stage(hot ? "hot" : "ordered");
    const ConfigFile config;
    const Names names = {"ONE"};
    Joiner early(config, stage.port, names);
    REQUIRE(until({&early}, [&] { return running(early, 300); }));
    stage.first.reset();
    REQUIRE(until({&early}, [&] { return early.counters().images.get() >= 2 * early.books.size(); }));
    // A second source that was open all the time takes over without a word; one that is asked now begins its day.
    CHECK((early.counters().staled.get() == 0) == hot);
    REQUIRE(until({&early}, [&] { return running(early, 400); }));
    Joiner late(config, stage.port, names);
    REQUIRE(until({&early, &late}, [&] { return running(late, 500); }));
    comparePaused(stage, early, late);

    // The first one is back, the second dies: back again.
    stage.first = stage.provider(0);
    const std::uint64_t images = early.counters().images.get();
    stage.second.reset();
    REQUIRE(until({&early, &late}, [&] {
        return early.counters().images.get() >= images + early.books.size() && running(early, 100) &&
               running(late, 100);
    }));
    comparePaused(stage, early, late);
}

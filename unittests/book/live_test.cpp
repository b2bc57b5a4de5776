// Books through an OmmConsumer, a connection and a provider.
#include "LiveConfig.h"
#include "support.h"

#include "emissary/metrics.h"
#include "support/until.h"

#include <functional>
#include <set>
#include <thread>

#include <sched.h>

using namespace booktest;
using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

namespace {

/// Answers logins and keeps one book of orders, of which it sends images and updates.
class Source : public OmmProviderClient {
public:
    Source(const ConfigFile& config, const std::string& port)
        : provider_(OmmIProviderConfig(config.path())
                        .port(EmaString(port.c_str()))
                        .operationModel(OmmIProviderConfig::UserDispatchEnum),
                    *this) {}
    void dispatch() { provider_.dispatch(1000); }
    [[nodiscard]] std::size_t open() const { return handles_.size(); }

    std::map<std::string, std::pair<Int64, UInt16>> orders;  ///< price in hundredths and side
    int images = 0;
    UInt32 sequence = 100;
    bool clearCache = true;
    bool gapAfterImage = false;  ///< an update that has missed some, behind the first image

    static void fill(FieldList& list, const std::pair<Int64, UInt16>& order) {
        list.clear();
        list.addReal(3427, order.first, OmmReal::ExponentNeg2Enum)
            .addEnum(3428, order.second)
            .addReal(3429, 1, OmmReal::Exponent0Enum)
            .complete();
    }
    void add(const std::string& key, Int64 price, UInt16 side) {
        orders[key] = {price, side};
        FieldList list;
        fill(list, orders[key]);
        Map map;
        map.addKeyAscii(key.c_str(), MapEntry::AddEnum, list).complete();
        update(map);
    }
    void remove(const std::string& key) {
        orders.erase(key);
        Map map;
        map.addKeyAscii(key.c_str(), MapEntry::DeleteEnum).complete();
        update(map);
    }
    void update(const Map& map) {
        ++sequence;
        for (const UInt64 handle : handles_)
            provider_.submit(UpdateMsg().domainType(MMT_MARKET_BY_ORDER).seqNum(sequence).payload(map), handle);
    }
    void suspect() {
        for (const UInt64 handle : handles_)
            provider_.submit(
                StatusMsg().domainType(MMT_MARKET_BY_ORDER).state(OmmState::OpenEnum, OmmState::SuspectEnum), handle);
    }

private:
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        if (request.getDomainType() == MMT_LOGIN) return acceptLogin(provider_, request, event.getHandle());
        handles_.insert(event.getHandle());
        image(request, event.getHandle());
    }
    void onReissue(const ReqMsg& request, const OmmProviderEvent& event) override {
        if (request.getDomainType() != MMT_LOGIN) image(request, event.getHandle());
    }
    void onClose(const ReqMsg&, const OmmProviderEvent& event) override { handles_.erase(event.getHandle()); }
    /// In two parts.
    void image(const ReqMsg& request, UInt64 handle) {
        ++images;
        for (const UInt16 part : {UInt16{0}, UInt16{1}}) {
            Map map;
            map.keyType(DataType::AsciiEnum);
            std::size_t n = 0;
            for (const auto& [key, order] : orders) {
                if (n++ % 2 != part) continue;
                FieldList list;
                fill(list, order);
                map.addKeyAscii(key.c_str(), MapEntry::AddEnum, list);
            }
            provider_.submit(RefreshMsg()
                                 .domainType(MMT_MARKET_BY_ORDER)
                                 .name(request.getName())
                                 .serviceId(request.getServiceId())
                                 .solicited(true)
                                 .clearCache(clearCache && part == 0)
                                 .state()
                                 .partNum(part)
                                 .seqNum(sequence)
                                 .complete(part == 1)
                                 .payload(map.complete()),
                             handle);
        }
        if (!gapAfterImage || images != 1) return;
        sequence += 5;
        add("b2", 1001, 1);
    }
    std::set<UInt64> handles_;
    OmmProvider provider_;
};

/// Dispatches a source from a thread of its own.
class Answering {
public:
    explicit Answering(Source& source)
        : thread_([this, &source] {
              while (!stop_.load())
                  source.dispatch();
          }) {}
    ~Answering() {
        stop_.store(true);
        thread_.join();
    }
    Answering(const Answering&) = delete;
    Answering& operator=(const Answering&) = delete;

private:
    std::atomic<bool> stop_{false};
    std::thread thread_;  // last: it looks at the mark
};

std::string levelsOf(const book::Book& b) {
    std::string out;
    for (const book::BookSide* s : {&b.bids(), &b.asks()}) {
        for (const book::Level level : *s)
            out += text(b, level.price()) + "x" + text(level.size()) + " ";
        out += s == &b.bids() ? "| " : "";
    }
    return out;
}

}  // namespace

TEST_CASE("A book follows its provider over a connection, through gaps and restarts", "[book][live]") {
    const std::string port = freePort();
    const ConfigFile config;
    auto source = std::make_unique<Source>(config, port);
    source->orders = {{"b1", {1000, 1}}, {"a1", {1010, 2}}, {"a2", {1020, 2}}};
    source->clearCache = GENERATE(true, false);
    // The consumer's constructor waits for the login: the provider runs beside it until then.
    std::optional<Answering> answering(*source);
    OmmConsumer consumer(OmmConsumerConfig(config.path())
                             .host(("localhost:" + port).c_str())
                             .operationModel(OmmConsumerConfig::UserDispatchEnum));
    answering.reset();
    Recorder ears;
    book::BookOptions options;
    options.checkSequence = true;
    book::Builder builder(consumer, ears, options);
    book::Book& b = builder.open("DIRECT_FEED", "EMI.X", Kind::orders);
    const auto until = [&](const std::function<bool()>& done) {
        const auto deadline = std::chrono::steady_clock::now() + emissary::test::kPatience;
        while (!done()) {
            if (std::chrono::steady_clock::now() > deadline) return false;
            if (source) source->dispatch();
            consumer.dispatch(1000);
        }
        return true;
    };
    REQUIRE(until([&] { return b.state() == State::live; }));
    CHECK(levelsOf(b) == "10.00x1 | 10.10x1 10.20x1 ");
    source->add("b2", 1001, 1);
    REQUIRE(until([&] { return b.order("b2").has_value(); }));
    CHECK(levelsOf(b) == "10.01x1 10.00x1 | 10.10x1 10.20x1 ");

    SECTION("the counts of the consumer have those of its books") {
        const auto counted = [&](const char* name) { return emissary::metrics(consumer).value(name); };
        CHECK(counted("emissary_book_updates_total") == builder.counters().updates.get());
        CHECK(counted("emissary_book_images_total") == 1);
        CHECK(emissary::metrics(consumer).prometheus().find("emissary_book_updates_total{instance=\"") !=
              std::string::npos);
        {
            book::Builder second(consumer, ears);
            book::Book& other = second.open("DIRECT_FEED", "OTHER", Kind::orders);
            REQUIRE(until([&] { return other.state() == State::live; }));
            CHECK(counted("emissary_book_images_total") == 2);
            CHECK(second.counters().images.get() == 1);
        }
        CHECK(counted("emissary_book_images_total") == 2);  // what was counted stays
    }
    SECTION("a gap: stale, and repaired by an image that the builder asks for") {
        ++source->sequence;
        source->orders.erase("b1");  // nobody is told
        source->add("a3", 1030, 2);
        REQUIRE(until([&] { return b.stale(); }));
        const bool repaired = until([&] { return b.state() == State::live; });
        std::string heard;
        for (const std::string& line : ears.heard)
            heard += line + "; ";
        INFO("images " << source->images << ", clearCache " << source->clearCache << ": " << heard);
        REQUIRE(repaired);
        CHECK(source->images == 2);
        CHECK(levelsOf(b) == "10.01x1 | 10.10x1 10.20x1 10.30x1 ");
        CHECK(builder.counters().imagesAsked.get() == 1);
        source->remove("a3");
        REQUIRE(until([&] { return b.asks().depth() == 2; }));
        CHECK(b.state() == State::live);
    }
    SECTION("a suspect stream") {
        source->suspect();
        REQUIRE(until([&] { return b.stale(); }));
        CHECK(levelsOf(b) == "10.01x1 10.00x1 | 10.10x1 10.20x1 ");
    }
    SECTION("the provider dies and comes back with another book") {
        source.reset();
        REQUIRE(until([&] { return b.stale(); }));
        CHECK(levelsOf(b) == "10.01x1 10.00x1 | 10.10x1 10.20x1 ");
        ears.heard.clear();
        source = std::make_unique<Source>(config, port);
        source->orders = {{"b9", {900, 1}}, {"a1", {1010, 2}}};
        REQUIRE(until([&] { return b.state() == State::live; }));
        CHECK(levelsOf(b) == "9.00x1 | 10.10x1 ");
        CHECK(b.verify() == "");
    }
    SECTION("closing gives the stream back") {
        book::Book& other = builder.open("DIRECT_FEED", "OTHER", Kind::orders);
        REQUIRE(until([&] { return other.state() == State::live; }));
        CHECK(source->open() == 2);
        builder.close(other);
        REQUIRE(until([&] { return source->open() == 1; }));
        CHECK(builder.books() == 1);
    }
    CHECK(ears.broken == "");
    CHECK(builder.verify() == 0);
}

TEST_CASE("A book on a service that is not there stays empty and can be closed", "[book][live]") {
    const std::string port = freePort();
    const ConfigFile config;
    Source source(config, port);
    const Answering answering(source);
    OmmConsumer consumer(OmmConsumerConfig(config.path())
                             .host(("localhost:" + port).c_str())
                             .operationModel(OmmConsumerConfig::UserDispatchEnum));
    Recorder ears;
    book::Builder builder(consumer, ears);
    book::Book& b = builder.open("NO_SUCH_SERVICE", "EMI.X", Kind::prices);
    // A book on the right one comes meanwhile.
    book::Book& right = builder.open("DIRECT_FEED", "EMI.X", Kind::orders);
    const auto deadline = std::chrono::steady_clock::now() + emissary::test::kPatience;
    while (right.state() != State::live && std::chrono::steady_clock::now() < deadline)
        consumer.dispatch(1000);
    CHECK(right.state() == State::live);
    CHECK(b.state() != State::live);
    CHECK(levelsOf(b) == "| ");
    builder.close(b);
    CHECK(builder.books() == 1);
}

TEST_CASE("A book whose first messages come before it is registered gets its image again", "[book][live]") {
    const std::string port = freePort();
    const ConfigFile config;
    // One processor for all threads, and the thread that opens the book gives way to each of them: the answers come
    // before registerClient() has returned.
    cpu_set_t before, one;
    CPU_ZERO(&one);
    REQUIRE(::sched_getaffinity(0, sizeof before, &before) == 0);
    int cpu = 0;
    while (!CPU_ISSET(cpu, &before))
        ++cpu;
    CPU_SET(cpu, &one);
    REQUIRE(::sched_setaffinity(0, sizeof one, &one) == 0);
    {
        Source source(config, port);
        source.orders = {{"b1", {1000, 1}}, {"a1", {1010, 2}}};
        source.gapAfterImage = true;
        const Answering answering(source);
        OmmConsumer consumer(OmmConsumerConfig(config.path())
                                 .host(("localhost:" + port).c_str())
                                 .operationModel(OmmConsumerConfig::ApiDispatchEnum));
        Recorder ears;
        book::BookOptions options;
        options.checkSequence = true;
        book::Builder builder(consumer, ears, options);
        std::thread opens([&] {
            const sched_param none{};
            CHECK(::sched_setscheduler(0, SCHED_IDLE, &none) == 0);
            builder.open("DIRECT_FEED", "EMI.X", Kind::orders);
        });
        opens.join();
        CHECK(emissary::test::eventually([&] { return builder.counters().images.get() >= 2; }));
    }
    REQUIRE(::sched_setaffinity(0, sizeof before, &before) == 0);
}

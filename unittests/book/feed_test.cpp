// A generated day through a provider, a connection and a builder, against the generator's own books. BOOK_OPERATIONS
// sets its length.
#include "FeedChecker.h"
#include "LiveConfig.h"
#include "support.h"

#include <thread>

using namespace booktest;
using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

namespace {

constexpr std::uint32_t kOrders = 60;

/// Sends updates of every open item in turn until each has had so many.
class Day : public OmmProviderClient {
public:
    Day(const ConfigFile& config, const std::string& port, UInt32 length)
        : length_(length), provider_(OmmIProviderConfig(config.path())
                                         .port(EmaString(port.c_str()))
                                         .operationModel(OmmIProviderConfig::UserDispatchEnum),
                                     *this) {}
    /// A few updates of every item.
    void turn() {
        provider_.dispatch(1000);
        for (auto& [handle, item] : items_)
            for (int i = 0; i != 20 && item.book.sequence() < length_; ++i) {
                if (!item.pending)
                    item.update.clear().domainType(item.domain).payload(item.book.next()).seqNum(item.book.sequence());
                item.pending = true;
                try {
                    provider_.submit(item.update, handle);
                } catch (const OmmException&) {
                    return;  // no buffers: later
                }
                item.pending = false;
            }
    }

private:
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        if (request.getDomainType() == MMT_LOGIN) return acceptLogin(provider_, request, event.getHandle());
        const UInt16 domain = request.getDomainType();
        Item& item = items_.try_emplace(event.getHandle(), request.getName().c_str(), domain).first->second;
        provider_.submit(RefreshMsg()
                             .domainType(domain)
                             .name(request.getName())
                             .serviceId(request.getServiceId())
                             .solicited(true)
                             .clearCache(true)
                             .complete(true)
                             .state()
                             .seqNum(0)
                             .payload(item.book.image()),
                         event.getHandle());
    }
    struct Item {
        Item(const char* name, UInt16 d)
            : book(name, d == MMT_MARKET_BY_ORDER ? BookItem::Content::orders : BookItem::Content::pricePoints,
                   kOrders),
              domain(d) {}
        BookItem book;
        UInt16 domain;
        UpdateMsg update;
        bool pending = false;
    };
    UInt32 length_;
    std::map<UInt64, Item> items_;
    OmmProvider provider_;
};

}  // namespace

TEST_CASE("A generated day through provider, wire and builder leaves the generator's books", "[book][live]") {
    const char* wanted = std::getenv("BOOK_OPERATIONS");
    const std::uint64_t operations = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 20'000;
    constexpr int kNames = 2;
    const auto length = static_cast<UInt32>(operations / (2 * kNames));
    const std::string port = freePort();
    const ConfigFile config;
    Day day(config, port, length);
    std::atomic<bool> stop{false};
    std::thread sending([&] {
        while (!stop.load())
            day.turn();
    });
    {
        OmmConsumer consumer(OmmConsumerConfig(config.path())
                                 .host(("localhost:" + port).c_str())
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        Checker checker(kOrders);
        book::BookOptions options;
        options.checkSequence = true;
        book::Builder builder(consumer, checker, options);
        std::vector<book::Book*> books;
        for (int i = 0; i != kNames; ++i)
            for (const Kind kind : {Kind::orders, Kind::prices})
                books.push_back(&builder.open("DIRECT_FEED", "BOOK" + std::to_string(i), kind));
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60 + operations / 10'000);
        const auto finished = [&] {
            return std::all_of(books.begin(), books.end(),
                               [&](const book::Book* b) { return b->sequence() == length; });
        };
        while (!finished() && checker.wrong.empty() && std::chrono::steady_clock::now() < deadline)
            consumer.dispatch(1000);
        INFO(checker.states);
        CHECK(checker.wrong == "");
        CHECK(finished());
        for (book::Book* b : books) {
            checker.check(*b);
            CHECK(b->state() == State::live);
        }
        CHECK(checker.wrong == "");
        CHECK(builder.counters().entries.get() >= operations);
        CHECK(builder.counters().addOfKnown.get() == 0);
        CHECK(builder.counters().deleteOfUnknown.get() == 0);
        CHECK(builder.counters().updateWithoutAdd.get() == 0);
    }
    stop.store(true);
    sending.join();
}

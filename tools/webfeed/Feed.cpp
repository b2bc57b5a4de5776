// tools/webfeed: answers requests or publishes, and sends every update at its time.
#include "Feed.h"

#include "Quote.h"

#include "Ema.h"
#include "emissary/output.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <unordered_map>
#include <vector>

namespace emissary::webfeed {

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;
using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

namespace {

constexpr Int16 kBid = 22, kAsk = 25, kBidSize = 30, kAskSize = 31, kSequence = 1021, kTime = 3902;
// The only service: handles and requests need no choice.
constexpr UInt16 kServiceId = 1;
constexpr UInt64 kDirectoryHandle = 1, kFirstItemHandle = 10;  // of a publisher
// A burst that was missed must not keep closes and logins waiting.
constexpr unsigned kMostAtOnce = 1000;  // updates between two looks at the connections

volatile std::sig_atomic_t stopAsked = 0, endAsked = 0;

void describe(Map& services, const std::string& name, UInt64 filter) {
    FilterList parts;
    if (filter & SERVICE_INFO_FILTER) {
        OmmArray domains, dictionaries, qos;
        domains.addUInt(MMT_MARKET_PRICE).complete();
        dictionaries.addAscii("RWFFld").addAscii("RWFEnum").complete();
        qos.addQos(OmmQos::RealTimeEnum, OmmQos::TickByTickEnum).complete();
        parts.add(SERVICE_INFO_ID, FilterEntry::SetEnum,
                  ElementList()
                      .addAscii(ENAME_NAME, name.c_str())
                      .addArray(ENAME_CAPABILITIES, domains)
                      .addArray(ENAME_DICTIONARYS_USED, dictionaries)
                      .addArray(ENAME_QOS, qos)
                      .complete());
    }
    if (filter & SERVICE_STATE_FILTER)
        parts.add(SERVICE_STATE_ID, FilterEntry::SetEnum,
                  ElementList().addUInt(ENAME_SVC_STATE, SERVICE_UP).addUInt(ENAME_ACCEPTING_REQS, 1).complete());
    services.addKeyUInt(kServiceId, MapEntry::AddEnum, parts.complete()).complete();
}

UInt64 microsecondsOf(Clock::time_point t) {
    return static_cast<UInt64>(std::chrono::duration_cast<microseconds>(t.time_since_epoch()).count());
}

/// When the n-th update of all is due.
class Schedule {
public:
    Schedule(const Options& o) : items_(o.items), period_(1 / o.rate), even_(o.spread == Spread::even) {}
    void begin(Clock::time_point at) { start_ = at; }
    [[nodiscard]] Clock::time_point due(std::uint64_t n) const {
        // Even: items are spread over the period. Otherwise all items are due together, as at the tick of a market.
        const double periods = even_ ? static_cast<double>(n) / items_ : static_cast<double>(n / items_);
        return start_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(periods * period_));
    }
    [[nodiscard]] unsigned itemOf(std::uint64_t n) const { return static_cast<unsigned>(n % items_); }

private:
    const unsigned items_;
    const double period_;
    const bool even_;
    Clock::time_point start_{};
};

/// What interactive provider and publisher share: the items, their open streams, and what is due.
// One thread: updates are sent between two dispatches, so nothing here needs a lock.
class Feed : public OmmProviderClient {
public:
    explicit Feed(const Options& options) : options_(options), schedule_(options), streams_(options.items) {
        for (unsigned i = 0; i < options.items; ++i)
            quotes_.emplace_back(i, options.seed);
    }
    int run(OmmProvider& provider) {
        const Clock::time_point begun = Clock::now();
        schedule_.begin(begun);
        while (endAsked == 0) {
            if (options_.seconds != 0 && Clock::now() - begun >= std::chrono::seconds(options_.seconds)) break;
            // The first signal stops the updates, so that readers can compare; the second one ends the program.
            if (stopAsked != 0 && !stopped_) stop();
            provider.dispatch(sendDue(provider));
        }
        if (!stopped_) stop();
        std::printf("%llu updates sent, on average %.3f ms after they were due, the latest %.3f ms\n",
                    static_cast<unsigned long long>(sent_),
                    steps_ == 0 ? 0 : late_ / static_cast<double>(steps_) / 1000,
                    static_cast<double>(latest_.count()) / 1000);
        return 0;
    }

protected:
    void open(OmmProvider& provider, UInt64 handle, unsigned item, RefreshMsg& image) {
        FieldList fields;
        put(fields, quotes_[item], microsecondsOf(Clock::now()));
        image.domainType(MMT_MARKET_PRICE).name(itemName(item).c_str()).complete(true).clearCache(true);
        image.state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "").payload(fields);
        if (!submit(provider, image, handle)) return;
        // A reissue has the handle of its request and must not be counted twice.
        if (itemOf_.try_emplace(handle, item).second) streams_[item].push_back(handle);
    }
    void close(UInt64 handle) {
        const auto at = itemOf_.find(handle);
        if (at == itemOf_.end()) return;
        std::erase(streams_[at->second], handle);
        itemOf_.erase(at);
    }
    void closeAll() {
        itemOf_.clear();
        for (auto& s : streams_)
            s.clear();
    }
    /// False when the client is gone: the close is dispatched a little later.
    template <class Message>
    static bool submit(OmmProvider& provider, const Message& message, UInt64 handle) {
        try {
            provider.submit(message, handle);
        } catch (const OmmInvalidUsageException&) { return false; }
        return true;
    }

    const Options& options_;

private:
    static void put(FieldList& fields, const Quote& quote, UInt64 stamp) {
        const auto exponent = quote.decimals() == 3 ? OmmReal::ExponentNeg3Enum : OmmReal::ExponentNeg5Enum;
        fields.clear()
            .addReal(kBid, quote.bid(), exponent)
            .addReal(kAsk, quote.ask(), exponent)
            .addReal(kBidSize, quote.bidSize(), OmmReal::Exponent0Enum)
            .addReal(kAskSize, quote.askSize(), OmmReal::Exponent0Enum)
            .addReal(kSequence, static_cast<Int64>(quote.sequence()), OmmReal::Exponent0Enum)
            .addUInt(kTime, stamp)
            .complete();
    }
    /// Sends what is due; microseconds until the next update, or until it is time to look for signals.
    Int64 sendDue(OmmProvider& provider) {
        constexpr Int64 kLongest = 5'000;
        if (stopped_) return kLongest;
        const Clock::time_point now = Clock::now();
        if (schedule_.due(next_) <= now) {
            // One write for each connection, not one for each update.
            const SubmitBurst burst(provider);
            for (unsigned n = 0; n < kMostAtOnce && schedule_.due(next_) <= now; ++n)
                send(provider, next_++);
        }
        const auto wait = std::chrono::duration_cast<microseconds>(schedule_.due(next_) - Clock::now()).count();
        return std::clamp<Int64>(wait, 0, kLongest);
    }
    void send(OmmProvider& provider, std::uint64_t n) {
        const unsigned item = schedule_.itemOf(n);
        Quote& quote = quotes_[item];
        quote.step();
        // The quote goes on without a reader, so a late image has the value of its time.
        if (streams_[item].empty()) return;
        const Clock::time_point now = Clock::now(), due = schedule_.due(n);
        const auto late = std::chrono::duration_cast<microseconds>(now - due);
        latest_ = std::max(latest_, late);
        late_ += static_cast<double>(late.count());
        ++steps_;
        // With the due time the delay of this program counts as delay, too: a feed that is late cannot hide it.
        put(fields_, quote, microsecondsOf(options_.stamp == Stamp::due ? due : now));
        update_.clear().domainType(MMT_MARKET_PRICE).payload(fields_);
        // Closed after the loop, which runs over the same list.
        gone_.clear();
        for (const UInt64 handle : streams_[item])
            if (submit(provider, update_, handle)) ++sent_;
            else gone_.push_back(handle);
        for (const UInt64 handle : gone_)
            close(handle);
    }
    void stop() {
        stopped_ = true;
        if (options_.truthFile.empty()) return;
        const std::string unfinished = options_.truthFile + ".part";  // whoever waits for the file finds all of it
        {
            std::ofstream out(unfinished);
            for (unsigned i = 0; i < options_.items; ++i)
                out << itemName(i) << ',' << quotes_[i].sequence() << ',' << quotes_[i].bidText() << '\n';
            if (!out.flush()) throw std::runtime_error("cannot write " + unfinished);
        }
        if (std::rename(unfinished.c_str(), options_.truthFile.c_str()) != 0)
            throw std::runtime_error("cannot write " + options_.truthFile);
    }

    Schedule schedule_;
    std::vector<Quote> quotes_;
    std::vector<std::vector<UInt64>> streams_;  // of each item
    std::unordered_map<UInt64, unsigned> itemOf_;
    std::vector<UInt64> gone_;
    FieldList fields_;
    UpdateMsg update_;
    std::uint64_t next_ = 0, sent_ = 0, steps_ = 0;
    double late_ = 0;  // microseconds of all steps
    microseconds latest_{0};
    bool stopped_ = false;
};

class Provider final : public Feed {
public:
    using Feed::Feed;

private:
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        if (request.getDomainType() == MMT_LOGIN) return login(request, event);
        if (request.getDomainType() == MMT_DIRECTORY) return directory(request, event);
        const std::string name(request.hasName() ? request.getName().c_str() : "");
        unsigned item = options_.items;
        const char* const end = name.data() + name.size();
        if (name.starts_with("WEB") && std::from_chars(name.data() + 3, end, item).ptr != end) item = options_.items;
        if (item >= options_.items || name != itemName(item) || request.getDomainType() != MMT_MARKET_PRICE) {
            StatusMsg refusal;
            refusal.domainType(request.getDomainType());
            refusal.state(OmmState::ClosedEnum, OmmState::SuspectEnum, OmmState::NotFoundEnum,
                          "webfeed has no such item");
            (void)submit(event.getProvider(), refusal, event.getHandle());
            return;
        }
        RefreshMsg image;
        image.serviceId(kServiceId).solicited(true);
        open(event.getProvider(), event.getHandle(), item, image);
    }
    static void login(const ReqMsg& request, const OmmProviderEvent& event) {
        RefreshMsg answer;
        answer.domainType(MMT_LOGIN).name(request.getName()).nameType(USER_NAME).solicited(true).complete(true);
        answer.state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "accepted");
        (void)submit(event.getProvider(), answer, event.getHandle());
    }
    void directory(const ReqMsg& request, const OmmProviderEvent& event) const {
        const UInt64 filter = request.hasFilter() ? request.getFilter() : SERVICE_INFO_FILTER | SERVICE_STATE_FILTER;
        Map services;
        describe(services, options_.service, filter);
        RefreshMsg answer;
        answer.domainType(MMT_DIRECTORY).solicited(true).complete(true).clearCache(true);
        answer.state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "");
        answer.filter(static_cast<UInt32>(filter & (SERVICE_INFO_FILTER | SERVICE_STATE_FILTER))).payload(services);
        (void)submit(event.getProvider(), answer, event.getHandle());
    }
    void onReissue(const ReqMsg& request, const OmmProviderEvent& event) override {
        if (request.getDomainType() != MMT_LOGIN && request.getInitialImage()) onReqMsg(request, event);
    }
    void onClose(const ReqMsg&, const OmmProviderEvent& event) override { close(event.getHandle()); }
};

class Publisher final : public Feed {
public:
    using Feed::Feed;

private:
    void onRefreshMsg(const RefreshMsg& msg, const OmmProviderEvent& event) override {
        if (msg.getDomainType() != MMT_LOGIN || msg.getState().getStreamState() != OmmState::OpenEnum) return;
        if (msg.getState().getDataState() != OmmState::OkEnum) return closeAll();
        publish(event.getProvider());
    }
    void onStatusMsg(const StatusMsg& msg, const OmmProviderEvent&) override {
        if (msg.getDomainType() != MMT_LOGIN || !msg.hasState()) return;
        if (msg.getState().getStreamState() == OmmState::ClosedEnum)
            std::fprintf(stderr, "webfeed: login refused: %s\n", msg.getState().getStatusText().c_str());
        // Images are sent anew after the next login.
        if (msg.getState().getDataState() != OmmState::OkEnum) closeAll();
    }
    void publish(OmmProvider& provider) {
        closeAll();
        Map services;
        describe(services, options_.service, SERVICE_INFO_FILTER | SERVICE_STATE_FILTER);
        RefreshMsg directory;
        directory.domainType(MMT_DIRECTORY).filter(SERVICE_INFO_FILTER | SERVICE_STATE_FILTER).clearCache(true);
        directory.state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "").complete(true).payload(services);
        if (!submit(provider, directory, kDirectoryHandle)) return;
        for (unsigned item = 0; item < options_.items; ++item) {
            RefreshMsg image;
            image.serviceName(options_.service.c_str());
            open(provider, kFirstItemHandle + item, item, image);
        }
        std::printf("published %u items\n", options_.items);
        std::fflush(stdout);
    }
};

}  // namespace

int run(const Options& options) {
    std::signal(SIGXFSZ, SIG_IGN);  // beyond `ulimit -f` a write fails, which is said
    std::signal(SIGUSR1, [](int) { stopAsked = 1; });
    std::signal(SIGINT, [](int) { endAsked = 1; });
    std::signal(SIGTERM, [](int) { endAsked = 1; });
    if (options.publisher) {
        Publisher feed(options);
        const std::string where = options.host + ":" + (options.port.empty() ? "14003" : options.port);
        OmmProvider provider(OmmNiProviderConfig()
                                 .host(where.c_str())
                                 .username("webfeed")
                                 .adminControlDirectory(OmmNiProviderConfig::UserControlEnum)
                                 .operationModel(OmmNiProviderConfig::UserDispatchEnum),
                             feed);
        return feed.run(provider);
    }
    Provider feed(options);
    const std::string port = options.port.empty() ? "14002" : options.port;
    OmmProvider provider(OmmIProviderConfig()
                             .port(port.c_str())
                             .adminControlDirectory(OmmIProviderConfig::UserControlEnum)
                             .adminControlDictionary(OmmIProviderConfig::UserControlEnum)
                             .operationModel(OmmIProviderConfig::UserDispatchEnum),
                         feed);
    std::printf("serving %u items of %s at port %s\n", options.items, options.service.c_str(), port.c_str());
    std::fflush(stdout);
    return feed.run(provider);
}

}  // namespace emissary::webfeed

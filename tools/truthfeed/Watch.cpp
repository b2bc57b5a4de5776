// tools/truthfeed: the consumer: compares every value that it gets with the one that the feed must have sent.
#include "Feed.h"
#include "Posting.h"
#include "Restless.h"

#include <deque>
#include <iostream>
#include <sstream>
#include <utility>
#include <vector>

namespace emissary::truthfeed {

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

namespace {

constexpr std::int64_t kPostsArriveMs = 3000;  // after the last one was sent

class Watcher final : public OmmConsumerClient {
public:
    explicit Watcher(const Options& options)
        : options_(options), consumer_(OmmConsumerConfig()
                                           .consumerName(options.name.c_str())
                                           .operationModel(OmmConsumerConfig::UserDispatchEnum)) {}

    int run() {
        std::istringstream services(options_.services);
        for (std::string service; std::getline(services, service, ',');)
            for (unsigned n = 0; n < options_.items; ++n)
                items_.emplace_back(service, n);
        for (Watched& item : items_)
            open(item);
        login_ = consumer_.registerClient(ReqMsg().domainType(MMT_LOGIN), *this);
        std::int64_t end = options_.schedule.endMs, sampled = wallClockMs();
        bool toldAll = false;
        while (wallClockMs() < end + options_.settleSeconds * 1000) {
            consumer_.dispatch(20'000);
            if (!toldAll && missing(false) == 0) {
                std::cout << "all items" << std::endl;
                toldAll = true;
                activeFromMs_ = wallClockMs();
            }
            if (toldAll) act(std::min(wallClockMs(), end));
            if (options_.samples != 0 && wallClockMs() - told_ >= options_.samples) tellSamples(wallClockMs());
            if (const std::int64_t now = wallClockMs(); now - sampled >= 200) {
                for (Watched* const item : std::exchange(unknown_, {}))
                    open(*item);
                for (const Watched& item : items_)
                    if (item.ok) checkAge(item, "sample");
                sampled = now;
                // The posts of others may still be on their way.
                const std::int64_t done = end + (options_.posts != 0 ? kPostsArriveMs : 0);
                if (now >= done && missing(true) + posting_.waiting() == 0) break;
            }
        }
        const std::size_t without = missing(true) + posting_.waiting();
        if (options_.posts != 0) tellPosted();
        std::cout << (without + wrong_ == 0 ? "RESULT ok" : "RESULT failed") << " items=" << items_.size()
                  << " missing=" << without << " wrong=" << wrong_ << " refreshes=" << refreshes_
                  << " updates=" << updates_ << " statuses=" << statuses_ << " reopened=" << reopened_
                  << " msAfterEnd=" << std::max<std::int64_t>(0, wallClockMs() - end);
        if (options_.posts != 0) std::cout << " " << posting_.result();
        if (options_.changes != 0) std::cout << " " << restless_.result();
        std::cout << std::endl;
        if (without != 0) tellMissing();
        return without + wrong_ == 0 ? 0 : 1;
    }

private:
    void open(Watched& item) {
        const Truth truth(item.number);
        item.interest = Interest::awaited;
        item.handle = consumer_.registerClient(
            ReqMsg().domainType(truth.domain()).serviceName(item.service.c_str()).name(truth.name().c_str()), *this,
            &item);
    }
    void reopen(Watched& item) {
        if (item.handle == 0) return;  // it is about to be asked for
        posting_.forget(item);
        consumer_.unregister(std::exchange(item.handle, 0));
        item.copy = Copy(item.number);
        item.ok = false;
        if (item.interest == Interest::paused) item.agesFromMs = 0;
        open(item);
    }
    /// Posts and changes that are due; at the end nothing stays paused.
    void act(std::int64_t now) {
        const auto due = [&](unsigned perSecond) {
            return static_cast<std::uint64_t>(std::max<std::int64_t>(0, now - activeFromMs_)) * perSecond / 1000;
        };
        for (; posted_ < due(options_.posts); ++posted_)
            posting_.post(items_[dice_() % items_.size()], login_, dice_);
        for (; changed_ < due(options_.changes); ++changed_)
            restless_.change(login_, dice_);
        if (options_.changes != 0) restless_.resumeDue(login_, dice_, now >= options_.schedule.endMs);
    }
    static Watched& of(const OmmConsumerEvent& event) { return *static_cast<Watched*>(event.getClosure()); }
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent& event) override {
        if (event.getClosure() == nullptr) return;  // of the login
        Watched& item = of(event);
        ++refreshes_;
        take(item, msg.getState(), "refresh");
        restless_.imageCame(item, msg.getSolicited());
        const std::string fault = item.copy.refresh(msg);
        if (!item.ok) return;
        if (!fault.empty()) wrong(item, fault);
        checkAge(item, "refresh");
        if (options_.samples != 0)  // it counts in the next sample, however short it stays
            item.oldestImageMs =
                std::max(item.oldestImageMs, options_.schedule.ageOf(item.copy.sequence(), wallClockMs(), item.number));
    }
    void onUpdateMsg(const UpdateMsg& msg, const OmmConsumerEvent& event) override {
        Watched& item = of(event);
        ++updates_;
        const std::string fault = item.copy.update(msg);
        if (item.ok && !fault.empty()) wrong(item, fault);
    }
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent& event) override {
        if (event.getClosure() == nullptr) return;
        Watched& item = of(event);
        ++statuses_;
        if (!msg.hasState()) return;
        // A status may take the Ok away and never gives it back here: after a loss only an image is to be trusted.
        if (!item.ok && msg.getState().getDataState() == OmmState::OkEnum && item.copy.sequence() != 0)
            std::cout << "status Ok for " << item.text() << ", seen at " << item.copy.sequence() << std::endl;
        take(item, msg.getState(), "status");
        if (msg.getState().getStreamState() == OmmState::OpenEnum) return;
        posting_.ended(item);
        item.handle = 0;
        // A hub that has just begun does not know the services of those who have not come yet; the application asks
        // again.
        if (msg.getState().getStatusCode() == OmmState::SourceUnknownEnum) unknown_.push_back(&item), ++reopened_;
        else wrong(item, "the stream ended: " + item.last);
    }
    void onAckMsg(const AckMsg& ack, const OmmConsumerEvent& event) override {
        posting_.answered(ack, static_cast<Watched*>(event.getClosure()));
    }
    static void take(Watched& item, const OmmState& state, const char* what) {
        if (state.getDataState() != OmmState::NoChangeEnum)
            item.ok = state.getStreamState() == OmmState::OpenEnum && state.getDataState() == OmmState::OkEnum;
        item.last = std::string(what) + " " + state.toString().c_str();
    }

    void checkAge(const Watched& item, const char* when) {
        const std::uint64_t due = options_.schedule.at(wallClockMs(), item.number), is = item.copy.sequence();
        if (wallClockMs() < item.agesFromMs) return;
        const std::uint64_t may = std::uint64_t{options_.staleSeconds} * options_.schedule.perSecond;
        if (is > due + 1) wrong(item, std::string(when) + ": " + std::to_string(is) + " is not due yet");
        else if (is + may < due)
            wrong(item,
                  std::string(when) + ": Ok at " + std::to_string(is) + ", the truth is at " + std::to_string(due));
    }
    /// For a judge outside: by service how many items are Ok, how many are not, and the oldest value that is Ok,
    /// or came as an Ok image since the last sample.
    void tellSamples(std::int64_t now) {
        told_ = now;
        for (std::size_t first = 0; first < items_.size(); first += options_.items) {
            std::size_t ok = 0;
            std::int64_t age = 0;
            const Watched* oldest = nullptr;
            for (std::size_t i = first; i < first + options_.items; ++i) {
                Watched& item = items_[i];
                std::int64_t is = std::exchange(item.oldestImageMs, 0);
                if (item.ok) is = std::max(is, options_.schedule.ageOf(item.copy.sequence(), now, item.number)), ++ok;
                if (is > age || (item.ok && oldest == nullptr)) age = is, oldest = &item;
            }
            std::cout << "SAMPLE " << now << " " << items_[first].service << " " << ok << " " << options_.items - ok
                      << " " << age << " " << (oldest != nullptr ? Truth(oldest->number).name() : "-") << "\n";
        }
        std::cout << std::flush;
    }
    /// For a judge outside, who compares consumers: by service the posted value that each item shows, where it has one.
    void tellPosted() const {
        for (std::size_t first = 0; first < items_.size(); first += options_.items) {
            std::cout << "POSTED " << items_[first].service;
            for (std::size_t i = first; i < first + options_.items; ++i)
                if (items_[i].copy.posted() != 0)
                    std::cout << " " << items_[i].number << "=" << items_[i].copy.posted();
            std::cout << "\n";
        }
        std::cout << std::flush;
    }
    void wrong(const Watched& item, const std::string& what) { wrong(&item, what); }
    void wrong(const Watched* item, const std::string& what) {
        if (++wrong_ <= 50)
            std::cout << "WRONG " << wallClockMs() << " " << (item != nullptr ? item->text() : "login") << ": " << what
                      << std::endl;
    }
    [[nodiscard]] std::size_t missing(bool current) const {
        std::size_t without = 0;
        for (const Watched& item : items_)
            without += !item.ok ||
                       (current && item.copy.sequence() != options_.schedule.at(options_.schedule.endMs, item.number));
        return without;
    }
    void tellMissing() const {
        posting_.tellMissing();
        unsigned told = 0;
        for (const Watched& item : items_)
            if (const std::uint64_t due = options_.schedule.at(options_.schedule.endMs, item.number);
                (!item.ok || item.copy.sequence() != due) && ++told <= 20)
                std::cout << "MISSING " << item.text() << " at " << item.copy.sequence() << " of " << due << ", "
                          << item.last << std::endl;
    }

    const Options& options_;
    std::deque<Watched> items_;      // addresses are the streams' closures
    std::vector<Watched*> unknown_;  // to be asked for again
    std::uint64_t wrong_ = 0, refreshes_ = 0, updates_ = 0, statuses_ = 0, reopened_ = 0;
    std::int64_t told_ = 0;
    Dice dice_{options_.seed};
    std::int64_t activeFromMs_ = 0;           // posts and changes begin
    std::uint64_t posted_ = 0, changed_ = 0;  // tried
    UInt64 login_ = 0;
    OmmConsumer consumer_;
    Posting posting_{consumer_, options_.seed,
                     [this](const Watched* item, const std::string& what) { wrong(item, what); }};
    Restless restless_{consumer_, items_, std::int64_t{options_.staleSeconds} * 1000,
                       [this](Watched& item) { reopen(item); }};
};

}  // namespace

int runConsumer(const Options& options) {
    return Watcher(options).run();
}

}  // namespace emissary::truthfeed

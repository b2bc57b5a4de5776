#include "Feed.h"

#include <deque>
#include <iostream>
#include <sstream>
#include <utility>
#include <vector>

namespace emissary::truthfeed {

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

namespace {

struct Item {
    std::string service;
    unsigned number;
    Copy copy;
    bool ok = false;  ///< the last state said so
    std::string last = "nothing came";

    Item(std::string s, unsigned n) : service(std::move(s)), number(n), copy(n) {}
};

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
        for (Item& item : items_)
            open(item);
        std::int64_t end = options_.schedule.endMs, sampled = wallClockMs();
        bool toldAll = false;
        while (wallClockMs() < end + options_.settleSeconds * 1000) {
            consumer_.dispatch(20'000);
            if (!toldAll && missing(false) == 0) {
                std::cout << "all items" << std::endl;
                toldAll = true;
            }
            if (const std::int64_t now = wallClockMs(); now - sampled >= 200) {
                for (Item* const item : std::exchange(unknown_, {}))
                    open(*item);
                for (const Item& item : items_)
                    if (item.ok) checkAge(item, "sample");
                sampled = now;
                if (now >= end && missing(true) == 0) break;
            }
        }
        const std::size_t without = missing(true);
        std::cout << (without + wrong_ == 0 ? "RESULT ok" : "RESULT failed") << " items=" << items_.size()
                  << " missing=" << without << " wrong=" << wrong_ << " refreshes=" << refreshes_
                  << " updates=" << updates_ << " statuses=" << statuses_ << " reopened=" << reopened_
                  << " msAfterEnd=" << std::max<std::int64_t>(0, wallClockMs() - end) << std::endl;
        if (without != 0) tellMissing();
        return without + wrong_ == 0 ? 0 : 1;
    }

private:
    void open(Item& item) {
        const Truth truth(item.number);
        consumer_.registerClient(
            ReqMsg().domainType(truth.domain()).serviceName(item.service.c_str()).name(truth.name().c_str()), *this,
            &item);
    }
    static Item& of(const OmmConsumerEvent& event) { return *static_cast<Item*>(event.getClosure()); }
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent& event) override {
        Item& item = of(event);
        ++refreshes_;
        take(item, msg.getState(), "refresh");
        const std::string fault = item.copy.refresh(msg);
        if (!item.ok) return;
        if (!fault.empty()) wrong(item, fault);
        checkAge(item, "refresh");
    }
    void onUpdateMsg(const UpdateMsg& msg, const OmmConsumerEvent& event) override {
        Item& item = of(event);
        ++updates_;
        const std::string fault = item.copy.update(msg);
        if (item.ok && !fault.empty()) wrong(item, fault);
    }
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent& event) override {
        Item& item = of(event);
        ++statuses_;
        if (!msg.hasState()) return;
        // A status may take the Ok away and never gives it back here: after a loss only an image is to be trusted.
        if (!item.ok && msg.getState().getDataState() == OmmState::OkEnum && item.copy.sequence() != 0)
            std::cout << "status Ok for " << text(item) << ", seen at " << item.copy.sequence() << std::endl;
        take(item, msg.getState(), "status");
        if (msg.getState().getStreamState() == OmmState::OpenEnum) return;
        // A hub that has just begun does not know the services of those who have not come yet; the application asks
        // again.
        if (msg.getState().getStatusCode() == OmmState::SourceUnknownEnum) unknown_.push_back(&item), ++reopened_;
        else wrong(item, "the stream ended: " + item.last);
    }
    static void take(Item& item, const OmmState& state, const char* what) {
        if (state.getDataState() != OmmState::NoChangeEnum)
            item.ok = state.getStreamState() == OmmState::OpenEnum && state.getDataState() == OmmState::OkEnum;
        item.last = std::string(what) + " " + state.toString().c_str();
    }
    static std::string text(const Item& item) { return item.service + "/" + Truth(item.number).name(); }

    void checkAge(const Item& item, const char* when) {
        const std::uint64_t due = options_.schedule.at(wallClockMs(), item.number), is = item.copy.sequence();
        const std::uint64_t may = std::uint64_t{options_.staleSeconds} * options_.schedule.perSecond;
        if (is > due + 1) wrong(item, std::string(when) + ": " + std::to_string(is) + " is not due yet");
        else if (is + may < due)
            wrong(item,
                  std::string(when) + ": Ok at " + std::to_string(is) + ", the truth is at " + std::to_string(due));
    }
    void wrong(const Item& item, const std::string& what) {
        if (++wrong_ <= 50) std::cout << "WRONG " << wallClockMs() << " " << text(item) << ": " << what << std::endl;
    }
    [[nodiscard]] std::size_t missing(bool current) const {
        std::size_t without = 0;
        for (const Item& item : items_)
            without += !item.ok ||
                       (current && item.copy.sequence() != options_.schedule.at(options_.schedule.endMs, item.number));
        return without;
    }
    void tellMissing() const {
        unsigned told = 0;
        for (const Item& item : items_)
            if (const std::uint64_t due = options_.schedule.at(options_.schedule.endMs, item.number);
                (!item.ok || item.copy.sequence() != due) && ++told <= 20)
                std::cout << "MISSING " << text(item) << " at " << item.copy.sequence() << " of " << due << ", "
                          << item.last << std::endl;
    }

    const Options& options_;
    std::deque<Item> items_;      // addresses are the streams' closures
    std::vector<Item*> unknown_;  // to be asked for again
    std::uint64_t wrong_ = 0, refreshes_ = 0, updates_ = 0, statuses_ = 0, reopened_ = 0;
    OmmConsumer consumer_;
};

}  // namespace

int runConsumer(const Options& options) {
    return Watcher(options).run();
}

}  // namespace emissary::truthfeed

// Opens many items, closes them all and waits: what a consumer and its provider give back is read from /proc by
// targets.py.
//
//   given_back_bench HOST:PORT ITEMS SECONDS     a line before, then "open" when all images are there and
//                                                "closed" SECONDS after all were closed, twice
#include "Ema.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace refinitiv::ema::access;
using Clock = std::chrono::steady_clock;

/// Everything runs on the dispatching thread.
class Images final : public OmmConsumerClient {
public:
    std::size_t count = 0;

private:
    void onRefreshMsg(const RefreshMsg&, const OmmConsumerEvent&) override { ++count; }
};

void dispatchFor(OmmConsumer& consumer, long seconds) {
    for (const auto end = Clock::now() + std::chrono::seconds(seconds); Clock::now() < end;)
        consumer.dispatch(100'000);
}

void say(const char* what) {
    std::puts(what);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    const std::size_t items = argc == 4 ? std::strtoull(argv[2], nullptr, 10) : 0;
    const long seconds = argc == 4 ? std::strtol(argv[3], nullptr, 10) : 0;
    if (items == 0 || seconds <= 0) {
        std::fprintf(stderr, "usage: given_back_bench HOST:PORT ITEMS SECONDS\n");
        return 2;
    }
    try {
        Images images;
        OmmConsumer consumer(OmmConsumerConfig().host(argv[1]).operationModel(OmmConsumerConfig::UserDispatchEnum));
        dispatchFor(consumer, 1);
        say("before");
        ReqMsg request;
        std::vector<UInt64> handles;
        handles.reserve(items);
        for (int round = 0; round < 2; ++round) {
            images.count = 0;
            for (std::size_t i = 0; i < items; ++i) {
                request.clear().serviceName("DIRECT_FEED").name(("ITEM" + std::to_string(i)).c_str());
                handles.push_back(consumer.registerClient(request, images));
                if (i % 1000 == 999) consumer.dispatch(OmmConsumer::NoWaitEnum);
            }
            for (const auto end = Clock::now() + std::chrono::seconds(60); images.count < items;) {
                if (Clock::now() > end) {
                    std::fprintf(stderr, "%zu of %zu images came within a minute\n", images.count, items);
                    return 1;
                }
                consumer.dispatch(100'000);
            }
            say("open");
            for (const UInt64 handle : handles)
                consumer.unregister(handle);
            handles.clear();
            dispatchFor(consumer, seconds);
            say("closed");
        }
    } catch (const OmmException& failure) {
        std::fprintf(stderr, "%s\n", failure.getText().c_str());
        return 1;
    }
}

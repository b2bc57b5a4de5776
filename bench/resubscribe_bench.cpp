// How long it takes until every item has its image again after the provider was restarted.
//
//   resubscribe_bench HOST:PORT ITEMS     prints "ready" when all items have their image, then a line for each restart
//
// The provider is a program of its own: end_to_end.py --only resubscribe starts, kills and starts it again.
#include "Ema.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;
using Clock = std::chrono::steady_clock;

/// Everything runs on the dispatching thread.
class Recovery final : public OmmConsumerClient {
public:
    explicit Recovery(std::size_t items) : imaged_(items, false), missing_(items), begin_(Clock::now()) {}

private:
    void onRefreshMsg(const RefreshMsg& message, const OmmConsumerEvent& event) override {
        if (message.getDomainType() == MMT_LOGIN) return;
        if (message.getState().getDataState() != OmmState::OkEnum) return;
        const auto item = reinterpret_cast<std::size_t>(event.getClosure());
        if (imaged_[item]) return;
        imaged_[item] = true;
        if (--missing_ != 0) return;
        const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
        std::printf(first_ ? "ready %zu items in %.3f s\n" : "again %zu items in %.3f s\n", imaged_.size(), seconds);
        std::fflush(stdout);
        first_ = false;
    }
    void onStatusMsg(const StatusMsg& message, const OmmConsumerEvent&) override {
        if (message.getDomainType() != MMT_LOGIN || !message.hasState()) return;
        if (message.getState().getDataState() == OmmState::SuspectEnum) {
            imaged_.assign(imaged_.size(), false);
            missing_ = imaged_.size();
        }
        begin_ = Clock::now();  // the last such status before the images: the connection is back
    }

    std::vector<bool> imaged_;
    std::size_t missing_;
    Clock::time_point begin_;
    bool first_ = true;
};

}  // namespace

int main(int argc, char** argv) {
    const std::size_t items = argc == 3 ? std::strtoull(argv[2], nullptr, 10) : 0;
    if (items == 0) {
        std::fprintf(stderr, "usage: resubscribe_bench HOST:PORT ITEMS\n");
        return 2;
    }
    try {
        Recovery recovery(items);
        OmmConsumer consumer(OmmConsumerConfig().host(argv[1]).operationModel(OmmConsumerConfig::UserDispatchEnum));
        ReqMsg login;
        login.domainType(MMT_LOGIN);
        consumer.registerClient(login, recovery);
        ReqMsg request;
        for (std::size_t i = 0; i < items; ++i) {
            request.clear().serviceName("DIRECT_FEED").name(("ITEM" + std::to_string(i)).c_str());
            consumer.registerClient(request, recovery, reinterpret_cast<void*>(i));
            if (i % 1000 == 999) consumer.dispatch(OmmConsumer::NoWaitEnum);
        }
        for (;;)
            consumer.dispatch(1'000'000);
    } catch (const OmmException& failure) {
        std::fprintf(stderr, "%s\n", failure.getText().c_str());
        return 1;
    }
}

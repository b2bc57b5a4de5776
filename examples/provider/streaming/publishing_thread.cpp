// Lets the library's own thread call back (API dispatch, the default) and publishes from a thread of the application:
// submit() may be called from any thread. The list of open items is shared, so it has a lock.
//
//     publishing_thread [port]     ends when its client has gone, or after 60 seconds
#include "Ema.h"

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <set>
#include <thread>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

class Source : public OmmProviderClient {
public:
    // Publishes to every open item until the client has gone.
    void publish(OmmProvider& provider) {
        std::unique_lock lock(mutex_);
        for (Int64 price = 3990; !clientHasGone_; ++price) {
            const std::set<UInt64> items = items_;
            // Not while holding the lock: submit() waits for a running callback, and the callback for the lock.
            lock.unlock();
            for (const UInt64 item : items) {
                try {
                    provider.submit(
                        UpdateMsg().payload(FieldList().addReal(22, price, OmmReal::ExponentNeg2Enum).complete()),
                        item);
                } catch (const OmmInvalidUsageException&) {
                    // The item was closed while we were on our way.
                }
            }
            lock.lock();
            changed_.wait_for(lock, std::chrono::milliseconds(10), [this] { return clientHasGone_; });
        }
    }
    void waitUntilClientHasGone() {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, std::chrono::seconds(60), [this] { return clientHasGone_; });
        clientHasGone_ = true;
        changed_.notify_all();
    }

private:
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        RefreshMsg answer;
        answer.domainType(request.getDomainType()).name(request.getName()).solicited(true).state().complete(true);
        if (request.getDomainType() == MMT_LOGIN) answer.nameType(USER_NAME);
        else
            answer.serviceId(request.getServiceId())
                .payload(FieldList().addReal(22, 3990, OmmReal::ExponentNeg2Enum).complete());
        event.getProvider().submit(answer, event.getHandle());
        if (request.getDomainType() == MMT_LOGIN) return;
        const std::lock_guard lock(mutex_);
        items_.insert(event.getHandle());
    }
    void onClose(const ReqMsg& request, const OmmProviderEvent& event) override {
        const std::lock_guard lock(mutex_);
        items_.erase(event.getHandle());
        if (request.getDomainType() != MMT_LOGIN) return;
        items_.clear();
        clientHasGone_ = true;
        changed_.notify_all();
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::set<UInt64> items_;
    bool clientHasGone_ = false;
};

int main(int argc, char* argv[]) {
    try {
        Source source;
        OmmProvider provider(OmmIProviderConfig().port(argc > 1 ? argv[1] : "14002"), source);
        std::cout << "ready" << std::endl;
        std::thread publisher([&] { source.publish(provider); });
        source.waitUntilClientHasGone();
        publisher.join();
        std::cout << "the publisher has stopped" << std::endl;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}

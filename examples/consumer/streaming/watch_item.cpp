// Opens one item and prints what comes: the image, the updates, and any change of state. The library's own thread calls
// back (API dispatch, the default); the main thread is free for other things and here just waits.
//
//     watch_item [host:port [updates]]     run provider/prices/quotes first
#include "Ema.h"

#include <condition_variable>
#include <cstdlib>
#include <iostream>
#include <mutex>

using namespace refinitiv::ema::access;

class ItemWatcher : public OmmConsumerClient {
public:
    explicit ItemWatcher(int updates) : left_(updates) {}

    bool wait() {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, std::chrono::seconds(30), [this] { return left_ <= 0; });
    }

private:
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        std::cout << "image of " << msg.getName() << " from " << msg.getServiceName() << ", "
                  << msg.getState().toString() << std::endl;
        print(msg.getPayload().getFieldList());
    }
    void onUpdateMsg(const UpdateMsg& msg, const OmmConsumerEvent&) override {
        std::cout << "update of " << msg.getName() << std::endl;
        print(msg.getPayload().getFieldList());
        const std::lock_guard lock(mutex_);
        if (--left_ <= 0) changed_.notify_one();
    }
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {
        if (msg.hasState()) std::cout << "state of " << msg.getName() << ": " << msg.getState().toString() << std::endl;
    }

    static void print(const FieldList& fields) {
        while (fields.forth())
            std::cout << "    " << fields.getEntry().getName() << " = " << fields.getEntry().getLoad().toString()
                      << std::endl;
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    int left_;
};

int main(int argc, char* argv[]) {
    try {
        ItemWatcher watcher(argc > 2 ? std::atoi(argv[2]) : 5);
        // Connects, logs in, and fetches directory and dictionary before it returns.
        OmmConsumer consumer(OmmConsumerConfig().host(argc > 1 ? argv[1] : "localhost:14002").username("user"));
        const UInt64 item = consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("EMI.X"), watcher);
        const bool seen = watcher.wait();
        consumer.unregister(item);  // the destructor would do it too
        return seen ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}

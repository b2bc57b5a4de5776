// Hands messages over to a thread of its own: what a callback gets lives until the callback returns, a copy lives as
// long as it is wanted. The callback stays short, the work is done elsewhere.
//
//     hand_over [host:port]     run provider/streaming/publishing_thread first
#include "Ema.h"

#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <memory>
#include <mutex>
#include <thread>

using namespace refinitiv::ema::access;

class MessageQueue {
public:
    void push(std::unique_ptr<UpdateMsg> msg) {
        const std::lock_guard lock(mutex_);
        messages_.push_back(std::move(msg));
        filled_.notify_one();
    }
    // Nothing when no message came within five seconds.
    std::unique_ptr<UpdateMsg> pop() {
        std::unique_lock lock(mutex_);
        if (!filled_.wait_for(lock, std::chrono::seconds(5), [this] { return !messages_.empty(); })) return nullptr;
        auto msg = std::move(messages_.front());
        messages_.pop_front();
        return msg;
    }

private:
    std::mutex mutex_;
    std::condition_variable filled_;
    std::deque<std::unique_ptr<UpdateMsg>> messages_;
};

class Forwarder : public OmmConsumerClient {
public:
    explicit Forwarder(MessageQueue& queue) : queue_(queue) {}

private:
    void onUpdateMsg(const UpdateMsg& msg, const OmmConsumerEvent&) override {
        queue_.push(std::make_unique<UpdateMsg>(msg));  // one allocation, and everything in it is still readable
    }
    MessageQueue& queue_;
};

int main(int argc, char* argv[]) {
    try {
        MessageQueue queue;
        Forwarder forwarder(queue);
        OmmConsumer consumer(OmmConsumerConfig().host(argc > 1 ? argv[1] : "localhost:14002"));
        consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("EMI.X"), forwarder);
        int done = 0;
        std::thread worker([&] {
            double last = 0;
            while (done < 10) {
                const auto msg = queue.pop();
                if (!msg) break;
                const FieldList& fields = msg->getPayload().getFieldList();
                if (!fields.forth("BID")) continue;
                const double bid = fields.getEntry().getReal().getAsDouble();
                if (bid < last) std::cout << "out of order" << std::endl;
                last = bid;
                ++done;
            }
        });
        worker.join();
        std::cout << done << " messages in the worker" << std::endl;
        return done == 10 ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}

// A consumer inside the event loop of an application: plain epoll here, and the same with asio, libuv or a GUI. The
// consumer has no descriptor of its own to poll. So one thread does nothing but dispatch(), which makes the callbacks;
// they put what came into a queue and write an eventfd. The loop polls that descriptor beside its own ones (a timer
// here), and takes the queue when it is readable: the application's data is touched by the loop's thread alone.
//
//     epoll_loop [host:port]     run provider/prices/quotes first
//
// What to poll: the eventfd. When to dispatch: always, on the thread for it; it sleeps while nothing comes. With asio
// the eventfd becomes a posix::stream_descriptor, or the callback calls post() on the io_context in its place.
#include "Ema.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

using namespace refinitiv::ema::access;

/// Callbacks on one side, the loop on the other.
class Inbox : public OmmConsumerClient {
public:
    struct Event {
        std::string what, item;
        double bid;
    };

    Inbox() : fd_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}
    ~Inbox() override { close(fd_); }

    int fd() const { return fd_; }
    /// What came since the last call; the loop calls this when fd() is readable.
    std::deque<Event> take() {
        std::uint64_t count = 0;
        if (read(fd_, &count, sizeof count) < 0) return {};  // somebody else took it
        const std::lock_guard lock(mutex_);
        return std::exchange(events_, {});
    }

private:
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override { put("image", msg); }
    void onUpdateMsg(const UpdateMsg& msg, const OmmConsumerEvent&) override { put("update", msg); }
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {
        if (msg.hasState()) std::cerr << msg.getState().toString() << std::endl;
    }

    // Copies what the loop needs: a message is gone when the callback returns.
    template <class Message>
    void put(const char* what, const Message& msg) {
        const FieldList& fields = msg.getPayload().getFieldList();
        const double bid = fields.forth(22) ? fields.getEntry().getReal().getAsDouble() : 0;
        {
            const std::lock_guard lock(mutex_);
            events_.push_back({what, msg.hasName() ? msg.getName().c_str() : "", bid});
        }
        const std::uint64_t one = 1;
        if (write(fd_, &one, sizeof one) < 0) std::cerr << "the loop is far behind" << std::endl;
    }

    const int fd_;
    std::mutex mutex_;
    std::deque<Event> events_;  // guarded by mutex_
};

int main(int argc, char* argv[]) {
    try {
        Inbox inbox;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("EMI.X"), inbox);
        std::atomic<bool> over{false};
        std::thread dispatching([&] {
            while (!over)
                consumer.dispatch(100'000);  // returns soon after `over` as well
        });

        const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
        const itimerspec everyTenth{{0, 100'000'000}, {0, 100'000'000}};
        timerfd_settime(timer, 0, &everyTenth, nullptr);
        const int loop = epoll_create1(EPOLL_CLOEXEC);
        for (const int fd : {inbox.fd(), timer}) {
            epoll_event wanted{};
            wanted.events = EPOLLIN;
            wanted.data.fd = fd;
            epoll_ctl(loop, EPOLL_CTL_ADD, fd, &wanted);
        }

        int images = 0, updates = 0, ticks = 0;
        while ((updates < 10 || ticks < 2) && ticks < 300) {
            epoll_event ready[2];
            const int found = epoll_wait(loop, ready, 2, -1);
            for (int i = 0; i < found; ++i) {
                if (ready[i].data.fd == inbox.fd()) {
                    for (const Inbox::Event& event : inbox.take())
                        ++(event.what == "image" ? images : updates);
                    continue;
                }
                std::uint64_t count = 0;
                if (read(timer, &count, sizeof count) > 0) ticks += static_cast<int>(count);
            }
        }
        over = true;
        dispatching.join();
        close(loop);
        close(timer);
        if (updates < 10) return EXIT_FAILURE;
        std::cout << images << " image and ten updates or more, and the timer in between" << std::endl;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}

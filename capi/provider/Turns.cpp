// capi/provider: the loop of the thread that works in turns.
#include "provider/Turns.h"

#include <chrono>
#include <utility>

#include <pthread.h>

namespace emissary::capi {

Turns::Turns(const char* thread, std::function<Left()> turn)
    : name_(thread), turn_(std::move(turn)), thread_([this] { run(); }) {}

Turns::~Turns() {
    end();
}

void Turns::end() {
    {
        const std::lock_guard hold(lock_);
        ends_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void Turns::begin() {
    {
        const std::lock_guard hold(lock_);
        wanted_ = true;
    }
    changed_.notify_all();
}

void Turns::run() {
    // Room comes as the peer reads; nobody says when.
    constexpr std::chrono::milliseconds kUntilRoom{5};
    pthread_setname_np(pthread_self(), name_);
    std::unique_lock hold(lock_);
    for (;;) {
        changed_.wait(hold, [this] { return wanted_ || ends_; });
        if (ends_) return;
        wanted_ = false;
        hold.unlock();
        const Left left = turn_();
        hold.lock();
        if (left == Left::moreWhenThereIsRoom) changed_.wait_for(hold, kUntilRoom, [this] { return ends_; });
        if (left != Left::nothing) wanted_ = true;
    }
}

}  // namespace emissary::capi

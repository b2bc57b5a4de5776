// hub/delay: does one job after the other, and wakes the loop for the answers.
#include "hub/delay/Disk.h"

#include "hub/core/NoSignals.h"
#include "reactor/threads.h"

#include <sys/epoll.h>
#include <unistd.h>

namespace emissary::hub::delay {

DiskThread::DiskThread(reactor::Reactor& reactor, std::unique_ptr<SpillFile> file)
    : reactor_(reactor), file_(std::move(file)) {
    reactor_.watch(done_, EPOLLIN, *this);
}

DiskThread::~DiskThread() {
    {
        const std::lock_guard guard(mutex_);
        ends_ = true;
    }
    wake_.notify_one();
    if (thread_.joinable()) thread_.join();
    reactor_.unwatch(done_);
}

void DiskThread::ask(DiskJob job) {
    if (!thread_.joinable()) {
        const NoSignals inherited;
        thread_ = std::thread([this] { run(); });
    }
    {
        const std::lock_guard guard(mutex_);
        // Room for the answer is made here, since the thread has nobody to tell that there is none.
        answers_.reserve(answers_.size() + asked_.size() + 2);
        asked_.push_back(std::move(job));
    }
    wake_.notify_one();
}

void DiskThread::run() {
    reactor::nameThisThread("hub-delay");
    std::unique_lock guard(mutex_);
    for (;;) {
        wake_.wait(guard, [this] { return ends_ || !asked_.empty(); });
        if (ends_) return;
        DiskJob job = std::move(asked_.front());
        asked_.erase(asked_.begin());
        guard.unlock();
        job.error =
            job.kind == DiskJob::Kind::write ? file_->write(job.slot, *job.bytes) : file_->read(job.slot, *job.bytes);
        guard.lock();
        answers_.push_back(std::move(job));
        const std::uint64_t one = 1;
        (void)!::write(done_, &one, sizeof one);
    }
}

void DiskThread::onReady(std::uint32_t) noexcept {
    std::uint64_t count = 0;
    (void)!::read(done_, &count, sizeof count);
    std::vector<DiskJob> answers;
    {
        const std::lock_guard guard(mutex_);
        answers.swap(answers_);
    }
    for (DiskJob& job : answers)
        answered(job);
}

}  // namespace emissary::hub::delay

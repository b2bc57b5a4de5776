// Work that one event causes for many items, done in pieces.
#pragma once

#include "hub/core/Source.h"
#include "reactor/Reactor.h"

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <utility>

namespace emissary::hub::source {

/// Which work it is: the items of one service at one source, or (source null) of the whole service.
struct SliceKey {
    std::uint16_t service = 0;
    const Source* source = nullptr;
    friend bool operator==(const SliceKey&, const SliceKey&) = default;
};

/// Jobs run one behind the other, in steps. A turn of the reactor gives them kBudget; what is left goes on in the next
/// turn, so that nobody who sends meanwhile waits longer than that. Small work is done inside add(). On the reactor's
/// thread.
class Slices {
public:
    /// Of one turn, for all jobs together.
    static constexpr std::chrono::microseconds kBudget{2000};
    /// One step; false: there is none left. Steps are small: an item, a group.
    using Step = std::function<bool()>;

    explicit Slices(reactor::Reactor& reactor) noexcept : reactor_(reactor) {}
    ~Slices() { reactor_.cancelTimer(timer_); }
    Slices(const Slices&) = delete;
    Slices& operator=(const Slices&) = delete;

    void add(SliceKey key, Step step) {
        jobs_.push_back(std::make_unique<Job>(Job{key, std::move(step)}));
        if (!running_ && jobs_.size() == 1) run();
    }
    /// Jobs that `which` picks are done to their end now, whatever it takes.
    template <class Which>
    void finish(Which which) {
        for (std::size_t at = 0; at < jobs_.size();) {
            Job& job = *jobs_[at];
            if (!which(job.key) || job.inStep) {
                ++at;
                continue;
            }
            const std::unique_ptr<Job> taken = std::move(jobs_[at]);
            jobs_.erase(jobs_.begin() + static_cast<std::ptrdiff_t>(at));
            while (taken->step()) {}
            at = 0;  // a step may have changed the list
        }
    }
    template <class Which>
    [[nodiscard]] bool any(Which which) const {
        for (const auto& job : jobs_)
            if (which(job->key)) return true;
        return false;
    }
    [[nodiscard]] bool empty() const noexcept { return jobs_.empty(); }

private:
    struct Job {
        SliceKey key;
        Step step;
        bool inStep = false;
    };
    void run() {
        if (timer_ == 0)  // begins the next turn's budget, and comes again for what is left
            timer_ = reactor_.startTimer(reactor::Duration::zero(), [this] {
                timer_ = 0;
                spent_ = {};
                if (!jobs_.empty()) run();
            });
        if (spent_ >= kBudget) return;
        running_ = true;
        const auto begin = std::chrono::steady_clock::now();
        const auto end = begin + (kBudget - spent_);
        auto now = begin;
        try {
            for (unsigned n = 1; !jobs_.empty() && now < end; ++n) {
                Job& job = *jobs_.front();
                job.inStep = true;
                const bool more = job.step();
                job.inStep = false;
                if (!more) jobs_.pop_front();
                if (n % kStepsUntilLook == 0 || !more) now = std::chrono::steady_clock::now();
            }
        } catch (...) {
            if (!jobs_.empty()) jobs_.front()->inStep = false;
            running_ = false;
            throw;
        }
        running_ = false;
        spent_ += now - begin;
    }

    static constexpr unsigned kStepsUntilLook = 4;
    reactor::Reactor& reactor_;
    std::deque<std::unique_ptr<Job>> jobs_;
    bool running_ = false;
    std::chrono::steady_clock::duration spent_{};
    reactor::TimerId timer_ = 0;
};

}  // namespace emissary::hub::source

// Work that one event causes for many items, done in pieces.
#pragma once

#include "hub/core/Source.h"
#include "reactor/Reactor.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <list>
#include <map>
#include <tuple>
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
        jobs_.push_back(Job{key, ++added_, std::move(step)});
        try {
            byKey_.emplace(placeOf(jobs_.back()), std::prev(jobs_.end()));
        } catch (...) {  // list and index agree, also where memory has run out
            jobs_.pop_back();
            throw;
        }
        if (!running_ && jobs_.size() == 1) run();
    }
    /// There is a job with this key.
    [[nodiscard]] bool has(SliceKey key) const noexcept {
        const auto at = byKey_.lower_bound({key.service, key.source, 0});
        return at != byKey_.end() && at->second->key == key;
    }
    /// Jobs with this key are done to their end now, whatever it takes.
    void finish(SliceKey key) {
        finishFrom({key.service, key.source, 0}, [key](const SliceKey& other) { return other == key; });
    }
    /// Likewise those of a service, in the order in which they came.
    void finishOf(std::uint16_t service) {
        finishFrom({service, nullptr, 0}, [service](const SliceKey& other) { return other.service == service; });
    }
    /// Likewise those about a source; looks at every job.
    void finishOf(const Source& source) {
        const auto mine = [&source](const Job& job) { return job.key.source == &source && !job.inStep; };
        // A step may have changed the list.
        for (auto at = std::ranges::find_if(jobs_, mine); at != jobs_.end(); at = std::ranges::find_if(jobs_, mine))
            finish(at);
    }
    [[nodiscard]] bool empty() const noexcept { return jobs_.empty(); }

private:
    struct Job {
        SliceKey key;
        std::uint64_t number = 0;
        Step step;
        bool inStep = false;
    };
    using Jobs = std::list<Job>;  // in the order in which they came
    using Place = std::tuple<std::uint16_t, const Source*, std::uint64_t>;
    [[nodiscard]] static Place placeOf(const Job& job) noexcept {
        return {job.key.service, job.key.source, job.number};
    }
    template <class Which>
    void finishFrom(const Place& first, Which which) {
        for (;;) {
            auto oldest = jobs_.end();  // a service has few jobs
            for (auto at = byKey_.lower_bound(first); at != byKey_.end() && which(at->second->key); ++at)
                if (!at->second->inStep && (oldest == jobs_.end() || at->second->number < oldest->number))
                    oldest = at->second;
            if (oldest == jobs_.end()) return;
            finish(oldest);
        }
    }
    void finish(Jobs::iterator job) {
        Jobs taken;
        byKey_.erase(placeOf(*job));
        taken.splice(taken.begin(), jobs_, job);
        while (taken.front().step()) {}
    }
    void popFirst() noexcept {
        byKey_.erase(placeOf(jobs_.front()));
        jobs_.pop_front();
    }
    void run() {
        if (timer_ == 0)  // begins the next turn's budget, and comes again for what is left
            timer_ = reactor_.startTimer(reactor::Duration::zero(), [this] {
                timer_ = 0;
                spent_ = {};
                if (!jobs_.empty()) run();
            });
        if (spent_ >= kBudget) return;
        running_ = true;
        const reactor::TimePoint begin = reactor_.readClock();
        const auto end = begin + (kBudget - spent_);
        reactor::TimePoint now = begin;
        try {
            for (unsigned n = 1; !jobs_.empty() && now < end; ++n) {
                Job& job = jobs_.front();
                job.inStep = true;
                const bool more = job.step();
                job.inStep = false;
                if (!more) popFirst();
                if (n % kStepsUntilLook == 0 || !more) now = reactor_.readClock();
            }
        } catch (...) {
            if (!jobs_.empty()) jobs_.front().inStep = false;
            running_ = false;
            throw;
        }
        running_ = false;
        spent_ += now - begin;
    }

    static constexpr unsigned kStepsUntilLook = 4;
    reactor::Reactor& reactor_;
    Jobs jobs_;
    std::map<Place, Jobs::iterator> byKey_;
    std::uint64_t added_ = 0;
    bool running_ = false;
    reactor::Duration spent_{};
    reactor::TimerId timer_ = 0;
};

}  // namespace emissary::hub::source

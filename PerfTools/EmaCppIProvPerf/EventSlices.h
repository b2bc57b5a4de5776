// PerfTools/EmaCppIProvPerf: batches of item events that are worked off in slices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace emissary::perf {

/// Requests come faster than they are served, and updates are due between them. `Batch` has events with the length of
/// their names, the names one behind the other, and posts (ItemEvents).
template <class Batch>
class EventSlices {
public:
    /// `most`: events of one slice.
    explicit EventSlices(std::uint32_t most) noexcept : most_(most) {}
    /// Some of the batch have not had their turn.
    [[nodiscard]] bool left() const noexcept { return next_ < batch_.events.size(); }
    /// Works the next slice off, `event(const Event&, name)` for each event; `post(const Post&)` for each post of a
    /// batch that is complete. The next batch is taken by `take(Batch&)`. Returns how many events there were.
    template <class Take, class OnEvent, class OnPost>
    std::uint32_t work(Take&& take, OnEvent&& event, OnPost&& post) {
        if (!left()) {
            take(batch_);
            next_ = name_ = 0;
        }
        std::uint32_t done = 0;
        for (; done != most_ && left(); ++done) {
            const auto& current = batch_.events[next_++];
            const std::string_view name = std::string_view(batch_.names).substr(name_, current.nameLength);
            name_ += current.nameLength;
            event(current, name);
        }
        if (left()) return done;
        for (const auto& each : batch_.posts)
            post(each);
        batch_.posts.clear();
        return done;
    }

private:
    const std::uint32_t most_;
    Batch batch_;
    std::size_t next_ = 0, name_ = 0;  // of the batch: the next event, and where its name begins
};

}  // namespace emissary::perf

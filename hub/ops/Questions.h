// Questions of other threads to the hub: asked on its loop, answered within a time that cannot hold it up.
#pragma once

#include "hub/ops/Inspector.h"
#include "hub/ops/Pulse.h"
#include "reactor/metrics/Snapshot.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

namespace emissary::hub::ops {

/// Any thread but the reactor's may ask; it waits for `patience` at most. Goes before the rooms do.
class Questions {
public:
    Questions(Inspected hub, std::chrono::milliseconds patience);
    ~Questions();
    Questions(const Questions&) = delete;
    Questions& operator=(const Questions&) = delete;

    /// Its functions are for questions, which run on the reactor's thread.
    [[nodiscard]] Inspector& inspector() noexcept { return inspector_; }
    [[nodiscard]] const Inspector& inspector() const noexcept { return inspector_; }
    /// Whether the loop turns.
    [[nodiscard]] bool beats() noexcept { return pulse_->beats(patience_); }
    [[nodiscard]] std::chrono::milliseconds age() const noexcept {
        return pulse_->age();
    }  ///< of the end of its last turn

    /// Runs `question` on the reactor's thread; false when the answer takes too long, and then it may run yet.
    [[nodiscard]] bool ask(std::function<void()> question);
    /// Has it run there, without waiting.
    void post(std::function<void()> call);
    /// ask() with an answer; empty when it takes too long.
    template <class Question>
    [[nodiscard]] auto asked(Question question) -> std::shared_ptr<decltype(question())> {
        using Answer = decltype(question());
        auto answer = std::make_shared<Answer>();  // the call may come when nobody waits any more
        if (!ask([answer, question] { *answer = question(); })) return {};
        return answer;
    }

    /// All counts of the hub, with the levels that are looked up for each request. Nothing when the hub does not
    /// answer.
    [[nodiscard]] std::optional<reactor::metrics::Snapshot> counts();
    /// The same for the reactor's own thread.
    [[nodiscard]] reactor::metrics::Snapshot countsHere();

private:
    Inspector inspector_;
    const std::chrono::milliseconds patience_;
    std::unique_ptr<Pulse> pulse_;
};

}  // namespace emissary::hub::ops

// A consumer that changes its mind: pauses, resumes, reissues, closes and asks again.
#pragma once

#include "Watched.h"

#include <deque>

namespace emissary::truthfeed {

/// Changes streams at random. What is missed meanwhile must be marked by an image; nothing may be lost for good.
/// Borrows all.
class Restless {
public:
    /// `reopen` closes the item's stream and asks for it anew.
    using Reopen = std::function<void(Watched&)>;
    Restless(refinitiv::ema::access::OmmConsumer& consumer, std::deque<Watched>& items, std::int64_t staleMs,
             Reopen reopen)
        : consumer_(consumer), items_(items), staleMs_(staleMs), reopen_(std::move(reopen)) {}

    /// One change of one item, or of all by the login.
    void change(std::uint64_t loginHandle, Dice& dice);
    /// Resumes what has been paused long enough; `all`: whatever is paused.
    void resumeDue(std::uint64_t loginHandle, Dice& dice, bool all);
    /// An image has come.
    void imageCame(Watched& item, bool solicited);
    [[nodiscard]] std::string result() const { return "changes=" + std::to_string(changes_); }

private:
    /// False: the login cannot be reissued now.
    [[nodiscard]] bool pauseAll(std::uint64_t loginHandle, bool pause);
    void pause(Watched& item, Dice& dice);
    void resume(Watched& item, bool image);
    /// A request as it was, with its view.
    [[nodiscard]] static refinitiv::ema::access::ReqMsg& again(refinitiv::ema::access::ReqMsg& msg,
                                                               const Watched& item);
    [[nodiscard]] bool reissue(const Watched& item, const refinitiv::ema::access::ReqMsg& msg);

    refinitiv::ema::access::OmmConsumer& consumer_;
    std::deque<Watched>& items_;
    const std::int64_t staleMs_;
    const Reopen reopen_;
    std::int64_t allResumeMs_ = 0;  // not 0: all are paused until then
    std::uint64_t changes_ = 0;
};

}  // namespace emissary::truthfeed

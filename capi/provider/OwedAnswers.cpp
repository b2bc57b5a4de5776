// capi/provider: tries owed answers again until there is room for each.
#include "provider/OwedAnswers.h"

#include <limits>

using namespace refinitiv::ema::access;

namespace emissary::capi {
namespace {

constexpr UInt64 kBehindAll = std::numeric_limits<UInt64>::max();

}  // namespace

bool OwedAnswers::hasRoom(const std::function<void()>& submit) {
    try {
        submit();
        return true;
    } catch (const OmmInvalidUsageException& failure) {
        if (failure.getErrorCode() != OmmInvalidUsageException::NoBuffersEnum) throw;
        return false;
    }
}

void OwedAnswers::add(Handle client, Handle stream, Send send) {
    {
        const std::lock_guard hold(lock_);
        owed_[{client, stream}] = {++last_, std::move(send)};
    }
    turns_.begin();
}

bool OwedAnswers::has(Handle client, Handle stream) {
    const std::lock_guard hold(lock_);
    return owed_.count({client, stream}) != 0;
}

void OwedAnswers::forget(Handle client, Handle stream) {
    const std::lock_guard hold(lock_);
    owed_.erase({client, stream});
}

void OwedAnswers::forget(Handle client) {
    const std::lock_guard hold(lock_);
    owed_.erase(owed_.lower_bound({client, 0}), owed_.upper_bound({client, kBehindAll}));
}

bool OwedAnswers::sendNow(Handle client, Handle stream) {
    const Key key{client, stream};
    Owed answer;
    {
        const std::lock_guard hold(lock_);
        const auto found = owed_.find(key);
        if (found == owed_.end()) return true;
        answer = found->second;
    }
    return send(key, answer);
}

bool OwedAnswers::send(const Key& key, const Owed& answer) {
    try {
        if (!hasRoom(answer.send)) return false;
    } catch (const OmmException&) {}  // the stream has gone just now
    // A callback may have added the answer to a later request of the stream meanwhile.
    const std::lock_guard hold(lock_);
    if (const auto at = owed_.find(key); at != owed_.end() && at->second.number == answer.number) owed_.erase(at);
    return true;
}

Turns::Left OwedAnswers::sendSome() noexcept {
    constexpr int kMostPerTurn = 64;
    Key at{served_, kBehindAll};
    bool sent = false, wrapped = false;
    try {
        for (int i = 0; i < kMostPerTurn; ++i) {
            // Locked for each one alone: publishers need not wait for all.
            sending_.lockAfterOne();
            const std::lock_guard order(sending_, std::adopt_lock);
            Owed answer;
            {
                const std::lock_guard hold(lock_);
                if (owed_.empty()) return Turns::Left::nothing;
                auto next = owed_.upper_bound(at);
                if (next == owed_.end() && !std::exchange(wrapped, true)) next = owed_.begin();
                if (next == owed_.end()) break;
                at = next->first;
                answer = next->second;
            }
            served_ = at.first;
            if (send(at, answer)) sent = true;
            else at.second = kBehindAll;
        }
    } catch (...) {}  // memory is short
    return sent ? Turns::Left::more : Turns::Left::moreWhenThereIsRoom;
}

}  // namespace emissary::capi

// capi/provider: posts, generic messages, requests and logins that have come to a provider, until the program takes
// them.
#pragma once

#include "emissary.h"

#include "Ema.h"
#include "batch/Batch.h"

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace emissary::capi {

/// Any thread; waits hold no lock.
class Inbox {
public:
    static constexpr std::size_t kMost = 10'000;

    /// False when it is full: the message was not taken. `item` and `service` are the names where the message does not
    /// say them, `number` the row's item: 0, or the number of a login.
    bool add(emi_type type, const refinitiv::ema::access::Msg& msg, const std::string& item, const std::string& service,
             std::uint64_t number = 0);
    /// Waits up to `timeoutMs` (-1: for ever) and hands out what has come, never null.
    [[nodiscard]] std::unique_ptr<emi_batch> take(std::int64_t timeoutMs);

private:
    std::mutex lock_;
    std::condition_variable came_;
    Layout layout_;                       // under lock_
    std::unique_ptr<emi_batch> waiting_;  // under lock_; null when there is nothing
};

}  // namespace emissary::capi

// capi/provider: one batch fills while the program has the one before.
#include "provider/Inbox.h"

#include "calls/calls.h"
#include "calls/wall_clock.h"

#include <chrono>

namespace emissary::capi {
namespace {

constexpr std::size_t kRows = 64;  // to begin with

}  // namespace

bool Inbox::add(emi_type type, const refinitiv::ema::access::Msg& msg, const std::string& item,
                const std::string& service, std::uint64_t number) {
    const std::lock_guard hold(lock_);
    if (!waiting_) waiting_ = std::make_unique<emi_batch>(kRows);
    // Full: the program has not read for long. The message is refused, and the post's ack says so.
    if (waiting_->item.size() >= kMost) return false;
    // Messages to a provider belong to no item that the program opened: the name is in the header.
    waiting_->addRow(number, wallClock(), type, EMI_CURRENT);
    waiting_->addMessage(layout_, msg);
    auto& header = waiting_->extras.back().header;
    // A message on an open stream may leave the names out; only the stream knows them then.
    if (header->name.empty()) header->name = item;
    if (header->service.empty()) header->service = service;
    came_.notify_all();
    return true;
}

std::unique_ptr<emi_batch> Inbox::take(std::int64_t timeoutMs) {
    constexpr std::int64_t kLongestMs = 1'000'000'000;
    if (timeoutMs < -1)
        throw Failure(EMI_E_ARGUMENT, "timeout_ms is " + std::to_string(timeoutMs) + "; -1 waits for ever");
    std::unique_lock hold(lock_);
    const auto came = [this] { return waiting_ != nullptr; };
    if (timeoutMs < 0) came_.wait(hold, came);
    else came_.wait_for(hold, std::chrono::milliseconds(std::min(timeoutMs, kLongestMs)), came);
    // An empty batch instead of null: callers need no second path for "nothing came".
    auto batch = waiting_ ? std::move(waiting_) : std::make_unique<emi_batch>(std::size_t{0});
    batch->finish(layout_);
    return batch;
}

}  // namespace emissary::capi

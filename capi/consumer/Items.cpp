// capi/consumer: adds items and requests, and forgets them.
#include "consumer/Items.h"

#include "calls/calls.h"

#include <algorithm>

namespace emissary::capi {

Items::Item& Items::add(const char* service, const char* name) {
    Item& item = items_[++last_];
    item.number = last_;
    item.name = name;
    item.service = service;
    item.open = true;
    return item;
}

Items::Closure& Items::addRequest() {
    auto made = std::make_unique<Closure>();
    Closure& request = *made;
    requests_.emplace(&request, std::move(made));
    return request;
}

Items::Item* Items::find(std::uint64_t number) {
    const auto found = items_.find(number);
    return found == items_.end() ? nullptr : &found->second;
}

const Items::Item& Items::at(std::uint64_t number) const {
    if (const auto found = items_.find(number); found != items_.end()) return found->second;
    const bool forgotten = number != 0 && number <= last_;
    throw Failure(EMI_E_ITEM,
                  forgotten ? "item " + std::to_string(number) + " is closed, and so long that nothing is known of it"
                            : "there is no item " + std::to_string(number));
}

bool Items::anyOpen() const {
    return std::any_of(items_.begin(), items_.end(),
                       [](const auto& known) { return known.second.open && known.second.state < EMI_COMPLETE; });
}

void Items::forget() noexcept {
    for (; closed_.size() > kKeptClosed; closed_.pop_front()) {
        const auto found = items_.find(closed_.front());
        Closure* const request = found->second.request;
        items_.erase(found);
        if (request == nullptr) continue;
        --request->kept;
        release(*request);
    }
}

void Items::refused(Closure& request) noexcept {
    request.unnamed = 0;
    request.split = true;
    release(request);
}

void Items::release(const Closure& request) noexcept {
    if (request.kept == 0 && request.unnamed == 0 && request.split) requests_.erase(&request);
}

}  // namespace emissary::capi

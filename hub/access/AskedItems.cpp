// A table of answers with the oldest at hand.
#include "hub/access/AskedItems.h"

#include <utility>

namespace emissary::hub::access {

std::string AskedItems::keyOf(const client::RequestAsk& ask) {
    std::string key;
    for (const std::string_view part : {ask.user, ask.service, ask.name}) {
        // The length in front: no two requests have one key.
        key += std::to_string(part.size());
        key += ' ';
        key += part;
    }
    key += static_cast<char>(ask.domain);
    return key;
}

const AskedItems::Answer* AskedItems::find(std::string_view key) const noexcept {
    const auto at = answers_.find(key);
    return at == answers_.end() ? nullptr : &at->second.answer;
}

void AskedItems::put(const std::string& key, Answer answer) {
    auto at = answers_.find(key);
    if (at == answers_.end()) {
        if (answers_.size() >= most_) {
            // By iterator: the key that is erased is the text that the list points to.
            answers_.erase(answers_.find(*order_.front()));
            order_.pop_front();
        }
        at = answers_.emplace(key, Known{}).first;
        at->second.place = order_.insert(order_.end(), &at->first);
    }
    order_.splice(order_.end(), order_, at->second.place);
    at->second.answer = std::move(answer);
}

void AskedItems::doubt() noexcept {
    for (auto& [key, known] : answers_)
        known.answer.until = {};
}

}  // namespace emissary::hub::access

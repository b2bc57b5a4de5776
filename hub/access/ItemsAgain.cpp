// Puts questions about open items a slice at a time, as the program answers them.
#include "hub/access/ItemsAgain.h"

#include <algorithm>
#include <new>
#include <utility>

namespace emissary::hub::access {

namespace {

/// An answer that has not come by then never will; the next walk asks once more.
constexpr std::chrono::seconds kLate{10};
constexpr std::chrono::milliseconds kLook{250};

}  // namespace

ItemsAgain::~ItemsAgain() {
    reactor_.cancelTimer(timer_);
}

client::RequestAsk ItemsAgain::Kept::ask() const {
    client::RequestAsk made;
    made.user = user;
    made.groups = *groups;
    made.service = service;
    made.name = name;
    made.nameType = nameType;
    made.domain = domain;
    made.isPrivate = isPrivate;
    made.permData = permData;
    return made;
}

bool ItemsAgain::add(const client::RequestAsk& ask, const std::string& key) {
    if (kept_.contains(key)) return true;
    if (kept_.size() >= kMost) return false;
    if (groups_ == nullptr || !std::ranges::equal(*groups_, ask.groups))
        groups_ = std::make_shared<const std::vector<std::string>>(ask.groups.begin(), ask.groups.end());
    Kept made{std::string(ask.user),
              std::string(ask.service),
              std::string(ask.name),
              groups_,
              {ask.permData.begin(), ask.permData.end()},
              ask.nameType,
              ask.domain,
              ask.isPrivate};
    waits_.push_back(nullptr);  // what may fail for want of memory comes before the key is known
    try {
        waits_.back() = &kept_.emplace(key, std::move(made)).first->first;
    } catch (const std::bad_alloc&) {
        waits_.pop_back();
        throw;
    }
    counts_.again = kept_.size();
    goOnSoon();
    return true;
}

void ItemsAgain::goOnSoon() {
    // Behind whatever the turn has for clients.
    if (std::exchange(posted_, true)) return;
    reactor_.post([this, alive = std::weak_ptr<char>(alive_)] {
        if (alive.expired()) return;
        posted_ = false;
        goOn();
    });
}

void ItemsAgain::goOn() {
    endLate();
    std::size_t left = kSlice;  // of this turn, for those that need no question either
    for (; left != 0 && asked_.size() < kSlice && !waits_.empty(); --left) {
        const Place at = kept_.find(*waits_.front());
        waits_.pop_front();
        if (!events_.needed(at->first)) drop(at);
        else if (!put(at)) {
            waits_.push_front(&at->first);
            return lookLater();
        }
    }
    if (left == 0) goOnSoon();
    if (!kept_.empty()) lookLater();
    else groups_.reset();
}

bool ItemsAgain::put(Place at) {
    std::string why;
    const rest::Secret question = questionOf(at->second.ask(), why);
    if (question.empty()) {
        ++counts_.commandRefused;
        CommandAnswer no;
        no.text = "LoginCommand cannot be asked: " + why;
        end(at, &no);
        return true;
    }
    if (command_ == nullptr) return false;
    const auto id = std::make_shared<std::uint64_t>(0);
    *id = command_->ask(Command::Kind::again, question, [this, id](const CommandAnswer* answer) {
        const auto asked = asked_.find(*id);
        if (asked == asked_.end()) return;
        const Place found = kept_.find(*asked->second.key);
        asked_.erase(asked);
        end(found, answer);
        goOnSoon();
    });
    if (*id == 0) return false;
    asked_.emplace(*id, Asked{&at->first, reactor_.now()});
    return true;
}

void ItemsAgain::drop(Place at) noexcept {
    kept_.erase(at);
    counts_.again = kept_.size();
}

void ItemsAgain::end(Place at, const CommandAnswer* answer) {
    // Out of the list first: what follows may put it there again.
    const auto node = kept_.extract(at);
    counts_.again = kept_.size();
    events_.answered(node.key(), node.mapped().ask(), answer);
}

void ItemsAgain::endLate() {
    // By number, and so by age.
    while (!asked_.empty() && reactor_.now() - asked_.begin()->second.since >= kLate) {
        const auto [id, late] = *asked_.begin();
        asked_.erase(asked_.begin());
        command_->forget(id);
        end(kept_.find(*late.key), nullptr);
    }
}

void ItemsAgain::lookLater() {
    if (timer_ != 0) return;
    timer_ = reactor_.startTimer(kLook, [this] {
        timer_ = 0;
        goOn();
    });
}

}  // namespace emissary::hub::access

// hub/backbone: the rules of exported services as those of one client of the fan-out.
#include "hub/backbone/ExportRates.h"

#include <algorithm>
#include <utility>

namespace emissary::hub::backbone {

ExportRates::ExportRates(reactor::Reactor& reactor, ExportRules rules, Send send)
    : reactor_(reactor), rules_(std::move(rules)), send_(std::move(send)) {
    make();
}

void ExportRates::make() {
    joined_.reset();
    if (rules_.rules.empty()) return;
    fanout::RateRules made;
    made.services.assign(rules_.rules.begin(), rules_.rules.end());
    made.mostBytes = rules_.mostBytes;
    fanout::RateClasses::Sender& self = *this;
    auto joined = std::make_unique<Joined>(reactor_, counts_, self);
    joined->merger.setDictionary(dictionary_.get());
    joined->rates.setRules(made);
    joined->rates.addListener(rules_.types);
    joined_ = std::move(joined);
}

void ExportRates::setDictionary(const std::shared_ptr<const eta::dictionary::Dictionary>& dictionary) {
    dictionary_ = dictionary;
    if (joined_) joined_->merger.setDictionary(dictionary_.get());
}

void ExportRates::change(ExportRules rules) {
    if (rules == rules_) return;
    if (joined_) joined_->rates.sendAll();
    rules_ = std::move(rules);
    make();
}

std::uint8_t ExportRates::classOf(const Conflation& rule) const noexcept {
    const auto found = std::ranges::find(rules_.rules, rule);
    if (!joined_ || found == rules_.rules.end()) return kAsTheyCome;
    return joined_->rates.of(static_cast<std::uint8_t>(found - rules_.rules.begin()));
}

std::size_t ExportRates::sendToClass(std::uint32_t number, std::uint8_t, const eta::codec::Msg& msg) {
    send_(number, msg);
    return 1;
}

}  // namespace emissary::hub::backbone

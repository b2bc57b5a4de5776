// Collects the rules that can hold for a user, and finds the first for a name.
#include "hub/access/Permission.h"

#include "eta/core/printable.h"
#include "hub/access/glob.h"

#include <algorithm>
#include <limits>

namespace emissary::hub::access {

namespace {

constexpr std::size_t kMostRemembered = 4'000'000;  // places; about 100 MB with their names
constexpr Rules::Place kNone = std::numeric_limits<Rules::Place>::max();

/// With its length in front, so that no two lists of texts make the same key.
void append(std::string& key, char kind, std::string_view text) {
    const std::size_t n = text.size();
    key += kind;
    for (int shift = 0; shift < 32; shift += 8)
        key += static_cast<char>(n >> shift & 0xFF);
    key += text;
}

}  // namespace

const Rule* Permission::decide(const client::RequestAsk& ask) {
    const Names& names = namesFor(ask);
    Rules::Place best = kNone;
    if (const auto at = names.exact.find(ask.name); at != names.exact.end()) best = at->second;
    for (const Rules::Place place : names.open) {
        // Places are sorted, and the first rule of the file that fits decides: a later one cannot win any more.
        if (place > best) break;
        if (matches((*rules_)[place].name, ask.name)) best = place;
    }
    if (!ask.name.empty()) {
        const auto first = static_cast<unsigned char>(ask.name.front());
        auto at = std::ranges::lower_bound(names.begun, first, {}, &Names::Pattern::first);
        for (; at != names.begun.end() && at->first == first && at->place < best; ++at)
            if (matches((*rules_)[at->place].name, ask.name)) best = at->place;
    }
    return best == kNone ? nullptr : &(*rules_)[best];
}

/// The key has what the rules tell apart: a user or a group that no rule names is like any other.
const Permission::Names& Permission::namesFor(const client::RequestAsk& ask) {
    key_.clear();
    if (rules_->ofUser(ask.user) != nullptr) append(key_, 'u', ask.user);
    for (const std::string& group : ask.groups)
        if (rules_->ofGroup(group) != nullptr) append(key_, 'g', group);
    append(key_, 's', ask.service);
    key_ += static_cast<char>(ask.domain);
    if (const auto at = known_.find(key_); at != known_.end()) return at->second;
    Names made = make(ask);
    const std::size_t places = 1 + made.exact.size() + made.begun.size() + made.open.size();
    // All is forgotten at once: clients of few kinds fill it again soon, and no list of ages is kept.
    if (remembered_ + places > kMostRemembered) {
        known_.clear();
        remembered_ = 0;
    }
    remembered_ += places;
    return known_.emplace(key_, std::move(made)).first->second;
}

Permission::Names Permission::make(const client::RequestAsk& ask) const {
    std::vector<Rules::Place> all;
    const auto take = [&](const Rules::Place place) {
        const Rule& rule = (*rules_)[place];
        if ((!rule.domain || *rule.domain == ask.domain) && matches(rule.service, ask.service)) all.push_back(place);
    };
    std::ranges::for_each(rules_->ofEverybody(), take);
    if (const auto* const own = rules_->ofUser(ask.user)) std::ranges::for_each(*own, take);
    for (const std::string& group : ask.groups)
        if (const auto* const own = rules_->ofGroup(group)) std::ranges::for_each(*own, take);
    // In the order of the file, which is the order that decides.
    std::ranges::sort(all);
    Names made;
    for (const Rules::Place place : all) {
        const std::string& name = (*rules_)[place].name;
        if (!isPattern(name)) made.exact.emplace(name, place);
        else if (name.front() == '*' || name.front() == '?') made.open.push_back(place);
        else made.begun.push_back({static_cast<unsigned char>(name.front()), place});
        if (name == "*") break;  // nothing behind it is ever reached
    }
    std::ranges::sort(made.begun);
    return made;
}

std::string Permission::refusal(const client::RequestAsk& ask, const Rule* rule) {
    return "the user is not entitled to it: service '" + eta::printable(ask.service) + "', item '" +
           eta::printable(ask.name) + "': " +
           (rule == nullptr ? std::string("no rule allows it")
                            : "line " + std::to_string(rule->line) + " of the rules denies it");
}

}  // namespace emissary::hub::access

// Indexes the rules of everybody, of a user and of each group, and finds the first for a name.
#include "hub/access/Permission.h"

#include "eta/core/printable.h"
#include "hub/access/glob.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace emissary::hub::access {

namespace {

constexpr std::size_t kMostRemembered = 4'000'000;  // places; 60 to 100 bytes each
constexpr Rules::Place kNone = std::numeric_limits<Rules::Place>::max();

/// With its length in front, so that no two lists of texts make the same key.
void append(std::string& key, char kind, std::string_view text) {
    const std::size_t n = text.size();
    key += kind;
    for (int shift = 0; shift < 32; shift += 8)
        key += static_cast<char>(n >> shift & 0xFF);
    key += text;
}

/// What a pattern of names ends with: the bytes behind its last * or ?.
[[nodiscard]] std::string_view endOf(std::string_view pattern) noexcept {
    return pattern.substr(pattern.find_last_of("*?") + 1);
}

}  // namespace

void Permission::Patterns::add(std::string_view text, Rules::Place place) {
    byText[text].push_back(place);
    lengths.insert(text.size());
}

const Rule* Permission::decide(const client::RequestAsk& ask) {
    // The first rule of the file that fits decides, whoever it is about.
    Rules::Place best = kNone;
    for (const Names* const names : indexesFor(ask))
        find(*names, ask.name, best);
    return best == kNone ? nullptr : &(*rules_)[best];
}

void Permission::find(const Names& names, std::string_view name, Rules::Place& best) {
    if (const auto at = names.exact.find(name); at != names.exact.end()) best = std::min(best, at->second);
    const auto among = [&](const Patterns& patterns, auto&& part) {
        for (const std::size_t length : patterns.lengths) {
            if (length > name.size()) return;
            const auto at = patterns.byText.find(part(length));
            if (at == patterns.byText.end()) continue;
            for (const Rules::Place place : at->second) {
                // Places are sorted: a later one cannot win any more.
                if (place >= best) break;
                ++comparisons_;
                if (matches((*rules_)[place].name, name)) best = place;
            }
        }
    };
    among(names.begun, [name](std::size_t length) { return name.substr(0, length); });
    among(names.open, [name](std::size_t length) { return name.substr(name.size() - length); });
}

/// The key has what the rules tell apart: a user or a group that no rule names is like any other.
const Permission::Indexes& Permission::indexesFor(const client::RequestAsk& ask) {
    key_.clear();
    const auto* const own = rules_->ofUser(ask.user);
    if (own != nullptr) append(key_, 'u', ask.user);
    for (const std::string& group : ask.groups)
        if (rules_->ofGroup(group) != nullptr) append(key_, 'g', group);
    const std::size_t subjects = key_.size();
    append(key_, 's', ask.service);
    key_ += static_cast<char>(ask.domain);
    if (const auto at = known_.find(key_); at != known_.end()) return at->second;
    // All is forgotten at once: clients of few kinds fill it again soon, and no list of ages is kept.
    if (remembered_ > kMostRemembered) {
        known_.clear();
        names_.clear();
        remembered_ = 0;
    }
    Indexes made;
    const auto add = [&](char kind, std::string_view subject, const std::vector<Rules::Place>& rules) {
        std::string key;
        append(key, kind, subject);
        key.append(key_, subjects);
        const Names& names = namesFor(std::move(key), rules, ask);
        if (names.places != 0) made.push_back(&names);
    };
    add('e', {}, rules_->ofEverybody());
    if (own != nullptr) add('u', ask.user, *own);
    for (const std::string& group : ask.groups)
        if (const auto* const rules = rules_->ofGroup(group)) add('g', group, *rules);
    remembered_ += 1 + made.size();
    return known_.emplace(key_, std::move(made)).first->second;
}

const Permission::Names& Permission::namesFor(std::string key, const std::vector<Rules::Place>& rules,
                                              const client::RequestAsk& ask) {
    if (const auto at = names_.find(key); at != names_.end()) return at->second;
    ++made_;
    Names names = make(rules, ask);
    remembered_ += 1 + names.places;
    return names_.emplace(std::move(key), std::move(names)).first->second;
}

Permission::Names Permission::make(const std::vector<Rules::Place>& rules, const client::RequestAsk& ask) const {
    Names made;
    for (const Rules::Place place : rules) {
        const Rule& rule = (*rules_)[place];
        if ((rule.domain && *rule.domain != ask.domain) || !matches(rule.service, ask.service)) continue;
        const std::string_view name = rule.name;
        const std::size_t wild = name.find_first_of("*?");
        ++made.places;
        if (wild == std::string_view::npos) made.exact.emplace(name, place);
        else if (wild == 0) made.open.add(endOf(name), place);
        else made.begun.add(name.substr(0, wild), place);
        if (name == "*") break;  // nothing behind it is ever reached
    }
    return made;
}

std::string Permission::refusal(const client::RequestAsk& ask, const Rule* rule) {
    return "the user is not entitled to it: service '" + eta::printable(ask.service) + "', item '" +
           eta::printable(ask.name) + "': " +
           (rule == nullptr ? std::string("no rule allows it")
                            : "line " + std::to_string(rule->line) + " of the rules denies it");
}

}  // namespace emissary::hub::access

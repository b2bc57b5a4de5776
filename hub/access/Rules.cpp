// Reads the lines of a Permission file, and says of each that is none what is wrong with it.
#include "hub/access/Rules.h"

#include "config/options/services.h"
#include "eta/core/printable.h"
#include "hub/access/glob.h"

#include <algorithm>

namespace emissary::hub::access {

namespace {

constexpr std::size_t kMostRules = 1'000'000;
constexpr std::size_t kLongestWord = 1024;
constexpr const char* kForm = "write: allow|deny|ask WHO SERVICE NAME DOMAIN";

[[nodiscard]] bool isBlank(char c) noexcept {
    return c == ' ' || c == '\t';
}

/// What stands between blanks; a # in front of a word begins a comment.
[[nodiscard]] std::vector<std::string_view> wordsOf(std::string_view line) {
    std::vector<std::string_view> words;
    for (std::size_t at = 0;;) {
        while (at < line.size() && isBlank(line[at]))
            ++at;
        if (at == line.size() || line[at] == '#') return words;
        const std::size_t begin = at;
        while (at < line.size() && !isBlank(line[at]))
            ++at;
        words.push_back(line.substr(begin, at - begin));
    }
}

[[nodiscard]] std::string quoted(std::string_view word) {
    return "[" + eta::printable(word.substr(0, 80)) + "]";
}

/// MarketByOrder is MMT_MARKET_BY_ORDER; numbers are themselves. 0: neither.
[[nodiscard]] std::uint8_t domainOf(std::string_view word) {
    const bool digits = std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
    if (digits || word.starts_with("MMT_")) return parameters::domainNumber(word);
    std::string name = "MMT";
    for (const char c : word) {
        const bool upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z';
        if (!upper && !lower) return 0;
        if (upper) name += '_';
        else if (name == "MMT") return 0;
        name += upper ? c : static_cast<char>(c - 'a' + 'A');
    }
    return parameters::domainNumber(name);
}

[[nodiscard]] std::string wrongSubject(std::string_view who) {
    if (who == "*") return {};
    if (who == "@") return "a group has a name behind its @";
    if (isPattern(who)) return "WHO " + quoted(who) + " is a user, a @group, or * alone, and no pattern";
    return {};
}

/// Empty: the words are a rule.
[[nodiscard]] std::string readRule(const std::vector<std::string_view>& words, Rule& rule) {
    if (words[0] != "allow" && words[0] != "deny" && words[0] != "ask")
        return "a rule begins with allow or deny or ask, not with " + quoted(words[0]) + "; " + kForm;
    if (words.size() != 5) return "a rule has 5 words, and these are " + std::to_string(words.size()) + "; " + kForm;
    for (const std::string_view word : words) {
        if (word.size() > kLongestWord) return "a word has more than 1024 bytes";
        if (std::ranges::any_of(word, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }))
            return "a control character stands in " + quoted(word);
    }
    if (std::string wrong = wrongSubject(words[1]); !wrong.empty()) return wrong;
    rule.what = words[0] == "allow" ? Rule::What::allow : words[0] == "ask" ? Rule::What::ask : Rule::What::deny;
    rule.who = words[1] == "*" ? Rule::Who::everybody : words[1].starts_with('@') ? Rule::Who::group : Rule::Who::user;
    if (rule.who != Rule::Who::everybody) rule.subject = words[1].substr(rule.who == Rule::Who::group ? 1 : 0);
    rule.service = words[2];
    rule.name = words[3];
    if (words[4] == "*") return {};
    const std::uint8_t domain = domainOf(words[4]);
    if (domain == 0) return "DOMAIN " + quoted(words[4]) + " is neither a domain (MarketPrice), nor its number, nor *";
    // Login, directory and dictionary have no items that could be granted (rdm.md).
    if (domain == 1 || domain == 4 || domain == 5)
        return "DOMAIN " + quoted(words[4]) + " has no items: rules are not for logins, directories and dictionaries";
    rule.domain = domain;
    return {};
}

}  // namespace

Rules Rules::read(std::string_view text, Faults& faults) {
    Rules made;
    eachLine(text, [&](std::size_t number, std::string_view line) {
        const std::vector<std::string_view> words = wordsOf(line);
        if (words.empty()) return;
        Rule rule;
        if (std::string wrong = readRule(words, rule); !wrong.empty()) return faults.add(number, std::move(wrong));
        if (made.rules_.size() == kMostRules) return faults.add(number, "there are more than a million rules");
        // The refusal names the line, so an operator finds the rule.
        rule.line = static_cast<std::uint32_t>(number);
        const auto place = static_cast<Place>(made.rules_.size());
        (rule.who == Rule::Who::everybody ? made.everybody_
         : rule.who == Rule::Who::user    ? made.users_[rule.subject]
                                          : made.groups_[rule.subject])
            .push_back(place);
        if (rule.what == Rule::What::ask && made.firstAsk_ == 0) made.firstAsk_ = rule.line;
        made.rules_.push_back(std::move(rule));
    });
    // A file that was emptied by mistake would close everything.
    if (made.rules_.empty() && faults.empty())
        faults.add(0, "has no rule; to grant nothing to anybody, write: deny * * * *");
    return made;
}

}  // namespace emissary::hub::access

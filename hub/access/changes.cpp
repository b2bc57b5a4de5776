// Compares two readings of a file of users or rules.
#include "hub/access/changes.h"

#include "eta/core/printable.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace emissary::hub::access {

namespace {

constexpr std::size_t kMostNamed = 10;

/// " 2 added (a, b)"; empty without any.
[[nodiscard]] std::string some(std::vector<std::string> names, const char* what) {
    if (names.empty()) return {};
    std::string out = " " + std::to_string(names.size()) + " " + what + " (";
    for (std::size_t i = 0; i < std::min(names.size(), kMostNamed); ++i)
        out += (i == 0 ? "" : ", ") + eta::printable(names[i]);
    return out + (names.size() > kMostNamed ? ", ...)" : ")");
}

[[nodiscard]] std::string joined(const char* of, const std::vector<std::string>& parts) {
    std::string out;
    for (const std::string& part : parts)
        if (!part.empty()) out += (out.empty() ? "" : ",") + part;
    return std::string(of) + ":" + (out.empty() ? " unchanged" : out);
}

using Content = std::tuple<Rule::What, Rule::Who, int, std::string_view, std::string_view, std::string_view>;
[[nodiscard]] Content contentOf(const Rule& r) {
    return {r.what, r.who, r.domain ? int{*r.domain} : -1, r.subject, r.service, r.name};
}

/// Lines by content; of equal ones each.
[[nodiscard]] std::map<Content, std::vector<std::uint32_t>> linesOf(const Rules& rules) {
    std::map<Content, std::vector<std::uint32_t>> lines;
    for (Rules::Place i = 0; i < rules.size(); ++i)
        lines[contentOf(rules[i])].push_back(rules[i].line);
    return lines;
}

/// Of those in `all` that `others` lacks, the lines in order.
[[nodiscard]] std::vector<std::string> lacking(const std::map<Content, std::vector<std::uint32_t>>& all,
                                               const std::map<Content, std::vector<std::uint32_t>>& others) {
    std::vector<std::uint32_t> lines;
    for (const auto& [content, at] : all) {
        // Of equal rules as many as the other reading lacks.
        const auto found = others.find(content);
        for (std::size_t i = found == others.end() ? 0 : found->second.size(); i < at.size(); ++i)
            lines.push_back(at[i]);
    }
    std::ranges::sort(lines);
    std::vector<std::string> texts;
    for (const std::uint32_t line : lines)
        texts.push_back("line " + std::to_string(line));
    return texts;
}

}  // namespace

std::string usersChanged(const LoginFile* before, const LoginFile& now) {
    static const LoginFile kNobody;
    const LoginFile& old = before != nullptr ? *before : kNobody;
    std::vector<std::string> added, removed, changed;
    for (const auto& [name, user] : now.users()) {
        const LoginFile::User* const was = old.find(name);
        if (was == nullptr) added.push_back(name);
        else if (!(*was == user)) changed.push_back(name);
    }
    for (const auto& entry : old.users())
        if (now.find(entry.first) == nullptr) removed.push_back(entry.first);
    for (auto* const names : {&added, &removed, &changed})
        std::ranges::sort(*names);
    return joined("users", {some(added, "added"), some(removed, "removed"), some(changed, "changed")});
}

std::string rulesChanged(const Rules* before, const Rules& now) {
    static const Rules kNone;
    const Rules& old = before != nullptr ? *before : kNone;
    const auto was = linesOf(old), is = linesOf(now);
    const std::vector<std::string> added = lacking(is, was), removed = lacking(was, is);
    std::string order;
    if (added.empty() && removed.empty())
        for (Rules::Place i = 0; i < now.size() && order.empty(); ++i)
            if (contentOf(now[i]) != contentOf(old[i]))
                order = " in another order from line " + std::to_string(now[i].line);
    return joined("rules", {some(added, "added"), some(removed, "removed, as they stood before"), order});
}

}  // namespace emissary::hub::access

// Writes questions, and reads answers, of which nothing is believed before the whole line has been looked at.
#include "hub/access/command_lines.h"

#include "eta/core/base64.h"
#include "eta/core/json_escapes.h"
#include "hub/access/LoginFile.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include <simdjson.h>

namespace emissary::hub::access {

namespace {

constexpr std::size_t kMostGroups = 1000, kLongestName = 256, kLongestText = 1024;
constexpr std::size_t kDeepest = 8;  // levels of an answer

[[nodiscard]] bool isUtf8(std::string_view text) noexcept {
    while (!text.empty()) {
        const std::size_t n = static_cast<unsigned char>(text.front()) < 0x80 ? 1 : eta::utf8Length(text);
        if (n == 0) return false;
        text.remove_prefix(n);
    }
    return true;
}

/// Writes the members of a question. What JSON cannot say as it is spoils the question: the program would be asked
/// about somebody else.
class Question {
public:
    explicit Question(std::string_view kind) { text("ask", kind); }
    void text(std::string_view name, std::string_view value) {
        begin(name);
        string(name, value);
    }
    void number(std::string_view name, std::uint64_t value) {
        begin(name);
        out_.append(std::to_string(value));
    }
    void truth(std::string_view name) {
        begin(name);
        out_.append("true");
    }
    void texts(std::string_view name, std::span<const std::string> values) {
        begin(name);
        out_.append("[");
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i != 0) out_.append(",");
            string(name, values[i]);
        }
        out_.append("]");
    }
    /// Empty when it cannot be asked.
    [[nodiscard]] rest::Secret take(std::string& why, std::size_t longest = kLongestLine) {
        out_.append("}\n");
        if (fault_.empty() && out_.size() > longest - 32) fault_ = "the question would be too long";
        if (fault_.empty()) return std::move(out_);
        why = fault_;
        return {};
    }

private:
    void begin(std::string_view name) {
        out_.append(",\"");
        out_.append(name);
        out_.append("\":");
    }
    void string(std::string_view name, std::string_view value) {
        if (!isUtf8(value)) fault_ = std::string(name) + " is no UTF-8";
        out_.append("\"");
        eta::writeJsonEscaped(value, [this](std::string_view piece) { out_.append(piece); });
        out_.append("\"");
    }

    rest::Secret out_;
    std::string fault_;
};

using Element = simdjson::dom::element;

/// Short, and of characters that may stand in a log.
[[nodiscard]] bool isName(std::string_view text) noexcept {
    return text.size() <= kLongestName && eta::isPlain(text);
}

[[nodiscard]] bool readName(const Element& value, std::string& out) {
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS || text.size() > kLongestName ||
        std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }))
        return false;
    out = text;
    return true;
}

[[nodiscard]] bool readGroups(const Element& value, std::vector<std::string>& out) {
    simdjson::dom::array all;
    if (value.get(all) != simdjson::SUCCESS) return false;
    for (const Element one : all)
        if (out.size() == kMostGroups || !readName(one, out.emplace_back()) || out.back().empty()) return false;
    return true;
}

[[nodiscard]] bool readLimits(const Element& value, CommandAnswer& out) {
    simdjson::dom::object all;
    if (value.get(all) != simdjson::SUCCESS) return false;
    for (const auto& [name, limit] : all) {
        auto* const into = name == "logins"    ? &out.logins
                           : name == "mounts"  ? &out.mounts
                           : name == "seconds" ? &out.seconds
                                               : nullptr;
        std::uint64_t n = 0;
        // A limit that this hub does not know must not be taken for none.
        if (into == nullptr || *into || limit.get(n) != simdjson::SUCCESS ||
            n > std::numeric_limits<std::uint32_t>::max())
            return false;
        *into = n;
    }
    return true;
}

}  // namespace

rest::Secret questionOf(const client::LoginAsk& ask, std::string& why) {
    Question q("login");
    q.text("user", ask.user);
    q.number("nameType", ask.nameType);
    if (!ask.token.empty()) q.text("token", ask.token);
    else q.text("password", ask.password);
    q.text("position", ask.position);
    q.text("applicationId", ask.applicationId);
    q.text("ip", hostOf(ask.address));
    if (!ask.certSubject.empty()) q.text("certSubject", ask.certSubject);
    if (!ask.certNames.empty()) q.texts("certNames", ask.certNames);
    if (ask.again) q.text("as", ask.as);
    return q.take(why, kLongestLogin);
}

rest::Secret questionOf(const client::RequestAsk& ask, std::string& why) {
    Question q("item");
    q.text("user", ask.user);
    q.texts("groups", ask.groups);
    q.text("service", ask.service);
    q.text("name", ask.name);
    q.number("domain", ask.domain);
    if (ask.nameType != 1) q.number("nameType", ask.nameType);
    if (ask.isPrivate) q.truth("private");
    if (!ask.permData.empty()) {
        std::string base64(eta::base64Size(ask.permData.size()), '\0');
        eta::encodeBase64(ask.permData, base64.data());
        q.text("permData", base64);
    }
    return q.take(why);
}

rest::Secret lineOf(std::uint64_t id, const rest::Secret& question) {
    rest::Secret line;
    const std::string begin = "{\"id\":" + std::to_string(id);
    line.reserve(begin.size() + question.size());
    return line.append(begin).append(question.view()), line;
}

std::optional<CommandAnswer> readAnswer(std::string_view line, std::string& why) {
    const auto no = [&why](const char* what) {
        why = what;
        return std::nullopt;
    };
    simdjson::dom::parser parser(kLongestLine);
    if (parser.allocate(kLongestLine, kDeepest) != simdjson::SUCCESS) return no("memory is short");
    Element root;
    simdjson::dom::object members;
    if (parser.parse(line.data(), line.size()).get(root) != simdjson::SUCCESS || root.get(members) != simdjson::SUCCESS)
        return no("it is no JSON object");
    CommandAnswer answer;
    std::set<std::string_view> seen;
    for (const auto& [name, value] : members) {
        // Which of two would count is for nobody to guess.
        if (!seen.insert(name).second) return no("a member stands twice");
        if (name == "id") {
            if (value.get(answer.id) != simdjson::SUCCESS) return no("id is no whole number");
        } else if (name == "ok") {
            if (value.get(answer.ok) != simdjson::SUCCESS) return no("ok is neither true nor false");
        } else if (name == "user") {
            if (!readName(value, answer.user)) return no("user is no text of at most 256 bytes");
        } else if (name == "groups") {
            if (!readGroups(value, answer.groups)) return no("groups is no list of at most 1000 names");
        } else if (name == "limits") {
            if (!readLimits(value, answer))
                return no("limits has something else than numbers: logins, mounts, seconds");
        } else if (name == "code") {
            if (!readName(value, answer.code) || !isName(answer.code)) return no("code is no word");
        } else if (name == "text") {
            std::string_view text;
            if (value.get(text) != simdjson::SUCCESS) return no("text is no text");
            eta::appendPrintable(answer.text, text.substr(0, kLongestText));
        }
    }
    if (!seen.contains("id") || !seen.contains("ok")) return no("id or ok is missing");
    return answer;
}

client::LoginVerdict verdictOf(CommandAnswer answer) {
    using Kind = client::LoginVerdict::Kind;
    client::LoginVerdict verdict;
    verdict.text = std::move(answer.text);
    if (!answer.ok) {
        verdict.kind = answer.code == "too_many_logins"      ? Kind::tooManyLogins
                       : answer.code == "application_denied" ? Kind::applicationDenied
                       : answer.code == kUnavailable         ? Kind::noAnswer
                                                             : Kind::notEntitled;
        return verdict;
    }
    verdict.user = std::move(answer.user);
    verdict.groups = std::move(answer.groups);
    // 0 is no limit, as for the others.
    if (answer.seconds.value_or(0) != 0) verdict.lasts = std::chrono::seconds(*answer.seconds);
    if (answer.logins) verdict.maxLogins = static_cast<std::uint32_t>(*answer.logins);
    if (answer.mounts) verdict.maxMounts = static_cast<std::uint32_t>(*answer.mounts);
    return verdict;
}

}  // namespace emissary::hub::access

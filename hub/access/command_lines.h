// hub/access: questions to LoginCommand and its answers, one line of JSON each (hub.md 11.1).
#pragma once

#include "hub/client/LoginCheck.h"
#include "hub/client/RequestCheck.h"
#include "rest/Secret.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::hub::access {

/// Of a question, and of an answer, with the end of the line.
inline constexpr std::size_t kLongestLine = 64u << 10;

/// Of the question about a login: anybody may connect and send one.
inline constexpr std::size_t kLongestLogin = 16u << 10;

/// What stands behind the id of a question. Empty: it cannot be asked, since `why` it cannot be written. The text has
/// the password.
[[nodiscard]] rest::Secret questionOf(const client::LoginAsk& ask, std::string& why);
[[nodiscard]] rest::Secret questionOf(const client::RequestAsk& ask, std::string& why);
/// The line, for a question of that number.
[[nodiscard]] rest::Secret lineOf(std::uint64_t id, const rest::Secret& question);

/// An answer, as it was read.
struct CommandAnswer {
    std::uint64_t id = 0;
    bool ok = false;
    std::string user, code, text;
    std::vector<std::string> groups;
    std::optional<std::uint64_t> logins, mounts, seconds;  ///< limits
};

/// The code of an answer that is none yet: the question may be put again.
inline constexpr std::string_view kUnavailable = "unavailable";

/// Nothing: the line is no answer; `why` says what is wrong, and quotes nothing of it.
[[nodiscard]] std::optional<CommandAnswer> readAnswer(std::string_view line, std::string& why);

/// What an answer means for a login.
[[nodiscard]] client::LoginVerdict verdictOf(CommandAnswer answer);

}  // namespace emissary::hub::access

// hub/access: reads the lines of a file of tokens, and finds whose a token is.
#include "hub/access/OperatorFile.h"

#include "eta/core/printable.h"

#include <algorithm>
#include <optional>

#include <openssl/crypto.h>
#include <openssl/evp.h>

namespace emissary::hub::access {

namespace {

using Hash = std::array<unsigned char, 32>;

constexpr std::array<std::string_view, 3> kRoles{"read", "operate", "admin"};

/// 64 hexadecimal digits of either case; nothing else is a hash.
[[nodiscard]] std::optional<Hash> readHash(std::string_view hex) noexcept {
    Hash made{};
    if (hex.size() != made.size() * 2) return {};
    const auto digit = [](char c) {
        return c >= '0' && c <= '9'   ? c - '0'
               : c >= 'a' && c <= 'f' ? c - 'a' + 10
               : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                      : -1;
    };
    for (std::size_t i = 0; i < made.size(); ++i) {
        const int high = digit(hex[2 * i]), low = digit(hex[2 * i + 1]);
        if ((high | low) < 0) return {};
        made[i] = static_cast<unsigned char>(high << 4 | low);
    }
    return made;
}

[[nodiscard]] Hash hashOf(std::string_view token) noexcept {
    Hash made{};
    unsigned size = 0;
    if (::EVP_Digest(token.data(), token.size(), made.data(), &size, ::EVP_sha256(), nullptr) != 1) made.fill(0);
    return made;
}

/// Names stand in logs, in the audit log and in texts that clients get.
[[nodiscard]] bool isName(std::string_view text) noexcept {
    return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
               c == '-' || c == '@';
    });
}

/// Empty: the line is a token's.
[[nodiscard]] std::string readLine(std::string_view line, OperatorFile::Operator& made) {
    const std::size_t first = line.find(':'), second = first == line.npos ? first : line.find(':', first + 1);
    if (second == line.npos) return "a line has 3 parts; write: name:role:hash";
    const std::string_view name = line.substr(0, first), role = line.substr(first + 1, second - first - 1);
    if (!isName(name)) return "a name has 1 to 64 letters, digits, dots, dashes, underscores or @";
    const auto* const known = std::ranges::find(kRoles, role);
    if (known == kRoles.end()) return "role [" + eta::printable(role) + "] is none of read, operate, admin";
    const std::optional<Hash> hash = readHash(line.substr(second + 1));
    if (!hash) return "the third part is no SHA-256 in 64 hex digits; to make one: printf %s \"$TOKEN\" | sha256sum";
    if (*hash == hashOf("")) return "the hash is that of an empty token";
    made = {std::string(name), static_cast<OperatorRole>(known - kRoles.begin()), *hash};
    return {};
}

}  // namespace

std::string_view nameOf(OperatorRole role) noexcept {
    return kRoles[static_cast<std::size_t>(role)];
}

OperatorFile OperatorFile::read(std::string_view text, Faults& faults) {
    OperatorFile made;
    eachLine(text, [&](std::size_t number, std::string_view line) {
        const std::size_t begin = line.find_first_not_of(" \t");
        if (begin == std::string_view::npos || line[begin] == '#') return;
        Operator one;
        if (std::string wrong = readLine(line, one); !wrong.empty()) return faults.add(number, std::move(wrong));
        if (made.operators_.size() == kMostTokens) return faults.add(number, "there are more than 1000 tokens");
        // Two lines of one name let a token be exchanged without a gap; two names of one token hide who it was.
        if (std::ranges::any_of(made.operators_, [&](const Operator& o) { return o.hash == one.hash; }))
            return faults.add(number, "another line has the same token");
        made.operators_.push_back(std::move(one));
    });
    if (made.operators_.empty() && faults.empty()) faults.add(0, "has no token");
    return made;
}

const OperatorFile::Operator* OperatorFile::find(std::string_view token) const noexcept {
    const Hash hash = hashOf(token.substr(0, kMostTokenBytes));
    const Operator* found = nullptr;
    for (const Operator& one : operators_)
        if (CRYPTO_memcmp(one.hash.data(), hash.data(), hash.size()) == 0) found = &one;
    return token.empty() || token.size() > kMostTokenBytes ? nullptr : found;
}

std::vector<std::string> OperatorTokens::read() {
    if (path_.empty()) return {};
    Faults faults;
    std::string text;
    std::shared_ptr<const OperatorFile> made;
    if (readTextFile(path_, text, faults)) made = std::make_shared<OperatorFile>(OperatorFile::read(text, faults));
    if (!faults.empty()) return faults.lines("HttpTokens: " + path_);
    const std::lock_guard guard(mutex_);
    current_ = std::move(made);
    return {};
}

std::shared_ptr<const OperatorFile> OperatorTokens::current() const {
    const std::lock_guard guard(mutex_);
    return current_;
}

}  // namespace emissary::hub::access

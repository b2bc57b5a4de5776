// Reads the lines of a LoginFile, and checks logins against them with crypt(3).
#include "hub/access/LoginFile.h"

#include "eta/core/printable.h"
#include "hub/access/glob.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include <crypt.h>
#include <string.h>

namespace emissary::hub::access {

namespace {

constexpr std::size_t kMostUsers = 1'000'000;
/// To the client, whatever is wrong: one that guesses learns nothing.
constexpr const char* kRefused = "The user, the password or the address is not accepted.";

[[nodiscard]] bool hasControls(std::string_view text) noexcept {
    return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

/// What stands between commas. False: a piece is empty, or has a blank.
[[nodiscard]] bool readList(std::string_view text, std::vector<std::string>& out) {
    if (text.empty()) return true;
    for (;;) {
        const std::size_t comma = text.find(',');
        const std::string_view piece = text.substr(0, comma);
        if (piece.empty() || piece.find(' ') != std::string_view::npos) return false;
        out.emplace_back(piece);
        if (comma == std::string_view::npos) return true;
        text.remove_prefix(comma + 1);
    }
}

/// Empty: the line is a user.
[[nodiscard]] std::string readUser(std::string_view line, std::string_view& name, LoginFile::User& user) {
    std::string_view parts[4];
    for (std::size_t i = 0; i < 4; ++i) {
        // The fourth part takes the rest of the line, because IPv6 addresses contain colons.
        const std::size_t colon = i < 3 ? line.find(':') : std::string_view::npos;  // addresses may have some
        if (i < 3 && colon == std::string_view::npos) return "a line has 4 parts; write: user:hash:group,group:address";
        parts[i] = line.substr(0, colon);
        line.remove_prefix(i < 3 ? colon + 1 : line.size());
    }
    name = parts[0];
    if (name.empty() || name.front() == ' ' || name.back() == ' ')
        return "a user has a name, without blanks before and behind it";
    if (hasControls(name) || hasControls(parts[1]) || hasControls(parts[2]) || hasControls(parts[3]))
        return "a control character stands in the line";
    user.hash = parts[1];
    const int kind = user.hash.empty() ? CRYPT_SALT_OK : ::crypt_checksalt(user.hash.c_str());
    if (kind == CRYPT_SALT_INVALID || kind == CRYPT_SALT_METHOD_DISABLED)
        return "the second part is no hash of crypt(3); to make one: mkpasswd, or openssl passwd -6";
    if (!readList(parts[2], user.groups)) return "the third part is no list of groups with commas between";
    for (const std::string& group : user.groups)
        // Rules write @ to say "group". In this file it would become part of the name.
        if (group.starts_with('@') || isPattern(group))
            return "group [" + eta::printable(group) + "] is written without @ and is no pattern";
    if (!readList(parts[3], user.addresses)) return "the fourth part is no list of addresses with commas between";
    for (const std::string& address : user.addresses)
        if (address.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyz.:*?") != std::string::npos)
            return "address [" + eta::printable(address) + "] is no numeric address or pattern of one (10.1.*)";
    return {};
}

/// Whether the password is that of the hash. Takes what the hash costs.
[[nodiscard]] bool hashesTo(const std::string& password, const std::string& hash) {
    // crypt_r() keeps the password in its room, which is far too large for the stack of a thread.
    struct Wiped {
        crypt_data data{};
        ~Wiped() { ::explicit_bzero(&data, sizeof data); }
    };
    const auto room = std::make_unique<Wiped>();
    const char* const made = ::crypt_r(password.c_str(), hash.c_str(), &room->data);
    // crypt(3) answers an invalid hash with a text that begins with *.
    if (made == nullptr || made[0] == '*' || std::strlen(made) != hash.size()) return false;
    // Compared without an early end: how long it takes must not say how many characters fit.
    unsigned char differs = 0;
    for (std::size_t i = 0; i < hash.size(); ++i)
        differs = static_cast<unsigned char>(differs | (made[i] ^ hash[i]));
    return differs == 0 && password.find('\0') == std::string::npos;
}

[[nodiscard]] client::LoginVerdict refused(const char* why) {
    client::LoginVerdict no;
    no.kind = client::LoginVerdict::Kind::notEntitled;
    no.text = kRefused;
    no.reason = why;
    return no;
}

}  // namespace

std::string_view hostOf(std::string_view address) noexcept {
    std::string_view host = address.substr(0, address.rfind(':'));
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    // An IPv4 client of an IPv6 listener: its pattern is written as IPv4.
    if (host.starts_with("::ffff:") && host.find('.') != std::string_view::npos) host.remove_prefix(7);
    return host;
}

LoginFile LoginFile::read(std::string_view text, Faults& faults) {
    LoginFile made;
    eachLine(text, [&](std::size_t number, std::string_view line) {
        const std::size_t begin = line.find_first_not_of(" \t");
        if (begin == std::string_view::npos || line[begin] == '#') return;
        std::string_view name;
        User user;
        if (std::string wrong = readUser(line, name, user); !wrong.empty()) return faults.add(number, std::move(wrong));
        if (made.users_.size() == kMostUsers) return faults.add(number, "there are more than a million users");
        if (made.decoy_.empty()) made.decoy_ = user.hash;
        if (!made.users_.emplace(name, std::move(user)).second)
            faults.add(number, "user [" + eta::printable(name) + "] has a line already");
    });
    if (made.users_.empty() && faults.empty()) faults.add(0, "has no user");
    return made;
}

client::LoginVerdict LoginFile::decide(const client::LoginAsk& ask) const {
    const User* const user = ask.user.empty() ? nullptr : find(ask.user);
    const std::string& hash = user != nullptr ? user->hash : decoy_;
    const bool right = hash.empty() || hashesTo(ask.password, hash);
    if (user == nullptr)
        return refused(ask.user.empty() ? "a login with a token, and LoginCheck is file" : "there is no such user");
    if (!right) return refused("the password is wrong");
    const std::string_view host = hostOf(ask.address);
    const auto fits = [&](const std::string& pattern) { return matches(pattern, host); };
    if (!user->addresses.empty() && std::ranges::none_of(user->addresses, fits))
        return refused("the user may not log in from this address");
    client::LoginVerdict yes;
    yes.groups = user->groups;
    return yes;
}

}  // namespace emissary::hub::access

// The users of a LoginFile: passwords, groups, and where they may log in from (hub.md 11.1).
#pragma once

#include "hub/access/Rules.h"
#include "hub/client/LoginCheck.h"

#include <string>
#include <string_view>
#include <vector>

namespace emissary::hub::access {

/// Lines `user:hash:group,group:address`. Does not change; any thread.
class LoginFile {
public:
    struct User {
        std::string hash;  ///< of crypt(3); empty = no password is asked for
        std::vector<std::string> groups;
        std::vector<std::string> addresses;  ///< patterns; none = from everywhere
        friend bool operator==(const User&, const User&) = default;
    };

    /// What can be read of the text; with any fault it must not be used. Hashes are in no fault.
    [[nodiscard]] static LoginFile read(std::string_view text, Faults& faults);

    /// Null: there is no such user.
    [[nodiscard]] const User* find(std::string_view user) const noexcept {
        const auto at = users_.find(user);
        return at == users_.end() ? nullptr : &at->second;
    }
    [[nodiscard]] std::size_t size() const noexcept { return users_.size(); }
    /// By name, in no order.
    [[nodiscard]] const ByText<User>& users() const noexcept { return users_; }

    /// Takes as long as hashing the password does, whether there is such a user or not.
    [[nodiscard]] client::LoginVerdict decide(const client::LoginAsk& ask) const;

private:
    ByText<User> users_;
    std::string decoy_;  // a hash of the file, for users that are not there
};

/// The host of a peer: "10.1.2.3:4711" and "[::ffff:10.1.2.3]:4711" are 10.1.2.3.
[[nodiscard]] std::string_view hostOf(std::string_view address) noexcept;

}  // namespace emissary::hub::access

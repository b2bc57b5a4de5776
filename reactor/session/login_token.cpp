// Moves a token into the attributes of the login, also one that was given as the user name.
#include "reactor/session/LoginOptions.h"

#include "reactor/GrowingBuffer.h"
#include "reactor/rdm/login_user.h"

namespace emissary::reactor::session {

bool useToken(LoginOptions& login, std::string_view token) {
    GrowingBuffer buffer;
    if (!rdm::copyWithToken(buffer.start(), login.attributes, token).ok()) return false;
    if (buffer.view().size() > rdm::kMostLoginAttributes) return false;
    login.attributes.assign(buffer.view().begin(), buffer.view().end());
    login.userName.assign(rdm::kNoLoginName);
    login.userNameType = rdm::LoginNameType::authnToken;
    return true;
}

bool settleToken(LoginOptions& login) {
    if (login.userNameType != rdm::LoginNameType::authnToken || rdm::isNoLoginName(login.userName)) return true;
    const std::string token = std::move(login.userName);
    return useToken(login, token);
}

}  // namespace emissary::reactor::session
